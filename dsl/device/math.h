// <cmath> for kernels: libdevice on a GPU, LLVM's intrinsics and libm on the CPU device. Names with and without std::, for float and double.
#pragma once

#define CUTTLE_UNARY(X)                                                                                                          \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp2) X(expm1)       \
      X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(nearbyint) X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan)  \
          X(tanh) X(tgamma) X(trunc)
#define CUTTLE_BINARY(X) X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)

#ifdef CUTTLE_BACKEND_PTX
#define CUTTLE_MATH(name) __nv_##name
#define CUTTLE_DECLARE(name)                            \
  extern "C" __attribute__((device)) double __nv_##name(double); \
  extern "C" __attribute__((device)) float __nv_##name##f(float);
CUTTLE_UNARY(CUTTLE_DECLARE)
CUTTLE_DECLARE(rsqrt)
#undef CUTTLE_DECLARE
#define CUTTLE_DECLARE(name)                                    \
  extern "C" __attribute__((device)) double __nv_##name(double, double); \
  extern "C" __attribute__((device)) float __nv_##name##f(float, float);
CUTTLE_BINARY(CUTTLE_DECLARE)
#undef CUTTLE_DECLARE
inline float rsqrtf(float x) { return __nv_rsqrtf(x); }
inline double rsqrt(double x) { return __nv_rsqrt(x); }
#else
#define CUTTLE_MATH(name) __builtin_##name
inline float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
#endif
inline float rsqrt(float x) { return rsqrtf(x); }

// C's names at global scope, C++'s overloads beside them. An integer argument is a double, as <cmath> has it.
#define CUTTLE_DEFINE(name)                                                       \
  inline double name(double x) { return CUTTLE_MATH(name)(x); }                   \
  inline float name##f(float x) { return CUTTLE_MATH(name##f)(x); }               \
  inline float name(float x) { return CUTTLE_MATH(name##f)(x); }                  \
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>             \
  double name(I x) {                                                              \
    return CUTTLE_MATH(name)(static_cast<double>(x));                             \
  }                                                                               \
  namespace std {                                                                 \
  using ::name;                                                                   \
  using ::name##f;                                                                \
  }
CUTTLE_UNARY(CUTTLE_DEFINE)
#undef CUTTLE_DEFINE

// Mixed arguments go to the wider type, integers to double.
#define CUTTLE_DEFINE(name)                                                                                                             \
  inline double name(double x, double y) { return CUTTLE_MATH(name)(x, y); }                                                            \
  inline float name##f(float x, float y) { return CUTTLE_MATH(name##f)(x, y); }                                                         \
  inline float name(float x, float y) { return CUTTLE_MATH(name##f)(x, y); }                                                            \
  template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B> && !std::is_same_v<A, B>>>    \
  double name(A x, B y) {                                                                                                               \
    return CUTTLE_MATH(name)(static_cast<double>(x), static_cast<double>(y));                                                           \
  }                                                                                                                                     \
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>                                                                   \
  double name(I x, I y) {                                                                                                               \
    return CUTTLE_MATH(name)(static_cast<double>(x), static_cast<double>(y));                                                           \
  }                                                                                                                                     \
  namespace std {                                                                                                                       \
  using ::name;                                                                                                                         \
  using ::name##f;                                                                                                                      \
  }
CUTTLE_BINARY(CUTTLE_DEFINE)
#undef CUTTLE_DEFINE
#undef CUTTLE_MATH
#undef CUTTLE_UNARY
#undef CUTTLE_BINARY

inline float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline int abs(int x) { return x < 0 ? -x : x; }
inline long abs(long x) { return x < 0 ? -x : x; }
inline long long abs(long long x) { return x < 0 ? -x : x; }
inline float abs(float x) { return __builtin_fabsf(x); }
inline double abs(double x) { return __builtin_fabs(x); }

namespace std {
using ::abs;
using ::fma;
using ::fmaf;
}  // namespace std
