// Math functions against the host's, in long double, within the error that docs/vocabulary.md states for both devices.

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "support/device_test.h"
#include "support/libdevice.h"
#include "support/vocabulary_page.h"

namespace {

class Math : public cuttle::test::OnEveryDevice {
 protected:
  void SetUp() override {
    OnEveryDevice::SetUp();
    if (on_gpu() && !IsSkipped() && cuttle::test::libdevice().empty()) GTEST_SKIP() << "the bounds are libdevice's: " << cuttle::test::no_libdevice;
  }
};
CUTTLE_ON_EVERY_DEVICE(Math);

using wide = long double;

template <class T>
double error_in_ulp(T got, wide expected) {
  const T nearest = static_cast<T>(expected);
  if (std::isnan(expected)) return std::isnan(got) ? 0 : std::numeric_limits<double>::infinity();
  if (std::isinf(nearest) || std::isinf(got) || std::isnan(got)) return got == nearest ? 0 : std::numeric_limits<double>::infinity();
  int exponent = 0;
  std::frexp(nearest, &exponent);
  const int digits = std::numeric_limits<T>::digits;
  const wide ulp = std::ldexp(wide{1}, std::max(exponent, std::numeric_limits<T>::min_exponent) - digits);
  return static_cast<double>(std::abs(static_cast<wide>(got) - expected) / ulp);
}

// Numbers in the order of the values that they are the bits of.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
template <class T>
Bits<T> order(T value) {
  const auto bits = std::bit_cast<Bits<T>>(value);
  return bits < 0 ? std::numeric_limits<Bits<T>>::min() - bits : bits;
}
template <class T>
T value_of(Bits<T> order) {
  return std::bit_cast<T>(order < 0 ? std::numeric_limits<Bits<T>>::min() - order : order);
}

// From low to high, `count` evenly spaced, `count` of all orders of magnitude.
template <class T>
std::vector<T> samples(double low, double high, int count) {
  std::vector<T> values;
  const auto first = static_cast<wide>(order(static_cast<T>(low))), last = static_cast<wide>(order(static_cast<T>(high)));
  for (int i = 0; i <= count; ++i) {
    values.push_back(static_cast<T>(low + (high - low) * i / count));
    values.push_back(value_of<T>(static_cast<Bits<T>>(first + (last - first) * i / count)));
  }
  // The edges of a range that is not rounded outwards.
  std::erase_if(values, [&](T value) { return static_cast<double>(value) < low || static_cast<double>(value) > high; });
  return values;
}

// What docs/vocabulary.md states for a function on a device: the bounds of float and of double.
struct Bounds {
  double of_float, of_double;
};
std::optional<Bounds> bounds_of(const std::string& text) {
  if (text == "exact") return Bounds{0, 0};
  Bounds bounds{};
  if (std::sscanf(text.c_str(), "%lf, %lf", &bounds.of_float, &bounds.of_double) != 2) return std::nullopt;
  return bounds;
}
double stated_bound(const std::string& name, bool is_float) {
  static const std::vector<cuttle::test::VocabularyRow> rows = cuttle::test::vocabulary_rows(CUTTLE_TEST_SOURCE_DIR);
  for (const auto& row : rows) {
    if (std::find(row.names.begin(), row.names.end(), name) == row.names.end()) continue;
    const bool same = row.columns.at(1) == "the same";
    const auto bounds = bounds_of(row.columns.at(cuttle::Device::current().is_cuda() || same ? 0 : 1));
    if (bounds) return is_float ? bounds->of_float : bounds->of_double;
  }
  ADD_FAILURE() << "docs/vocabulary.md states no bound for " << name;
  return 0;
}

using Reference = std::function<wide(wide)>;
using Reference2 = std::function<wide(wide, wide)>;

template <class T, class Kernel>
std::vector<double> errors_at(const Kernel& kernel, const Reference& reference, const std::vector<T>& x) {
  const cuttle::Array<T> in(x);
  cuttle::Array<T> out(in.size());
  kernel.over(in.size())(in, out);
  const auto got = out.to_vector();
  std::vector<double> errors(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) errors[i] = error_in_ulp(got[i], reference(static_cast<wide>(x[i])));
  return errors;
}

// At the samples, and at all their neighbours where the error was greatest.
template <class T, class Kernel>
void expect_close(const Kernel& kernel, const std::string& name, const Reference& reference, std::vector<T> x) {
  std::vector<double> errors = errors_at(kernel, reference, x);
  constexpr std::size_t most_places = 8;
  constexpr int neighbours = 1000;
  const std::size_t places = std::min(x.size(), most_places);
  std::vector<std::size_t> worst(x.size());
  std::iota(worst.begin(), worst.end(), std::size_t{0});
  std::partial_sort(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(places), worst.end(),
                    [&](std::size_t a, std::size_t b) { return errors[a] > errors[b]; });
  const T low = *std::min_element(x.begin(), x.end()), high = *std::max_element(x.begin(), x.end());
  std::vector<T> near;
  for (std::size_t i = 0; i < places && x.size() > 2 * static_cast<std::size_t>(neighbours); ++i) {
    for (int n = -neighbours; n <= neighbours; ++n) near.push_back(std::clamp(value_of<T>(order(x[worst[i]]) + n), low, high));
  }
  if (!near.empty()) {
    const std::vector<double> more = errors_at(kernel, reference, near);
    x.insert(x.end(), near.begin(), near.end());
    errors.insert(errors.end(), more.begin(), more.end());
  }
  const auto at = static_cast<std::size_t>(std::max_element(errors.begin(), errors.end()) - errors.begin());
  EXPECT_LE(errors[at], stated_bound(name, sizeof(T) == 4)) << name << (sizeof(T) == 4 ? " of float " : " of double ") << x[at];
}

template <class T, class Kernel>
void expect_close(const Kernel& kernel, const std::string& name, const Reference2& reference, const std::vector<T>& values) {
  std::vector<T> x, y;
  for (const T a : values) {
    for (const T b : values) x.push_back(a), y.push_back(b);
  }
  const cuttle::Array<T> in(x), second(y);
  cuttle::Array<T> out(in.size());
  kernel.over(in.size())(in, second, out);
  const auto got = out.to_vector();
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = error_in_ulp(got[i], reference(static_cast<wide>(x[i]), static_cast<wide>(y[i])));
    if (error > worst) worst = error, at = i;
  }
  EXPECT_LE(worst, stated_bound(name, sizeof(T) == 4)) << name << (sizeof(T) == 4 ? " of floats " : " of doubles ") << x[at] << " and " << y[at];
}

// References that <cmath> has not.
constexpr wide pi = 3.14159265358979323846264338327950288L;
wide sinpi_reference(wide x) {
  const wide r = std::remainder(x, wide{2});
  if (std::abs(r) == 1 || r == 0) return std::copysign(wide{0}, x);
  return std::sin(pi * (std::abs(r) > 0.5L ? std::copysign(1 - std::abs(r), r) : r));  // small where the result is
}
wide cospi_reference(wide x) {
  const wide r = std::remainder(x, wide{2});
  return std::abs(r) == 0.5L ? 0 : std::sin(pi * (0.5L - std::abs(r)));
}
wide erfcx_reference(wide x) {
  if (x < 20) return std::exp(x * x) * std::erfc(x);
  wide fraction = 0;
  for (int k = 60; k > 0; --k) fraction = 0.5L * k / (x + fraction);
  return 1 / (std::sqrt(pi) * (x + fraction));
}
// The y with f(y) = p, by bisection.
wide invert(const Reference& f, wide p, wide low, wide high) {
  const bool rising = f(high) > f(low);
  for (int i = 0; i < 200; ++i) {
    const wide middle = (low + high) / 2;
    ((f(middle) < p) == rising ? low : high) = middle;
  }
  return (low + high) / 2;
}
wide erfinv_reference(wide p) {
  if (std::abs(p) < 1e-10L) return p * std::sqrt(pi) / 2;
  if (std::abs(p) < 0.5L) return invert([](wide y) { return std::erf(y); }, p, -1, 1);
  return std::copysign(invert([](wide y) { return std::erfc(y); }, 1 - std::abs(p), 0, 30), p);
}
wide erfcinv_reference(wide q) {
  if (q > 0.5L && q < 1.5L) return erfinv_reference(1 - q);
  return q < 1 ? invert([](wide y) { return std::erfc(y); }, q, 0, 30) : -invert([](wide y) { return std::erfc(y); }, 2 - q, 0, 30);
}
const wide root_half = std::sqrt(wide{0.5L});

#define UNARY_AT(name, low, high, count, reference)                                        \
  {                                                                                                     \
    auto kernel = CUTTLE_KERNEL([](auto x, auto y) {                                                    \
      const auto i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
      if (i < x.size()) y[i] = name(x[i]);                                                              \
    });                                                                                                 \
    const Reference exact = [](wide x) -> wide { return reference; };                                   \
    expect_close<float>(kernel, #name, exact, samples<float>(low, high, count));                        \
    expect_close<double>(kernel, #name, exact, samples<double>(low, high, count));                      \
  }
#define UNARY(name, low, high, reference) UNARY_AT(name, low, high, 20000, reference)
#define UNARY_SLOW(name, low, high, reference) UNARY_AT(name, low, high, 1000, reference)  // references that search

TEST_P(Math, ElementaryFunctionsAreWithinTheirBounds){
    UNARY(sin, -100, 100, std::sin(x)) UNARY(cos, -100, 100, std::cos(x)) UNARY(tan, -100, 100, std::tan(x)) UNARY(asin, -1, 1, std::asin(x))
        UNARY(acos, -1, 1, std::acos(x)) UNARY(atan, -50, 50, std::atan(x)) UNARY(sinh, -80, 80, std::sinh(x)) UNARY(cosh, -80, 80, std::cosh(x))
            UNARY(tanh, -20, 20, std::tanh(x)) UNARY(asinh, -1e6, 1e6, std::asinh(x)) UNARY(acosh, 1, 1e6, std::acosh(x))
                UNARY(atanh, -0.9999, 0.9999, std::atanh(x)) UNARY(exp, -87, 88, std::exp(x)) UNARY(exp2, -126, 127, std::exp2(x))
                    UNARY(exp10, -37, 38, std::pow(wide{10}, x)) UNARY(expm1, -80, 80, std::expm1(x)) UNARY(log, 0, 1e30, std::log(x))
                        UNARY(log2, 0, 1e30, std::log2(x)) UNARY(log10, 0, 1e30, std::log10(x)) UNARY(log1p, -0.99, 1e30, std::log1p(x))
                            UNARY(sqrt, 0, 1e30, std::sqrt(x)) UNARY(cbrt, -1e30, 1e30, std::cbrt(x)) UNARY(logb, 0, 1e30, std::logb(x))}

TEST_P(Math, RoundingFunctionsAreExact){UNARY(ceil, -1000, 1000, std::ceil(x)) UNARY(floor, -1000, 1000, std::floor(x))
                                            UNARY(trunc, -1000, 1000, std::trunc(x)) UNARY(round, -1000, 1000, std::round(x))
                                                UNARY(rint, -1000, 1000, std::rint(x)) UNARY(nearbyint, -1000, 1000, std::nearbyint(x))
                                                    UNARY(fabs, -1000, 1000, std::fabs(x))}

TEST_P(Math, SpecialFunctionsAreWithinTheirBounds){
    UNARY(erf, -6, 6, std::erf(x)) UNARY(erfc, -5, 9, std::erfc(x)) UNARY(erfcx, -8, 60, erfcx_reference(x))
        UNARY_SLOW(erfinv, -0.9999, 0.9999, erfinv_reference(x)) UNARY_SLOW(erfcinv, 0.0001, 1.9999, erfcinv_reference(x))
            UNARY(normcdf, -12, 6, std::erfc(-x* root_half) / 2) UNARY_SLOW(normcdfinv, 0.0001, 0.9999, -erfcinv_reference(2 * x) / root_half)
                UNARY(lgamma, 0.1, 100, std::lgamma(x)) UNARY(tgamma, 0.1, 30, std::tgamma(x))
                    UNARY_SLOW(cyl_bessel_i0, -60, 60, std::cyl_bessel_i(wide{0}, std::abs(x)))
                        UNARY_SLOW(cyl_bessel_i1, -60, 60, std::copysign(std::cyl_bessel_i(wide{1}, std::abs(x)), x))
                            UNARY(rsqrt, 1e-30, 1e30, 1 / std::sqrt(x)) UNARY(rcbrt, 1e-30, 1e30, 1 / std::cbrt(x))
                                UNARY(sinpi, -50, 50, sinpi_reference(x)) UNARY(cospi, -50, 50, cospi_reference(x))}
#define ABSOLUTE(name, low, high, float_error, double_error, reference)                                              \
  {                                                                                                                  \
    auto kernel = CUTTLE_KERNEL([](auto x, auto y) {                                                                 \
      const auto i = blockIdx.x * blockDim.x + threadIdx.x;                                                          \
      if (i < x.size()) y[i] = name(x[i]);                                                                           \
    });                                                                                                              \
    const auto expect = [&]<class T>(T bound) {                                                                      \
      const auto in = samples<T>(low, high, 1000);                                                                         \
      const cuttle::Array<T> x(in);                                                                                  \
      cuttle::Array<T> y(x.size());                                                                                  \
      kernel.over(x.size())(x, y);                                                                                   \
      const auto got = y.to_vector();                                                                                \
      for (std::size_t i = 0; i < in.size(); ++i) {                                                                  \
        const auto v = static_cast<double>(in[i]);                                                                   \
        if (v < low) continue; /* rounded */                                                                         \
        ASSERT_NEAR(got[i], reference, bound) << #name << " of " << in[i];                                           \
      }                                                                                                              \
    };                                                                                                               \
    expect(static_cast<float>(float_error)), expect(static_cast<double>(double_error));                              \
  }

TEST_P(Math, BesselFunctionsAreCloseAlsoAtTheirZeros){ABSOLUTE(j0, 0, 60, 5e-6, 1e-12, ::j0(v)) ABSOLUTE(j1, 0, 60, 5e-6, 1e-12, ::j1(v))
                                                          ABSOLUTE(y0, 0.1, 60, 5e-6, 1e-12, ::y0(v)) ABSOLUTE(y1, 0.5, 60, 5e-6, 1e-12, ::y1(v))}

#define BINARY(name, low, high, reference)                                       \
  {                                                                                                     \
    auto kernel = CUTTLE_KERNEL([](auto x, auto y, auto z) {                                            \
      const auto i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
      if (i < x.size()) z[i] = name(x[i], y[i]);                                                        \
    });                                                                                                 \
    const Reference2 exact = [](wide x, wide y) -> wide { return reference; };                          \
    expect_close<float>(kernel, #name, exact, samples<float>(low, high, 150));                          \
    expect_close<double>(kernel, #name, exact, samples<double>(low, high, 150));                        \
  }

TEST_P(Math, FunctionsOfTwoArgumentsAreWithinTheirBounds){
    BINARY(pow, 0.01, 20, std::pow(x, y)) BINARY(atan2, -10, 10, std::atan2(x, y)) BINARY(hypot, -1e10, 1e10, std::hypot(x, y))
        BINARY(rhypot, 1e-3, 1e10, 1 / std::hypot(x, y)) BINARY(fmod, -1000, 1000, std::fmod(x, y))
            BINARY(remainder, -1000, 1000, std::remainder(x, y)) BINARY(fdim, -1000, 1000, std::fdim(x, y))
                BINARY(copysign, -1000, 1000, std::copysign(x, y)) BINARY(fmax, -1000, 1000, std::fmax(x, y))
                    BINARY(fmin, -1000, 1000, std::fmin(x, y))}

// Zeros, infinities, NaN and the ends of the range, where results are exact or the host's to a few ulp.
TEST_P(Math, SpecialValuesGiveWhatTheHostGives) {
  const auto run = [&](const auto& kernel, const char* name, const Reference& exact) {
    const auto expect = [&]<class T>(T) {
      using limits = std::numeric_limits<T>;
      const auto errors = errors_at<T>(kernel, exact,
                                       {T(0), -T(0), T(1), -T(1), limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::max(),
                                        limits::lowest(), limits::min(), limits::denorm_min(), -limits::denorm_min()});
      EXPECT_LE(*std::max_element(errors.begin(), errors.end()), 4) << name;
    };
    expect(float{}), expect(double{});
  };
#define SPECIAL(name)                                                 \
  run(CUTTLE_KERNEL([](auto x, auto y) {                              \
        const auto i = blockIdx.x * blockDim.x + threadIdx.x;         \
        if (i < x.size()) y[i] = name(x[i]);                          \
      }),                                                             \
      #name, [](wide x) -> wide { return std::name(x); });
  // clang-format off
  SPECIAL(sin)
  SPECIAL(cos)
  SPECIAL(tan)
  SPECIAL(asin)
  SPECIAL(acos)
  SPECIAL(atan)
  SPECIAL(sinh) SPECIAL(cosh) SPECIAL(tanh) SPECIAL(asinh) SPECIAL(acosh) SPECIAL(atanh) SPECIAL(exp) SPECIAL(exp2) SPECIAL(expm1) SPECIAL(log)
      SPECIAL(log2) SPECIAL(log10) SPECIAL(log1p) SPECIAL(sqrt) SPECIAL(cbrt) SPECIAL(ceil) SPECIAL(floor) SPECIAL(trunc) SPECIAL(round) SPECIAL(rint)
          SPECIAL(erf) SPECIAL(erfc)
  // clang-format on
}

TEST_P(Math, PowIsRightAtItsCorners) {  // alpaka#1020: pow(DBL_MAX, DBL_MAX) was -inf
  auto kernel = CUTTLE_KERNEL([](cuttle::view<const double> x, cuttle::view<double> y) {
    y[0] = pow(x[0], x[0]);
    y[1] = pow(x[1], x[2]);
    y[2] = pow(x[3], x[3]);
    y[3] = pow(x[4], x[5]);
    y[4] = std::pow(static_cast<float>(x[1]), 3);
    y[5] = pow(x[6], x[3]);
    y[6] = pow(2, 10);
  });
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const cuttle::Array<double> x{DBL_MAX, -2.0, 3.0, 0.0, -8.0, 1 / 3.0, nan};
  cuttle::Array<double> y(7);
  kernel[{.grid = 1, .block = 1}](x, y);
  const auto got = y.to_vector();
  EXPECT_EQ(got[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(got[1], -8.0);
  EXPECT_EQ(got[2], 1.0);
  EXPECT_TRUE(std::isnan(got[3]));
  EXPECT_EQ(got[4], -8.0);
  EXPECT_EQ(got[5], 1.0);
  EXPECT_EQ(got[6], 1024.0);
}

TEST_P(Math, FunctionsThatReturnTwoThingsReturnBoth) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto out, auto whole) {
    const auto v = x[0];
    auto s = v, c = v, integral = v;
    int exponent = 0, quotient = 0;
    sincos(v, &s, &c);
    out[0] = s;
    out[1] = c;
    sincospi(v, &s, &c);
    out[2] = s;
    out[3] = c;
    out[4] = frexp(v * 10, &exponent);
    whole[0] = exponent;
    out[5] = modf(v * 10, &integral);
    out[6] = integral;
    out[7] = remquo(v * 10, v + v, &quotient);
    whole[1] = quotient & 7;
    whole[2] = ilogb(v * 10);
    whole[3] = static_cast<int>(lround(v * 10)) + static_cast<int>(llrint(v * 10));
    out[8] = ldexp(v, 5);
    out[9] = scalbn(v, -2);
  });
  const auto expect = [&]<class T>(T v) {
    const cuttle::Array<T> x{v};
    cuttle::Array<T> out(10);
    cuttle::Array<int> whole(4);
    kernel[{.grid = 1, .block = 1}](x, out, whole);
    int exponent = 0, quotient = 0;
    T integral = 0;
    const T mantissa = std::frexp(v * 10, &exponent), fraction = std::modf(v * 10, &integral), rest = std::remquo(v * 10, v + v, &quotient);
    const std::vector<wide> expected = {std::sin(wide{v}), std::cos(wide{v}), sinpi_reference(v), cospi_reference(v),
                                        mantissa,          fraction,          integral,           rest,
                                        std::ldexp(v, 5),  std::scalbn(v, -2)};
    const auto got = out.to_vector();
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_LE(error_in_ulp(got[i], expected[i]), i < 4 ? 2 : 0) << i;
    EXPECT_EQ(whole.to_vector(), (std::vector<int>{exponent, quotient & 7, std::ilogb(v * 10),
                                                   static_cast<int>(std::lround(v * 10)) + static_cast<int>(std::llrint(v * 10))}));
  };
  expect(1.3f), expect(-0.7), expect(2.25);
}

TEST_P(Math, ClassificationTellsWhatAValueIs) {
  auto kernel = CUTTLE_KERNEL([](auto x, cuttle::view<int> out) {
    const auto i = threadIdx.x;
    out[i] = isnan(x[i]) | std::isinf(x[i]) << 1 | isfinite(x[i]) << 2 | std::isnormal(x[i]) << 3 | signbit(x[i]) << 4 | std::fpclassify(x[i]) << 5 |
             (std::fpclassify(x[i]) == FP_SUBNORMAL) << 8;
  });
  const auto expect = [&]<class T>(T) {
    using limits = std::numeric_limits<T>;
    const std::vector<T> in = {
        T(0), -T(0), T(1), limits::denorm_min(), limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::lowest()};
    const cuttle::Array<T> x(in);
    cuttle::Array<int> out(x.size());
    kernel[{.grid = 1, .block = static_cast<int>(in.size())}](x, out);
    std::vector<int> expected;
    for (const T v : in)
      expected.push_back(std::isnan(v) | std::isinf(v) << 1 | std::isfinite(v) << 2 | std::isnormal(v) << 3 | std::signbit(v) << 4 |
                         std::fpclassify(v) << 5 | (std::fpclassify(v) == FP_SUBNORMAL) << 8);
    EXPECT_EQ(out.to_vector(), expected);
  };
  expect(float{}), expect(double{});
}

// numba-cuda-mlir#229: fmax and fmin take the number; std::max and std::min compare, and so does the conditional operator.
TEST_P(Math, MinimumAndMaximumTreatNaNAsTheirNamesSay) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<const float> a, cuttle::view<const float> b, cuttle::view<float> out) {
    const auto i = threadIdx.x;
    out[i] = fmax(a[i], b[i]);
    out[i + 4] = std::max(a[i], b[i]);
    out[i + 8] = a[i] < b[i] ? b[i] : a[i];
    out[i + 12] = fmin(a[i], b[i]);
    out[i + 16] = std::min(a[i], b[i]);
  });
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const cuttle::Array<float> a{1, nan, 1, nan}, b{2, 2, nan, nan};
  cuttle::Array<float> out(20);
  kernel[{.grid = 1, .block = 4}](a, b, out);
  const std::vector<float> expected = {2, 2, 1, nan, 2, nan, 1, nan, 2, nan, 1, nan, 1, 2, 1, nan, 1, nan, 1, nan};
  const auto got = out.to_vector();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(got[i])) << i;
    } else {
      EXPECT_EQ(got[i], expected[i]) << i;
    }
  }
}

TEST_P(Math, MixedArgumentsAreComputedInTheWiderType) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<double> out, float f, int i, double d) {
    out[0] = pow(f, d);
    out[1] = sqrt(i);
    out[2] = std::hypot(i, 4);
    out[3] = min(f, d);
    out[4] = max(i, 2.5f);
    out[5] = clamp(d, 0, 0.25f);
    out[6] = abs(-i) + std::abs(-f);
    static_assert(sizeof(pow(f, d)) == 8 && sizeof(sqrt(f)) == 4 && sizeof(sqrt(i)) == 8 && sizeof(pow(f, f)) == 4);
  });
  cuttle::Array<double> out(7);
  kernel[{.grid = 1, .block = 1}](out, 1.5f, 3, 0.5);
  const std::vector<double> expected{std::pow(1.5, 0.5), std::sqrt(3.0), 5.0, 0.5, 3.0, 0.25, 4.5};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(out.to_vector()[i], expected[i]) << i;
}

// taichi#8487: an approximate division gave |t| / t below 1 for 104 values.
TEST_P(Math, DivisionIsExact) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<int> out) {
    const float t = static_cast<float>(threadIdx.x + 1);
    out[threadIdx.x] = static_cast<int>(fabs(t) / t);
  });
  cuttle::Array<int> out(1024);
  kernel[{.grid = 1, .block = 1024}](out);
  EXPECT_EQ(out.to_vector(), std::vector<int>(1024, 1));
}

TEST_P(Math, DenormalsAreKept) {  // Sarek#304
  auto kernel = CUTTLE_KERNEL([](cuttle::view<float> x) { x[0] = x[0] * 0.5f + x[1]; });
  cuttle::Array<float> x{FLT_MIN, 0.0f};
  kernel[{.grid = 1, .block = 1}](x);
  EXPECT_EQ(x.to_vector()[0], FLT_MIN / 2);
}

TEST_P(Math, LiteralsKeepTheirBits) {  // cupy#8696, loopy#443
  auto kernel = CUTTLE_KERNEL([](cuttle::view<double> out) {
    out[0] = std::numeric_limits<double>::infinity();
    out[1] = -std::numeric_limits<double>::infinity();
    out[2] = -0.0;
    out[3] = 0.10000000000000001;
    out[4] = 4.9406564584124654e-324;
    out[5] = std::numeric_limits<double>::max();
    out[6] = static_cast<double>(std::numeric_limits<float>::denorm_min());
    out[7] = std::numeric_limits<double>::quiet_NaN();
  });
  cuttle::Array<double> out(8);
  kernel[{.grid = 1, .block = 1}](out);
  const double inf = std::numeric_limits<double>::infinity();
  const auto got = out.to_vector();
  const std::vector<double> expected = {inf, -inf, -0.0, 0.1, DBL_TRUE_MIN, DBL_MAX, FLT_TRUE_MIN};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(got[i], expected[i]) << i;
    EXPECT_EQ(std::signbit(got[i]), std::signbit(expected[i])) << i;
  }
  EXPECT_TRUE(std::isnan(got[7]));
}

TEST_P(Math, FastFunctionsAreCloseToTheExactOnes) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<const float> x, cuttle::view<float> y) {
    const auto i = threadIdx.x;
    const float v = x[i];
    float s, c;
    __sincosf(v, &s, &c);
    y[i] = __sinf(v) + __cosf(v) + s + c + __tanf(v) + __expf(v) + __exp10f(v) + __logf(v) + __log2f(v) + __log10f(v) + __powf(v, 1.5f) +
           __fdividef(v, 3.0f) + __saturatef(v * 2 - 1) + __frsqrt_rn(v) + __tanhf(v);
  });
  std::vector<float> in;
  for (int i = 0; i < 64; ++i) in.push_back(0.1f + 0.02f * static_cast<float>(i));
  const cuttle::Array<float> x(in);
  cuttle::Array<float> y(64);
  kernel[{.grid = 1, .block = 64}](x, y);
  const auto got = y.to_vector();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double v = in[i];
    const double expected = 2 * (std::sin(v) + std::cos(v)) + std::tan(v) + std::exp(v) + std::pow(10.0, v) + std::log(v) + std::log2(v) +
                            std::log10(v) + std::pow(v, 1.5) + v / 3 + std::clamp(v * 2 - 1, 0.0, 1.0) + 1 / std::sqrt(v) + std::tanh(v);
    EXPECT_NEAR(got[i], expected, 1e-3) << v;
  }
}

}  // namespace
