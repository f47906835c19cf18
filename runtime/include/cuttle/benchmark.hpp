// benchmark: how long a launch takes, on the device and on the host.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "export.hpp"

namespace cuttle {

struct BenchmarkOptions {
  std::size_t repeat = 100;  ///< measured calls
  std::size_t warm_up = 5;   ///< calls before them, the first of which compiles
  double most_seconds = 10;  ///< no further call is begun after that
};

/// Milliseconds of each measured call.
struct CUTTLE_API Benchmark {
  std::vector<double> device;  ///< from the start of its work on the device to the end, by events on the current stream
  std::vector<double> host;    ///< until the call returned

  [[nodiscard]] double device_median() const;
  [[nodiscard]] double host_median() const;
  /// "device 0.0123 ms (0.0121 to 0.0140), host 0.0040 ms (0.0039 to 0.0100), 100 calls": medians, least and greatest.
  [[nodiscard]] std::string text() const;
};

namespace detail {

CUTTLE_API Benchmark measure(void (*call)(void*), void* closure, const BenchmarkOptions& options);

}  // namespace detail

/// Times `call(arguments...)`: a launch (`benchmark(k[{.grid = 10, .block = 256}], x, n, y)`, `benchmark(k.over(n), x, y)`) or any function that
/// launches on the current stream.
template <class Call, class... Args>
[[nodiscard]] Benchmark benchmark(const BenchmarkOptions& options, const Call& call, Args&&... arguments) {
  auto run = [&] { call(arguments...); };
  return detail::measure([](void* closure) { (*static_cast<decltype(run)*>(closure))(); }, &run, options);
}
template <class Call, class... Args>
[[nodiscard]] Benchmark benchmark(const Call& call, Args&&... arguments) {
  return benchmark(BenchmarkOptions{}, call, arguments...);
}

}  // namespace cuttle
