// A warm launch next to the driver's own call, in turn: the same function, geometry and arguments. On the stub driver, whose functions
// return at once, what is left is our host code.

#include <cstdio>
#include <cuttle/cuttle.hpp>
#include <filesystem>
#include <stdexcept>

#include "raw_driver.h"
#include "report.h"
#include "sections.h"

namespace cuttle::bench {
namespace {

auto one_argument = CUTTLE_KERNEL([](auto x) { x[0] = 1.0f; });
auto four_arguments = CUTTLE_KERNEL([](auto x, auto n, auto a, auto y) { y[0] = a * x[0] + n; });
auto sixteen_arguments = CUTTLE_KERNEL([](auto x, auto y, auto z, auto n, auto a, auto b, auto c, auto d, auto e, auto f, auto g, auto h, auto i,
                                          auto j, auto k, auto l) { z[0] = x[0] + y[0] + n + a + b + c + d + e + f + g + h + i + j + k + l; });

// Seconds of a call when `count` are made in a row; what the GPU has to do for them is waited for afterwards.
template <class Call>
double seconds_each(int count, const Call& call) {
  const double start = wall_seconds();
  for (int i = 0; i < count; ++i) call();
  const double seconds = (wall_seconds() - start) / count;
  synchronize();
  return seconds;
}

struct Plan {
  int repetitions;
  int calls;  // in each; fewer than the GPU's queue holds
};

// What the driver is given the address of.
template <class T, int N>
view<T, N> value_of(Array<T, N>& array) {
  return array.view();
}
template <class T>
T value_of(const T& scalar) {
  return scalar;
}

template <class Kernel, class... Args>
Paired measure(const Kernel& kernel, const Plan& plan, Args&... arguments) {
  const auto context = enter_primary_context();
  const CompiledKernel compiled = kernel.inspect(arguments...);
  const auto function = load_function(compiled.ptx().c_str(), compiled.entry().c_str());
  const auto ours = [&] { kernel[{.grid = 1, .block = 32}](arguments...); };
  const auto raw = [&] {
    const auto launch_with = [&](auto... values) {
      void* pointers[] = {&values...};
      launch_raw(function, 1, 32, pointers);
    };
    launch_with(value_of(arguments)...);
  };
  Paired samples;
  seconds_each(plan.calls, ours);
  seconds_each(plan.calls, raw);
  for (int repetition = 0; repetition < plan.repetitions; ++repetition) {
    double our_seconds = 0;
    if (repetition % 2) our_seconds = seconds_each(plan.calls, ours);
    const double raw_seconds = seconds_each(plan.calls, raw);
    if (repetition % 2 == 0) our_seconds = seconds_each(plan.calls, ours);
    samples.add(1e9 * our_seconds, 1e9 * raw_seconds);
  }
  return samples;
}

// Calls report(name, samples) for kernels of 1, 4 and 16 arguments.
template <class Report>
void measure_all(const Plan& plan, const Report& report) {
  Array<float> x(1), y(1), z(1);
  int n = 1;
  float a = 2;
  report("1 argument", measure(one_argument, plan, x));
  report("4 arguments", measure(four_arguments, plan, x, n, a, y));
  report("16 arguments", measure(sixteen_arguments, plan, x, y, z, n, a, a, a, a, a, a, n, n, n, n, n, n));
}

std::string stub_driver() { return program_folder() + "/../lib/stub/libcuda.so.1"; }

}  // namespace

int launch_on_stub(const Arguments& arguments) {
  constexpr double budget_ns = 80;
  if (arguments.empty()) {
    print_heading("Warm launch: our host code, on a driver that does nothing");
    if (!std::filesystem::exists(stub_driver())) {
      print_skipped("host code of a launch", "there is no " + stub_driver());
      return 0;
    }
    const Finished finished = run_again("launch-on-stub in-child", "CUTTLE_CACHE=0 CUTTLE_DEFAULT_DEVICE=cuda CUTTLE_DRIVER='" + stub_driver() + "'");
    std::fputs(finished.output.c_str(), stdout);
    return finished.status;
  }
  measure_all({.repetitions = 101, .calls = 2000}, [](const char* what, const Paired& samples) {
    const Median difference = samples.difference();
    print({.what = std::string(what) + ", of that the call itself",
           .unit = "ns",
           .ours = median_of(samples.ours).value,
           .theirs = median_of(samples.theirs).value});
    print({.what = std::string("host code, ") + what, .unit = "ns", .ours = difference.value, .budget = budget_ns});
  });
  return 0;
}

int launch_on_gpu(const Arguments&) {
  print_heading("Warm launch next to cuLaunchKernel on the GPU");
  if (Device::cuda_count() == 0) {
    print_skipped("launch against cuLaunchKernel", "no GPU in this machine");
    return 0;
  }
  const Use gpu(Device::cuda());
  measure_all({.repetitions = 301, .calls = 200}, [](const char* what, const Paired& samples) {
    print({.what = std::string("launch, ") + what,
           .unit = "ns",
           .ours = median_of(samples.ours).value,
           .theirs = median_of(samples.theirs).value,
           .ratio = samples.ratio(),
           .budget = 1.03});
  });
  return 0;
}

void launch_many(int count) {
  Array<float> x(1), y(1);
  int n = 1;
  float a = 2;
  const auto context = enter_primary_context();
  for (int i = 0; i < count; ++i) four_arguments[{.grid = 1, .block = 32}](x, n, a, y);
}

void launch_raw_many(int count) {
  Array<float> x(1), y(1);
  int n = 1;
  float a = 2;
  const auto context = enter_primary_context();
  const CompiledKernel compiled = four_arguments.inspect(x, n, a, y);
  const auto function = load_function(compiled.ptx().c_str(), compiled.entry().c_str());
  auto x_view = x.view(), y_view = y.view();
  void* pointers[] = {&x_view, &n, &a, &y_view};
  for (int i = 0; i < count; ++i) launch_raw(function, 1, 32, pointers);
}

int repeat(const Arguments& arguments) {
  if (arguments.size() != 2) throw std::runtime_error("repeat takes what to do, launch, raw-launch or compile-KERNEL, and how many times");
  const int count = std::stoi(arguments[1]);
  const std::string& what = arguments[0];
  if (what == "launch") {
    launch_many(count);
  } else if (what == "raw-launch") {
    launch_raw_many(count);
  } else {
    compile_many(what.substr(what.find('-') + 1), count);
  }
  return 0;
}

}  // namespace cuttle::bench
