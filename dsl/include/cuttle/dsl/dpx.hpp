// CUDA's DPX functions: the sums, minima and maxima of dynamic programming, of 32 bits or of two 16-bit integers in a word. Read by both compilers.
// From sm_90 on they are instructions of their own, which ptxas makes of what stands here.
#pragma once

#include "hide_macros.hpp"

namespace cuttle::detail {

/// Two integers of 16 bits; arithmetic and comparisons work on each.
using SignedPair [[gnu::vector_size(4)]] = short;
using UnsignedPair [[gnu::vector_size(4)]] = unsigned short;

template <class T>
T larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
T smaller(T a, T b) {
  return a < b ? a : b;
}
template <class T>
T not_negative(T a) {
  return larger(a, T{});
}

// a + b, which wraps around.
inline int wrapping_sum(int a, int b) { return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)); }
inline unsigned wrapping_sum(unsigned a, unsigned b) { return a + b; }
inline UnsignedPair wrapping_sum(UnsignedPair a, UnsignedPair b) { return a + b; }
inline SignedPair wrapping_sum(SignedPair a, SignedPair b) {
  return __builtin_bit_cast(SignedPair, __builtin_bit_cast(UnsignedPair, a) + __builtin_bit_cast(UnsignedPair, b));
}

}  // namespace cuttle::detail

namespace cuttle::dsl {

// Words of type W, taken as values x, y and z of type T.
#define CUTTLE_DPX_FUNCTION(name, W, T, result)                                                                                  \
  inline W name(W a, W b, W c) {                                                                                                 \
    using namespace ::cuttle::detail;                                                                                            \
    const T x = __builtin_bit_cast(T, a), y = __builtin_bit_cast(T, b), z = __builtin_bit_cast(T, c);                            \
    return __builtin_bit_cast(W, result);                                                                                        \
  }
#define CUTTLE_DPX(types, W, T)                                                       \
  CUTTLE_DPX_FUNCTION(__viaddmax_##types, W, T, larger(wrapping_sum(x, y), z))        \
  CUTTLE_DPX_FUNCTION(__viaddmin_##types, W, T, smaller(wrapping_sum(x, y), z))       \
  CUTTLE_DPX_FUNCTION(__vimax3_##types, W, T, larger(larger(x, y), z))                \
  CUTTLE_DPX_FUNCTION(__vimin3_##types, W, T, smaller(smaller(x, y), z))
CUTTLE_DPX(s32, int, int)
CUTTLE_DPX(u32, unsigned, unsigned)
CUTTLE_DPX(s16x2, unsigned, detail::SignedPair)
CUTTLE_DPX(u16x2, unsigned, detail::UnsignedPair)
#undef CUTTLE_DPX

// With relu: the result, or 0 where it is negative.
#define CUTTLE_DPX_RELU(types, W, T)                                                                     \
  CUTTLE_DPX_FUNCTION(__viaddmax_##types##_relu, W, T, not_negative(larger(wrapping_sum(x, y), z)))      \
  CUTTLE_DPX_FUNCTION(__viaddmin_##types##_relu, W, T, not_negative(smaller(wrapping_sum(x, y), z)))     \
  CUTTLE_DPX_FUNCTION(__vimax3_##types##_relu, W, T, not_negative(larger(larger(x, y), z)))              \
  CUTTLE_DPX_FUNCTION(__vimin3_##types##_relu, W, T, not_negative(smaller(smaller(x, y), z)))            \
  inline W __vimax_##types##_relu(W a, W b) { return __vimax3_##types##_relu(a, b, b); }                 \
  inline W __vimin_##types##_relu(W a, W b) { return __vimin3_##types##_relu(a, b, b); }
CUTTLE_DPX_RELU(s32, int, int)
CUTTLE_DPX_RELU(s16x2, unsigned, detail::SignedPair)
#undef CUTTLE_DPX_RELU
#undef CUTTLE_DPX_FUNCTION

// The larger (smaller) of a and b, and whether that is a: for pairs of each half, the high one first.
#define CUTTLE_DPX_CHOICE(types, I)                                                            \
  inline I __vibmax_##types(I a, I b, bool* is_a) { return (*is_a = a >= b) ? a : b; }         \
  inline I __vibmin_##types(I a, I b, bool* is_a) { return (*is_a = a <= b) ? a : b; }
CUTTLE_DPX_CHOICE(s32, int)
CUTTLE_DPX_CHOICE(u32, unsigned)
#undef CUTTLE_DPX_CHOICE
#define CUTTLE_DPX_CHOICE(name, Pair, op)                                                               \
  inline unsigned name(unsigned a, unsigned b, bool* is_high_a, bool* is_low_a) {                       \
    const auto x = __builtin_bit_cast(detail::Pair, a), y = __builtin_bit_cast(detail::Pair, b);        \
    *is_high_a = x[1] op y[1];                                                                          \
    *is_low_a = x[0] op y[0];                                                                           \
    const detail::Pair chosen = x op y ? x : y;                                                         \
    return __builtin_bit_cast(unsigned, chosen);                                                        \
  }
CUTTLE_DPX_CHOICE(__vibmax_s16x2, SignedPair, >=)
CUTTLE_DPX_CHOICE(__vibmax_u16x2, UnsignedPair, >=)
CUTTLE_DPX_CHOICE(__vibmin_s16x2, SignedPair, <=)
CUTTLE_DPX_CHOICE(__vibmin_u16x2, UnsignedPair, <=)
#undef CUTTLE_DPX_CHOICE

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
