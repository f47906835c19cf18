// sin, exp, pow and their kin: the same bits wherever an element stands, in vector code, in its rest and in scalar code, and close to the truth.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/device_test.h"
#include "support/libdevice.h"

namespace cuttle {
namespace {

class VectorMath : public test::OnEveryDevice {
 protected:
  void SetUp() override {
    OnEveryDevice::SetUp();
    if (on_gpu() && !IsSkipped() && test::libdevice().empty()) GTEST_SKIP() << "the bounds are libdevice's: " << test::no_libdevice;
  }
};
CUTTLE_ON_EVERY_DEVICE(VectorMath);

auto functions = CUTTLE_KERNEL([](auto x, int n, auto y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[5 * i] = sin(x[i]);
  y[5 * i + 1] = cos(x[i]);
  y[5 * i + 2] = exp(x[i]);
  y[5 * i + 3] = log(x[i]);
  y[5 * i + 4] = pow(x[i], x[i]);
});

template <class T>
std::vector<T> arguments() {
  std::vector<T> x;
  for (int i = 0; i < 1000; ++i) x.push_back(static_cast<T>(0.001 + 0.037 * i));
  for (int i = 0; i < 200; ++i) x.push_back(static_cast<T>(-20 + 0.1 * i));
  constexpr T infinity = std::numeric_limits<T>::infinity();
  x.insert(x.end(),
           {T(0), T(-0.0), infinity, -infinity, std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::denorm_min(), T(1e30), T(-1e30)});
  return x;
}

template <class T>
std::vector<T> results(const std::vector<T>& x, int block) {
  const int n = static_cast<int>(x.size());
  Array<T> y(5 * n);
  functions[{.grid = (n + block - 1) / block, .block = block}](Array<T>(x), n, y);
  return y.to_vector();
}

template <class T>
void expect_same_bits_in_every_block() {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const auto x = arguments<T>();
  const auto reference = results(x, 256);
  for (const int block : {1, 3, 7, 16, 29, 1024}) {
    const auto y = results(x, block);
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (std::isnan(y[i]) && std::isnan(reference[i])) continue;
      ASSERT_EQ(std::bit_cast<Bits>(y[i]), std::bit_cast<Bits>(reference[i])) << "function " << i % 5 << " of " << x[i / 5] << ", block " << block;
    }
  }
}

TEST_P(VectorMath, GivesTheSameBitsWhereverAnElementStands) {
  expect_same_bits_in_every_block<float>();
  expect_same_bits_in_every_block<double>();
}

// Of T: how far `value` is from `truth` in units of the last place.
template <class T>
double units_off(T value, long double truth) {
  const T rounded = static_cast<T>(truth);
  if (std::isnan(rounded)) return std::isnan(value) ? 0 : 1e9;
  if (std::isinf(rounded) || std::isinf(value)) return value == rounded ? 0 : 1e9;
  const T magnitude = std::max(std::abs(rounded), std::numeric_limits<T>::min());
  return static_cast<double>(std::abs(static_cast<long double>(value) - truth) /
                             (std::nextafter(magnitude, std::numeric_limits<T>::infinity()) - magnitude));
}

template <class T>
void expect_close_to_the_truth(double units) {
  const auto x = arguments<T>();
  const auto y = results(x, 256);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto value = static_cast<long double>(x[i]);
    const long double truths[] = {std::sin(value), std::cos(value), std::exp(value), std::log(value), std::pow(value, value)};
    for (std::size_t f = 0; f < 5; ++f) EXPECT_LE(units_off(y[5 * i + f], truths[f]), units) << "function " << f << " of " << x[i];
  }
}

TEST_P(VectorMath, IsAccurateToFewUnitsInTheLastPlace) {
  expect_close_to_the_truth<float>(on_gpu() ? 8 : 4.5);   // on a GPU libdevice's pow
  expect_close_to_the_truth<double>(on_gpu() ? 8 : 4.5);  // on a GPU libdevice's pow
}

auto mixed = CUTTLE_KERNEL([](view<const double> x, int n, view<float> y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = expf(static_cast<float>(x[i])) + static_cast<float>(tanh(x[i]));
});

TEST_P(VectorMath, WorksInLoopsOfTwoWidths) {
  const int n = 1001;
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = -3 + 0.006 * i;
  Array<float> y(n);
  mixed[{.grid = 4, .block = 256}](Array<double>(x), n, y);
  const auto result = y.to_vector();
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(result[i], std::exp(x[i]) + std::tanh(x[i]), 1e-5 * std::exp(x[i]));
}

}  // namespace
}  // namespace cuttle
