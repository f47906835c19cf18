// CUDA's functions on half, bfloat16 and pairs of them: by the operators, by LLVM's operations on 16-bit types, and by the float functions, rounded.
#pragma once

namespace cuttle::device {

/// As LLVM's own types: half and bfloat16, and a pair as a vector, on both elements of which a GPU works in one instruction.
template <class H>
struct Native;
template <>
struct Native<half> {
  using type = _Float16;
};
template <>
struct Native<bfloat16> {
  using type = __bf16;
};
template <>
struct Native<half2> {
  using type = _Float16 __attribute__((ext_vector_type(2)));
};
template <>
struct Native<bfloat162> {
  using type = __bf16 __attribute__((ext_vector_type(2)));
};
template <class H>
constexpr auto native(H x) {
  return __builtin_bit_cast(typename Native<H>::type, x);
}

/// x in 16 bits, rounded down, up or towards zero: the nearest value, moved one place where it lies on the wrong side.
enum class Direction { down, up, zero };
template <class H, class T>
constexpr H narrow_towards(T x, Direction direction) {
  const H nearest(x);
  const double back = static_cast<float>(nearest), exact = static_cast<double>(x);
  const bool down = direction == Direction::down || (direction == Direction::zero && exact > 0);
  if (back == exact || exact != exact || (down ? back < exact : back > exact)) return nearest;
  if (back == 0) return H::from_bits(down ? 0x8001 : 0x0001);
  return H::from_bits(static_cast<unsigned short>(nearest.bits() + (down == (back > 0) ? -1 : 1)));
}

#ifdef CUTTLE_BACKEND_PTX
/// a b + c, rounded once. Pairs in one instruction.
template <class H>
H fma16(H a, H b, H c) {
  return __builtin_bit_cast(H, __builtin_elementwise_fma(native(a), native(b), native(c)));
}
#else
/// a b + c, by way of double, which holds the product and, unless one of them is below the other's last 30 bits, the sum.
template <class H>
H fma16(H a, H b, H c) {
  return H(static_cast<double>(static_cast<float>(a)) * static_cast<float>(b) + static_cast<float>(c));
}
inline half2 fma16(half2 a, half2 b, half2 c) { return {fma16(a.x, b.x, c.x), fma16(a.y, b.y, c.y)}; }
inline bfloat162 fma16(bfloat162 a, bfloat162 b, bfloat162 c) { return {fma16(a.x, b.x, c.x), fma16(a.y, b.y, c.y)}; }
#endif

/// The lesser and the greater, of the two that are no NaN.
template <class H>
H min16(H a, H b) {
  return __builtin_bit_cast(H, __builtin_elementwise_minnum(native(a), native(b)));
}
template <class H>
H max16(H a, H b) {
  return __builtin_bit_cast(H, __builtin_elementwise_maxnum(native(a), native(b)));
}
/// In [0, 1]; 0 for NaN.
template <class H>
H saturate16(H x) {
  return min16(max16(x, H(0)), H(1));
}

}  // namespace cuttle::device

namespace cuttle {

// Preferred to vec's operators, which work element by element.
#define CUTTLE_PAIR_OPERATOR(H2, op) \
  inline H2 operator op(const H2& a, const H2& b) { return __builtin_bit_cast(H2, device::native(a) op device::native(b)); }
#define CUTTLE_PAIR_OPERATORS(H2) CUTTLE_PAIR_OPERATOR(H2, +) CUTTLE_PAIR_OPERATOR(H2, -) CUTTLE_PAIR_OPERATOR(H2, *) CUTTLE_PAIR_OPERATOR(H2, /)
CUTTLE_PAIR_OPERATORS(half2)
CUTTLE_PAIR_OPERATORS(bfloat162)
#undef CUTTLE_PAIR_OPERATORS
#undef CUTTLE_PAIR_OPERATOR

}  // namespace cuttle

namespace cuttle::dsl {

// Each for half and, where the name does not say the type, for bfloat16; the names with 2 work on both elements of a pair. Those with _rn are never
// fused: a float holds sums and products of 16-bit values so well that the second rounding changes nothing.
#define CUTTLE_16_BIT(H, H2)                                                                                                          \
  inline H __hadd(H a, H b) { return a + b; }                                                                                         \
  inline H __hsub(H a, H b) { return a - b; }                                                                                         \
  inline H __hmul(H a, H b) { return a * b; }                                                                                         \
  inline H __hdiv(H a, H b) { return a / b; }                                                                                         \
  inline H __hfma(H a, H b, H c) { return device::fma16(a, b, c); }                                                                   \
  inline H __hneg(H a) { return -a; }                                                                                                 \
  inline H __habs(H a) { return H::from_bits(a.bits() & 0x7fff); }                                                                    \
  inline H __hmin(H a, H b) { return device::min16(a, b); }                                                                           \
  inline H __hmax(H a, H b) { return device::max16(a, b); }                                                                           \
  inline H __hmin_nan(H a, H b) { return a != a ? a : b != b ? b : device::min16(a, b); }                                             \
  inline H __hmax_nan(H a, H b) { return a != a ? a : b != b ? b : device::max16(a, b); }                                             \
  inline H __hadd_rn(H a, H b) { return H(__fadd_rn(a, b)); }                                                                         \
  inline H __hsub_rn(H a, H b) { return H(__fsub_rn(a, b)); }                                                                         \
  inline H __hmul_rn(H a, H b) { return H(__fmul_rn(a, b)); }                                                                         \
  inline H __hadd_sat(H a, H b) { return device::saturate16(a + b); }                                                                 \
  inline H __hsub_sat(H a, H b) { return device::saturate16(a - b); }                                                                 \
  inline H __hmul_sat(H a, H b) { return device::saturate16(a * b); }                                                                 \
  inline H __hfma_sat(H a, H b, H c) { return device::saturate16(device::fma16(a, b, c)); }                                           \
  inline H __hfma_relu(H a, H b, H c) {                                                                                               \
    const H result = device::fma16(a, b, c);                                                                                          \
    return result < 0 ? H(0) : result;                                                                                                \
  }                                                                                                                                   \
  inline bool __hisnan(H a) { return a != a; }                                                                                        \
  inline int __hisinf(H a) { return (a.bits() & 0x7fff) != std::numeric_limits<H>::infinity().bits() ? 0 : a.bits() >> 15 ? -1 : 1; } \
  inline H2 __hadd2(H2 a, H2 b) { return a + b; }                                                                                     \
  inline H2 __hsub2(H2 a, H2 b) { return a - b; }                                                                                     \
  inline H2 __hmul2(H2 a, H2 b) { return a * b; }                                                                                     \
  inline H2 __h2div(H2 a, H2 b) { return a / b; }                                                                                     \
  inline H2 __hfma2(H2 a, H2 b, H2 c) { return device::fma16(a, b, c); }                                                              \
  inline H2 __hneg2(H2 a) { return -a; }                                                                                              \
  inline H2 __habs2(H2 a) { return {__habs(a.x), __habs(a.y)}; }                                                                      \
  inline H2 __hmin2(H2 a, H2 b) { return device::min16(a, b); }                                                                       \
  inline H2 __hmax2(H2 a, H2 b) { return device::max16(a, b); }                                                                       \
  inline H2 __hmin2_nan(H2 a, H2 b) { return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)}; }                                          \
  inline H2 __hmax2_nan(H2 a, H2 b) { return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)}; }                                          \
  inline H2 __hadd2_rn(H2 a, H2 b) { return {__hadd_rn(a.x, b.x), __hadd_rn(a.y, b.y)}; }                                             \
  inline H2 __hsub2_rn(H2 a, H2 b) { return {__hsub_rn(a.x, b.x), __hsub_rn(a.y, b.y)}; }                                             \
  inline H2 __hmul2_rn(H2 a, H2 b) { return {__hmul_rn(a.x, b.x), __hmul_rn(a.y, b.y)}; }                                             \
  inline H2 __hadd2_sat(H2 a, H2 b) { return {__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)}; }                                          \
  inline H2 __hsub2_sat(H2 a, H2 b) { return {__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)}; }                                          \
  inline H2 __hmul2_sat(H2 a, H2 b) { return {__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)}; }                                          \
  inline H2 __hfma2_sat(H2 a, H2 b, H2 c) { return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)}; }                          \
  inline H2 __hfma2_relu(H2 a, H2 b, H2 c) { return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)}; }                       \
  inline H2 __hisnan2(H2 a) { return {H(a.x != a.x), H(a.y != a.y)}; }                                                                \
  inline float __low2float(H2 a) { return a.x; }                                                                                      \
  inline float __high2float(H2 a) { return a.y; }                                                                                     \
  inline H2 __lowhigh2highlow(H2 a) { return {a.y, a.x}; }
CUTTLE_16_BIT(half, half2)
CUTTLE_16_BIT(bfloat16, bfloat162)
#undef CUTTLE_16_BIT

// Of a pair: 1 or 0 an element, whether both hold, and all bits or none an element. The names with u hold for NaN.
#define CUTTLE_COMPARE(H, H2, name, condition)                                                                                   \
  inline bool __h##name(H a, H b) { return condition; }                                                                          \
  inline H2 __h##name##2(H2 a, H2 b) { return {H(__h##name(a.x, b.x)), H(__h##name(a.y, b.y))}; }                                \
  inline bool __hb##name##2(H2 a, H2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }                                   \
  inline unsigned __h##name##2_mask(H2 a, H2 b) { return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0); }
#define CUTTLE_COMPARISONS(H, H2)                                  \
  CUTTLE_COMPARE(H, H2, eq, a == b)                                \
  CUTTLE_COMPARE(H, H2, ne, a < b || a > b)                        \
  CUTTLE_COMPARE(H, H2, lt, a < b)                                 \
  CUTTLE_COMPARE(H, H2, le, a <= b)                                \
  CUTTLE_COMPARE(H, H2, gt, a > b)                                 \
  CUTTLE_COMPARE(H, H2, ge, a >= b)                                \
  CUTTLE_COMPARE(H, H2, equ, !(a < b || a > b))                    \
  CUTTLE_COMPARE(H, H2, neu, a != b)                               \
  CUTTLE_COMPARE(H, H2, ltu, !(a >= b))                            \
  CUTTLE_COMPARE(H, H2, leu, !(a > b))                             \
  CUTTLE_COMPARE(H, H2, gtu, !(a <= b))                            \
  CUTTLE_COMPARE(H, H2, geu, !(a < b))
CUTTLE_COMPARISONS(half, half2)
CUTTLE_COMPARISONS(bfloat16, bfloat162)
#undef CUTTLE_COMPARISONS
#undef CUTTLE_COMPARE

// Conversions, by the names of each type.
#define CUTTLE_16_BIT_FROM(H, from, From)                                                                              \
  inline H __##from##2##H##_rn(From x) { return H(x); }                                                                   \
  inline H __##from##2##H##_rz(From x) { return device::narrow_towards<H>(x, device::Direction::zero); }                  \
  inline H __##from##2##H##_ru(From x) { return device::narrow_towards<H>(x, device::Direction::up); }                    \
  inline H __##from##2##H##_rd(From x) { return device::narrow_towards<H>(x, device::Direction::down); }
#define CUTTLE_16_BIT_TO(H, to, To)                                            \
  inline To __##H##2##to##_rn(H x) { return __float2##to##_rn(x); }               \
  inline To __##H##2##to##_rz(H x) { return __float2##to##_rz(x); }               \
  inline To __##H##2##to##_ru(H x) { return __float2##to##_ru(x); }               \
  inline To __##H##2##to##_rd(H x) { return __float2##to##_rd(x); }
#define CUTTLE_16_BIT(H, H2)                                                                                  \
  CUTTLE_16_BIT_FROM(H, float, float)                                                                                \
  CUTTLE_16_BIT_FROM(H, int, int)                                                                                    \
  CUTTLE_16_BIT_FROM(H, uint, unsigned)                                                                              \
  CUTTLE_16_BIT_FROM(H, short, short)                                                                                \
  CUTTLE_16_BIT_FROM(H, ushort, unsigned short)                                                                      \
  CUTTLE_16_BIT_TO(H, int, int)                                                                                      \
  CUTTLE_16_BIT_TO(H, uint, unsigned)                                                                                \
  CUTTLE_16_BIT_TO(H, ll, long long)                                                                                 \
  CUTTLE_16_BIT_TO(H, ull, unsigned long long)                                                                       \
  inline H __float2##H(float x) { return H(x); }                                                                        \
  inline H __double2##H(double x) { return H(x); }                                                                      \
  inline float __##H##2float(H x) { return x; }                                                                         \
  inline unsigned short __##H##_as_ushort(H x) { return x.bits(); }                                                     \
  inline short __##H##_as_short(H x) { return static_cast<short>(x.bits()); }                                           \
  inline H __ushort_as_##H(unsigned short x) { return H::from_bits(x); }                                                \
  inline H __short_as_##H(short x) { return H::from_bits(static_cast<unsigned short>(x)); }                             \
  inline H2 __float2##H2##_rn(float x) { return {H(x), H(x)}; }                                                         \
  inline H2 __floats2##H2##_rn(float x, float y) { return {H(x), H(y)}; }                                               \
  inline H2 __float22##H2##_rn(float2 x) { return {H(x.x), H(x.y)}; }                                                   \
  inline float2 __##H2##2float2(H2 x) { return make_float2(x.x, x.y); }                                                 \
  inline H2 make_##H2(H x, H y) { return {x, y}; }                                                                      \
  inline H2 __halves2##H2(H x, H y) { return {x, y}; }                                                                  \
  inline H2 __##H##2##H2(H x) { return {x, x}; }                                                                     \
  inline H __low2##H(H2 x) { return x.x; }                                                                              \
  inline H __high2##H(H2 x) { return x.y; }                                                                             \
  inline H2 __low2##H2(H2 x) { return {x.x, x.x}; }                                                                     \
  inline H2 __high2##H2(H2 x) { return {x.y, x.y}; }                                                                    \
  inline H2 __lows2##H2(H2 x, H2 y) { return {x.x, y.x}; }                                                              \
  inline H2 __highs2##H2(H2 x, H2 y) { return {x.y, y.y}; }
CUTTLE_16_BIT(half, half2)
CUTTLE_16_BIT(bfloat16, bfloat162)
#undef CUTTLE_16_BIT
#undef CUTTLE_16_BIT_TO
#undef CUTTLE_16_BIT_FROM

// Functions: the float's result, rounded.
#define CUTTLE_FUNCTION(name, float_function)                                                             \
  inline half h##name(half x) { return half(float_function(static_cast<float>(x))); }                     \
  inline bfloat16 h##name(bfloat16 x) { return bfloat16(float_function(static_cast<float>(x))); }         \
  inline half2 h2##name(half2 x) { return {h##name(x.x), h##name(x.y)}; }                                 \
  inline bfloat162 h2##name(bfloat162 x) { return {h##name(x.x), h##name(x.y)}; }
CUTTLE_HALF_FUNCTIONS(CUTTLE_FUNCTION)
#undef CUTTLE_FUNCTION

}  // namespace cuttle::dsl
