// A failed assert on the CPU device: the block that runs on this thread is left at once.
#pragma once

#include <memory>
#include <optional>

#include "assert_failure.h"

namespace cuttle::detail {

/// Calls run(data), in which blocks of kernels run; what the assert says that ended the call, or nothing where it came to its end.
/// Frames between this one and a kernel's are left without their destructors: there must be none to run.
[[nodiscard]] std::optional<AssertFailure> until_assert(void (*run)(void* data), void* data);

template <class Run>
[[nodiscard]] std::optional<AssertFailure> until_assert(Run& run) {
  return until_assert([](void* data) { (*static_cast<Run*>(data))(); }, std::addressof(run));
}

/// What compiled kernels call (dsl/device/assert.h).
[[noreturn]] void assert_failed(const char* condition, const char* file, std::uint32_t line, std::uint32_t block_x, std::uint32_t block_y,
                                std::uint32_t block_z, std::uint32_t thread_x, std::uint32_t thread_y, std::uint32_t thread_z);

}  // namespace cuttle::detail
