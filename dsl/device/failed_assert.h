// What a GPU tells the host of an assertion that failed, or of an index outside of its view. Read by both compilers: the record lies in the host's
// memory, which outlives the context.
#pragma once

namespace cuttle::detail {

struct FailedAssert {
  static constexpr unsigned max_text = 480;
  enum State : unsigned { none, being_written, complete };
  static constexpr int no_dimension = -2;  // of an assertion; -1 is for an index among all elements

  unsigned state;  // only the first thread that fails writes
  unsigned line;
  unsigned block[3];
  unsigned thread[3];
  const void* kernel;  // AssertHost::kernel
  int dimension;       // of the index, which `extent` bounds
  long long index, extent;
  char condition[max_text];
  char file[max_text];
};

/// What the host gives a module that asserts, in the module's variable of this name.
struct AssertHost {
  static constexpr const char* variable = "cuttle_assert_host";

  FailedAssert* record;
  const void* kernel;  // the host's own name for it
};

}  // namespace cuttle::detail
