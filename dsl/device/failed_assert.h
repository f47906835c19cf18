// What a GPU tells the host of an assertion that failed. Read by both compilers: the record lies in the host's memory, which outlives the context.
#pragma once

namespace cuttle::detail {

struct FailedAssert {
  static constexpr unsigned max_text = 480;
  enum State : unsigned { none, being_written, complete };

  unsigned state;  // only the first thread that fails writes
  unsigned line;
  unsigned block[3];
  unsigned thread[3];
  const void* kernel;  // AssertHost::kernel
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
