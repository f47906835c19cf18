// Arithmetic and conversions with a rounding mode, on the CPU device: the nearest result and the sign of its exact error, which says whether
// the mode wants the neighbour. Changing the processor's own mode would not hold the optimiser back.
#pragma once

namespace cuttle::device {

enum class Rounding { rn, rz, ru, rd };

template <class T>
T neighbour(T x, bool up) {
  using I = std::make_signed_t<detail::bits_of<T>>;
  if (x == 0) return up ? __builtin_bit_cast(T, I{1}) : -__builtin_bit_cast(T, I{1});
  return __builtin_bit_cast(T, static_cast<I>(__builtin_bit_cast(I, x) + (up == (x > 0) ? 1 : -1)));
}

/// `nearest` moved where its error, exact minus nearest, and the mode ask for it. Only the error's sign counts.
template <Rounding mode, class T, class E>
T settle(T nearest, E error) {
  const bool up = mode == Rounding::ru || (mode == Rounding::rz && nearest < 0);
  const bool down = mode == Rounding::rd || (mode == Rounding::rz && nearest > 0);
  if (up && error > 0) return neighbour(nearest, true);
  if (down && error < 0) return neighbour(nearest, false);
  return nearest;
}

/// The same for a result of finite operands: an infinite one has overflowed, towards zero of which there are finite values.
template <Rounding mode, class T, class E>
T settle_finite(T nearest, E error, bool finite_operands) {
  if (!finite_operands || nearest != nearest) return nearest;
  if (__builtin_isinf(nearest)) return settle<mode>(nearest, nearest > 0 ? -1 : 1);
  return settle<mode>(nearest, error);
}

/// The rounding error of the sum s of a and b (Knuth's TwoSum).
template <class T>
T sum_error(T a, T b, T s) {
#pragma clang fp contract(off)
  const T part = s - a;
  return (a - (s - part)) + (b - part);
}

/// Sign of a + b where a is 0 or outweighs b.
inline double first_nonzero(double a, double b) { return a != 0 ? a : b; }

/// An exact zero as the sum of operands of unlike signs is negative when rounded down, and only then.
template <Rounding mode, class T, class E>
bool is_negative_zero(T sum, E error, T x, T y) {
  return mode == Rounding::rd && sum == 0 && error == 0 && __builtin_signbit(x) != __builtin_signbit(y);
}

template <Rounding mode, class T>
T add(T x, T y) {
#pragma clang fp contract(off)
  const T sum = x + y;
  if (is_negative_zero<mode>(sum, 0.0, x, y)) return -T(0);
  return settle_finite<mode>(sum, sum_error(x, y, sum), __builtin_isfinite(x) && __builtin_isfinite(y));
}

// Nothing below may be contracted: `product` is the rounded product, and a user's __fmul_rn asks for the same.
//
// Products and quotients of floats are exact or nearly so in double; those of doubles have an exact remainder by fma, once scaled away from
// underflow.
constexpr double scale = 0x1p300;

/// Factors for x and y that keep a product below 2^-700, and its rounding error, in range: 2^600 for the smaller, or for both below 1.
struct ProductScale {
  double x = 1, y = 1;
};
inline ProductScale scale_of_product(double x, double y) {
  const double a = __builtin_fabs(x), b = __builtin_fabs(y);
  const bool both = a < 1 && b < 1;
  return {both || a < b ? scale * scale : 1.0, both || a >= b ? scale * scale : 1.0};
}

template <Rounding mode>
float mul(float x, float y) {
#pragma clang fp contract(off)
  const float product = x * y;
  return settle_finite<mode>(product, static_cast<double>(x) * y - product, __builtin_isfinite(x) && __builtin_isfinite(y));
}
template <Rounding mode>
double mul(double x, double y) {
#pragma clang fp contract(off)
  const double product = x * y;
  double error = __builtin_fma(x, y, -product);
  if (__builtin_fabs(product) < 0x1p-700) {
    const ProductScale by = scale_of_product(x, y);
    error = __builtin_fma(x * by.x, y * by.y, -product * by.x * by.y);
  }
  return settle_finite<mode>(product, error, __builtin_isfinite(x) && __builtin_isfinite(y));
}

template <Rounding mode>
float div(float x, float y) {
  const float quotient = x / y;
  const double remainder = x - static_cast<double>(quotient) * y;
  return settle_finite<mode>(quotient, y < 0 ? -remainder : remainder, __builtin_isfinite(x) && __builtin_isfinite(y) && y != 0);
}
template <Rounding mode>
double div(double x, double y) {
  const double quotient = x / y;
  double remainder = __builtin_fma(-quotient, y, x);
  if (__builtin_fabs(x) < 0x1p-700) {
    const bool scale_y = __builtin_fabs(y) < 1;
    remainder = __builtin_fma(scale_y ? -quotient : -quotient * scale, scale_y ? y * scale : y, x * scale);
  }
  return settle_finite<mode>(quotient, y < 0 ? -remainder : remainder, __builtin_isfinite(x) && __builtin_isfinite(y) && y != 0);
}
template <Rounding mode, class T>
T rcp(T x) {
  return div<mode>(T(1), x);
}

template <Rounding mode>
float sqrt_rounded(float x) {
  const float root = __builtin_sqrtf(x);
  return settle_finite<mode>(root, x - static_cast<double>(root) * root, __builtin_isfinite(x));
}
template <Rounding mode>
double sqrt_rounded(double x) {
  const double root = __builtin_sqrt(x);
  double remainder = __builtin_fma(-root, root, x);
  if (x < 0x1p-700) remainder = __builtin_fma(-root * scale, root * scale, x * scale * scale);
  return settle_finite<mode>(root, remainder, __builtin_isfinite(x));
}

template <Rounding mode>
float fma_rounded(float x, float y, float z) {
#pragma clang fp contract(off)
  const float result = __builtin_fmaf(x, y, z);
  const double product = static_cast<double>(x) * y;
  const double sum = product + z;
  const double error = first_nonzero(sum - result, sum_error<double>(product, z, sum));
  if (is_negative_zero<mode, double>(result, error, product, z)) return -0.0f;
  return settle_finite<mode>(result, error, __builtin_isfinite(x) && __builtin_isfinite(y) && __builtin_isfinite(z));
}
template <Rounding mode>
double fma_rounded(double x, double y, double z) {
#pragma clang fp contract(off)
  const double result = __builtin_fma(x, y, z);
  const bool finite = __builtin_isfinite(x) && __builtin_isfinite(y) && __builtin_isfinite(z);
  double scaled_result = result;
  const double addend = z;
  const double product_sign = x == 0 || y == 0 ? 0 : (x < 0) == (y < 0) ? 1 : -1;
  if (__builtin_fabs(x * y) < 0x1p-700 && __builtin_fabs(z) < 0x1p-650) {
    const bool scale_x = __builtin_fabs(x) < __builtin_fabs(y);
    (scale_x ? x : y) *= scale * scale;
    z *= scale * scale;
    scaled_result *= scale * scale;
  } else if (__builtin_fabs(x * y) > 0x1p1000 || __builtin_fabs(z) > 0x1p1000) {  // sums and products on the way might overflow
    (__builtin_fabs(x) > __builtin_fabs(y) ? x : y) *= 0x1p-60;
    z *= 0x1p-60;
    scaled_result *= 0x1p-60;
  }
  const double product = x * y;
  const double sum = product + z;
  double error = ((sum - scaled_result) + sum_error(product, z, sum)) + __builtin_fma(x, y, -product);
  // A product or an addend too small to be seen beside the other still says on which side of it the result is.
  if (error == 0 && product == 0) error = product_sign;
  if (error == 0 && z == 0 && addend != 0) error = addend;
  if (is_negative_zero<mode>(result, error, product, z)) return -0.0;
  return settle_finite<mode>(result, error, finite);
}

template <Rounding mode, class To, class From>
To to_integer(From x) {
  if constexpr (mode == Rounding::rn) {
    return static_cast<To>(rint(x));
  } else if constexpr (mode == Rounding::rz) {
    return static_cast<To>(x);
  } else if constexpr (mode == Rounding::ru) {
    return static_cast<To>(ceil(x));
  } else {
    return static_cast<To>(floor(x));
  }
}

template <Rounding mode, class To, class From>
To to_floating(From x) {
  const To nearest = static_cast<To>(x);
  if constexpr (std::is_integral_v<From>) {
    const __int128 error = static_cast<__int128>(x) - static_cast<__int128>(nearest);
    return settle<mode>(nearest, error);
  } else {
    return settle_finite<mode>(nearest, x - nearest, __builtin_isfinite(x));
  }
}

}  // namespace cuttle::device

namespace cuttle::dsl {

#define CUTTLE_DEFINE(mode)                                                                                                          \
  inline float __fadd_##mode(float x, float y) { return device::add<device::Rounding::mode>(x, y); }                                 \
  inline float __fsub_##mode(float x, float y) { return device::add<device::Rounding::mode>(x, -y); }                                \
  inline float __fmul_##mode(float x, float y) { return device::mul<device::Rounding::mode>(x, y); }                                 \
  inline float __fdiv_##mode(float x, float y) { return device::div<device::Rounding::mode>(x, y); }                                 \
  inline float __frcp_##mode(float x) { return device::rcp<device::Rounding::mode>(x); }                                             \
  inline float __fsqrt_##mode(float x) { return device::sqrt_rounded<device::Rounding::mode>(x); }                                   \
  inline float __fmaf_##mode(float x, float y, float z) { return device::fma_rounded<device::Rounding::mode>(x, y, z); }             \
  inline double __dadd_##mode(double x, double y) { return device::add<device::Rounding::mode>(x, y); }                              \
  inline double __dsub_##mode(double x, double y) { return device::add<device::Rounding::mode>(x, -y); }                             \
  inline double __dmul_##mode(double x, double y) { return device::mul<device::Rounding::mode>(x, y); }                              \
  inline double __ddiv_##mode(double x, double y) { return device::div<device::Rounding::mode>(x, y); }                              \
  inline double __drcp_##mode(double x) { return device::rcp<device::Rounding::mode>(x); }                                           \
  inline double __dsqrt_##mode(double x) { return device::sqrt_rounded<device::Rounding::mode>(x); }                                 \
  inline double __fma_##mode(double x, double y, double z) { return device::fma_rounded<device::Rounding::mode>(x, y, z); }
CUTTLE_DEFINE(rn)
CUTTLE_DEFINE(rz)
CUTTLE_DEFINE(ru)
CUTTLE_DEFINE(rd)
#undef CUTTLE_DEFINE

#define CUTTLE_FOUR_MODES(X, from, From, to, To) X(rn, from, From, to, To) X(rz, from, From, to, To) X(ru, from, From, to, To) X(rd, from, From, to, To)
#define CUTTLE_DEFINE(mode, from, From, to, To) \
  inline To __##from##2##to##_##mode(From x) { return device::to_integer<device::Rounding::mode, To>(x); }
#define CUTTLE_DEFINE_CONVERSION(from, From, to, To) CUTTLE_FOUR_MODES(CUTTLE_DEFINE, from, From, to, To)
CUTTLE_CONVERSIONS_TO_INTEGER(CUTTLE_DEFINE_CONVERSION)
#undef CUTTLE_DEFINE
#define CUTTLE_DEFINE(mode, from, From, to, To) \
  inline To __##from##2##to##_##mode(From x) { return device::to_floating<device::Rounding::mode, To>(x); }
CUTTLE_CONVERSIONS_TO_FLOATING(CUTTLE_DEFINE_CONVERSION)
#undef CUTTLE_DEFINE
#undef CUTTLE_DEFINE_CONVERSION
#undef CUTTLE_FOUR_MODES

}  // namespace cuttle::dsl
