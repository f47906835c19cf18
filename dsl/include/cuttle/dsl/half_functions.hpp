// CUDA's functions on half, bfloat16 and pairs of them, as the host compiler sees them. Each is there for both types, under one name or, where it
// says its type, under two: __half2float and __bfloat162float.
#pragma once

#include "half.hpp"
#include "half_names.hpp"

#include "hide_macros.hpp"

namespace cuttle::dsl {

#define CUTTLE_DECLARE_UNARY(name)  \
  half __h##name(half);             \
  bfloat16 __h##name(bfloat16);     \
  half2 __h##name##2(half2);        \
  bfloat162 __h##name##2(bfloat162);
CUTTLE_DECLARE_UNARY(neg)
CUTTLE_DECLARE_UNARY(abs)
#undef CUTTLE_DECLARE_UNARY

// min and max take the number of a number and a NaN, with _nan the NaN; _sat keeps the result in [0, 1], _relu above 0, _rn from being fused.
#define CUTTLE_DECLARE_BINARY(name, suffix)               \
  half __h##name##suffix(half, half);                     \
  bfloat16 __h##name##suffix(bfloat16, bfloat16);         \
  half2 __h##name##2##suffix(half2, half2);               \
  bfloat162 __h##name##2##suffix(bfloat162, bfloat162);
CUTTLE_DECLARE_BINARY(add, )
CUTTLE_DECLARE_BINARY(sub, )
CUTTLE_DECLARE_BINARY(mul, )
CUTTLE_DECLARE_BINARY(min, )
CUTTLE_DECLARE_BINARY(max, )
CUTTLE_DECLARE_BINARY(min, _nan)
CUTTLE_DECLARE_BINARY(max, _nan)
CUTTLE_DECLARE_BINARY(add, _rn)
CUTTLE_DECLARE_BINARY(sub, _rn)
CUTTLE_DECLARE_BINARY(mul, _rn)
CUTTLE_DECLARE_BINARY(add, _sat)
CUTTLE_DECLARE_BINARY(sub, _sat)
CUTTLE_DECLARE_BINARY(mul, _sat)
#undef CUTTLE_DECLARE_BINARY
half __hdiv(half, half);
bfloat16 __hdiv(bfloat16, bfloat16);
half2 __h2div(half2, half2);
bfloat162 __h2div(bfloat162, bfloat162);

#define CUTTLE_DECLARE_FMA(suffix)                                  \
  half __hfma##suffix(half, half, half);                            \
  bfloat16 __hfma##suffix(bfloat16, bfloat16, bfloat16);            \
  half2 __hfma2##suffix(half2, half2, half2);                       \
  bfloat162 __hfma2##suffix(bfloat162, bfloat162, bfloat162);
CUTTLE_DECLARE_FMA()
CUTTLE_DECLARE_FMA(_sat)
CUTTLE_DECLARE_FMA(_relu)
#undef CUTTLE_DECLARE_FMA

// Of a pair: 1 or 0 an element, whether both hold (b), and all bits or none an element (_mask). The names with u hold for NaN.
#define CUTTLE_DECLARE_COMPARISON(name)                  \
  bool __h##name(half, half);                            \
  bool __h##name(bfloat16, bfloat16);                    \
  half2 __h##name##2(half2, half2);                      \
  bfloat162 __h##name##2(bfloat162, bfloat162);          \
  bool __hb##name##2(half2, half2);                      \
  bool __hb##name##2(bfloat162, bfloat162);              \
  unsigned __h##name##2_mask(half2, half2);              \
  unsigned __h##name##2_mask(bfloat162, bfloat162);
CUTTLE_HALF_COMPARISONS(CUTTLE_DECLARE_COMPARISON)
#undef CUTTLE_DECLARE_COMPARISON
bool __hisnan(half);
bool __hisnan(bfloat16);
int __hisinf(half);  ///< 1, -1 or 0.
int __hisinf(bfloat16);
half2 __hisnan2(half2);
bfloat162 __hisnan2(bfloat162);
float __low2float(half2);
float __low2float(bfloat162);
float __high2float(half2);
float __high2float(bfloat162);
half2 __lowhigh2highlow(half2);
bfloat162 __lowhigh2highlow(bfloat162);

#define CUTTLE_DECLARE_FROM(H, from, From) \
  H __##from##2##H##_rn(From);                \
  H __##from##2##H##_rz(From);                \
  H __##from##2##H##_ru(From);                \
  H __##from##2##H##_rd(From);
#define CUTTLE_DECLARE_TO(H, to, To) \
  To __##H##2##to##_rn(H);              \
  To __##H##2##to##_rz(H);              \
  To __##H##2##to##_ru(H);              \
  To __##H##2##to##_rd(H);
#define CUTTLE_DECLARE_CONVERSIONS(H, H2)                \
  CUTTLE_DECLARE_FROM(H, float, float)                \
  CUTTLE_DECLARE_FROM(H, int, int)                    \
  CUTTLE_DECLARE_FROM(H, uint, unsigned)              \
  CUTTLE_DECLARE_FROM(H, short, short)                \
  CUTTLE_DECLARE_FROM(H, ushort, unsigned short)      \
  CUTTLE_DECLARE_TO(H, int, int)                      \
  CUTTLE_DECLARE_TO(H, uint, unsigned)                \
  CUTTLE_DECLARE_TO(H, ll, long long)                 \
  CUTTLE_DECLARE_TO(H, ull, unsigned long long)       \
  H __float2##H(float);                                  \
  H __double2##H(double);                                \
  float __##H##2float(H);                                \
  unsigned short __##H##_as_ushort(H);                   \
  short __##H##_as_short(H);                             \
  H __ushort_as_##H(unsigned short);                     \
  H __short_as_##H(short);                               \
  H2 __float2##H2##_rn(float);                           \
  H2 __floats2##H2##_rn(float, float);                   \
  H2 __float22##H2##_rn(float2);                         \
  float2 __##H2##2float2(H2);                            \
  H2 make_##H2(H, H);                                    \
  H2 __halves2##H2(H, H);                                \
  H2 __##H##2##H2(H);                                    \
  H __low2##H(H2);                                       \
  H __high2##H(H2);                                      \
  H2 __low2##H2(H2);                                     \
  H2 __high2##H2(H2);                                    \
  H2 __lows2##H2(H2, H2);                                \
  H2 __highs2##H2(H2, H2);
CUTTLE_DECLARE_CONVERSIONS(half, half2)
CUTTLE_DECLARE_CONVERSIONS(bfloat16, bfloat162)
#undef CUTTLE_DECLARE_CONVERSIONS
#undef CUTTLE_DECLARE_TO
#undef CUTTLE_DECLARE_FROM

#define CUTTLE_DECLARE_FUNCTION(name, float_function) \
  half h##name(half);                                 \
  bfloat16 h##name(bfloat16);                         \
  half2 h2##name(half2);                              \
  bfloat162 h2##name(bfloat162);
CUTTLE_HALF_FUNCTIONS(CUTTLE_DECLARE_FUNCTION)
#undef CUTTLE_DECLARE_FUNCTION

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
