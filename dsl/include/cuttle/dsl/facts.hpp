// Facts about the views of one call, for which its code may be compiled: what only a compiler that has seen the arguments can know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "half.hpp"
#include "signature.hpp"
#include "vector_types.hpp"
#include "view.hpp"

#include "hide_macros.hpp"

namespace cuttle::detail {

/// Bits, each of which holds for all views of a call. Code that assumes some of them serves only calls that have them (runtime/src/variant.h).
enum Fact : std::uint32_t {
  disjoint_views = 1,     ///< no element that the kernel may write is in two of them
  short_offsets = 2,      ///< each spans less than 2^31 bytes, and there is no other memory: offsets of elements fit 32 bits
  aligned_views = 4,      ///< data() is a multiple of 16
  unit_inner_stride = 8,  ///< the elements of a strided view's last dimension lie side by side
  seen_views = 16,        ///< they were looked at: code with no fact at all is made from types alone, and serves every call
};

/// From the first byte of a view to behind its last one, whatever the signs of its strides. A shape that no memory has spans everything.
struct Span {
  std::uintptr_t begin, end;

  [[nodiscard]] bool overlaps(const Span& other) const { return begin < other.end && other.begin < end; }
};

template <class T, int N>
Span span_of(const view<T, N>& given) {
  std::int64_t bytes = sizeof(T);
  bool is_too_large = false;
  if constexpr (N > 0) {
    for (int d = 0; d < N; ++d) is_too_large |= __builtin_mul_overflow(bytes, given.shape(d), &bytes);
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(given.data());
  if (is_too_large || bytes < 0) [[unlikely]]
    return {0, std::numeric_limits<std::uintptr_t>::max()};
  return {begin, begin + static_cast<std::uintptr_t>(bytes)};
}

template <class T, int N>
Span span_of(const view<T, N, strided>& given) {
  const auto data = reinterpret_cast<std::uintptr_t>(given.data());
  std::int64_t before = 0, behind = sizeof(T);
  bool is_too_large = false;
  if constexpr (N > 0) {
    for (int d = 0; d < N; ++d) {
      std::int64_t bytes = 0;
      if (given.shape(d) <= 0) return {data, data};
      is_too_large |= __builtin_mul_overflow(given.shape(d) - 1, given.stride(d), &bytes);
      is_too_large |= __builtin_mul_overflow(bytes, static_cast<std::int64_t>(sizeof(T)), &bytes);
      std::int64_t& side = bytes < 0 ? before : behind;
      is_too_large |= __builtin_add_overflow(side, bytes, &side);
    }
  }
  if (is_too_large) [[unlikely]]
    return {0, std::numeric_limits<std::uintptr_t>::max()};
  return {data + static_cast<std::uintptr_t>(before), data + static_cast<std::uintptr_t>(behind)};
}

/// Whether values of the type cannot hold addresses, of memory that nothing is known of.
template <class T>
inline constexpr bool is_without_pointers = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
template <class T>
  requires requires(const T& complex) { complex.real() + complex.imag(); }
inline constexpr bool is_without_pointers<T> = std::is_arithmetic_v<typename T::value_type>;
template <class T, int N>
inline constexpr bool is_without_pointers<vec<T, N>> = is_without_pointers<T>;
template <class T, std::size_t N>
inline constexpr bool is_without_pointers<std::array<T, N>> = is_without_pointers<T>;
template <class T>
inline constexpr bool is_without_pointers<Constant<T>> = is_without_pointers<T>;
template <class T, int N, class Layout>
inline constexpr bool is_without_pointers<view<T, N, Layout>> = is_without_pointers<std::remove_cv_t<T>>;

template <class T>
inline constexpr bool is_view = WindowOf<T>::kind == Window::contiguous_view || WindowOf<T>::kind == Window::strided_view;
template <class T>
inline constexpr bool is_strided_view = WindowOf<T>::kind == Window::strided_view;
template <class T>
inline constexpr bool is_written = is_view<T> && !std::is_const_v<typename WindowOf<T>::element>;

/// The facts that can make a difference for parameters of these types.
template <class... T>
constexpr std::uint32_t useful_facts() {
  constexpr int views = (is_view<T> + ... + 0);
  // One dimension that lies side by side needs no product: its offset is the index.
  constexpr bool has_products = ((is_strided_view<T> || WindowOf<T>::dimensions > 1) || ...);
  std::uint32_t facts = 0;
  if (views > 1 && (is_written<T> || ...)) facts |= disjoint_views;
  if (has_products && (is_without_pointers<T> && ...)) facts |= short_offsets;
  if (views > 0) facts |= aligned_views;
  if ((is_strided_view<T> || ...)) facts |= unit_inner_stride;
  return facts == 0 ? 0 : facts | seen_views;
}

/// The facts that hold for these values. Part of a warm launch: a few instructions a view, and three for each two of them.
template <class... T>
std::uint32_t facts_of(const T&... values) {
  std::uint32_t facts = useful_facts<T...>();
  if constexpr (useful_facts<T...>() != 0) {
    struct Seen {
      Span span;
      bool is_written;
    } seen[(is_view<T> + ...)];
    std::size_t count = 0;
    [[maybe_unused]] const auto look_at = [&](const auto& value) {
      using Given = std::remove_cvref_t<decltype(value)>;
      if constexpr (is_view<Given>) {
        const Span span = span_of(value);
        if constexpr ((useful_facts<T...>() & short_offsets) != 0) {
          if (span.end - span.begin >= std::uintptr_t{1} << 31) facts &= ~std::uint32_t{short_offsets};
        }
        if (reinterpret_cast<std::uintptr_t>(value.data()) % 16 != 0) facts &= ~std::uint32_t{aligned_views};
        if constexpr (is_strided_view<Given> && Given::ndim > 0) {
          if (value.stride(Given::ndim - 1) != 1) facts &= ~std::uint32_t{unit_inner_stride};
        }
        for (std::size_t i = 0; i < count; ++i) {
          if ((is_written<Given> || seen[i].is_written) && span.overlaps(seen[i].span)) facts &= ~std::uint32_t{disjoint_views};
        }
        seen[count++] = {span, is_written<Given>};
      }
    };
    (look_at(values), ...);
  }
  return facts;
}

}  // namespace cuttle::detail

#include "restore_macros.hpp"
