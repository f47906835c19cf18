// <bit> and the parts of <numeric> and <algorithm> that work on single values.
#pragma once

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

template <class T>
concept unsigned_integer_ = is_integral_v<T> && is_unsigned_v<T> && !is_same_v<T, bool>;

template <unsigned_integer_ T>
constexpr int popcount(T x) noexcept {
  return __builtin_popcountg(x);
}
template <unsigned_integer_ T>
constexpr int countl_zero(T x) noexcept {
  return __builtin_clzg(x, static_cast<int>(8 * sizeof(T)));
}
template <unsigned_integer_ T>
constexpr int countr_zero(T x) noexcept {
  return __builtin_ctzg(x, static_cast<int>(8 * sizeof(T)));
}
template <unsigned_integer_ T>
constexpr int countl_one(T x) noexcept {
  return countl_zero(static_cast<T>(~x));
}
template <unsigned_integer_ T>
constexpr int countr_one(T x) noexcept {
  return countr_zero(static_cast<T>(~x));
}
template <unsigned_integer_ T>
constexpr int bit_width(T x) noexcept {
  return static_cast<int>(8 * sizeof(T)) - countl_zero(x);
}
template <unsigned_integer_ T>
constexpr bool has_single_bit(T x) noexcept {
  return x != 0 && (x & (x - 1)) == 0;
}
template <unsigned_integer_ T>
constexpr T bit_floor(T x) noexcept {
  return x == 0 ? T(0) : static_cast<T>(T(1) << (bit_width(x) - 1));
}
template <unsigned_integer_ T>
constexpr T bit_ceil(T x) noexcept {
  return x <= 1 ? T(1) : static_cast<T>(T(1) << bit_width(static_cast<T>(x - 1)));
}
template <unsigned_integer_ T>
constexpr T rotl(T x, int count) noexcept {
  constexpr int width = 8 * sizeof(T);
  const int left = (count % width + width) % width;
  return left == 0 ? x : static_cast<T>(x << left | x >> (width - left));
}
template <unsigned_integer_ T>
constexpr T rotr(T x, int count) noexcept {
  return rotl(x, -(count % static_cast<int>(8 * sizeof(T))));
}
template <class T>
constexpr T byteswap(T x) noexcept {
  if constexpr (sizeof(T) == 1) {
    return x;
  } else if constexpr (sizeof(T) == 2) {
    return static_cast<T>(__builtin_bswap16(x));
  } else if constexpr (sizeof(T) == 4) {
    return static_cast<T>(__builtin_bswap32(x));
  } else {
    return static_cast<T>(__builtin_bswap64(x));
  }
}
enum class endian { little, big, native = little };

/// Halfway from a to b, rounded towards a, without overflow.
template <class T>
  requires(is_arithmetic_v<T>)
constexpr T midpoint(T a, T b) noexcept {
  if constexpr (is_floating_point_v<T>) {
    const T sum = a + b;
    return sum - sum == 0 ? sum / 2 : a / 2 + b / 2;
  } else {
    using U = make_unsigned_t<T>;
    const U distance = a < b ? static_cast<U>(b) - static_cast<U>(a) : static_cast<U>(a) - static_cast<U>(b);
    return static_cast<T>(a < b ? static_cast<U>(a) + distance / 2 : static_cast<U>(a) - distance / 2);
  }
}
template <class T>
constexpr T* midpoint(T* a, T* b) noexcept {
  return a + (b - a) / 2;
}
template <class A, class B>
constexpr common_type_t<A, B> gcd(A a, B b) {
  using T = common_type_t<A, B>;
  T x = a < 0 ? -T(a) : T(a), y = b < 0 ? -T(b) : T(b);
  while (y != 0) {
    const T rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}
template <class A, class B>
constexpr common_type_t<A, B> lcm(A a, B b) {
  using T = common_type_t<A, B>;
  if (a == 0 || b == 0) return T(0);
  const T x = a < 0 ? -T(a) : T(a), y = b < 0 ? -T(b) : T(b);
  return x / gcd(x, y) * y;
}

}  // namespace std
