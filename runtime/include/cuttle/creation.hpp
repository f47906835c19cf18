// Arrays with contents: zeros, ones, full, arange, and arrays like others.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "array.hpp"

#include "cuttle/dsl/hide_macros.hpp"

namespace cuttle {

/// `full(1.5f, rows, columns)`: every element is `value`.
template <class T, class... Extent>
[[nodiscard]] Array<T, static_cast<int>(sizeof...(Extent))> full(T value, Extent... shape) {
  using Result = Array<T, static_cast<int>(sizeof...(Extent))>;
  Result result = Result::uninitialised({static_cast<std::int64_t>(shape)...});
  result.fill(value);
  return result;
}

/// `zeros<float>(rows, columns)`: every byte is 0.
template <class T, class... Extent>
[[nodiscard]] auto zeros(Extent... shape) {
  return full(T{}, shape...);
}
template <class T, class... Extent>
[[nodiscard]] auto ones(Extent... shape) {
  return full(static_cast<T>(1), shape...);
}

/// begin, begin + step, ... before end, each computed as begin + i * step.
template <class T>
[[nodiscard]] Array<T> arange(T begin, T end, T step = T{1}) {
  static_assert(std::is_arithmetic_v<T>);
  if (step == T{0}) detail::throw_launch_error("arange with step 0 was asked for.");
  // A quotient a little over a whole number, by rounding, makes one element more, as in NumPy.
  std::int64_t count = 0;
  if constexpr (std::is_floating_point_v<T>) {
    const T steps = (end - begin) / step;
    count = static_cast<std::int64_t>(steps);
    if (static_cast<T>(count) < steps) ++count;
  } else {
    const T distance = step > T{0} ? static_cast<T>(end - begin) : static_cast<T>(begin - end);
    const T stride = step > T{0} ? step : static_cast<T>(T{0} - step);
    const bool empty = step > T{0} ? end <= begin : begin <= end;
    count = empty ? 0 : static_cast<std::int64_t>(distance / stride + (distance % stride != 0));
  }
  if (count < 0) count = 0;
  const auto host = std::make_unique<T[]>(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) host[static_cast<std::size_t>(i)] = static_cast<T>(begin + static_cast<T>(i) * step);
  return Array<T>(static_cast<const T*>(host.get()), count);
}
/// 0, 1, ... before end.
template <class T>
[[nodiscard]] Array<T> arange(T end) {
  return arange(T{0}, end);
}

/// Uninitialised elements, or zeros, on the same device and in the same shape as `x`.
template <class T, int N>
[[nodiscard]] Array<T, N> empty_like(const Array<T, N>& x) {
  const Use use(x.device());
  return Array<T, N>::uninitialised(x.shape());
}
template <class T, int N>
[[nodiscard]] Array<T, N> zeros_like(const Array<T, N>& x) {
  Array<T, N> result = empty_like(x);
  result.fill(T{});
  return result;
}

}  // namespace cuttle

#include "cuttle/dsl/restore_macros.hpp"
