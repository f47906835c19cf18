// CUDA's functions on half, bfloat16 and pairs of them, for both compilers: by the operators, and by the float functions, rounded.
#pragma once

#include "half.hpp"

#ifndef CUTTLE_DEVICE_PRELUDE
#include <cmath>
#endif

namespace cuttle::detail {

/// x in 16 bits, rounded down, up or towards zero: the nearest value, moved one place where it lies on the wrong side.
enum class Direction { down, up, zero };
template <class H>
constexpr H narrow_towards(float x, Direction direction) {
  const H nearest(x);
  const float back = nearest;
  const bool down = direction == Direction::down || (direction == Direction::zero && x > 0);
  if (back == x || x != x || (down ? back < x : back > x)) return nearest;
  if (back == 0) return H::from_bits(down ? 0x8001 : 0x0001);
  return H::from_bits(static_cast<unsigned short>(nearest.bits() + (down == (back > 0) ? -1 : 1)));
}

/// a b + c, rounded once.
template <class H>
H fma16(H a, H b, H c) {
#ifdef CUTTLE_BACKEND_PTX
  if constexpr (std::is_same_v<H, half>) {
    return H::from_bits(__builtin_bit_cast(
        unsigned short, __builtin_fmaf16(__builtin_bit_cast(_Float16, a), __builtin_bit_cast(_Float16, b), __builtin_bit_cast(_Float16, c))));
  }
#endif
  return H(static_cast<double>(static_cast<float>(a)) * static_cast<float>(b) + static_cast<float>(c));
}

}  // namespace cuttle::detail

namespace cuttle::dsl {

// Each for half and, where the name does not say the type, for bfloat16; the names ending in 2 work on both elements of a pair.
#define CUTTLE_16_BIT(H, H2)                                                                                                           \
  inline H __hadd(H a, H b) { return a + b; }                                                                                          \
  inline H __hsub(H a, H b) { return a - b; }                                                                                          \
  inline H __hmul(H a, H b) { return a * b; }                                                                                          \
  inline H __hdiv(H a, H b) { return a / b; }                                                                                          \
  inline H __hfma(H a, H b, H c) { return detail::fma16(a, b, c); }                                                                    \
  inline H __hneg(H a) { return -a; }                                                                                                  \
  inline H __habs(H a) { return H::from_bits(a.bits() & 0x7fff); }                                                                     \
  inline H __hmin(H a, H b) { return H(std::fmin(static_cast<float>(a), static_cast<float>(b))); }                                     \
  inline H __hmax(H a, H b) { return H(std::fmax(static_cast<float>(a), static_cast<float>(b))); }                                     \
  inline bool __heq(H a, H b) { return a == b; }                                                                                       \
  inline bool __hne(H a, H b) { return a != b; }                                                                                       \
  inline bool __hlt(H a, H b) { return a < b; }                                                                                        \
  inline bool __hle(H a, H b) { return a <= b; }                                                                                       \
  inline bool __hgt(H a, H b) { return a > b; }                                                                                        \
  inline bool __hge(H a, H b) { return a >= b; }                                                                                       \
  inline bool __hisnan(H a) { return a != a; }                                                                                         \
  inline int __hisinf(H a) { return (a.bits() & 0x7fff) != std::numeric_limits<H>::infinity().bits() ? 0 : a.bits() >> 15 ? -1 : 1; }  \
  inline H2 __hadd2(H2 a, H2 b) { return a + b; }                                                                                      \
  inline H2 __hsub2(H2 a, H2 b) { return a - b; }                                                                                      \
  inline H2 __hmul2(H2 a, H2 b) { return a * b; }                                                                                      \
  inline H2 __h2div(H2 a, H2 b) { return a / b; }                                                                                      \
  inline H2 __hfma2(H2 a, H2 b, H2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }                                       \
  inline H2 __hneg2(H2 a) { return -a; }                                                                                               \
  inline H2 __habs2(H2 a) { return {__habs(a.x), __habs(a.y)}; }                                                                       \
  inline H2 __hmin2(H2 a, H2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }                                                       \
  inline H2 __hmax2(H2 a, H2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }                                                       \
  inline bool __hbeq2(H2 a, H2 b) { return a == b; }                                                                                   \
  inline float __low2float(H2 a) { return a.x; }                                                                                       \
  inline float __high2float(H2 a) { return a.y; }
CUTTLE_16_BIT(half, half2)
CUTTLE_16_BIT(bfloat16, bfloat162)
#undef CUTTLE_16_BIT

// Conversions, by the names of each type.
#define CUTTLE_16_BIT(H, H2, name, name2, halves)                                                                                \
  inline H __float2##name(float x) { return H(x); }                                                                                    \
  inline H __float2##name##_rn(float x) { return H(x); }                                                                               \
  inline H __float2##name##_rz(float x) { return detail::narrow_towards<H>(x, detail::Direction::zero); }                              \
  inline H __float2##name##_ru(float x) { return detail::narrow_towards<H>(x, detail::Direction::up); }                                \
  inline H __float2##name##_rd(float x) { return detail::narrow_towards<H>(x, detail::Direction::down); }                              \
  inline H __double2##name(double x) { return H(x); }                                                                                  \
  inline H __int2##name##_rn(int x) { return H(x); }                                                                                   \
  inline H __uint2##name##_rn(unsigned x) { return H(x); }                                                                             \
  inline float __##name##2float(H x) { return x; }                                                                                     \
  inline unsigned short __##name##_as_ushort(H x) { return x.bits(); }                                                                 \
  inline short __##name##_as_short(H x) { return static_cast<short>(x.bits()); }                                                       \
  inline H __ushort_as_##name(unsigned short x) { return H::from_bits(x); }                                                            \
  inline H __short_as_##name(short x) { return H::from_bits(static_cast<unsigned short>(x)); }                                         \
  inline H2 __float2##name2##_rn(float x) { return {H(x), H(x)}; }                                                                     \
  inline H2 __floats2##name2##_rn(float x, float y) { return {H(x), H(y)}; }                                                           \
  inline H2 __##halves(H x, H y) { return {x, y}; }                                                                                    \
  inline H2 __##name##2##name2(H x) { return {x, x}; }                                                                                 \
  inline H __low2##name(H2 x) { return x.x; }                                                                                          \
  inline H __high2##name(H2 x) { return x.y; }
CUTTLE_16_BIT(half, half2, half, half2, halves2half2)
CUTTLE_16_BIT(bfloat16, bfloat162, bfloat16, bfloat162, halves2bfloat162)
#undef CUTTLE_16_BIT
inline float2 __half22float2(half2 x) { return make_float2(x.x, x.y); }
inline half2 __float22half2_rn(float2 x) { return {half(x.x), half(x.y)}; }
inline float2 __bfloat1622float2(bfloat162 x) { return make_float2(x.x, x.y); }
inline bfloat162 __float22bfloat162_rn(float2 x) { return {bfloat16(x.x), bfloat16(x.y)}; }
inline int __half2int_rn(half x) { return static_cast<int>(std::rint(static_cast<float>(x))); }
inline int __half2int_rz(half x) { return static_cast<int>(static_cast<float>(x)); }

// Functions: the float's result, rounded.
#define CUTTLE_FUNCTION(name, float_function)                                                                                          \
  inline half h##name(half x) { return half(float_function(static_cast<float>(x))); }                                                  \
  inline bfloat16 h##name(bfloat16 x) { return bfloat16(float_function(static_cast<float>(x))); }                                      \
  inline half2 h2##name(half2 x) { return {h##name(x.x), h##name(x.y)}; }                                                              \
  inline bfloat162 h2##name(bfloat162 x) { return {h##name(x.x), h##name(x.y)}; }
CUTTLE_FUNCTION(ceil, std::ceil)
CUTTLE_FUNCTION(floor, std::floor)
CUTTLE_FUNCTION(trunc, std::trunc)
CUTTLE_FUNCTION(rint, std::rint)
CUTTLE_FUNCTION(sqrt, std::sqrt)
CUTTLE_FUNCTION(rcp, 1.0f /)
CUTTLE_FUNCTION(rsqrt, 1.0f / std::sqrt)
CUTTLE_FUNCTION(exp, std::exp)
CUTTLE_FUNCTION(exp2, std::exp2)
CUTTLE_FUNCTION(log, std::log)
CUTTLE_FUNCTION(log2, std::log2)
CUTTLE_FUNCTION(log10, std::log10)
CUTTLE_FUNCTION(sin, std::sin)
CUTTLE_FUNCTION(cos, std::cos)
CUTTLE_FUNCTION(tanh, std::tanh)
#undef CUTTLE_FUNCTION

}  // namespace cuttle::dsl
