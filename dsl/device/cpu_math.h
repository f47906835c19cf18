// Math functions of the CPU device, for math.h: builtins, which become LLVM intrinsics or calls of libm, and special.h.
#pragma once

#include "special.h"

namespace cuttle::device::libm {

// Clang has no builtins for the Bessel functions.
#define CUTTLE_DECLARE(name)                                                              \
  __attribute__((device, const)) double name(double) __asm__(#name);                      \
  __attribute__((device, const)) float name(float) __asm__(#name "f");
CUTTLE_DECLARE(j0)
CUTTLE_DECLARE(j1)
CUTTLE_DECLARE(y0)
CUTTLE_DECLARE(y1)
#undef CUTTLE_DECLARE
__attribute__((device, const)) double jn(int, double) __asm__("jn");
__attribute__((device, const)) float jn(int, float) __asm__("jnf");
__attribute__((device, const)) double yn(int, double) __asm__("yn");
__attribute__((device, const)) float yn(int, float) __asm__("ynf");

}  // namespace cuttle::device::libm

namespace cuttle::device {

#define CUTTLE_DEFINE(name)                                        \
  inline double name(double x) { return __builtin_##name(x); }     \
  inline float name(float x) { return __builtin_##name##f(x); }
CUTTLE_CMATH_UNARY(CUTTLE_DEFINE)
CUTTLE_DEFINE(exp10)
#undef CUTTLE_DEFINE
using libm::j0, libm::j1, libm::y0, libm::y1, libm::jn, libm::yn;
#define CUTTLE_DEFINE(name)                                                      \
  inline double name(double x, double y) { return __builtin_##name(x, y); }      \
  inline float name(float x, float y) { return __builtin_##name##f(x, y); }
CUTTLE_CMATH_BINARY(CUTTLE_DEFINE)
#undef CUTTLE_DEFINE
inline double rhypot(double x, double y) { return 1.0 / __builtin_hypot(x, y); }
inline float rhypot(float x, float y) { return 1.0f / __builtin_hypotf(x, y); }

#define CUTTLE_DEFINE(name) inline float fast_##name(float x) { return __builtin_##name(x); }
CUTTLE_FAST_UNARY(CUTTLE_DEFINE)
#undef CUTTLE_DEFINE
inline float fast_powf(float x, float y) { return __builtin_powf(x, y); }
inline float fast_fdividef(float x, float y) { return x / y; }
inline float fast_tanhf(float x) { return __builtin_tanhf(x); }

template <class T>
void sincos(T x, T* s, T* c) {
  *s = sin(x);
  *c = cos(x);
}
template <class T>
void sincospi(T x, T* s, T* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
inline float frexp(float x, int* exponent) { return __builtin_frexpf(x, exponent); }
inline double frexp(double x, int* exponent) { return __builtin_frexp(x, exponent); }
inline float modf(float x, float* whole) { return __builtin_modff(x, whole); }
inline double modf(double x, double* whole) { return __builtin_modf(x, whole); }
inline float ldexp(float x, int exponent) { return __builtin_ldexpf(x, exponent); }
inline double ldexp(double x, int exponent) { return __builtin_ldexp(x, exponent); }
inline float remquo(float x, float y, int* quotient) { return __builtin_remquof(x, y, quotient); }
inline double remquo(double x, double y, int* quotient) { return __builtin_remquo(x, y, quotient); }
inline int ilogb(float x) { return __builtin_ilogbf(x); }
inline int ilogb(double x) { return __builtin_ilogb(x); }

}  // namespace cuttle::device
