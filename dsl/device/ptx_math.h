// Math functions of a GPU, for math.h: libdevice's. What is one instruction there is a builtin in math.h, so that kernels which need no more
// link no library.
#pragma once

extern "C" {
#define CUTTLE_DECLARE(name)                                  \
  __attribute__((device)) double __nv_##name(double);         \
  __attribute__((device)) float __nv_##name##f(float);
CUTTLE_CMATH_UNARY(CUTTLE_DECLARE)
CUTTLE_CUDA_UNARY_LIBM(CUTTLE_DECLARE)
CUTTLE_CUDA_UNARY(CUTTLE_DECLARE)
#undef CUTTLE_DECLARE
#define CUTTLE_DECLARE(name)                                          \
  __attribute__((device)) double __nv_##name(double, double);         \
  __attribute__((device)) float __nv_##name##f(float, float);
CUTTLE_CMATH_BINARY(CUTTLE_DECLARE)
CUTTLE_DECLARE(rhypot)
#undef CUTTLE_DECLARE
#define CUTTLE_DECLARE(name) __attribute__((device)) float __nv_fast_##name(float);
CUTTLE_FAST_UNARY(CUTTLE_DECLARE)
#undef CUTTLE_DECLARE
__attribute__((device)) float __nv_fast_tanhf(float);
__attribute__((device)) float __nv_fast_powf(float, float);
__attribute__((device)) float __nv_fast_fdividef(float, float);
__attribute__((device)) void __nv_sincosf(float, float*, float*);
__attribute__((device)) void __nv_sincos(double, double*, double*);
__attribute__((device)) void __nv_sincospif(float, float*, float*);
__attribute__((device)) void __nv_sincospi(double, double*, double*);
__attribute__((device)) float __nv_frexpf(float, int*);
__attribute__((device)) double __nv_frexp(double, int*);
__attribute__((device)) float __nv_modff(float, float*);
__attribute__((device)) double __nv_modf(double, double*);
__attribute__((device)) float __nv_ldexpf(float, int);
__attribute__((device)) double __nv_ldexp(double, int);
__attribute__((device)) float __nv_remquof(float, float, int*);
__attribute__((device)) double __nv_remquo(double, double, int*);
__attribute__((device)) int __nv_ilogbf(float);
__attribute__((device)) int __nv_ilogb(double);
__attribute__((device)) float __nv_jnf(int, float);
__attribute__((device)) double __nv_jn(int, double);
__attribute__((device)) float __nv_ynf(int, float);
__attribute__((device)) double __nv_yn(int, double);
}

// Each namespace is opened once: Clang reads every opening of a namespace that a kernel names.
namespace cuttle::device {

#define CUTTLE_DEFINE(name)                                   \
  inline double name(double x) { return __nv_##name(x); }     \
  inline float name(float x) { return __nv_##name##f(x); }
CUTTLE_CMATH_UNARY(CUTTLE_DEFINE)
CUTTLE_CUDA_UNARY_LIBM(CUTTLE_DEFINE)
CUTTLE_CUDA_UNARY(CUTTLE_DEFINE)
#undef CUTTLE_DEFINE
#define CUTTLE_DEFINE(name)                                                 \
  inline double name(double x, double y) { return __nv_##name(x, y); }      \
  inline float name(float x, float y) { return __nv_##name##f(x, y); }
CUTTLE_CMATH_BINARY(CUTTLE_DEFINE)
CUTTLE_DEFINE(rhypot)
#undef CUTTLE_DEFINE

#define CUTTLE_DEFINE(name) inline float fast_##name(float x) { return __nv_fast_##name(x); }
CUTTLE_FAST_UNARY(CUTTLE_DEFINE)
#undef CUTTLE_DEFINE
inline float fast_powf(float x, float y) { return __nv_fast_powf(x, y); }
inline float fast_fdividef(float x, float y) { return __nv_fast_fdividef(x, y); }
inline float fast_tanhf(float x) { return __nv_fast_tanhf(x); }

inline void sincos(float x, float* s, float* c) { __nv_sincosf(x, s, c); }
inline void sincos(double x, double* s, double* c) { __nv_sincos(x, s, c); }
inline void sincospi(float x, float* s, float* c) { __nv_sincospif(x, s, c); }
inline void sincospi(double x, double* s, double* c) { __nv_sincospi(x, s, c); }
inline float frexp(float x, int* exponent) { return __nv_frexpf(x, exponent); }
inline double frexp(double x, int* exponent) { return __nv_frexp(x, exponent); }
inline float modf(float x, float* whole) { return __nv_modff(x, whole); }
inline double modf(double x, double* whole) { return __nv_modf(x, whole); }
inline float ldexp(float x, int exponent) { return __nv_ldexpf(x, exponent); }
inline double ldexp(double x, int exponent) { return __nv_ldexp(x, exponent); }
inline float remquo(float x, float y, int* quotient) { return __nv_remquof(x, y, quotient); }
inline double remquo(double x, double y, int* quotient) { return __nv_remquo(x, y, quotient); }
inline int ilogb(float x) { return __nv_ilogbf(x); }
inline int ilogb(double x) { return __nv_ilogb(x); }
inline float jn(int n, float x) { return __nv_jnf(n, x); }
inline double jn(int n, double x) { return __nv_jn(n, x); }
inline float yn(int n, float x) { return __nv_ynf(n, x); }
inline double yn(int n, double x) { return __nv_yn(n, x); }

}  // namespace cuttle::device
