// CUTTLE_KERNEL_WITH: values and types of the surrounding code as constants of a kernel.

#include <array>
#include <clocale>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

class Capture : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Capture);

constexpr int tile = 16;

// A value that no compiler sees through.
template <class T>
T through_run_time(T value) {
  volatile T kept = value;
  return kept;
}

TEST_P(Capture, ConstexprValueSizesAnArray) {
  auto kernel = CUTTLE_KERNEL_WITH((tile), [](auto y) {
    float local[tile];
    static_assert(tile % 2 == 0);
    for (int i = 0; i < tile; ++i) local[i] = static_cast<float>(i);
    if constexpr (tile > 8) y[0] = local[tile - 1];
  });
  cuttle::Array<float> y(1);
  kernel[{1, 1}](y);
  EXPECT_EQ(y.item(), 15.0f);
}

TEST_P(Capture, RunTimeValueIsAConstantToo) {
  for (int run_time = 1; run_time <= 3; ++run_time) {
    auto kernel = CUTTLE_KERNEL_WITH((run_time), [](auto y) {
      int local[run_time];
      local[run_time - 1] = run_time;
      y[0] = local[run_time - 1];
    });
    cuttle::Array<int> y(1);
    kernel[{1, 1}](y);
    EXPECT_EQ(y.item(), run_time);
  }
}

// A factory's kernels share their text: only the captured value tells them apart.
cuttle::Kernel scale_by(float factor) {
  return CUTTLE_KERNEL_WITH((factor), [](auto x) { x[threadIdx.x] = x[threadIdx.x] * factor; });
}

TEST_P(Capture, FactoryCalledWithOneTwoOneTwoServesEachItsOwn) {
  for (const float factor : {1.0f, 2.0f, 1.0f, 2.0f}) {
    cuttle::Array<float> x({10.0f, 20.0f});
    scale_by(factor)[{1, 2}](x);
    EXPECT_EQ(x.to_vector(), (std::vector<float>{10.0f * factor, 20.0f * factor}));
  }
  const auto before = cuttle::stats().compilations;
  cuttle::Array<float> x({10.0f, 20.0f});
  scale_by(2.0f)[{1, 2}](x);
  EXPECT_EQ(cuttle::stats().compilations, before);
}

template <class T>
T through_kernel(T value) {
  auto kernel = CUTTLE_KERNEL_WITH((value), [](auto y) { y[0] = value; });
  cuttle::Array<T> y(1);
  kernel[{1, 1}](y);
  return y.item();
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

TEST_P(Capture, FloatingPointKeepsEveryBit) {
  for (const double value : {0.1, -0.0, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::nan("0x123"),
                             std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()}) {
    EXPECT_TRUE(same_bits(through_kernel(value), value)) << value;
  }
  for (const float value : {0.1f, -0.0f, std::numeric_limits<float>::infinity(), std::nanf("7"), std::numeric_limits<float>::denorm_min()}) {
    EXPECT_TRUE(same_bits(through_kernel(value), value)) << value;
  }
}

TEST_P(Capture, IntegersOfEveryWidthArriveAtTheirEdges) {
  EXPECT_EQ(through_kernel(std::numeric_limits<std::int64_t>::min()), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(through_kernel(std::numeric_limits<std::uint64_t>::max()), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(through_kernel(std::int8_t{-128}), -128);
  EXPECT_EQ(through_kernel(std::uint16_t{65535}), 65535);
  EXPECT_EQ(through_kernel(std::numeric_limits<int>::min()), std::numeric_limits<int>::min());
}

TEST_P(Capture, ArraysAreTables) {
  const std::array<float, 4> weights{1.0f, 2.0f, 3.0f, 4.0f};
  auto kernel = CUTTLE_KERNEL_WITH((weights), [](auto y, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += weights[i];
    y[0] = sum;
  });
  cuttle::Array<float> y(1);
  kernel[{1, 1}](y, 4);
  EXPECT_EQ(y.item(), 10.0f);
}

template <class T, int Rows>
class Solver {
 public:
  // A class template's kernel names its types and constants.
  static inline auto step = CUTTLE_KERNEL_WITH((type(T), constant(Rows)), [](auto x) {
    T sum = 0;
    for (int i = 0; i < Rows; ++i) sum += static_cast<T>(1) / static_cast<T>(3);
    x[0] = sum;
  });

  explicit Solver(int width) : width_(width) {}

  T widths() {
    auto kernel = CUTTLE_KERNEL_WITH((width_, type(T)), [](auto x) { x[0] = static_cast<T>(width_); });
    cuttle::Array<T> x(1);
    kernel[{1, 1}](x);
    return x.item();
  }

 private:
  int width_;
};

TEST_P(Capture, ClassTemplateHoldsAKernelForEachType) {
  cuttle::Array<float> f(1);
  cuttle::Array<double> d(1);
  Solver<float, 3>::step[{1, 1}](f);
  Solver<double, 3>::step[{1, 1}](d);
  EXPECT_EQ(f.item(), 1.0f / 3 + 1.0f / 3 + 1.0f / 3);
  EXPECT_EQ(d.item(), 1.0 / 3 + 1.0 / 3 + 1.0 / 3);
  EXPECT_EQ((Solver<int, 1>(42).widths()), 42);
}

enum class Rule : std::uint8_t { sum = 3, product = 200 };
CUTTLE_DEVICE(enum class DeviceRule : std::uint8_t { sum = 3, product = 200 };
              struct Weights { float centre; std::array<double, 2> sides; bool is_signed; };);

TEST_P(Capture, BoolsEnumerationsAndStructsAreConstants) {
  const bool negate = through_run_time(true);
  const auto rule = through_run_time(DeviceRule::product);
  const std::array<Weights, 2> weights{Weights{0.1f, {-0.0, 3.0}, true}, Weights{2.0f, {0.25, 0.5}, false}};
  auto kernel = CUTTLE_KERNEL_WITH((negate, rule, weights), [](auto y) {
    static_assert(negate && rule == DeviceRule::product);
    static_assert(weights[1].sides[0] == 0.25);
    if constexpr (weights[0].is_signed && !weights[1].is_signed) y[0] = negate ? -weights[0].centre : 0.0f;
    y[1] = static_cast<float>(1.0 / weights[0].sides[0]);
    y[2] = static_cast<float>(static_cast<int>(rule));
    for (int i = 0; i < 2; ++i) y[3 + i] = weights[threadIdx.x + 1].sides[i];
  });
  cuttle::Array<float> y(5);
  kernel[{1, 1}](y);
  EXPECT_EQ(y.to_vector(), (std::vector<float>{-0.1f, -std::numeric_limits<float>::infinity(), 200.0f, 0.25f, 0.5f}));
}

TEST_P(Capture, ATypeTheKernelDoesNotKnowIsAnErrorThatNamesIt) {
  const Rule rule = Rule::sum;
  auto kernel = CUTTLE_KERNEL_WITH((rule), [](auto y) { y[0] = static_cast<int>(rule); });
  cuttle::Array<int> y(1);
  try {
    kernel[{1, 1}](y);
    FAIL() << "no error";
  } catch (const cuttle::CompileError& error) {
    EXPECT_NE(std::string(error.what()).find("Rule"), std::string::npos) << error.what();
  }
}

TEST_P(Capture, ValuesAreTheSameInEveryLocale) {
  const char* before = std::setlocale(LC_ALL, nullptr);
  const std::string kept = before ? before : "C";
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, name)) break;
  }
  EXPECT_EQ(through_kernel(1234567.125), 1234567.125);
  EXPECT_EQ(through_kernel(0.1f), 0.1f);
  std::setlocale(LC_ALL, kept.c_str());
}

TEST_P(Capture, SignatureNamesTheValues) {
  const int width = 7;
  auto kernel = CUTTLE_KERNEL_WITH((width), [](auto x) { x[0] = width; });
  EXPECT_EQ(kernel.inspect<cuttle::view<int>>().signature(), "(view<i32>) with width = 7");
}

TEST_P(Capture, DefaultedParameterMayBeLeftOut) {
  auto kernel = CUTTLE_KERNEL([](auto x, int n = 5) { x[0] = n; });
  cuttle::Array<int> x(1);
  kernel[{1, 1}](x);
  EXPECT_EQ(x.item(), 5);
  kernel[{1, 1}](x, 6);
  EXPECT_EQ(x.item(), 6);
}

TEST_P(Capture, DeclaredScalarsBesideDeducedOnesConvertAtTheCall) {
  auto kernel = CUTTLE_KERNEL([](auto x, float m) { x[0] = x[0] * m; });
  const auto before = cuttle::stats().compilations;
  cuttle::Array<float> x({2.0f});
  kernel[{1, 1}](x, 5);
  kernel[{1, 1}](x, 5.0);
  kernel[{1, 1}](x, static_cast<signed char>(5));
  EXPECT_EQ(x.item(), 250.0f);
  EXPECT_EQ(cuttle::stats().compilations - before, 1u);
}

TEST_P(Capture, TemplatedLambdaDeducesFromMutableAndConstArrays) {
  auto kernel = CUTTLE_KERNEL([]<class T>(view<const T> x, view<T> y, T a) { y[threadIdx.x] = a * x[threadIdx.x]; });
  cuttle::Array<float> x({1.0f, 2.0f});
  const cuttle::Array<float> c({3.0f, 4.0f});
  cuttle::Array<float> y(2);
  kernel[{1, 2}](x, y, 2.0f);
  EXPECT_EQ(y.to_vector(), (std::vector<float>{2.0f, 4.0f}));
  kernel[{1, 2}](c, y, 2.0f);
  EXPECT_EQ(y.to_vector(), (std::vector<float>{6.0f, 8.0f}));
}

TEST_P(Capture, PointerParametersTakeArrays) {
  auto kernel = CUTTLE_KERNEL([](const float* __restrict__ x, auto* y) { y[threadIdx.x] = x[threadIdx.x] + 1; });
  const cuttle::Array<float> x({1.0f, 2.0f});
  cuttle::Array<float> y(2);
  kernel[{1, 2}](x, y);
  EXPECT_EQ(y.to_vector(), (std::vector<float>{2.0f, 3.0f}));
}

TEST_P(Capture, PointerParametersTakePartsOfArrays) {
  auto declared = CUTTLE_KERNEL([](float* x, int n) { x[n - 1] += 1; });
  auto deduced = CUTTLE_KERNEL([](auto* x, auto n) { x[n - 1] += 10; });
  auto bracketed = CUTTLE_KERNEL([]([[maybe_unused]] auto factor, float x[], int n) { x[n - 1] += 100; });
  cuttle::Array<float, 2> x{{0, 0}, {0, 0}, {0, 0}};
  declared[{1, 1}](x.part(1, 3), 2);
  deduced[{1, 1}](x.part(1, 3), 2);
  cuttle::Kernel(declared)[{1, 1}](x.part(2, 3), 1);
  cuttle::Kernel(deduced)[{1, 1}](x.part(2, 3), 2);
  bracketed[{1, 1}](1, x, 1);
  EXPECT_EQ(x.to_vector(), (std::vector<float>{100, 0, 0, 11, 1, 10}));
}

TEST_P(Capture, ParameterPacksTakeAnyNumberOfArguments) {
  auto kernel = CUTTLE_KERNEL([](view<double> y, int scale, auto... terms) { y[0] = scale * (0.0 + ... + terms); });
  cuttle::Array<double> y(1);
  kernel[{1, 1}](y, 2);
  EXPECT_EQ(y.item(), 0);
  kernel[{1, 1}](y, 2.0, 1, 0.5f, 0.25);
  EXPECT_EQ(y.item(), 3.5);
  cuttle::Kernel(kernel)[{1, 1}](y, 2, 4, 8u);
  EXPECT_EQ(y.item(), 24);
}

// What a captured name may be called: a type of the vocabulary's, too.
TEST_P(Capture, ANameOfTheVocabularyIsTheCapturedValue) {
  const int half = 3, range = 4;
  auto kernel = CUTTLE_KERNEL_WITH((half, range), [](view<int> y) {
    int local[half];
    local[0] = range;
    y[0] = local[0] + half;
  });
  cuttle::Array<int> y(1);
  kernel[{1, 1}](y);
  EXPECT_EQ(y.item(), 7);
}

TEST_P(Capture, MayHaveThirtyTwoElementsAndMore) {
  const int a0 = 0, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7, a8 = 8, a9 = 9, b0 = 10, b1 = 11, b2 = 12, b3 = 13, b4 = 14, b5 = 15,
            b6 = 16, b7 = 17, b8 = 18, b9 = 19, c0 = 20, c1 = 21, c2 = 22, c3 = 23, c4 = 24, c5 = 25, c6 = 26, c7 = 27, c8 = 28, c9 = 29, d0 = 30,
            d1 = 31, d2 = 32;
  using T = double;
  auto kernel = CUTTLE_KERNEL_WITH(
      (a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, type(T)),
      [](view<T> x) {
        x[0] = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9 + c0 + c1 + c2 + c3 + c4 + c5 + c6 +
               c7 + c8 + c9 + d0 + d1 + d2;
      });
  cuttle::Array<double> x(1);
  kernel[{1, 1}](x);
  EXPECT_EQ(x.item(), 32 * 33 / 2);
}

}  // namespace
