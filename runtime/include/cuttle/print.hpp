// Arrays and views as text, as NumPy prints them: long ones abbreviated. Only what is shown is copied from the device.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <type_traits>

#include "array.hpp"
#include "views.hpp"

#include "cuttle/dsl/hide_macros.hpp"

namespace cuttle {

namespace detail {

enum class ElementKind { boolean, signed_integer, unsigned_integer, floating };

template <class T>
constexpr ElementKind scalar_kind() {
  static_assert(std::is_arithmetic_v<T>, "only arrays of numbers and bools have a text");
  if constexpr (std::is_same_v<T, bool>) {
    return ElementKind::boolean;
  } else if constexpr (std::is_floating_point_v<T>) {
    return ElementKind::floating;
  } else {
    return std::is_signed_v<T> ? ElementKind::signed_integer : ElementKind::unsigned_integer;
  }
}

/// Shape and strides in elements of `size` bytes.
[[nodiscard]] CUTTLE_API std::string text_of(DeviceState& device, const void* data, ElementKind kind, std::size_t size, const std::int64_t* shape,
                                             const std::int64_t* strides, int ndim);

}  // namespace detail

/// "[1.   2.5  3.25]". A view is read on the current device.
template <class T, int N, class Layout>
[[nodiscard]] std::string to_string(const view<T, N, Layout>& x) {
  using Value = std::remove_const_t<T>;
  const auto shape = shape_of(x), strides = strides_of(x);
  return detail::text_of(Device::current().state(), x.data(), detail::scalar_kind<Value>(), sizeof(T), shape.data(), strides.data(), N);
}
template <class T, int N>
[[nodiscard]] std::string to_string(const Array<T, N>& x) {
  const Use use(x.device());
  return to_string(x.view());
}

// <ostream> need not be included here: whoever prints has included it. {fmt} from version 10 on finds format_as.
template <class C, class Traits, class T, int N>
std::basic_ostream<C, Traits>& operator<<(std::basic_ostream<C, Traits>& out, const Array<T, N>& x) {
  return out << to_string(x);
}
template <class C, class Traits, class T, int N, class Layout>
std::basic_ostream<C, Traits>& operator<<(std::basic_ostream<C, Traits>& out, const view<T, N, Layout>& x) {
  return out << to_string(x);
}
template <class T, int N>
[[nodiscard]] std::string format_as(const Array<T, N>& x) {
  return to_string(x);
}

}  // namespace cuttle

#include "cuttle/dsl/restore_macros.hpp"
