// What ends blocks of a kernel on the CPU device before their end: a failed assert, or a fault.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "kernel_escape.h"

namespace cuttle::detail {

/// Waits, as on a GPU, for the next wait of the host, which throws it.
struct KernelFailure {
  std::string text;
  int code;  // CUDA's

  [[nodiscard]] std::exception_ptr exception() const;
};

/// What the ending of the kernel that this thread ran says, where that was no end.
[[nodiscard]] std::optional<KernelFailure> failure_of(const Ending& ending, const std::string& kernel);

/// What compiled kernels call (dsl/device/assert.h).
[[noreturn]] void assert_failed(const char* condition, const char* file, std::uint32_t line, std::uint32_t block_x, std::uint32_t block_y,
                                std::uint32_t block_z, std::uint32_t thread_x, std::uint32_t thread_y, std::uint32_t thread_z);

}  // namespace cuttle::detail
