// view<T, N>: a kernel's window on an array: a pointer, a shape and, where it is strided, strides. Read by both compilers.
#pragma once

#ifndef CUTTLE_DEVICE_PRELUDE
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "constant.hpp"
#endif

#include "hide_macros.hpp"

/// Compiled code that checks has a test in its place, and the place in the kernel's source in the last two arguments (codegen/check.h).
extern "C" void cuttle_check_view_index(const void* data, long long index, long long extent, int dimension, const char* file, unsigned line);

namespace cuttle {

/// Layouts of a view. Strides are in elements; `contiguous` is row-major, the last index fastest.
struct contiguous {};
struct strided {};

namespace detail {

template <int N>
struct Extents {
  std::int64_t value[static_cast<std::size_t>(N)];
};

template <>
struct Extents<0> {};

/// What `contiguous` needs in place of strides: nothing.
struct NoStrides {};

/// Whether views compare their indices with their extents. CUTTLE_CHECK=1 and Options{.check} specialise it, for pointers, behind the prelude
/// (codegen/assemble.cpp).
template <class Pointer>
inline constexpr bool checks_views = false;

/// Whether offsets of elements fit 32 bits. Code for arguments of which that is known (facts.hpp) specialises it, as it does checks_views.
template <class Pointer>
inline constexpr bool has_short_offsets = false;

template <class Pointer>
using Offset = typename std::conditional<has_short_offsets<Pointer>, std::int32_t, std::int64_t>::type;

template <class I>
constexpr void require_index() {
  static_assert(std::is_integral<I>::value || std::is_enum<I>::value || is_constant_value<I>, "an index of a view must be an integer");
}

/// An iterator over elements that lie a constant number of elements apart, which may be 0.
template <class T>
class StrideIterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = typename std::remove_cv<T>::type;
  using reference = T&;
  using pointer = T*;
  using iterator_category = std::random_access_iterator_tag;

  StrideIterator() = default;
  constexpr StrideIterator(T* data, std::ptrdiff_t stride) : data_(data), stride_(stride) {}

  constexpr T& operator*() const { return data_[at_ * stride_]; }
  constexpr T* operator->() const { return &**this; }
  constexpr T& operator[](std::ptrdiff_t i) const { return data_[(at_ + i) * stride_]; }
  constexpr StrideIterator& operator+=(std::ptrdiff_t by) {
    at_ += by;
    return *this;
  }
  constexpr StrideIterator& operator-=(std::ptrdiff_t by) { return *this += -by; }
  constexpr StrideIterator& operator++() { return *this += 1; }
  constexpr StrideIterator& operator--() { return *this += -1; }
  constexpr StrideIterator operator++(int) {
    StrideIterator old = *this;
    ++*this;
    return old;
  }
  constexpr StrideIterator operator--(int) {
    StrideIterator old = *this;
    --*this;
    return old;
  }
  friend constexpr StrideIterator operator+(StrideIterator it, std::ptrdiff_t by) { return it += by; }
  friend constexpr StrideIterator operator+(std::ptrdiff_t by, StrideIterator it) { return it += by; }
  friend constexpr StrideIterator operator-(StrideIterator it, std::ptrdiff_t by) { return it -= by; }
  friend constexpr std::ptrdiff_t operator-(const StrideIterator& a, const StrideIterator& b) { return a.at_ - b.at_; }
  friend constexpr bool operator==(const StrideIterator& a, const StrideIterator& b) { return a.at_ == b.at_; }
  friend constexpr bool operator!=(const StrideIterator& a, const StrideIterator& b) { return a.at_ != b.at_; }
  friend constexpr bool operator<(const StrideIterator& a, const StrideIterator& b) { return a.at_ < b.at_; }
  friend constexpr bool operator>(const StrideIterator& a, const StrideIterator& b) { return a.at_ > b.at_; }
  friend constexpr bool operator<=(const StrideIterator& a, const StrideIterator& b) { return a.at_ <= b.at_; }
  friend constexpr bool operator>=(const StrideIterator& a, const StrideIterator& b) { return a.at_ >= b.at_; }

 private:
  T* data_ = nullptr;
  std::ptrdiff_t stride_ = 1;
  std::ptrdiff_t at_ = 0;
};

/// What a loop over a view of more than one dimension runs over: its rows, x[0], x[1], ...
template <class View>
class RowIterator {
 public:
  constexpr RowIterator(const View& view, std::int64_t row) : view_(view), row_(row) {}

  constexpr auto operator*() const { return view_[row_]; }
  constexpr RowIterator& operator++() {
    ++row_;
    return *this;
  }
  friend constexpr bool operator==(const RowIterator& a, const RowIterator& b) { return a.row_ == b.row_; }
  friend constexpr bool operator!=(const RowIterator& a, const RowIterator& b) { return a.row_ != b.row_; }

 private:
  View view_;
  std::int64_t row_;
};

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
    if constexpr (detail::checks_views<const T*>) check(i, shape_.value[0], 0);
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
      using Offset = detail::Offset<const T*>;
      const Offset index[] = {static_cast<Offset>(i)...};
      if constexpr (detail::checks_views<const T*>) {
        for (int d = 0; d < N; ++d) check(index[d], shape_.value[d], d);
      }
      Offset at = index[0] * step_of<Offset>(0);
      for (int d = 1; d < N; ++d) at = is_strided ? at + index[d] * step_of<Offset>(d) : index[d] + at * static_cast<Offset>(shape_.value[d]);
      return data_[at];
    }
  }

  /// Element i of the view in row-major order, whatever its layout.
  template <class I>
  constexpr const T& flat(I i) const {
    detail::require_index<I>();
    if constexpr (detail::checks_views<const T*>) check(i, size(), -1);
    if constexpr (N == 0) {
      return *data_;
    } else if constexpr (!is_strided) {
      return data_[offset(i)];
    } else {
      using Offset = detail::Offset<const T*>;
      auto rest = static_cast<Offset>(i);
      Offset at = 0;
      for (int d = N - 1; d >= 0; --d) {
        at += rest % static_cast<Offset>(shape_.value[d]) * step_of<Offset>(d);
        rest /= static_cast<Offset>(shape_.value[d]);
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

  /// Iterators over the elements of a view of one dimension, pointers where it is contiguous; over the rows of one with more: what x[i] gives.
  [[nodiscard]] constexpr auto begin() const {
    if constexpr (N > 1) {
      return detail::RowIterator<view>(*this, 0);
    } else if constexpr (N == 1 && is_strided) {
      return detail::StrideIterator<const T>(data_, strides_.value[0]);
    } else {
      return data_;
    }
  }
  [[nodiscard]] constexpr auto end() const {
    if constexpr (N > 1) {
      return detail::RowIterator<view>(*this, shape_.value[0]);
    } else {
      return begin() + size();
    }
  }

 private:
  // Of dimension d, or of all elements where d is -1.
  template <class I>
  constexpr void check(I i, std::int64_t extent, int d) const {
    cuttle_check_view_index(data_, static_cast<long long>(i), static_cast<long long>(extent), d, nullptr, 0);
  }

  // A strided view of one dimension multiplies, a contiguous one does not, and keeps a short index short.
  template <class I>
  constexpr auto offset(I i) const {
    if constexpr (is_strided) {
      using Offset = detail::Offset<const T*>;
      return static_cast<Offset>(i) * step_of<Offset>(0);
    } else if constexpr (std::is_integral<I>::value) {
      return i;
    } else {
      return static_cast<std::int64_t>(i);
    }
  }

  template <class Offset>
  constexpr Offset step_of(int d) const {
    if constexpr (is_strided) {
      return static_cast<Offset>(strides_.value[d]);
    } else {
      return 1;
    }
  }

  constexpr view<const T, N - 1, Layout> row(std::int64_t i) const {
    using Offset = detail::Offset<const T*>;
    detail::Extents<N - 1> shape{};
    for (int d = 1; d < N; ++d) shape.value[d - 1] = shape_.value[d];
    if constexpr (is_strided) {
      detail::Extents<N - 1> strides{};
      for (int d = 1; d < N; ++d) strides.value[d - 1] = strides_.value[d];
      return {data_ + static_cast<Offset>(i) * step_of<Offset>(0), shape, strides};
    } else {
      return {data_ + static_cast<Offset>(i) * static_cast<Offset>(stride(0)), shape, {}};
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
  [[nodiscard]] constexpr auto begin() const {
    if constexpr (N > 1) {
      return detail::RowIterator<view>(*this, 0);
    } else if constexpr (N == 1 && std::is_same<Layout, strided>::value) {
      return detail::StrideIterator<T>(data(), this->stride(0));
    } else {
      return data();
    }
  }
  [[nodiscard]] constexpr auto end() const {
    if constexpr (N > 1) {
      return detail::RowIterator<view>(*this, this->shape(0));
    } else {
      return begin() + this->size();
    }
  }

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

namespace detail {

/// The same view, whose last dimension's stride is known to be 1.
template <class T, int N>
constexpr view<T, N, strided> with_unit_inner_stride(const view<T, N, strided>& given) {
  Extents<N> shape{}, strides{};
  if constexpr (N > 0) {
    for (int d = 0; d < N; ++d) {
      shape.value[d] = given.shape(d);
      strides.value[d] = d == N - 1 ? 1 : given.stride(d);
    }
  }
  return {given.data(), shape, strides};
}

}  // namespace detail

namespace dsl {
using cuttle::contiguous;
using cuttle::strided;
using cuttle::view;
}  // namespace dsl

}  // namespace cuttle

#include "restore_macros.hpp"
