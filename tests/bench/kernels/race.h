// A race: one kernel in the DSL and its twin compiled by nvcc, with the same launch, inputs and check. See race.cpp for the measurement.
#pragma once

#include <cuttle/cuttle.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "written.h"

namespace cuttle::race {

/// How a kernel is launched, what one launch does, and how near the two results must be.
struct Plan {
  Launch launch;
  double bytes = 0;      ///< read and written by one launch, each byte once
  double flops = 0;      ///< floating-point operations of one launch, an fma counts two
  double tolerance = 0;  ///< |ours - nvcc's| over the larger of |nvcc's| and its mean magnitude; 0 for equal values
  double outliers = 0;   ///< fraction of elements that may miss the tolerance, where a last place decides a branch
};

/// A kernel and its twin, their types forgotten.
struct Pair {
  std::function<void()> ours;
  std::function<CompiledKernel(const Architecture*)> inspect;  // null: for the current device
  std::vector<void*> twin_arguments;
  std::shared_ptr<void> twin_values;  // what twin_arguments points at
};

/// The arguments of a launch: arrays by reference, values as they are.
template <class... A>
std::tuple<A...> arguments(A&&... a) {
  return std::tuple<A...>(std::forward<A>(a)...);
}

/// A twin takes an Array as a pointer, all else as it is.
template <class T, int N>
T* twin_value(Array<T, N>& array) {
  return array.data();
}
template <class T>
  requires std::is_arithmetic_v<T>
T twin_value(T value) {
  return value;
}

/// What a case sees: inputs, outputs and run().
class Race {
 public:
  explicit Race(bool needs_data) : needs_data_(needs_data) {}

  /// n values, all different from zero and from each other as far as the type goes; the same in every run.
  template <class T>
  Array<T>& uniform(std::int64_t n, double low = 0.1, double high = 1.1);
  /// n integers in [0, below).
  template <class T>
  Array<T>& integers(std::int64_t n, double below);
  template <class T>
  Array<T>& from(const std::vector<T>& values);

  template <class T>
  Array<T>& output(std::int64_t n);
  /// The array becomes one that the kernel updates.
  template <class T>
  Array<T>& in_out(Array<T>& array);

  template <class Kernel, class... A>
  void run(const Plan& plan, const Kernel& kernel, std::tuple<A...> ours) {
    run(plan, kernel, ours, ours);
  }
  /// Where the twin's parameters differ: sizes that a view carries.
  template <class Kernel, class... A, class... B>
  void run(const Plan& plan, const Kernel& kernel, std::tuple<A...> ours, std::tuple<B...> twin) {
    Pair pair;
    pair.ours = [plan, &kernel, ours] { std::apply([&](auto&&... a) { kernel[plan.launch](a...); }, ours); };
    pair.inspect = [&kernel, ours](const Architecture* architecture) {
      return std::apply([&](auto&&... a) { return architecture ? kernel.inspect(*architecture, a...) : kernel.inspect(a...); }, ours);
    };
    std::apply(
        [&](auto&&... b) {
          auto values = std::make_shared<std::tuple<decltype(twin_value(b))...>>(twin_value(b)...);
          std::apply([&](auto&... v) { pair.twin_arguments = {&v...}; }, *values);
          pair.twin_values = values;
        },
        twin);
    measure(plan, pair);
  }

  virtual ~Race() = default;

 protected:
  virtual void measure(const Plan& plan, const Pair& pair) = 0;
  std::vector<std::unique_ptr<Written>> written_;

 private:
  template <class T>
  Array<T>& keep(Array<T> array) {
    auto owned = std::make_shared<Array<T>>(std::move(array));
    arrays_.push_back(owned);
    return *owned;
  }

  bool needs_data_;
  std::vector<std::shared_ptr<void>> arrays_;
};

/// A well mixed 32-bit hash: inputs without a pattern, equal on every machine.
inline std::uint32_t mixed(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

template <class T>
Array<T>& Race::uniform(std::int64_t n, double low, double high) {
  if (!needs_data_) return keep(Array<T>(n));
  const auto seed = static_cast<std::uint32_t>(arrays_.size() * 0x9e3779b9u);
  std::vector<T> values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>(low + (high - low) * (mixed(static_cast<std::uint32_t>(i) + seed) + 0.5) / 4294967296.0);
  }
  return keep(Array<T>(values));
}

template <class T>
Array<T>& Race::integers(std::int64_t n, double below) {
  return uniform<T>(n, 0, below);
}

template <class T>
Array<T>& Race::output(std::int64_t n) {
  Array<T>& array = keep(Array<T>(n));
  written_.push_back(std::make_unique<WrittenArray<T>>(array));
  return array;
}

template <class T>
Array<T>& Race::in_out(Array<T>& array) {
  written_.push_back(std::make_unique<WrittenArray<T>>(array, needs_data_ ? array.copy() : Array<T>()));
  return array;
}

template <class T>
Array<T>& Race::from(const std::vector<T>& values) {
  return keep(Array<T>(values));
}

/// The registered races, in the order of the suite.
struct Case {
  const char* name;  ///< the twin's entry
  void (*run)(Race&);
  bool is_specialised;  ///< the kernel knows what its twin is told: not part of the comparison of two compilers
};
std::vector<Case>& cases();

struct Registration {
  Registration(const char* name, void (*run)(Race&), bool is_specialised = false) { cases().push_back({name, run, is_specialised}); }
};

/// `CUTTLE_RACE(saxpy) { ... race.run(...); }`
#define CUTTLE_RACE(name) CUTTLE_RACE_OF_KIND(name, false)
#define CUTTLE_SPECIALISED_RACE(name) CUTTLE_RACE_OF_KIND(name, true)
#define CUTTLE_RACE_OF_KIND(name, is_specialised)                                                    \
  static void race_##name(::cuttle::race::Race&);                                                    \
  static const ::cuttle::race::Registration registration_##name{#name, race_##name, is_specialised}; \
  static void race_##name(::cuttle::race::Race& race)

}  // namespace cuttle::race
