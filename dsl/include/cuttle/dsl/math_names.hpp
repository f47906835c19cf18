// The names of the math functions, listed once: for the device prelude, for the host's declarations and for the CPU device's symbol table.
// Each name stands for name(double), namef(float) and an overload for float.
#pragma once

#include "hide_macros.hpp"

// <cmath>: functions of a library on every device, and those that a device or LLVM has itself.
#define CUTTLE_CMATH_UNARY(X)                                                                                                          \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp2) X(expm1) X(lgamma) X(log)    \
      X(log10) X(log1p) X(log2) X(logb) X(sin) X(sinh) X(tan) X(tanh) X(tgamma)
#define CUTTLE_CMATH_UNARY_BUILTIN(X) X(ceil) X(fabs) X(floor) X(nearbyint) X(rint) X(round) X(sqrt) X(trunc)
#define CUTTLE_CMATH_BINARY(X) X(atan2) X(fdim) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)
#define CUTTLE_CMATH_BINARY_BUILTIN(X) X(copysign) X(fmax) X(fmin)

// CUDA's own beside <cmath>. libm has the first, the second are ours on the CPU device (dsl/device/special.h).
#define CUTTLE_CUDA_UNARY_LIBM(X) X(exp10) X(j0) X(j1) X(y0) X(y1)
#define CUTTLE_CUDA_UNARY(X)                                                                                                   \
  X(cospi) X(cyl_bessel_i0) X(cyl_bessel_i1) X(erfcinv) X(erfcx) X(erfinv) X(normcdf) X(normcdfinv) X(rcbrt) X(rsqrt) X(sinpi)

// Arithmetic with a rounding mode: rn to nearest even, rz to zero, ru up, rd down. X(operation, parameters).
#define CUTTLE_ROUNDED_FLOAT(X) X(__fadd, 2) X(__fsub, 2) X(__fmul, 2) X(__fdiv, 2) X(__frcp, 1) X(__fsqrt, 1) X(__fmaf, 3)
#define CUTTLE_ROUNDED_DOUBLE(X) X(__dadd, 2) X(__dsub, 2) X(__dmul, 2) X(__ddiv, 2) X(__drcp, 1) X(__dsqrt, 1) X(__fma, 3)

// Conversions with a rounding mode: X(from, From, to, To), as in __float2int_rz.
#define CUTTLE_CONVERSIONS_TO_INTEGER(X)                                                                                              \
  X(float, float, int, int) X(float, float, uint, unsigned) X(float, float, ll, long long) X(float, float, ull, unsigned long long)   \
      X(double, double, int, int) X(double, double, uint, unsigned) X(double, double, ll, long long) X(double, double, ull, unsigned long long)
#define CUTTLE_CONVERSIONS_TO_FLOATING(X)                                                                                              \
  X(int, int, float, float) X(uint, unsigned, float, float) X(ll, long long, float, float) X(ull, unsigned long long, float, float)    \
      X(ll, long long, double, double) X(ull, unsigned long long, double, double) X(double, double, float, float)

// CUDA's fast, less exact functions of one float: the GPU's own instructions; on the CPU device the exact ones.
#define CUTTLE_FAST_UNARY(X) X(cosf) X(exp10f) X(expf) X(log10f) X(log2f) X(logf) X(sinf) X(tanf)

#include "restore_macros.hpp"
