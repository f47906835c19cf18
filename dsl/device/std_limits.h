// std::numeric_limits, and <climits>' and <cfloat>'s macros.
#pragma once

namespace std {

enum float_round_style { round_indeterminate = -1, round_toward_zero, round_to_nearest, round_toward_infinity, round_toward_neg_infinity };

template <class T>
struct numeric_limits {
  static constexpr bool is_specialized = false;
};
template <class T>
struct numeric_limits<const T> : numeric_limits<T> {};

namespace detail {

template <class T>
struct integer_limits {
  static constexpr bool is_specialized = true, is_integer = true, is_exact = true, is_bounded = true;
  static constexpr bool is_signed = T(-1) < T(0), is_modulo = !is_signed;
  static constexpr bool is_iec559 = false, has_infinity = false, has_quiet_NaN = false, has_signaling_NaN = false;
  static constexpr int digits = static_cast<int>(8 * sizeof(T)) - is_signed;
  static constexpr int digits10 = digits * 30103 / 100000;
  static constexpr int max_digits10 = 0, radix = 2, min_exponent = 0, max_exponent = 0;
  static constexpr T max() noexcept { return static_cast<T>(~(is_signed ? T(T(1) << (digits - 1)) * 2 : T(0)) & ~min()); }
  static constexpr T min() noexcept { return is_signed ? static_cast<T>(static_cast<make_unsigned_t<T>>(1) << digits) : T(0); }
  static constexpr T lowest() noexcept { return min(); }
  static constexpr T epsilon() noexcept { return 0; }
  static constexpr T infinity() noexcept { return 0; }
  static constexpr T quiet_NaN() noexcept { return 0; }
};

struct floating_limits {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false, is_bounded = true, is_modulo = false;
  static constexpr bool is_iec559 = true, has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr int radix = 2;
  static constexpr float_round_style round_style = round_to_nearest;
};

}  // namespace detail

#define CUTTLE_INTEGER_LIMITS(T) \
  template <>                    \
  struct numeric_limits<T> : detail::integer_limits<T> {};
CUTTLE_INTEGER_LIMITS(char)
CUTTLE_INTEGER_LIMITS(signed char)
CUTTLE_INTEGER_LIMITS(unsigned char)
CUTTLE_INTEGER_LIMITS(short)
CUTTLE_INTEGER_LIMITS(unsigned short)
CUTTLE_INTEGER_LIMITS(int)
CUTTLE_INTEGER_LIMITS(unsigned)
CUTTLE_INTEGER_LIMITS(long)
CUTTLE_INTEGER_LIMITS(unsigned long)
CUTTLE_INTEGER_LIMITS(long long)
CUTTLE_INTEGER_LIMITS(unsigned long long)
CUTTLE_INTEGER_LIMITS(__int128)
CUTTLE_INTEGER_LIMITS(unsigned __int128)
CUTTLE_INTEGER_LIMITS(wchar_t)
CUTTLE_INTEGER_LIMITS(char8_t)
CUTTLE_INTEGER_LIMITS(char16_t)
CUTTLE_INTEGER_LIMITS(char32_t)
#undef CUTTLE_INTEGER_LIMITS

template <>
struct numeric_limits<bool> {
  static constexpr bool is_specialized = true, is_signed = false, is_integer = true, is_exact = true, has_infinity = false;
  static constexpr int digits = 1, digits10 = 0, radix = 2;
  static constexpr bool min() noexcept { return false; }
  static constexpr bool max() noexcept { return true; }
  static constexpr bool lowest() noexcept { return false; }
};

#define CUTTLE_FLOATING_LIMITS(T, PREFIX, suffix)                                                                                      \
  template <>                                                                                                                          \
  struct numeric_limits<T> : detail::floating_limits {                                                                                 \
    static constexpr int digits = __##PREFIX##_MANT_DIG__, digits10 = __##PREFIX##_DIG__, max_digits10 = __##PREFIX##_DECIMAL_DIG__;   \
    static constexpr int min_exponent = __##PREFIX##_MIN_EXP__, max_exponent = __##PREFIX##_MAX_EXP__;                                 \
    static constexpr int min_exponent10 = __##PREFIX##_MIN_10_EXP__, max_exponent10 = __##PREFIX##_MAX_10_EXP__;                       \
    static constexpr T min() noexcept { return __##PREFIX##_MIN__; }                                                                   \
    static constexpr T max() noexcept { return __##PREFIX##_MAX__; }                                                                   \
    static constexpr T lowest() noexcept { return -__##PREFIX##_MAX__; }                                                               \
    static constexpr T epsilon() noexcept { return __##PREFIX##_EPSILON__; }                                                           \
    static constexpr T round_error() noexcept { return static_cast<T>(0.5); }                                                          \
    static constexpr T infinity() noexcept { return __builtin_huge_val##suffix(); }                                                    \
    static constexpr T quiet_NaN() noexcept { return __builtin_nan##suffix(""); }                                                      \
    static constexpr T signaling_NaN() noexcept { return __builtin_nans##suffix(""); }                                                 \
    static constexpr T denorm_min() noexcept { return __##PREFIX##_DENORM_MIN__; }                                                     \
  };
CUTTLE_FLOATING_LIMITS(float, FLT, f)
CUTTLE_FLOATING_LIMITS(double, DBL, )
#undef CUTTLE_FLOATING_LIMITS

}  // namespace std

#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 18446744073709551615ull
#define INT8_MIN SCHAR_MIN
#define INT8_MAX SCHAR_MAX
#define UINT8_MAX UCHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define UINT16_MAX USHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define INT64_MIN LONG_MIN
#define INT64_MAX LONG_MAX
#define UINT64_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX
#define FLT_MIN __FLT_MIN__
#define FLT_MAX __FLT_MAX__
#define FLT_EPSILON __FLT_EPSILON__
#define FLT_TRUE_MIN __FLT_DENORM_MIN__
#define FLT_DIG __FLT_DIG__
#define FLT_MANT_DIG __FLT_MANT_DIG__
#define DBL_MIN __DBL_MIN__
#define DBL_MAX __DBL_MAX__
#define DBL_EPSILON __DBL_EPSILON__
#define DBL_TRUE_MIN __DBL_DENORM_MIN__
#define DBL_DIG __DBL_DIG__
#define DBL_MANT_DIG __DBL_MANT_DIG__
#define INFINITY __builtin_huge_valf()
// As glibc numbers them, whose numbers a kernel's text may hold.
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define NAN __builtin_nanf("")
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
