// One lambda, many types: each signature is compiled once, never twice, and gives the right result.

#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::stats;

class Specialization : public cuttle::test::OnEveryDevice {
 protected:
  /// Compilations since the last call, or since the test began.
  std::uint64_t compilations() {
    const std::uint64_t before = seen_;
    seen_ = stats().compilations;
    return seen_ - before;
  }

 private:
  std::uint64_t seen_ = stats().compilations;
};
CUTTLE_ON_EVERY_DEVICE(Specialization);

template <class T, class Size>
void expect_scaled(const auto& kernel) {
  const std::vector<T> host = {1, 2, 3, 4, 5};
  const Array<T> x(host);
  Array<T> y(5);
  kernel[{.grid = 2, .block = 2}](static_cast<Size>(5), T{3}, x, y);
  EXPECT_EQ(y.to_vector(), (std::vector<T>{3, 6, 9, 12, 15}));
}

TEST_P(Specialization, EveryElementAndSizeTypeIsCompiledOnce) {
  auto scale = CUTTLE_KERNEL([](auto n, auto a, auto x, auto y) {
    decltype(n) step = gridDim.x * blockDim.x;
    for (decltype(n) i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) y[i] = a * x[i];
  });
  const auto all_types = [&] {
    expect_scaled<float, std::int32_t>(scale);
    expect_scaled<double, std::int32_t>(scale);
    expect_scaled<std::int32_t, std::int32_t>(scale);
    expect_scaled<std::uint8_t, std::int32_t>(scale);
    expect_scaled<std::int64_t, std::int32_t>(scale);
    expect_scaled<float, std::int64_t>(scale);
    expect_scaled<double, std::uint64_t>(scale);
    expect_scaled<std::uint8_t, std::uint32_t>(scale);
  };
  compilations();
  all_types();
  EXPECT_EQ(compilations(), 8u);
  all_types();
  all_types();
  EXPECT_EQ(compilations(), 0u);
}

TEST_P(Specialization, CopiesOfAKernelShareItsCode) {
  auto kernel = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] = 17; });
  Array<float> x(1);
  kernel[{1, 1}](x);
  compilations();
  auto copy = kernel;
  const cuttle::Kernel erased = copy;
  copy[{1, 1}](x);
  erased[{1, 1}](x);
  const std::vector<decltype(kernel)> many(4, kernel);
  for (const auto& k : many) k[{1, 1}](x);
  EXPECT_EQ(compilations(), 0u);
}

TEST_P(Specialization, ManyThreadsAskAndOneCompiles) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto i) { x[i] = i + 1; });
  Array<int> x(32);
  compilations();
  {
    const cuttle::Device device = cuttle::Device::current();
    std::vector<std::jthread> threads;
    for (int i = 0; i < 32; ++i) {
      threads.emplace_back([&, i] {
        const cuttle::Use use(device);
        kernel[{1, 1}](x, i);
      });
    }
  }
  EXPECT_EQ(compilations(), 1u);
  const std::vector<int> result = x.to_vector();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(result[static_cast<std::size_t>(i)], i + 1);
}

TEST_P(Specialization, DeclaredParametersTakeEveryNumberUnderOneSignature) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<float> x, float a) { x[0] = a; });
  Array<float> x(1);
  compilations();
  kernel[{1, 1}](x, 5);
  EXPECT_EQ(x.item(), 5.0f);
  kernel[{1, 1}](x, 5.5);
  EXPECT_EQ(x.item(), 5.5f);
  kernel[{1, 1}](x, 0.1f);
  EXPECT_EQ(x.item(), 0.1f);
  kernel[{1, 1}](x, std::int8_t{-5});
  EXPECT_EQ(x.item(), -5.0f);
  kernel[{1, 1}](x, true);
  EXPECT_EQ(x.item(), 1.0f);
  kernel[{1, 1}](x, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(x.item(), 18446744073709551615.0f);
  EXPECT_EQ(compilations(), 1u);
}

TEST_P(Specialization, DeducedParametersKeepTheTypesOfTheArguments) {
  auto bits = CUTTLE_KERNEL([](auto out, auto value) { out[0] = sizeof(value) * 10 + (static_cast<decltype(value)>(-1) < 0); });
  Array<int> out(1);
  const auto expect = [&](auto value, int size_and_sign) {
    bits[{1, 1}](out, value);
    EXPECT_EQ(out.item(), size_and_sign);
  };
  compilations();
  expect(std::int8_t{1}, 11);
  expect(std::uint8_t{1}, 10);
  expect(std::int16_t{1}, 21);
  expect(std::uint16_t{1}, 20);
  expect(1, 41);
  expect(1u, 40);
  expect(1L, 81);
  expect(1UL, 80);
  expect(1.0f, 41);
  expect(1.0, 81);
  expect(true, 10);
  EXPECT_EQ(compilations(), 11u);
  expect(2, 41);  // no typing by value
  expect(-1, 41);
  EXPECT_EQ(compilations(), 0u);
}

TEST_P(Specialization, ConstArraysAndArraysAreTwoSignatures) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto y) { y[0] = x[0]; });
  Array<float> x({4});
  Array<float> y(1);
  compilations();
  kernel[{1, 1}](x, y);
  kernel[{1, 1}](std::as_const(x), y);
  kernel[{1, 1}](x.part(0, 1), y);  // a contiguous view is an array's
  EXPECT_EQ(compilations(), 2u);
  EXPECT_EQ(y.item(), 4.0f);
}

}  // namespace
