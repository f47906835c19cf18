// Milliseconds between two points of one function.
#pragma once

#include <chrono>

namespace cuttle::codegen {

class Stopwatch {
 public:
  /// Milliseconds since construction or the last lap.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    return ms;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace cuttle::codegen
