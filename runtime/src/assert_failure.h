// What a failed assert of a kernel says, on either device.
#pragma once

#include <cstdint>
#include <string>

namespace cuttle::detail {

struct AssertFailure {
  std::string condition, file;
  std::uint32_t line;
  std::uint32_t block[3], thread[3];

  /// "kernel sim_12ab (view<f32>): the assertion `i < n` failed at sim.cpp:12 in block (3, 0, 0), thread (17, 0, 0)"
  [[nodiscard]] std::string text(const std::string& kernel) const {
    const auto place = [](const std::uint32_t* index) {
      return "(" + std::to_string(index[0]) + ", " + std::to_string(index[1]) + ", " + std::to_string(index[2]) + ")";
    };
    return "kernel " + kernel + ": the assertion `" + condition + "` failed at " + file + ":" + std::to_string(line) + " in block " + place(block) +
           ", thread " + place(thread);
  }
};

/// CUDA_ERROR_ASSERT, on both devices.
inline constexpr int error_assert = 710;

}  // namespace cuttle::detail
