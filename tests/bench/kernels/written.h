// What kernels write: set to the same contents before each of two kernels runs, and compared afterwards.
#pragma once

#include <cuttle/cuttle.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver.h"

namespace cuttle::race {

class Written {
 public:
  virtual ~Written() = default;
  /// Poison, or what an array that is read and written held at first.
  virtual void reset(const Gpu& gpu) = 0;
  /// What it holds now is the twin's result.
  virtual void keep_reference() = 0;
  /// What it holds now against the twin's result: a sentence, empty where they agree.
  [[nodiscard]] virtual std::string compare(double tolerance, double outliers) const = 0;
};

template <class T>
class WrittenArray final : public Written {
 public:
  /// Poisoned; or, given `original`, restored.
  explicit WrittenArray(Array<T>& array, Array<T> original = {}) : array_(array), original_(std::move(original)) {}

  void reset(const Gpu& gpu) override {
    const std::size_t bytes = static_cast<std::size_t>(array_.size()) * sizeof(T);
    if (original_.empty()) {
      gpu.fill(array_.data(), poison, bytes);
    } else {
      gpu.copy(array_.data(), original_.data(), bytes);
    }
  }

  void keep_reference() override { reference_ = array_.to_vector(); }

  [[nodiscard]] std::string compare(double tolerance, double outliers) const override {
    const std::vector<T> ours = array_.to_vector();
    std::size_t untouched = 0, wrong = 0;
    double scale = 0;
    for (const T value : reference_) {
      if (is_untouched(value)) {
        ++untouched;
      } else {
        scale += std::abs(static_cast<double>(value)) / static_cast<double>(reference_.size());
      }
    }
    // A check of nothing would pass: most elements must be written (borders of stencils are not), with finite values.
    if (untouched * 4 > reference_.size()) return "nvcc's kernel left " + std::to_string(untouched) + " elements unwritten";
    if (!std::isfinite(scale)) return "nvcc's result is not finite";
    double worst = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (std::memcmp(&ours[i], &reference_[i], sizeof(T)) == 0) continue;
      const auto a = static_cast<double>(ours[i]), b = static_cast<double>(reference_[i]);
      const double error = std::abs(a - b) / std::max(std::abs(b), scale);
      if (error <= tolerance) continue;  // false for NaN
      ++wrong;
      worst = std::isnan(error) ? error : std::max(worst, error);
    }
    if (static_cast<double>(wrong) <= outliers * static_cast<double>(ours.size())) return {};
    return std::to_string(wrong) + " of " + std::to_string(ours.size()) + " elements differ, by up to " + std::to_string(worst);
  }

 private:
  // All bits one is a NaN; an integer gets a value that no result is full of.
  static constexpr unsigned char poison = std::is_floating_point_v<T> ? 0xff : 0xa5;

  [[nodiscard]] bool is_untouched(T value) const {
    if (!original_.empty()) return false;
    T untouched;
    std::memset(&untouched, poison, sizeof(T));
    return std::memcmp(&value, &untouched, sizeof(T)) == 0;
  }

  Array<T>& array_;
  Array<T> original_;
  std::vector<T> reference_;
};

}  // namespace cuttle::race
