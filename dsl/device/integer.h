// CUDA's integer intrinsics, bit casts and packed bytes, as formulas that LLVM turns into single instructions where the device has them.
#pragma once

namespace cuttle::dsl {

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return __builtin_clzg(static_cast<unsigned>(x), 32); }
inline int __clzll(long long x) { return __builtin_clzg(static_cast<unsigned long long>(x), 64); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
inline unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32); }
inline long long __mul64hi(long long a, long long b) { return static_cast<long long>(static_cast<__int128>(a) * b >> 64); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int __mul24(int a, int b) { return static_cast<int>(static_cast<unsigned>(a << 8 >> 8) * static_cast<unsigned>(b << 8 >> 8)); }
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }

/// |a - b| + c.
inline unsigned __sad(int a, int b, unsigned c) { return (a > b ? static_cast<unsigned>(a) - b : static_cast<unsigned>(b) - a) + c; }
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }

/// Averages without overflow, rounded down (hadd) or up (rhadd).
inline int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
inline int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
inline unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
inline unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }

/// The high word of high:low << shift, the low word of high:low >> shift; the count modulo 32, or at most 32 (lc, rc).
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) { return __builtin_elementwise_fshl(high, low, shift); }
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) { return __builtin_elementwise_fshr(high, low, shift); }
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) { return shift >= 32 ? low : __funnelshift_l(low, high, shift); }
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) { return shift >= 32 ? high : __funnelshift_r(low, high, shift); }

/// Byte n of the result is byte s<4n+2:4n> of y:x.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
#ifdef CUTTLE_BACKEND_PTX
  return __nvvm_prmt(x, y, s & 0x7777u);
#else
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (int n = 0; n < 4; ++n) result |= static_cast<unsigned>(bytes >> (s >> 4 * n & 7) * 8 & 0xff) << 8 * n;
  return result;
#endif
}

inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
inline float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      static_cast<long long>(static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low)));
}

}  // namespace cuttle::dsl

namespace cuttle::detail {

/// Element i of the packed word, as a T.
template <class T>
constexpr T lane(unsigned packed, int i) {
  return static_cast<T>(packed >> static_cast<int>(8 * sizeof(T)) * i);
}

/// f over the bytes or half words of one to three packed words, packed again: what __vadd4 and its kin do.
template <class T, class F, class... Word>
constexpr unsigned map_lanes(const F& f, Word... words) {
  constexpr int bits = 8 * sizeof(T);
  unsigned result = 0;
  for (int i = 0; i < 32 / bits; ++i) {
    result |= static_cast<unsigned>(static_cast<std::make_unsigned_t<T>>(f(lane<T>(words, i)...))) << bits * i;
  }
  return result;
}

/// The nearest value that T has.
template <class T>
constexpr T saturate_lane(int value) {
  constexpr int low = std::is_signed_v<T> ? -(1 << (8 * sizeof(T) - 1)) : 0;
  constexpr int high = std::is_signed_v<T> ? (1 << (8 * sizeof(T) - 1)) - 1 : (1 << 8 * sizeof(T)) - 1;
  return static_cast<T>(value < low ? low : value > high ? high : value);
}

template <class T>
constexpr unsigned sum_of_lanes(unsigned packed) {
  unsigned sum = 0;
  for (int i = 0; i < static_cast<int>(4 / sizeof(T)); ++i) sum += lane<T>(packed, i);
  return sum;
}

}  // namespace cuttle::detail

namespace cuttle::dsl {

// CUDA's packed arithmetic. s and u: signed and unsigned lanes, ss and us: saturating; vset gives 1 and vcmp all ones where the relation holds.
#define CUTTLE_PACKED_UNARY(name, T, expression)                                                       \
  inline unsigned name(unsigned a) {                                                                   \
    return detail::map_lanes<T>([](int x) -> int { return expression; }, a);                           \
  }
#define CUTTLE_PACKED_BINARY(name, T, expression)                                                      \
  inline unsigned name(unsigned a, unsigned b) {                                                       \
    return detail::map_lanes<T>([](int x, int y) -> int { return expression; }, a, b);                 \
  }
#define CUTTLE_PACKED_COMPARE(width, S, U, relation, op)                       \
  CUTTLE_PACKED_BINARY(__vcmp##relation##width, U, x op y ? -1 : 0)             \
  CUTTLE_PACKED_BINARY(__vset##relation##width, U, x op y ? 1 : 0)
#define CUTTLE_PACKED_ORDER(width, S, U, relation, op)                         \
  CUTTLE_PACKED_BINARY(__vcmp##relation##s##width, S, x op y ? -1 : 0)          \
  CUTTLE_PACKED_BINARY(__vcmp##relation##u##width, U, x op y ? -1 : 0)          \
  CUTTLE_PACKED_BINARY(__vset##relation##s##width, S, x op y ? 1 : 0)           \
  CUTTLE_PACKED_BINARY(__vset##relation##u##width, U, x op y ? 1 : 0)
#define CUTTLE_PACKED(width, S, U)                                                                     \
  CUTTLE_PACKED_UNARY(__vabs##width, S, x < 0 ? -x : x)                                                \
  CUTTLE_PACKED_UNARY(__vabsss##width, S, detail::saturate_lane<S>(x < 0 ? -x : x))                    \
  CUTTLE_PACKED_UNARY(__vneg##width, S, -x)                                                            \
  CUTTLE_PACKED_UNARY(__vnegss##width, S, detail::saturate_lane<S>(-x))                                \
  CUTTLE_PACKED_BINARY(__vadd##width, U, x + y)                                                        \
  CUTTLE_PACKED_BINARY(__vaddss##width, S, detail::saturate_lane<S>(x + y))                            \
  CUTTLE_PACKED_BINARY(__vaddus##width, U, detail::saturate_lane<U>(x + y))                            \
  CUTTLE_PACKED_BINARY(__vsub##width, U, x - y)                                                        \
  CUTTLE_PACKED_BINARY(__vsubss##width, S, detail::saturate_lane<S>(x - y))                            \
  CUTTLE_PACKED_BINARY(__vsubus##width, U, detail::saturate_lane<U>(x - y))                            \
  CUTTLE_PACKED_BINARY(__vabsdiffs##width, S, x > y ? x - y : y - x)                                   \
  CUTTLE_PACKED_BINARY(__vabsdiffu##width, U, x > y ? x - y : y - x)                                   \
  CUTTLE_PACKED_BINARY(__vavgs##width, S, (x + y + (x + y >= 0)) >> 1)                                 \
  CUTTLE_PACKED_BINARY(__vavgu##width, U, (x + y + 1) >> 1)                                            \
  CUTTLE_PACKED_BINARY(__vhaddu##width, U, (x + y) >> 1)                                               \
  CUTTLE_PACKED_BINARY(__vmaxs##width, S, x > y ? x : y)                                               \
  CUTTLE_PACKED_BINARY(__vmaxu##width, U, x > y ? x : y)                                               \
  CUTTLE_PACKED_BINARY(__vmins##width, S, x < y ? x : y)                                               \
  CUTTLE_PACKED_BINARY(__vminu##width, U, x < y ? x : y)                                               \
  CUTTLE_PACKED_COMPARE(width, S, U, eq, ==)                                                           \
  CUTTLE_PACKED_COMPARE(width, S, U, ne, !=)                                                           \
  CUTTLE_PACKED_ORDER(width, S, U, ge, >=)                                                             \
  CUTTLE_PACKED_ORDER(width, S, U, gt, >)                                                              \
  CUTTLE_PACKED_ORDER(width, S, U, le, <=)                                                             \
  CUTTLE_PACKED_ORDER(width, S, U, lt, <)                                                              \
  inline unsigned __vsads##width(unsigned a, unsigned b) { return detail::sum_of_lanes<U>(__vabsdiffs##width(a, b)); } \
  inline unsigned __vsadu##width(unsigned a, unsigned b) { return detail::sum_of_lanes<U>(__vabsdiffu##width(a, b)); }
CUTTLE_PACKED(2, short, unsigned short)
CUTTLE_PACKED(4, signed char, unsigned char)
#undef CUTTLE_PACKED
#undef CUTTLE_PACKED_ORDER
#undef CUTTLE_PACKED_COMPARE
#undef CUTTLE_PACKED_BINARY
#undef CUTTLE_PACKED_UNARY

/// Four byte products, or two of 16 by 8 bits (the low or the high two bytes of b), added to c.
#ifdef CUTTLE_BACKEND_PTX
// LLVM's intrinsics, of which Clang has no builtins: unlike inline assembly, they do not keep a loop from being unrolled.
#define CUTTLE_DOT_PRODUCT(I, letter)                                                                               \
  extern "C" __attribute__((device, noconvergent)) I __cuttle_dp4a_##letter(I, I, I) __asm__("llvm.nvvm.idp4a." #letter "." #letter);       \
  extern "C" __attribute__((device, noconvergent)) I __cuttle_dp2a_##letter(I, I, bool, I) __asm__("llvm.nvvm.idp2a." #letter "." #letter); \
  inline I __dp4a(I a, I b, I c) { return __cuttle_dp4a_##letter(a, b, c); }                                        \
  inline I __dp2a_lo(I a, I b, I c) { return __cuttle_dp2a_##letter(a, b, false, c); }                              \
  inline I __dp2a_hi(I a, I b, I c) { return __cuttle_dp2a_##letter(a, b, true, c); }
CUTTLE_DOT_PRODUCT(int, s)
CUTTLE_DOT_PRODUCT(unsigned, u)
#undef CUTTLE_DOT_PRODUCT
#else
#define CUTTLE_DOT_PRODUCT(name, count, I, A, B, first)                                                                         \
  inline I name(I a, I b, I c) {                                                                                                \
    for (int i = 0; i < count; ++i) c += I{detail::lane<A>(a, i)} * I{detail::lane<B>(b, i + first)};                           \
    return c;                                                                                                                   \
  }
CUTTLE_DOT_PRODUCT(__dp4a, 4, int, signed char, signed char, 0)
CUTTLE_DOT_PRODUCT(__dp4a, 4, unsigned, unsigned char, unsigned char, 0)
CUTTLE_DOT_PRODUCT(__dp2a_lo, 2, int, short, signed char, 0)
CUTTLE_DOT_PRODUCT(__dp2a_lo, 2, unsigned, unsigned short, unsigned char, 0)
CUTTLE_DOT_PRODUCT(__dp2a_hi, 2, int, short, signed char, 2)
CUTTLE_DOT_PRODUCT(__dp2a_hi, 2, unsigned, unsigned short, unsigned char, 2)
#undef CUTTLE_DOT_PRODUCT
#endif
inline int __dp4a(char4 a, char4 b, int c) { return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c); }
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) { return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c); }

}  // namespace cuttle::dsl
