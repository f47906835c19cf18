// CUTTLE_DEVICE: structs, functions, templates and constants that host code and kernels share.

#include <vector>

#include "correctness/device_code_header.hpp"
#include "support/device_test.h"

namespace {
CUTTLE_DEVICE([[maybe_unused]] inline float helper(float x) { return x + 100; });
CUTTLE_DEVICE(enum class Mode { add, subtract };);
}  // namespace

CUTTLE_DEVICE(constexpr int radius = 3; constexpr float weights[] = {1, 2, 4};);
CUTTLE_DEVICE(using real = float;);
CUTTLE_DEVICE(inline int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); });
CUTTLE_DEVICE(constexpr double operator""_km(long double length) { return static_cast<double>(length) * 1000; });
CUTTLE_DEVICE(constexpr int operator""_chars(const char*, std::size_t size) { return static_cast<int>(size); });
CUTTLE_DEVICE(inline int nobody_needs_this(int n) { return n; });
CUTTLE_DEVICE(
    template <class T> struct Traits { static constexpr int value = 1; };
    template <> struct Traits<double> { static constexpr int value = 2; };);

namespace {

class DeviceCode : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(DeviceCode);

TEST_P(DeviceCode, KernelSeesFunctionsConstantsTablesAndAliases) {
  auto kernel = CUTTLE_KERNEL([](auto y) {
    real sum = helper(1);
    for (int i = 0; i < radius; ++i) sum += weights[i];
    y[0] = sum + fibonacci(10);
  });
  cuttle::Array<float> y(1);
  kernel[{1, 1}](y);
  EXPECT_EQ(y.item(), 101.0f + 7.0f + 55.0f);
}

TEST_P(DeviceCode, StructsArePassedByValueAndHaveOperators) {
  auto kernel = CUTTLE_KERNEL([](auto v, auto w, auto y) { y[0] = (v + w).length_squared(); });
  cuttle::Array<float> y(1);
  kernel[{1, 1}](geometry::Vector{1, 2}, geometry::Vector{2, 2}, y);
  EXPECT_EQ(y.item(), 25.0f);
}

TEST_P(DeviceCode, ArraysOfStructs) {
  auto kernel = CUTTLE_KERNEL([](auto v, auto y) { y[threadIdx.x] = v[threadIdx.x].length_squared(); });
  const cuttle::Array<geometry::Vector> v({{1, 1}, {3, 4}});
  cuttle::Array<float> y(2);
  kernel[{1, 2}](v, y);
  EXPECT_EQ(y.to_vector(), (std::vector<float>{2.0f, 25.0f}));
}

TEST_P(DeviceCode, EnumerationsAndSpecialisations) {
  auto kernel = CUTTLE_KERNEL([](auto mode, auto y) { y[0] = (mode == Mode::subtract ? -1 : 1) * (Traits<float>::value + Traits<double>::value); });
  cuttle::Array<int> y(1);
  kernel[{1, 1}](Mode::subtract, y);
  EXPECT_EQ(y.item(), -3);
}

TEST_P(DeviceCode, LiteralsBringTheirOperators) {
  auto kernel = CUTTLE_KERNEL([](view<double> y) { y[0] = 1.5_km + "abc"_chars; });
  cuttle::Array<double> y(1);
  kernel[{1, 1}](y);
  EXPECT_EQ(y.item(), 1503);
}

TEST_P(DeviceCode, OnlyNeededBlocksEnterTheSource) {
  auto kernel = CUTTLE_KERNEL([](auto y) { y[0] = fibonacci(3); });
  const std::string source = kernel.inspect<cuttle::view<int>>().source();
  EXPECT_NE(source.find("fibonacci(n - 1)"), std::string::npos);
  EXPECT_EQ(source.find("nobody_needs_this"), std::string::npos);
  EXPECT_EQ(source.find("Vector"), std::string::npos);
}

}  // namespace

namespace geometry {

// A kernel finds the names of its own namespace.
auto add_twice = CUTTLE_KERNEL([](auto v, auto y) {
  Vector sum = v + detail::twice(v);
  y[0] = sum.x;
});

}  // namespace geometry

namespace {

TEST_P(DeviceCode, KernelInANamespaceFindsItsNames) {
  cuttle::Array<float> y(1);
  geometry::add_twice[{1, 1}](geometry::Vector{5, 6}, y);
  EXPECT_EQ(y.item(), 15.0f);
}

}  // namespace
