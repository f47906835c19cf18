// constant(v) and constant<v>: arguments that are constants in the kernel, each value compiled for itself.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::constant;
using cuttle::Kernel;

class Constants : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Constants);

auto reverse = CUTTLE_KERNEL([](auto x, auto n) {
  float local[n];
  static_assert(n > 0);
  for (int i = 0; i < n; ++i) local[i] = x[i];
  for (auto i : range(n)) x[i] = local[n - 1 - i];
});

TEST_P(Constants, SizeArraysWhetherKnownEarlyOrLate) {
  Array<float> x({1, 2, 3, 4});
  reverse[{1, 1}](x, constant<4>);
  EXPECT_EQ(x.to_vector(), (std::vector<float>{4, 3, 2, 1}));
  for (int n = 2; n <= 4; ++n) reverse[{1, 1}](x, constant(n));
  EXPECT_EQ(x.to_vector(), (std::vector<float>{1, 3, 4, 2}));
}

TEST_P(Constants, EachValueIsCompiledOnce) {
  auto fill = CUTTLE_KERNEL([](auto x, auto value) { x[0] = value * 3; });
  Array<int> x(1);
  const auto before = cuttle::stats().compilations;
  for (int round = 0; round < 3; ++round) {
    for (const int value : {1, 2}) {
      fill[{1, 1}](x, constant(value));
      EXPECT_EQ(x.item(), 3 * value);
      fill.over(1)(x, constant(value));
    }
    fill[{1, 1}](x, constant<2>);
    EXPECT_EQ(x.item(), 6);
    fill[{1, 1}](x, constant<2>());
    EXPECT_EQ(x.item(), 6);
  }
  EXPECT_EQ(cuttle::stats().compilations - before, 2u);
}

template <class T>
T through_kernel(T value) {
  auto copy = CUTTLE_KERNEL([](auto x, auto v) { x[0] = v; });
  Array<T> x(1);
  copy[{1, 1}](x, constant(value));
  return x.item();
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

TEST_P(Constants, KeepEveryBit) {
  for (const double value : {0.1, -0.0, std::numeric_limits<double>::infinity(), std::nan("0x123"), std::numeric_limits<double>::denorm_min()}) {
    EXPECT_TRUE(same_bits(through_kernel(value), value)) << value;
  }
  for (const float value : {0.1f, -0.0f, std::numeric_limits<float>::denorm_min()}) EXPECT_TRUE(same_bits(through_kernel(value), value)) << value;
  EXPECT_EQ(through_kernel(std::numeric_limits<std::int64_t>::min()), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(through_kernel(std::numeric_limits<std::uint64_t>::max()), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(through_kernel(true), true);
  EXPECT_EQ(through_kernel(std::int8_t{-128}), -128);
}

TEST_P(Constants, BoundLoopsAndIndexViews) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto n, auto at) {
    for (auto i : grid_stride(n)) x[i] = static_cast<int>(i);
    for (auto i : range(at, n)) x[i] += 100;
    x[at] += 1000;
    x.flat(n) = n.value;
  });
  Array<int> x(5);
  kernel[{1, 1}](x, constant<4>, constant(2));
  EXPECT_EQ(x.to_vector(), (std::vector{0, 1, 1102, 103, 4}));
}

TEST_P(Constants, ChooseCodeByIfConstexpr) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto is_long) {
    if constexpr (is_long) {
      x[1] = 1;
    } else {
      x[0] = 1;
    }
  });
  Array<int> x({0, 0});
  kernel[{1, 1}](x, constant<false>);
  EXPECT_EQ(x.to_vector(), (std::vector{1, 0}));
  kernel[{1, 1}](x, constant<true>);
  EXPECT_EQ(x.to_vector(), (std::vector{1, 1}));
}

TEST_P(Constants, ArePlainValuesForDeclaredParameters) {
  auto declared = CUTTLE_KERNEL([](cuttle::view<float> x, float a) { x[0] = a; });
  auto beside_deduced = CUTTLE_KERNEL([](auto x, float a) { x[0] = a; });
  Array<float> x(1);
  declared[{1, 1}](x, constant(5));
  EXPECT_EQ(x.item(), 5.0f);
  beside_deduced[{1, 1}](x, constant<6>);
  EXPECT_EQ(x.item(), 6.0f);
  Kernel(declared)[{1, 1}](x, constant<7>);
  EXPECT_EQ(x.item(), 7.0f);
  const auto before = cuttle::stats().compilations;
  declared[{1, 1}](x, constant(8));
  EXPECT_EQ(x.item(), 8.0f);
  EXPECT_EQ(cuttle::stats().compilations, before);
}

TEST_P(Constants, GoThroughAnErasedKernel) {
  const Kernel kernel = reverse;
  Array<float> x({1, 2, 3});
  kernel[{1, 1}](x, constant(3));
  EXPECT_EQ(x.to_vector(), (std::vector<float>{3, 2, 1}));
  kernel[{1, 1}](x, constant(2));
  EXPECT_EQ(x.to_vector(), (std::vector<float>{2, 3, 1}));
}

TEST_P(Constants, AreInTheSignature) {
  Array<float> x(4);
  EXPECT_EQ(reverse.inspect(cuttle::sm(90), x, constant(4)).signature(), "(view<f32>, const<i32,4>)");
  EXPECT_EQ(reverse.inspect(cuttle::sm(90), x, constant<5>).signature(), "(view<f32>, const<i32,5>)");
}

}  // namespace
