// half and bfloat16: 16-bit floating point, read by both compilers. Arithmetic is that of the device's own type in kernels, and float's, rounded, on
// the host: the results are the same, since float has more than twice the digits.
#pragma once

#include "vector_types.hpp"

#ifndef CUTTLE_DEVICE_PRELUDE
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#endif

#include "hide_macros.hpp"

namespace cuttle {

namespace detail {

#ifdef CUTTLE_DEVICE_PRELUDE
using HalfStorage = _Float16;
using BfloatStorage = __bf16;
constexpr float widen(_Float16 x) { return static_cast<float>(x); }
constexpr float widen(__bf16 x) { return static_cast<float>(x); }
template <class Storage, class T>
constexpr Storage narrow(T x) {
  return static_cast<Storage>(x);
}
#else
struct HalfStorage {
  std::uint16_t bits;
};
struct BfloatStorage {
  std::uint16_t bits;
};

constexpr float widen(HalfStorage x) {
  const std::uint32_t sign = (x.bits & 0x8000u) << 16, magnitude = x.bits & 0x7fffu;
  if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  if (magnitude >= 0x400u) return std::bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
  const float small = static_cast<float>(magnitude) * 0x1p-24f;
  return sign ? -small : small;
}
constexpr float widen(BfloatStorage x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16); }

/// x rounded once to nearest even, to `digits` significant bits of a type with the given exponents.
template <class Storage>
constexpr Storage narrow_bits(double x, int mantissa_bits, int bias) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const auto sign = static_cast<std::uint32_t>(bits >> 48 & 0x8000u);
  const std::uint32_t infinity = (2u * static_cast<std::uint32_t>(bias) + 1) << mantissa_bits;
  if (x != x) return {static_cast<std::uint16_t>(sign | infinity | 1u << (mantissa_bits - 1))};
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  // Below the normal range the last place stays where it is.
  const int last_place = (exponent < 1 - bias ? 1 - bias : exponent) - mantissa_bits;
  if (exponent > bias) return {static_cast<std::uint16_t>(sign | infinity)};
  const std::uint64_t significand = (bits & 0xfffffffffffffu) | (exponent > -1023 ? std::uint64_t{1} << 52 : 0);
  const int shift = last_place - ((exponent > -1023 ? exponent : -1022) - 52);
  if (shift > 54) return {static_cast<std::uint16_t>(sign)};
  std::uint64_t kept = significand >> shift;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1), middle = std::uint64_t{1} << (shift - 1);
  if (rest > middle || (rest == middle && (kept & 1))) ++kept;
  // A normal number's leading bit adds one to the exponent field; a carry out of the significand does the rest, up to infinity.
  const int field = exponent < 1 - bias ? 0 : exponent + bias - 1;
  return {static_cast<std::uint16_t>(sign + (static_cast<std::uint32_t>(field) << mantissa_bits) + static_cast<std::uint32_t>(kept))};
}
template <class Storage, class T>
constexpr Storage narrow(T x) {
  if constexpr (std::is_same_v<Storage, HalfStorage>) {
    return narrow_bits<Storage>(static_cast<double>(x), 10, 15);
  } else {
    return narrow_bits<Storage>(static_cast<double>(x), 7, 127);
  }
}
#endif

/// What half and bfloat16 share. Converts from every arithmetic type, rounding once to nearest even, and to float.
template <class Storage>
class Float16 {
 public:
  Float16() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  constexpr Float16(T value) : value_(narrow<Storage>(value)) {}  // NOLINT(google-explicit-constructor): as CUDA's __half
  constexpr operator float() const { return widen(value_); }      // NOLINT(google-explicit-constructor)

  static constexpr Float16 from_bits(unsigned short bits) {
    Float16 result;
    result.value_ = __builtin_bit_cast(Storage, bits);
    return result;
  }
  [[nodiscard]] constexpr unsigned short bits() const { return __builtin_bit_cast(unsigned short, value_); }

  constexpr Float16 operator-() const { return from_bits(static_cast<unsigned short>(bits() ^ 0x8000u)); }
  constexpr Float16 operator+() const { return *this; }
  constexpr Float16& operator++() { return *this += 1; }
  constexpr Float16& operator--() { return *this -= 1; }

#ifdef CUTTLE_DEVICE_PRELUDE
#define CUTTLE_ARITHMETIC(op)                                                                       \
  friend constexpr Float16 operator op(Float16 a, Float16 b) {                                      \
    Float16 result;                                                                                 \
    result.value_ = a.value_ op b.value_;                                                           \
    return result;                                                                                  \
  }
#else
#define CUTTLE_ARITHMETIC(op) \
  friend constexpr Float16 operator op(Float16 a, Float16 b) { return Float16(static_cast<float>(a) op static_cast<float>(b)); }
#endif
// With float or double the result is theirs; with an integer it is 16 bits wide.
#define CUTTLE_OPERATOR(op)                                                                         \
  CUTTLE_ARITHMETIC(op)                                                                             \
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                             \
  friend constexpr auto operator op(Float16 a, T b) {                                               \
    if constexpr (std::is_floating_point_v<T>) {                                                    \
      return static_cast<float>(a) op b;                                                            \
    } else {                                                                                        \
      return a op Float16(b);                                                                       \
    }                                                                                               \
  }                                                                                                 \
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                             \
  friend constexpr auto operator op(T a, Float16 b) {                                               \
    if constexpr (std::is_floating_point_v<T>) {                                                    \
      return a op static_cast<float>(b);                                                            \
    } else {                                                                                        \
      return Float16(a) op b;                                                                       \
    }                                                                                               \
  }                                                                                                 \
  template <class T>                                                                                \
  constexpr Float16& operator op##=(T b) {                                                          \
    return *this = Float16(*this op b);                                                             \
  }
  CUTTLE_OPERATOR(+)
  CUTTLE_OPERATOR(-)
  CUTTLE_OPERATOR(*)
  CUTTLE_OPERATOR(/)
#undef CUTTLE_OPERATOR
#undef CUTTLE_ARITHMETIC

 private:
  Storage value_;
};

}  // namespace detail

/// IEEE binary16: 11 significant bits, up to 65504.
using half = detail::Float16<detail::HalfStorage>;
/// The upper half of a float: 8 significant bits, float's range.
using bfloat16 = detail::Float16<detail::BfloatStorage>;
using half2 = vec<half, 2>;
using bfloat162 = vec<bfloat16, 2>;
static_assert(sizeof(half) == 2 && sizeof(bfloat16) == 2 && alignof(half2) == 4);

namespace dsl {
using cuttle::bfloat16;
using cuttle::bfloat162;
using cuttle::half;
using cuttle::half2;
// CUDA's names.
using __half = half;
using __half2 = half2;
using __nv_bfloat16 = bfloat16;
using __nv_bfloat162 = bfloat162;
}  // namespace dsl

namespace detail {

template <class T, int mantissa_bits, int bias>
struct Float16Limits {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false, is_bounded = true, is_modulo = false;
  static constexpr bool is_iec559 = true, has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr int radix = 2, digits = mantissa_bits + 1, digits10 = mantissa_bits * 30103 / 100000;
  static constexpr int min_exponent = 2 - bias, max_exponent = bias + 1;
  static constexpr T min() noexcept { return T::from_bits(1 << mantissa_bits); }
  static constexpr T max() noexcept { return T::from_bits((2 * bias + 1) * (1 << mantissa_bits) - 1); }
  static constexpr T lowest() noexcept { return -max(); }
  static constexpr T epsilon() noexcept { return T::from_bits((bias - mantissa_bits) * (1 << mantissa_bits)); }
  static constexpr T round_error() noexcept { return T(0.5f); }
  static constexpr T infinity() noexcept { return T::from_bits((2 * bias + 1) * (1 << mantissa_bits)); }
  static constexpr T quiet_NaN() noexcept { return T::from_bits((2 * bias + 1) * (1 << mantissa_bits) + (1 << (mantissa_bits - 1))); }
  static constexpr T denorm_min() noexcept { return T::from_bits(1); }
};

}  // namespace detail
}  // namespace cuttle

template <>
struct std::numeric_limits<cuttle::half> : cuttle::detail::Float16Limits<cuttle::half, 10, 15> {};
template <>
struct std::numeric_limits<cuttle::bfloat16> : cuttle::detail::Float16Limits<cuttle::bfloat16, 7, 127> {};

#include "restore_macros.hpp"
