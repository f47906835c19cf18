// <cmath> and CUDA's math functions for kernels: names with and without std::, for float and double. What a device has of its own comes from
// ptx_math.h or cpu_math.h; the rest is the same on both.
#pragma once

#include "../include/cuttle/dsl/math_names.hpp"
#ifdef CUTTLE_BACKEND_PTX
#include "ptx_math.h"
#else
#include "cpu_math.h"
#endif

namespace cuttle::device {

#define CUTTLE_DEFINE(name)                                        \
  inline double name(double x) { return __builtin_##name(x); }     \
  inline float name(float x) { return __builtin_##name##f(x); }
CUTTLE_CMATH_UNARY_BUILTIN(CUTTLE_DEFINE)
#undef CUTTLE_DEFINE
#define CUTTLE_DEFINE(name)                                                      \
  inline double name(double x, double y) { return __builtin_##name(x, y); }      \
  inline float name(float x, float y) { return __builtin_##name##f(x, y); }
CUTTLE_CMATH_BINARY_BUILTIN(CUTTLE_DEFINE)
#undef CUTTLE_DEFINE

/// What <cmath> computes in: the wider of the floating-point arguments, double for integers.
template <class... T>
struct Promoted;
template <class T>
struct Promoted<T> {
  using type = std::conditional_t<std::is_integral_v<T>, double, T>;
};
template <class A, class B>
struct Promoted<A, B> {
  using type = decltype(typename Promoted<A>::type{} + typename Promoted<B>::type{});
};
template <class... T>
using promoted = typename Promoted<T...>::type;
template <class T>
using if_integral = std::enable_if_t<std::is_integral_v<T>>;
template <class A, class B>
using if_mixed = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B> && (!std::is_same_v<A, B> || std::is_integral_v<A>)>;

}  // namespace cuttle::device

// C's names at global scope, C++'s overloads beside them.
#define CUTTLE_DEFINE_UNARY(name)                                                   \
  inline double name(double x) { return cuttle::device::name(x); }                  \
  inline float name##f(float x) { return cuttle::device::name(x); }                 \
  inline float name(float x) { return cuttle::device::name(x); }                    \
  template <class I, class = cuttle::device::if_integral<I>>                        \
  double name(I x) {                                                                \
    return cuttle::device::name(static_cast<double>(x));                            \
  }
#define CUTTLE_DEFINE_BINARY(name)                                                  \
  inline double name(double x, double y) { return cuttle::device::name(x, y); }     \
  inline float name##f(float x, float y) { return cuttle::device::name(x, y); }     \
  inline float name(float x, float y) { return cuttle::device::name(x, y); }        \
  template <class A, class B, class = cuttle::device::if_mixed<A, B>>               \
  auto name(A x, B y) {                                                             \
    using T = cuttle::device::promoted<A, B>;                                       \
    return cuttle::device::name(static_cast<T>(x), static_cast<T>(y));              \
  }
CUTTLE_CMATH_UNARY(CUTTLE_DEFINE_UNARY)
CUTTLE_CMATH_UNARY_BUILTIN(CUTTLE_DEFINE_UNARY)
CUTTLE_CMATH_BINARY(CUTTLE_DEFINE_BINARY)
CUTTLE_CMATH_BINARY_BUILTIN(CUTTLE_DEFINE_BINARY)

inline double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

// C's other functions: each for double, for float under the name with f, and as an overload.
#define CUTTLE_DEFINE_OTHER(result, name, parameters, arguments)                                                          \
  inline result(double) name parameters(double) { return cuttle::device::name arguments; }                                \
  inline result(float) name parameters(float) { return cuttle::device::name arguments; }                                  \
  inline result(float) name##f parameters(float) { return cuttle::device::name arguments; }
#define CUTTLE_SAME(T) T
#define CUTTLE_INT(T) int
#define CUTTLE_EXPONENT(T) (T x, int exponent)
#define CUTTLE_TO_EXPONENT(T) (T x, int* exponent)
#define CUTTLE_TO_WHOLE(T) (T x, T* whole)
#define CUTTLE_TO_QUOTIENT(T) (T x, T y, int* quotient)
#define CUTTLE_VALUE(T) (T x)
CUTTLE_DEFINE_OTHER(CUTTLE_SAME, ldexp, CUTTLE_EXPONENT, (x, exponent))
CUTTLE_DEFINE_OTHER(CUTTLE_SAME, frexp, CUTTLE_TO_EXPONENT, (x, exponent))
CUTTLE_DEFINE_OTHER(CUTTLE_SAME, modf, CUTTLE_TO_WHOLE, (x, whole))
CUTTLE_DEFINE_OTHER(CUTTLE_SAME, remquo, CUTTLE_TO_QUOTIENT, (x, y, quotient))
CUTTLE_DEFINE_OTHER(CUTTLE_INT, ilogb, CUTTLE_VALUE, (x))
#undef CUTTLE_DEFINE_OTHER

inline double scalbn(double x, int exponent) { return ldexp(x, exponent); }
inline float scalbn(float x, int exponent) { return ldexp(x, exponent); }
inline float scalbnf(float x, int exponent) { return ldexp(x, exponent); }
inline double scalbln(double x, long exponent) { return ldexp(x, static_cast<int>(exponent < -9999 ? -9999 : exponent > 9999 ? 9999 : exponent)); }
inline float scalbln(float x, long exponent) { return static_cast<float>(scalbln(static_cast<double>(x), exponent)); }
inline float scalblnf(float x, long exponent) { return scalbln(x, exponent); }
inline long lrint(double x) { return static_cast<long>(rint(x)); }
inline long lrint(float x) { return static_cast<long>(rint(x)); }
inline long lrintf(float x) { return lrint(x); }
inline long long llrint(double x) { return static_cast<long long>(rint(x)); }
inline long long llrint(float x) { return static_cast<long long>(rint(x)); }
inline long long llrintf(float x) { return llrint(x); }
inline long lround(double x) { return static_cast<long>(round(x)); }
inline long lround(float x) { return static_cast<long>(round(x)); }
inline long lroundf(float x) { return lround(x); }
inline long long llround(double x) { return static_cast<long long>(round(x)); }
inline long long llround(float x) { return static_cast<long long>(round(x)); }
inline long long llroundf(float x) { return llround(x); }
inline double nan(const char*) { return __builtin_nan(""); }
inline float nanf(const char*) { return __builtin_nanf(""); }

inline int abs(int x) { return x < 0 ? -x : x; }
inline long abs(long x) { return x < 0 ? -x : x; }
inline long long abs(long long x) { return x < 0 ? -x : x; }
inline long labs(long x) { return abs(x); }
inline long long llabs(long long x) { return abs(x); }
inline float abs(float x) { return __builtin_fabsf(x); }
inline double abs(double x) { return __builtin_fabs(x); }

#define CUTTLE_DEFINE(name, builtin)                                     \
  inline bool name(float x) { return __builtin_##builtin(x); }           \
  inline bool name(double x) { return __builtin_##builtin(x); }          \
  template <class I, class = cuttle::device::if_integral<I>>             \
  bool name(I x) {                                                       \
    return name(static_cast<double>(x));                                 \
  }
CUTTLE_DEFINE(isnan, isnan)
CUTTLE_DEFINE(isinf, isinf)
CUTTLE_DEFINE(isfinite, isfinite)
CUTTLE_DEFINE(isnormal, isnormal)
CUTTLE_DEFINE(signbit, signbit)
#undef CUTTLE_DEFINE
inline int fpclassify(float x) { return __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x); }
inline int fpclassify(double x) { return __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x); }
#define CUTTLE_DEFINE(name)                                                          \
  inline bool name(float x, float y) { return __builtin_##name(x, y); }              \
  inline bool name(double x, double y) { return __builtin_##name(x, y); }
CUTTLE_DEFINE(isgreater)
CUTTLE_DEFINE(isgreaterequal)
CUTTLE_DEFINE(isless)
CUTTLE_DEFINE(islessequal)
CUTTLE_DEFINE(islessgreater)
CUTTLE_DEFINE(isunordered)
#undef CUTTLE_DEFINE

namespace std {

#define CUTTLE_USING(name) \
  using ::name;            \
  using ::name##f;
CUTTLE_CMATH_UNARY(CUTTLE_USING)
CUTTLE_CMATH_UNARY_BUILTIN(CUTTLE_USING)
CUTTLE_CMATH_BINARY(CUTTLE_USING)
CUTTLE_CMATH_BINARY_BUILTIN(CUTTLE_USING)
#define CUTTLE_CMATH_OTHER(X) \
  X(fma) X(frexp) X(ilogb) X(ldexp) X(llrint) X(llround) X(lrint) X(lround) X(modf) X(nan) X(remquo) X(scalbln) X(scalbn)
CUTTLE_CMATH_OTHER(CUTTLE_USING)
#undef CUTTLE_CMATH_OTHER
#undef CUTTLE_USING
using ::abs, ::labs, ::llabs;
using ::fpclassify;
using ::isfinite, ::isgreater, ::isgreaterequal, ::isinf, ::isless, ::islessequal, ::islessgreater, ::isnan, ::isnormal, ::isunordered, ::signbit;

/// a + t (b - a), exact at both ends and monotonous, as P0811 writes it.
template <class T>
constexpr T lerp(T a, T b, T t) {
  if ((a <= 0 && b >= 0) || (a >= 0 && b <= 0)) return t * b + (1 - t) * a;
  if (t == 1) return b;
  const T x = a + t * (b - a);
  return (t > 1) == (b > a) ? (b < x ? x : b) : (b < x ? b : x);
}
inline float hypot(float x, float y, float z) { return ::hypot(::hypot(x, y), z); }
inline double hypot(double x, double y, double z) { return ::hypot(::hypot(x, y), z); }

}  // namespace std

namespace cuttle::dsl {

CUTTLE_CUDA_UNARY_LIBM(CUTTLE_DEFINE_UNARY)
CUTTLE_CUDA_UNARY(CUTTLE_DEFINE_UNARY)
CUTTLE_DEFINE_BINARY(rhypot)
#undef CUTTLE_DEFINE_UNARY
#undef CUTTLE_DEFINE_BINARY

#define CUTTLE_DEFINE(T, suffix)                                                                          \
  inline void sincos##suffix(T x, T* s, T* c) { device::sincos(x, s, c); }                                \
  inline void sincospi##suffix(T x, T* s, T* c) { device::sincospi(x, s, c); }                            \
  inline T jn##suffix(int n, T x) { return device::jn(n, x); }                                            \
  inline T yn##suffix(int n, T x) { return device::yn(n, x); }                                            \
  inline T fdivide##suffix(T x, T y) { return x / y; }                                                    \
  inline T norm3d##suffix(T x, T y, T z) { return std::hypot(x, y, z); }                                  \
  inline T norm4d##suffix(T x, T y, T z, T w) { return ::hypot(::hypot(x, y), ::hypot(z, w)); }           \
  inline T rnorm3d##suffix(T x, T y, T z) { return 1 / norm3d##suffix(x, y, z); }                         \
  inline T rnorm4d##suffix(T x, T y, T z, T w) { return 1 / norm4d##suffix(x, y, z, w); }                 \
  /** The Euclidean length of `count` coordinates. */                                                     \
  inline T norm##suffix(int count, const T* x) {                                                          \
    T length = 0;                                                                                         \
    for (int i = 0; i < count; ++i) length = ::hypot(length, x[i]);                                       \
    return length;                                                                                        \
  }                                                                                                       \
  inline T rnorm##suffix(int count, const T* x) { return 1 / norm##suffix(count, x); }
CUTTLE_DEFINE(double, )
CUTTLE_DEFINE(float, f)
#undef CUTTLE_DEFINE

// The overloads for float, by CUDA's names without f.
inline void sincos(float x, float* s, float* c) { device::sincos(x, s, c); }
inline void sincospi(float x, float* s, float* c) { device::sincospi(x, s, c); }
inline float jn(int n, float x) { return device::jn(n, x); }
inline float yn(int n, float x) { return device::yn(n, x); }

#define CUTTLE_DEFINE(name) inline float __##name(float x) { return device::fast_##name(x); }
CUTTLE_FAST_UNARY(CUTTLE_DEFINE)
#undef CUTTLE_DEFINE
inline float __tanhf(float x) { return device::fast_tanhf(x); }
inline float __powf(float x, float y) { return device::fast_powf(x, y); }
inline float __fdividef(float x, float y) { return device::fast_fdividef(x, y); }
inline void __sincosf(float x, float* s, float* c) {
  *s = __sinf(x);
  *c = __cosf(x);
}
/// x in [0, 1]; 0 for NaN.
inline float __saturatef(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }
/// 1 / sqrt(x), rounded once.
inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }

// For arguments of two types, which std::min and std::max do not take, and by value. Of two floating-point values the one that is no NaN.
template <class A, class B, class T = std::common_type_t<A, B>>
constexpr T min(A a, B b) {
  if constexpr (std::is_floating_point_v<T>) {
    return ::fmin(static_cast<T>(a), static_cast<T>(b));
  } else {
    return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
  }
}
template <class A, class B, class T = std::common_type_t<A, B>>
constexpr T max(A a, B b) {
  if constexpr (std::is_floating_point_v<T>) {
    return ::fmax(static_cast<T>(a), static_cast<T>(b));
  } else {
    return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
  }
}
template <class A, class B, class C, class T = std::common_type_t<A, B, C>>
constexpr T clamp(A value, B low, C high) {
  return std::clamp<T>(value, low, high);
}
template <class A, class B>
constexpr void swap(A& a, B& b) {
  std::swap(a, b);
}

}  // namespace cuttle::dsl

#ifdef CUTTLE_BACKEND_PTX
#include "ptx_rounding.h"
#else
#include "cpu_rounding.h"
#endif

namespace cuttle::dsl {

inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }

inline unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
inline unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
inline long long llmin(long long a, long long b) { return b < a ? b : a; }
inline long long llmax(long long a, long long b) { return a < b ? b : a; }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }

}  // namespace cuttle::dsl
