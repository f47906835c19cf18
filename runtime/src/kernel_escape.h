// Leaving a kernel's code on the CPU device before its end: by a call from it, or by a fault of it. The code has no unwind tables and nothing to
// destroy, so that a jump does it.
#pragma once

#include <memory>
#include <optional>

namespace cuttle::detail {

/// A signal that a kernel's code raised.
struct Fault {
  int signal;
  const void* address;  // that was accessed, for SIGSEGV and SIGBUS
};

struct Ending {
  bool at_end;                 // nothing ended the code before
  std::optional<Fault> fault;  // what did, where it was a fault and not leave_kernel()
};

/// Calls run(data), which runs blocks of kernels. Frames between this one and a kernel's are left without their destructors: they must have none.
[[nodiscard]] Ending run_kernel_code(void (*run)(void* data), void* data);

template <class Run>
[[nodiscard]] Ending run_kernel_code(Run& run) {
  return run_kernel_code([](void* data) { (*static_cast<Run*>(data))(); }, std::addressof(run));
}

/// Called from a kernel's code: run_kernel_code() returns.
[[noreturn]] void leave_kernel();

}  // namespace cuttle::detail
