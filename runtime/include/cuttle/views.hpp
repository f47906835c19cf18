// Views of views on the host: parts, slices, other shapes and types of the same elements. Nothing is copied.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "cuttle/dsl/view.hpp"
#include "memory.hpp"

#include "cuttle/dsl/hide_macros.hpp"

namespace cuttle {

/// One extent, or one stride, a dimension.
template <int N>
using Shape = std::array<std::int64_t, static_cast<std::size_t>(N)>;

/// Indices begin, begin + step, ... before end, as Python's begin:end:step without its negative indices. What is left out is the whole:
/// `{}`, `{.begin = 2}`, `{.step = -1}` for the reverse.
struct Slice {
  static constexpr std::int64_t whole = std::numeric_limits<std::int64_t>::min();
  std::int64_t begin = whole;
  std::int64_t end = whole;
  std::int64_t step = 1;
};

template <class T, int N, class Layout>
[[nodiscard]] Shape<N> shape_of(const view<T, N, Layout>& x) {
  Shape<N> shape{};
  if constexpr (N > 0) {
    for (int d = 0; d < N; ++d) shape[static_cast<std::size_t>(d)] = x.shape(d);
  }
  return shape;
}

template <class T, int N, class Layout>
[[nodiscard]] Shape<N> strides_of(const view<T, N, Layout>& x) {
  Shape<N> strides{};
  if constexpr (N > 0) {
    for (int d = 0; d < N; ++d) strides[static_cast<std::size_t>(d)] = x.stride(d);
  }
  return strides;
}

namespace detail {

template <std::size_t N>
Extents<static_cast<int>(N)> extents(const std::array<std::int64_t, N>& values) {
  Extents<static_cast<int>(N)> result{};
  if constexpr (N > 0) {
    for (std::size_t d = 0; d < N; ++d) result.value[d] = values[d];
  }
  return result;
}

template <class T, std::size_t N>
view<T, static_cast<int>(N), strided> strided_view(T* data, const std::array<std::int64_t, N>& shape, const std::array<std::int64_t, N>& strides) {
  return {data, extents(shape), extents(strides)};
}

/// Fills in what a slice leaves out and returns the number of its indices. Throws LaunchError where it is not inside.
CUTTLE_API std::int64_t resolve(Slice& slice, int d, std::int64_t extent);
/// Fills in the one extent that may be -1. Throws LaunchError where the sizes differ.
CUTTLE_API void resolve_reshape(std::int64_t* shape, int ndim, std::int64_t size);
/// Strides of `from` seen with another shape, by NumPy's rule: dimensions are matched from the last, an extent of 1 repeats.
CUTTLE_API void resolve_broadcast(const std::int64_t* from_shape, const std::int64_t* from_strides, int from_ndim, const std::int64_t* shape,
                                  std::int64_t* strides, int ndim);
/// Throws LaunchError unless a row of `extent` elements of `from` bytes at `data` can be seen as elements of `to` bytes.
CUTTLE_API std::int64_t resolve_view_as(const void* data, std::int64_t extent, std::size_t from, std::size_t to, std::size_t align);
CUTTLE_API void require_dimension(int d, int ndim);

}  // namespace detail

/// Elements [begin, end) of the outermost dimension. Throws LaunchError where they are not inside.
template <class T, int N, class Layout>
[[nodiscard]] view<T, N, Layout> part(const view<T, N, Layout>& x, std::int64_t begin, std::int64_t end) {
  static_assert(N >= 1, "a view without dimensions has no parts");
  if (begin < 0 || begin > end || end > x.shape(0)) detail::throw_not_inside("part", begin, end, 0, x.shape(0));
  Shape<N> shape = shape_of(x);
  shape[0] = end - begin;
  T* data = begin == 0 ? x.data() : x.data() + begin * x.stride(0);
  if constexpr (std::is_same_v<Layout, strided>) {
    return detail::strided_view(data, shape, strides_of(x));
  } else {
    return {data, detail::extents(shape), {}};
  }
}

/// The indices of `which` in dimension d, all of the others.
template <class T, int N, class Layout>
[[nodiscard]] view<T, N, strided> slice(const view<T, N, Layout>& x, int d, Slice which) {
  detail::require_dimension(d, N);
  const auto at = static_cast<std::size_t>(d);
  Shape<N> shape = shape_of(x);
  Shape<N> strides = strides_of(x);
  shape[at] = detail::resolve(which, d, shape[at]);
  T* data = shape[at] == 0 ? x.data() : x.data() + which.begin * strides[at];
  strides[at] *= which.step;
  return detail::strided_view(data, shape, strides);
}

/// The same elements in another shape; one extent may be -1, for what is left.
template <class T, int N, class... Extent>
[[nodiscard]] view<T, static_cast<int>(sizeof...(Extent))> reshape(const view<T, N>& x, Extent... extent) {
  Shape<static_cast<int>(sizeof...(Extent))> shape{static_cast<std::int64_t>(extent)...};
  detail::resolve_reshape(shape.data(), static_cast<int>(shape.size()), x.size());
  return {x.data(), detail::extents(shape), {}};
}

/// Dimensions in reverse order.
template <class T, int N, class Layout>
[[nodiscard]] view<T, N, strided> transpose(const view<T, N, Layout>& x) {
  Shape<N> shape{}, strides{};
  for (int d = 0; d < N; ++d) {
    shape[static_cast<std::size_t>(d)] = x.shape(N - 1 - d);
    strides[static_cast<std::size_t>(d)] = x.stride(N - 1 - d);
  }
  return detail::strided_view(x.data(), shape, strides);
}

/// The same bytes as elements of another type: the last extent changes with the size of an element. Throws LaunchError where it does not
/// divide, or where the data is not aligned for U. Bytes that are neither 0 nor 1 are no bool, so that U cannot be one.
template <class U, class T, int N>
[[nodiscard]] view<U, N> view_as(const view<T, N>& x) {
  static_assert(std::is_trivially_copyable_v<U>);
  static_assert(std::is_const_v<U> || !std::is_const_v<T>, "a view of const elements can only be seen as const elements");
  static_assert(!std::is_same_v<std::remove_const_t<U>, bool>, "bytes are not bools: compare them with 0 in a kernel");
  static_assert(N >= 1 || sizeof(U) == sizeof(T), "a view without dimensions cannot change the size of its element");
  Shape<N> shape = shape_of(x);
  if constexpr (N >= 1) shape[N - 1] = detail::resolve_view_as(x.data(), shape[N - 1], sizeof(T), sizeof(U), alignof(U));
  using Bytes = std::conditional_t<std::is_const_v<U>, const void, void>;
  return {static_cast<U*>(static_cast<Bytes*>(x.data())), detail::extents(shape), {}};
}

/// A read-only view of a larger shape that repeats extents of 1, as NumPy's broadcast_to.
template <class T, int N, class Layout, class... Extent>
[[nodiscard]] auto broadcast(const view<T, N, Layout>& x, Extent... extent) {
  constexpr int M = static_cast<int>(sizeof...(Extent));
  static_assert(M >= N, "broadcasting adds dimensions and takes none away");
  const Shape<M> shape{static_cast<std::int64_t>(extent)...};
  const Shape<N> from_shape = shape_of(x), from_strides = strides_of(x);
  Shape<M> strides{};
  detail::resolve_broadcast(from_shape.data(), from_strides.data(), N, shape.data(), strides.data(), M);
  return detail::strided_view(static_cast<const T*>(x.data()), shape, strides);
}

}  // namespace cuttle

#include "cuttle/dsl/restore_macros.hpp"
