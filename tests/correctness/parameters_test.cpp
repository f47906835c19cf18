// Parameters: how large they may be, those with defaults, and errors that say which one is meant.

#include <array>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::Kernel;
using cuttle::LaunchError;

class Parameters : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Parameters);

auto last_of = CUTTLE_KERNEL([](auto table, auto y) {
  int sum = 0;
  for (unsigned i = threadIdx.x; i < table.size(); i += blockDim.x) sum += table[i];
  y[threadIdx.x] = sum;
});

template <std::size_t size>
int sum_of_table() {
  std::array<int, size> table{};
  for (std::size_t i = 0; i < size; ++i) table[i] = static_cast<int>(i % 100);
  Array<int> y(32);
  last_of[{1, 32}](table, y);
  int sum = 0;
  for (const int s : y.to_vector()) sum += s;
  return sum;
}

template <std::size_t size>
constexpr int expected_sum() {
  int sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += static_cast<int>(i % 100);
  return sum;
}

TEST_P(Parameters, MayHaveFourThousandBytesAndThirtyTwoThousand) {
  EXPECT_EQ(sum_of_table<1000>(), expected_sum<1000>());
  // 32,764 bytes in all; the view of y takes 16, aligned to 8.
  EXPECT_EQ(sum_of_table<8186>(), expected_sum<8186>());
}

TEST_P(Parameters, PastThatAreRefusedByTheBytesOfEach) {
  Array<int> y(32);
  const std::array<int, 8190> table{};
  try {
    last_of[{1, 32}](table, y);
    FAIL() << "no error";
  } catch (const cuttle::CompileError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("the limit is 32764"), std::string::npos) << text;
    EXPECT_NE(text.find("array<i32,8190> 32760, view<i32> 16"), std::string::npos) << text;
  }
}

auto with_defaults = CUTTLE_KERNEL([](cuttle::view<int> x, int a = 5, int b = 7) { x[0] = 100 * a + b; });
auto deduced_with_default = CUTTLE_KERNEL([](auto x, auto a, int b = 7) { x[0] = 100 * a + b; });

TEST_P(Parameters, WithDefaultsMayBeLeftOutAlsoOfAnErasedKernel) {
  Array<int> x(1);
  const auto run = [&](const auto& kernel, auto... arguments) {
    kernel[{1, 1}](x, arguments...);
    return x.item();
  };
  EXPECT_EQ(run(with_defaults), 507);
  EXPECT_EQ(run(with_defaults, 6), 607);
  EXPECT_EQ(run(with_defaults, 6, 8), 608);
  const Kernel erased = with_defaults, deduced = deduced_with_default;
  const auto before = cuttle::stats().compilations;
  EXPECT_EQ(run(erased), 507);
  EXPECT_EQ(run(erased, 6.9), 607);
  EXPECT_EQ(run(erased, 6, 8u), 608);
  EXPECT_EQ(cuttle::stats().compilations, before) << "the same signatures as those of the typed kernel";
  EXPECT_EQ(run(deduced, 4), 407);
  EXPECT_EQ(run(deduced, 4, 3), 403);
}

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const LaunchError& error) {
    return error.what();
  }
  return "no LaunchError";
}

TEST_P(Parameters, ErrorsCountDefaultedOnesAsOptional) {
  const Kernel kernel = with_defaults;
  Array<int> x(1);
  EXPECT_NE(message_of([&] { kernel[{1, 1}](); }).find("takes 1 to 3 arguments and was given 0"), std::string::npos);
  EXPECT_NE(message_of([&] { kernel[{1, 1}](x, 1, 2, 3); }).find("takes 1 to 3 arguments and was given 4"), std::string::npos);
}

TEST_P(Parameters, ErrorsNameTheParameter) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<const float> from, cuttle::view<float> to, float) { to[0] = from[0]; });
  const Kernel erased = kernel;
  const Array<float> constant({1});
  Array<float> x(1), moved_from(1);
  const Array<float> holder = std::move(moved_from);
  const std::string refused = message_of([&] { erased[{1, 1}](x, constant, 1); });
  EXPECT_NE(refused.find("parameter 2 (to) of the kernel at "), std::string::npos) << refused;
  EXPECT_NE(message_of([&] { erased[{1, 1}](x, x, x); }).find("parameter 3 (float) of the kernel at "), std::string::npos) << "it has no name";
  const std::string empty = message_of([&] { kernel[{1, 1}](moved_from, x, 1); });
  EXPECT_NE(empty.find("argument 1 (from) of a launch"), std::string::npos) << empty;
  const std::string null = message_of([&] { kernel[{1, 1}](x, cuttle::view<float>(nullptr, 3), 1); });
  EXPECT_NE(null.find("argument 2 (to) of a launch of the kernel at "), std::string::npos) << null;
}

TEST_P(Parameters, NamesAreFoundBehindTypesQualifiersAndDefaults) {
  auto kernel = CUTTLE_KERNEL([]<class T>(cuttle::view<T, 1> /* first */ values, const float* __restrict__ weights, std::array<int, 2> sizes = {1, 2},
                                          unsigned long long int how_many = (1 + 2)) { values[0] = weights[0] + sizes[0] + how_many; });
  Array<float> x(1), empty(1);
  const Array<float> holder = std::move(empty);
  EXPECT_NE(message_of([&] { kernel[{1, 1}](empty, x.data()); }).find("argument 1 (values)"), std::string::npos);
  EXPECT_NE(message_of([&] { kernel[{1, 1}](x, cuttle::view<float>(nullptr, 1)); }).find("argument 2 (weights)"), std::string::npos);
}

// 5 for a float is 5.0f, in the signature of a float.
TEST_P(Parameters, ConvertToOneSignature) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<float> x, float a, bool negate) { x[0] = negate ? -a : a; });
  Array<float> x(1);
  const auto before = cuttle::stats().compilations;
  kernel[{1, 1}](x, 5, 0);
  kernel[{1, 1}](x, 5.0, 2.5);
  kernel[{1, 1}](x, 5LL, true);
  EXPECT_EQ(x.item(), -5.0f);
  EXPECT_EQ(cuttle::stats().compilations - before, 1u);
}

}  // namespace
