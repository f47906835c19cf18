// view<T, N>: a kernel's window on an array: a pointer, a shape and, where it is strided, strides. Read by both compilers.
#pragma once

#ifndef CUTTLE_DEVICE_PRELUDE
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "constant.hpp"
#endif

namespace cuttle {

/// Layouts of a view. Strides are in elements; `contiguous` is row-major, the last index fastest.
struct contiguous {};
struct strided {};

namespace detail {

template <int N>
struct Extents {
  std::int64_t value[N];
};

template <>
struct Extents<0> {};

/// What `contiguous` needs in place of strides: nothing.
struct NoStrides {};

template <class I>
constexpr void require_index() {
  static_assert(std::is_integral<I>::value || std::is_enum<I>::value || is_constant_value<I>, "an index of a view must be an integer");
}

}  // namespace detail

/// A non-owning, trivially copyable view of N-dimensional data in a device's memory. Index types may be any integer, signed or not;
/// offsets are computed in 64 bits, so that views of more than 2^31 elements work. Indices are not checked (CUTTLE_CHECK=1 does).
///
/// The view of mutable elements derives from the view of const ones: it converts to it, and a parameter `view<const T> x` deduces T from
/// either.
template <class T, int N = 1, class Layout = contiguous>
class view;

template <class T, int N, class Layout>
class view<const T, N, Layout> {
  static_assert(N >= 0, "a view has zero or more dimensions");
  static constexpr bool is_strided = std::is_same<Layout, strided>::value;

 public:
  using element_type = const T;
  using value_type = typename std::remove_cv<T>::type;
  using layout_type = Layout;
  using Shape = detail::Extents<N>;
  using Strides = typename std::conditional<is_strided, detail::Extents<N>, detail::NoStrides>::type;
  static constexpr int ndim = N;

  view() = default;

  /// A contiguous view of `data` with the given shape, one extent a dimension.
  template <class... Extent>
  constexpr explicit view(const T* data, Extent... shape) : data_(data), shape_{{static_cast<std::int64_t>(shape)...}} {
    static_assert(!is_strided && sizeof...(Extent) == N, "give one extent for each dimension");
  }

  constexpr view(const T* data, const Shape& shape, const Strides& strides) : data_(data), shape_(shape), strides_(strides) {}

  /// Element i of a 1-D view; row i, itself a view, of one with more dimensions.
  template <class I>
  constexpr decltype(auto) operator[](I i) const {
    detail::require_index<I>();
    static_assert(N >= 1, "a view without dimensions has one element: x()");
    if constexpr (N == 1) {
      return static_cast<const T&>(data_[offset(i)]);
    } else {
      return row(static_cast<std::int64_t>(i));
    }
  }

  /// The element at (i, j, ...), one index a dimension.
  template <class... I>
  constexpr const T& operator()(I... i) const {
    static_assert(sizeof...(I) == N, "give as many indices as the view has dimensions");
    (detail::require_index<I>(), ...);
    if constexpr (N == 0) {
      return *data_;
    } else {
      const std::int64_t index[] = {static_cast<std::int64_t>(i)...};
      std::int64_t at = index[0] * step_of(0);
      for (int d = 1; d < N; ++d) at = is_strided ? at + index[d] * step_of(d) : index[d] + at * shape_.value[d];
      return data_[at];
    }
  }

  /// Element i of the view in row-major order, whatever its layout.
  template <class I>
  constexpr const T& flat(I i) const {
    detail::require_index<I>();
    if constexpr (N == 0) {
      return *data_;
    } else if constexpr (!is_strided) {
      return data_[offset(i)];
    } else {
      std::int64_t rest = static_cast<std::int64_t>(i);
      std::int64_t at = 0;
      for (int d = N - 1; d >= 0; --d) {
        at += rest % shape_.value[d] * strides_.value[d];
        rest /= shape_.value[d];
      }
      return data_[at];
    }
  }

  /// Number of elements: the product of the extents, 1 without dimensions.
  [[nodiscard]] constexpr std::int64_t size() const {
    std::int64_t count = 1;
    if constexpr (N > 0) {
      for (int d = 0; d < N; ++d) count *= shape_.value[d];
    }
    return count;
  }

  [[nodiscard]] constexpr bool empty() const { return size() == 0; }

  /// Extent of dimension d.
  [[nodiscard]] constexpr std::int64_t shape(int d) const {
    static_assert(N > 0, "a view without dimensions has no extents");
    return shape_.value[d];
  }

  /// Elements between neighbours in dimension d.
  [[nodiscard]] constexpr std::int64_t stride(int d) const {
    if constexpr (is_strided) {
      return strides_.value[d];
    } else {
      std::int64_t product = 1;
      for (int e = N - 1; e > d; --e) product *= shape_.value[e];
      return product;
    }
  }

  [[nodiscard]] constexpr const T* data() const { return data_; }

  /// Iterators of a contiguous view, over all elements in row-major order.
  [[nodiscard]] constexpr const T* begin() const {
    static_assert(!is_strided, "a strided view has no iterators: use indices");
    return data_;
  }
  [[nodiscard]] constexpr const T* end() const { return begin() + size(); }

 private:
  // A strided view of one dimension multiplies, a contiguous one does not, and keeps a short index short.
  template <class I>
  constexpr auto offset(I i) const {
    if constexpr (is_strided) {
      return static_cast<std::int64_t>(i) * strides_.value[0];
    } else if constexpr (std::is_integral<I>::value) {
      return i;
    } else {
      return static_cast<std::int64_t>(i);
    }
  }

  constexpr std::int64_t step_of(int d) const {
    if constexpr (is_strided) {
      return strides_.value[d];
    } else {
      return 1;
    }
  }

  constexpr view<const T, N - 1, Layout> row(std::int64_t i) const {
    detail::Extents<N - 1> shape{};
    for (int d = 1; d < N; ++d) shape.value[d - 1] = shape_.value[d];
    if constexpr (is_strided) {
      detail::Extents<N - 1> strides{};
      for (int d = 1; d < N; ++d) strides.value[d - 1] = strides_.value[d];
      return {data_ + i * strides_.value[0], shape, strides};
    } else {
      return {data_ + i * stride(0), shape, {}};
    }
  }

  const T* data_ = nullptr;
  [[no_unique_address]] Shape shape_{};
  [[no_unique_address]] Strides strides_{};
};

template <class T, int N, class Layout>
class view : public view<const T, N, Layout> {
  using Base = view<const T, N, Layout>;

 public:
  using element_type = T;

  view() = default;

  template <class... Extent>
  constexpr explicit view(T* data, Extent... shape) : Base(data, shape...) {}

  constexpr view(T* data, const typename Base::Shape& shape, const typename Base::Strides& strides) : Base(data, shape, strides) {}

  template <class I>
  constexpr decltype(auto) operator[](I i) const {
    if constexpr (N == 1) {
      return const_cast<T&>(Base::operator[](i));
    } else {
      return view<T, N - 1, Layout>(Base::operator[](i));
    }
  }
  template <class... I>
  constexpr T& operator()(I... i) const {
    return const_cast<T&>(Base::operator()(i...));
  }
  template <class I>
  constexpr T& flat(I i) const {
    return const_cast<T&>(Base::flat(i));
  }
  [[nodiscard]] constexpr T* data() const { return const_cast<T*>(Base::data()); }
  [[nodiscard]] constexpr T* begin() const { return const_cast<T*>(Base::begin()); }
  [[nodiscard]] constexpr T* end() const { return const_cast<T*>(Base::end()); }

  // A view takes part in no arithmetic: what is meant is an element.
#define CUTTLE_NO_ELEMENT(operation)                                                                                               \
  template <class Value, class = typename std::enable_if<std::is_arithmetic<Value>::value>::type>                                 \
  constexpr void operator operation(Value) const {                                                                                \
    static_assert(sizeof(Value) == 0,                                                                                             \
                  "this is a view and no element: a[i] of a 2-D view a is a row; write a(i, j), or loop over the row's elements"); \
  }
  CUTTLE_NO_ELEMENT(=)
  CUTTLE_NO_ELEMENT(+=)
  CUTTLE_NO_ELEMENT(-=)
  CUTTLE_NO_ELEMENT(*=)
  CUTTLE_NO_ELEMENT(/=)
  CUTTLE_NO_ELEMENT(%=)
  CUTTLE_NO_ELEMENT(&=)
  CUTTLE_NO_ELEMENT(|=)
  CUTTLE_NO_ELEMENT(^=)
  CUTTLE_NO_ELEMENT(<<=)
  CUTTLE_NO_ELEMENT(>>=)
#undef CUTTLE_NO_ELEMENT

 private:
  // Rows of a mutable view are mutable: the one way back from the base.
  template <class, int, class>
  friend class view;
  constexpr explicit view(const Base& row) : Base(row) {}
};

namespace dsl {
using cuttle::contiguous;
using cuttle::strided;
using cuttle::view;
}  // namespace dsl

}  // namespace cuttle
