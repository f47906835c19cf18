// Arithmetic and conversions with a rounding mode against the host's processor in that mode.

#include <algorithm>
#include <cfenv>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

class RoundingModes : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(RoundingModes);

constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
constexpr const char* mode_names[] = {"rn", "rz", "ru", "rd"};

// f() with the processor in the given mode. Its operands and its result are volatile, so that nothing is computed at another time.
template <class F>
auto in_mode(int mode, const F& f) {
  std::fesetround(mode);
  volatile auto result = f();
  std::fesetround(FE_TONEAREST);
  return +result;
}

template <class T>
std::vector<T> operands() {
  using limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0),
                           T(1),
                           T(3),
                           T(0.1),
                           T(1) / 3,
                           T(7.25),
                           limits::max(),
                           limits::min(),
                           limits::denorm_min(),
                           limits::min() * T(1.5),
                           limits::epsilon(),
                           T(1) + limits::epsilon(),
                           limits::infinity(),
                           limits::max() / 3,
                           T(1e-20),
                           T(123456.789)};
  for (std::size_t i = values.size(); i-- > 0;) values.push_back(-values[i]);
  return values;
}

template <class T>
void expect_same(T got, T expected, const std::string& what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(got)) << what << " is " << got;
  } else {
    EXPECT_TRUE(got == expected && std::signbit(got) == std::signbit(expected)) << what << " is " << got << ", not " << expected;
  }
}

// The kernel computes one operation in the four modes on triples of operands.
#define FOUR_MODES(T, name, arguments, reference)                                                                                       \
  {                                                                                                                                     \
    auto kernel = CUTTLE_KERNEL([](cuttle::view<const T> in, cuttle::view<T> out) {                                                     \
      const auto i = blockIdx.x * blockDim.x + threadIdx.x;                                                                             \
      if (i >= in.size() / 3) return;                                                                                                   \
      const T x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];                                                                      \
      static_cast<void>(y), static_cast<void>(z);                                                                                       \
      out[4 * i] = name##_rn arguments;                                                                                                 \
      out[4 * i + 1] = name##_rz arguments;                                                                                             \
      out[4 * i + 2] = name##_ru arguments;                                                                                             \
      out[4 * i + 3] = name##_rd arguments;                                                                                             \
    });                                                                                                                                 \
    const cuttle::Array<T> input(triples<T>());                                                                                         \
    cuttle::Array<T> out(input.size() / 3 * 4);                                                                                         \
    kernel.over(input.size() / 3)(input, out);                                                                                          \
    const auto got = out.to_vector();                                                                                                   \
    const auto in = triples<T>();                                                                                                       \
    for (std::size_t i = 0; i < in.size() / 3; ++i) {                                                                                   \
      volatile T x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];                                                                   \
      static_cast<void>(y), static_cast<void>(z);                                                                                       \
      for (std::size_t m = 0; m < 4; ++m) {                                                                                             \
        const T expected = in_mode(modes[m], [&]() -> T { return reference; });                                                         \
        expect_same<T>(got[4 * i + m], expected, std::string(#name "_") + mode_names[m] + " of " + std::to_string(in[3 * i]) + ", " +   \
                                                     std::to_string(in[3 * i + 1]) + ", " + std::to_string(in[3 * i + 2]));             \
      }                                                                                                                                 \
    }                                                                                                                                   \
  }

template <class T>
std::vector<T> triples() {
  std::vector<T> result;
  const auto values = operands<T>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t k = 0; k < values.size(); ++k) result.insert(result.end(), {values[i], values[k], values[(i * 5 + k * 3) % values.size()]});
  }
  return result;
}

TEST_P(RoundingModes, FloatArithmeticRoundsAsAsked){FOUR_MODES(float, __fadd, (x, y), x + y) FOUR_MODES(float, __fsub, (x, y), x - y)
                                                        FOUR_MODES(float, __fmul, (x, y), x* y) FOUR_MODES(float, __fdiv, (x, y), x / y)
                                                            FOUR_MODES(float, __frcp, (x), 1.0f / x) FOUR_MODES(float, __fsqrt, (x), std::sqrt(x))
                                                                FOUR_MODES(float, __fmaf, (x, y, z), std::fma(x, y, z))}

TEST_P(RoundingModes, DoubleArithmeticRoundsAsAsked) {
  FOUR_MODES(double, __dadd, (x, y), x + y)
  FOUR_MODES(double, __dsub, (x, y), x - y)
  FOUR_MODES(double, __dmul, (x, y), x* y)
  FOUR_MODES(double, __ddiv, (x, y), x / y)
  FOUR_MODES(double, __drcp, (x), 1.0 / x)
  FOUR_MODES(double, __dsqrt, (x), std::sqrt(x))
  FOUR_MODES(double, __fma, (x, y, z), std::fma(x, y, z))
}

template <class From, class To, class Kernel, class Reference>
void expect_conversion(const Kernel& kernel, const char* name, const std::vector<From>& in, const Reference& reference) {
  const cuttle::Array<From> x(in);
  cuttle::Array<To> out(4 * x.size());
  kernel.over(x.size())(x, out);
  const auto got = out.to_vector();
  for (std::size_t i = 0; i < in.size(); ++i) {
    for (std::size_t m = 0; m < 4; ++m) {
      EXPECT_EQ(got[4 * i + m], reference(in[i], modes[m])) << name << "_" << mode_names[m] << " of " << in[i];
    }
  }
}

#define CONVERSION_KERNEL(name)                                        \
  CUTTLE_KERNEL([](auto x, auto y) {                                   \
    const auto i = blockIdx.x * blockDim.x + threadIdx.x;              \
    if (i >= x.size()) return;                                         \
    y[4 * i] = name##_rn(x[i]);                                        \
    y[4 * i + 1] = name##_rz(x[i]);                                    \
    y[4 * i + 2] = name##_ru(x[i]);                                    \
    y[4 * i + 3] = name##_rd(x[i]);                                    \
  })

// What does not fit saturates. NaN is 0, or the top bit alone where source or result has 64 bits (PTX ISA, cvt).
template <class To, class From>
To to_integer(From x, int mode) {
  if (std::isnan(x)) return sizeof(From) == 8 || sizeof(To) == 8 ? static_cast<To>(std::uint64_t{1} << (8 * sizeof(To) - 1)) : To(0);
  const long double rounded = in_mode(mode, [x] {
    volatile long double v = x;
    return std::rint(v);
  });
  using limits = std::numeric_limits<To>;
  if (rounded < static_cast<long double>(limits::min())) return limits::min();
  if (rounded > static_cast<long double>(limits::max())) return limits::max();
  return static_cast<To>(rounded);
}

template <class From>
std::vector<From> floating_samples() {
  using limits = std::numeric_limits<From>;
  std::vector<From> values = {From(0.5),          From(1.5),    From(2.5),  From(0.1),   From(2147483647.5), From(4294967295.0), From(4294967296.5),
                              From(9.3e18),       From(1.9e19), From(1e10), From(255.7), From(65535.5),      limits::max(),      limits::denorm_min(),
                              limits::infinity(), From(0)};
  for (std::size_t i = values.size(); i-- > 0;) values.push_back(-values[i]);
  values.push_back(limits::quiet_NaN());
  return values;
}

#define TO_INTEGER(From, name, To) \
  expect_conversion<From, To>(CONVERSION_KERNEL(name), #name, floating_samples<From>(), [](From x, int mode) { return to_integer<To>(x, mode); });

TEST_P(RoundingModes, ConversionsToIntegersRoundAndSaturate) {
  TO_INTEGER(float, __float2int, int)
  TO_INTEGER(float, __float2uint, unsigned)
  TO_INTEGER(float, __float2ll, long long)
  TO_INTEGER(float, __float2ull, unsigned long long)
  TO_INTEGER(double, __double2int, int)
  TO_INTEGER(double, __double2uint, unsigned)
  TO_INTEGER(double, __double2ll, long long)
  TO_INTEGER(double, __double2ull, unsigned long long)
}

template <class I>
std::vector<I> integer_samples() {
  std::vector<I> values;
  for (int shift = 0; shift < static_cast<int>(8 * sizeof(I)); ++shift) {
    for (const int offset : {-1, 0, 1, 3}) values.push_back(static_cast<I>((std::uint64_t{1} << shift) + static_cast<std::uint64_t>(offset)));
  }
  values.push_back(std::numeric_limits<I>::max());
  values.push_back(std::numeric_limits<I>::min());
  return values;
}

#define TO_FLOATING(From, name, To)                                                                                  \
  expect_conversion<From, To>(CONVERSION_KERNEL(name), #name, integer_samples<From>(), [](From x, int mode) -> To {  \
    volatile long double exact = x;                                                                                  \
    return in_mode(mode, [&] { return static_cast<To>(exact); });                                                    \
  });

TEST_P(RoundingModes,
       ConversionsFromIntegersRoundAsAsked){TO_FLOATING(int, __int2float, float) TO_FLOATING(unsigned, __uint2float, float)
                                                TO_FLOATING(long long, __ll2float, float) TO_FLOATING(unsigned long long, __ull2float, float)
                                                    TO_FLOATING(long long, __ll2double, double) TO_FLOATING(unsigned long long, __ull2double, double)}

TEST_P(RoundingModes, DoublesRoundToFloatsAsAsked) {
  std::vector<double> in;
  for (const double v : operands<double>()) {
    if (!std::isinf(v)) in.push_back(v);
  }
  in.push_back(static_cast<double>(FLT_MAX) * 1.0000001), in.push_back(0x1.0000011p-130);
  expect_conversion<double, float>(CONVERSION_KERNEL(__double2float), "__double2float", in, [](double x, int mode) {
    volatile double v = x;
    return in_mode(mode, [&] { return static_cast<float>(v); });
  });
}

// GPUifyLoops.jl#91: unfused, rho * T - P is exactly 0; fused it is the rounding error of the product.
TEST_P(RoundingModes, ProductsOfIntrinsicsAreNeverFused) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<double> x, cuttle::view<float> y) {
    const double product = __dmul_rn(x[0], x[1]);
    x[2] = __dmul_rn(x[0], x[1]) - product;
    x[3] = fma(x[0], x[1], -product);
    y[2] = __fmul_rn(y[0], y[1]) - y[3];
  });
  const float y_product = 0.1f * 300.1f;
  cuttle::Array<double> x{0.1, 300.0, 1.0, 0.0};
  cuttle::Array<float> y{0.1f, 300.1f, 1.0f, y_product};
  kernel[{.grid = 1, .block = 1}](x, y);
  EXPECT_EQ(x.to_vector()[2], 0.0);
  EXPECT_EQ(x.to_vector()[3], 1.6653345369377348e-15);
  EXPECT_EQ(y.to_vector()[2], 0.0f);
}

}  // namespace
