// Arguments that a kernel is compiled for: constant(16), constant<16>. Read by both compilers.
#pragma once

#ifndef CUTTLE_DEVICE_PRELUDE
#include <type_traits>
#endif

#include "hide_macros.hpp"

namespace cuttle {

/// What a kernel gets for constant(v): an object that is v, also where C++ wants a constant: `float a[n];`, `if constexpr (n > 4)`. Where a
/// template would deduce this type, write n.value.
template <auto v>
struct constant_value {
  using value_type = std::remove_cv_t<decltype(v)>;
  static constexpr value_type value = v;
  constexpr operator value_type() const { return v; }  // NOLINT(google-explicit-constructor)

  value_type unused;  // the argument's bytes: a launch passes all arguments alike
};

namespace detail {

template <class T>
inline constexpr bool is_constant_value = false;
template <auto v>
inline constexpr bool is_constant_value<constant_value<v>> = true;

/// The value of a constant; any other value as it is.
template <class T>
constexpr T plain(T value) {
  return value;
}
template <auto v>
constexpr auto plain(constant_value<v>) {
  return v;
}

}  // namespace detail

}  // namespace cuttle

#include "restore_macros.hpp"
