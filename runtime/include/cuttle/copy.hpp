// Copies of parts: between views of equal shape, of two or three dimensions and more, in a device's memory or the host's.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device.hpp"
#include "memory.hpp"
#include "stream.hpp"
#include "views.hpp"

#include "cuttle/dsl/hide_macros.hpp"

namespace cuttle {

namespace detail {

/// `to` and `from` have `ndim` extents `shape`, and strides in elements. Throws LaunchError where the elements of a row do not lie side by side.
CUTTLE_API void copy_shape(void* to, const std::int64_t* to_strides, const void* from, const std::int64_t* from_strides, const std::int64_t* shape,
                           int ndim, std::size_t element_size, const StreamRef& stream);
[[noreturn]] CUTTLE_API void throw_shapes_differ();

}  // namespace detail

/// Copies every element of a view to the same place of another, in the order of a stream, the current one unless given; does not wait. Rows may lie
/// anywhere (a part of a matrix, a slice of a volume); the elements of a row lie side by side in both. Views may be of host memory. Throws
/// LaunchError.
template <class T, class U, int N, class L, class M>
void copy(const view<T, N, L>& from, const view<U, N, M>& to, const StreamRef& stream = {}) {
  static_assert(std::is_same_v<std::remove_const_t<T>, U>, "both views must be of the same elements, and those that are copied to not const");
  const Shape<N> shape = shape_of(from), from_strides = strides_of(from), to_strides = strides_of(to);
  if (shape != shape_of(to)) detail::throw_shapes_differ();
  detail::copy_shape(to.data(), to_strides.data(), from.data(), from_strides.data(), shape.data(), N, sizeof(U), stream);
}

}  // namespace cuttle

#include "cuttle/dsl/restore_macros.hpp"
