#include "cuttle/benchmark.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "cuttle/stream.hpp"
#include "device_state.h"

namespace cuttle {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::string range_text(const char* name, const std::vector<double>& values) {
  if (values.empty()) return std::string(name) + " not measured";
  char text[128];
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  std::snprintf(text, sizeof(text), "%s %.4g ms (%.4g to %.4g)", name, median(values), *least, *greatest);
  return text;
}

}  // namespace

double Benchmark::device_median() const { return median(device); }
double Benchmark::host_median() const { return median(host); }
std::string Benchmark::text() const {
  return range_text("device", device) + ", " + range_text("host", host) + ", " + std::to_string(device.size()) + " calls";
}

namespace detail {

Benchmark measure(void (*call)(void*), void* closure, const BenchmarkOptions& options) {
  for (std::size_t i = 0; i < options.warm_up; ++i) call(closure);
  DeviceState& device = current_device();
  void* stream = current_stream(device);
  device.synchronize_stream(stream);
  Benchmark result;
  const Event begin, end;
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < options.repeat && milliseconds(Clock::now() - start) < 1000 * options.most_seconds; ++i) {
    device.record(begin.handle(), stream);
    const Clock::time_point before = Clock::now();
    call(closure);
    result.host.push_back(milliseconds(Clock::now() - before));
    device.record(end.handle(), stream);
    device.synchronize_event(end.handle());
    result.device.push_back(end.milliseconds_since(begin));
  }
  return result;
}

}  // namespace detail

}  // namespace cuttle
