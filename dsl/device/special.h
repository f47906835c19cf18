// Functions that CUDA has and libm has not, for the CPU device: from erfc, exp, sin and their kin, in double. The float overloads round
// the double's result. Errors are in docs/vocabulary.md.
#pragma once

namespace cuttle::device {

inline double sinpi_quadrant(double x, int quadrant) {
  const double r = x - 2.0 * __builtin_rint(0.5 * x);  // in [-1, 1], exact, as is the next step
  const double n = __builtin_rint(2.0 * r);
  const double angle = 3.14159265358979324 * (r - 0.5 * n);
  quadrant = (static_cast<int>(n) + quadrant) & 3;
  const double value = quadrant & 1 ? __builtin_cos(angle) : __builtin_sin(angle);
  return quadrant & 2 ? -value : value;
}
/// sin(pi x) and cos(pi x); zeros have the sign of x, and none.
inline double sinpi(double x) {
  const double value = sinpi_quadrant(x, 0);
  return value == 0 ? __builtin_copysign(0.0, x) : value;
}
inline double cospi(double x) { return sinpi_quadrant(x, 1) + 0.0; }

inline double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
inline double rcbrt(double x) { return 1.0 / __builtin_cbrt(x); }

/// exp(x^2) erfc(x): by its definition while erfc is normal, then by the asymptotic series (DLMF 7.12.1), whose tenth term is below 2^-53 there.
inline double erfcx(double x) {
  if (x < 25) {
    const double square = x * x;
    const double rest = __builtin_fma(x, x, -square);
    return __builtin_exp(square) * (1.0 + rest) * __builtin_erfc(x);
  }
  const double t = 0.5 / (x * x);
  double sum = 1.0;
  for (int k = 9; k > 0; --k) sum = 1.0 - (2 * k - 1) * t * sum;
  return 0.56418958354775629 / x * sum;
}

/// The inverse of erfc in (0, 0.5): Halley's iteration on erfcx(y) - q exp(y^2), which has no tiny numbers. The start is Numerical Recipes' (6.2.2).
inline double erfcinv_tail(double q) {
  const double t = __builtin_sqrt(-2.0 * __builtin_log(0.5 * q));
  double y = 0.70710678118654752 * (t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)));
  for (int i = 0; i < 3; ++i) {
    const double square = y * y;
    const double step = (erfcx(y) - q * (__builtin_exp(square) * (1.0 + __builtin_fma(y, y, -square)))) * 0.88622692545275801;
    y += step / (1.0 - y * step);
  }
  return y;
}
/// The inverse of erf in [-0.5, 0.5]: Halley's iteration from the first two terms of the series.
inline double erfinv_center(double p) {
  double y = p * (0.88622692545275801 + 0.23201366653465450 * p * p);
  for (int i = 0; i < 3; ++i) {
    const double step = (p - __builtin_erf(y)) * __builtin_exp(y * y) * 0.88622692545275801;
    y += step / (1.0 - y * step);
  }
  return y;
}
inline double erfinv(double p) {
  const double q = 1.0 - __builtin_fabs(p);
  if (!(q >= 0)) return __builtin_nan("");
  if (q == 0) return __builtin_copysign(__builtin_inf(), p);
  return q > 0.5 ? erfinv_center(p) : __builtin_copysign(erfcinv_tail(q), p);
}
inline double erfcinv(double q) {
  if (!(q >= 0 && q <= 2)) return __builtin_nan("");
  if (q == 0) return __builtin_inf();
  if (q == 2) return -__builtin_inf();
  if (q >= 0.5 && q <= 1.5) return erfinv_center(1.0 - q);
  return q < 1 ? erfcinv_tail(q) : -erfcinv_tail(2.0 - q);
}

/// erfc(-x / sqrt(2)) / 2, corrected for the rounding of the argument, to which erfc's tail is sensitive.
inline double normcdf(double x) {
  const double argument = -0.70710678118654757 * x;
  const double rest = __builtin_fma(-0.70710678118654757, x, -argument) + 4.8336466567264567e-17 * x;
  const double correction = 1.1283791670955126 * __builtin_exp(-argument * argument) * rest;
  return 0.5 * (__builtin_erfc(argument) - (x == x && __builtin_fabs(x) < 40 ? correction : 0.0));
}
inline double normcdfinv(double p) { return 0.0 - 1.4142135623730951 * erfcinv(2.0 * p); }

/// I_order(x), order 0 or 1: the power series (DLMF 10.25.2) or, where that gets long, the asymptotic one (10.40.1).
inline double bessel_i(int order, double x) {
  const double magnitude = __builtin_fabs(x);
  double sum = 1.0, term = 1.0;
  double value;
  if (magnitude < 20) {
    const double t = 0.25 * x * x;
    for (int k = 1; k < 60; ++k) {
      term *= t / (k * (k + order));
      sum += term;
    }
    value = order == 0 ? sum : 0.5 * magnitude * sum;
  } else {
    for (int k = 1; k < 24; ++k) {
      const double odd = 2 * k - 1;
      term *= (odd * odd - 4 * order) / (8.0 * k * magnitude);
      sum += term;
    }
    const double root = __builtin_exp(0.5 * magnitude);  // its square overflows before the result does
    value = root * (sum / __builtin_sqrt(6.2831853071795865 * magnitude)) * root;
  }
  return order == 1 && x < 0 ? -value : value;
}
inline double cyl_bessel_i0(double x) { return bessel_i(0, x); }
inline double cyl_bessel_i1(double x) { return bessel_i(1, x); }

#define CUTTLE_DEFINE(name) inline float name(float x) { return static_cast<float>(name(static_cast<double>(x))); }
CUTTLE_CUDA_UNARY(CUTTLE_DEFINE)
#undef CUTTLE_DEFINE

}  // namespace cuttle::device
