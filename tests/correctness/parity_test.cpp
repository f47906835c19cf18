// What the tests of cupyx.jit check and no other file here does (docs/parity.md has the whole list).

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "support/device_test.h"

CUTTLE_DEVICE(
    // Changes its own copies of the arguments only.
    inline int shifted_sum(int a, int b) {
      a += 10;
      b *= 2;
      return a + b;
    }
    template <int n>
    int add_constant(int x) { return x + n; }
    // Halves the distance until it is 1, at compile time: a tree in 2 * half elements of shared memory.
    template <int half>
    void tree_sum(float* values) {
      using namespace cuttle::dsl;
      if (static_cast<int>(threadIdx.x) < half) values[threadIdx.x] += values[threadIdx.x + half];
      __syncthreads();
      if constexpr (half > 1) tree_sum<half / 2>(values);
    }
    inline int next_index(int* calls, int i) {
      cuttle::dsl::atomicAdd(calls, 1);
      return i;
    });

namespace {

class Parity : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Parity);

std::vector<int> numbers(int n) {
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

auto copy_1d = CUTTLE_KERNEL([](auto x, auto y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size()) y[i] = x[i];
});
auto copy_2d = CUTTLE_KERNEL([](auto x, auto y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < x.shape(0) && j < x.shape(1)) y(i, j) = x(i, j);
});
auto copy_3d = CUTTLE_KERNEL([](auto x, auto y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < x.shape(0) && j < x.shape(1) && k < x.shape(2)) y(i, j, k) = x(i, j, k);
});

TEST_P(Parity, ThreadsOfGridsOfOneTwoAndThreeDimensionsCopyEachElement) {
  const std::vector<int> values = numbers(7 * 11 * 5);
  cuttle::Array<int> x1(values), y1(7 * 11 * 5);
  copy_1d[{.grid = 13, .block = 32}](x1, y1);
  EXPECT_EQ(y1.to_vector(), values);
  cuttle::Array<int, 2> x2(values, 35, 11), y2(35, 11);
  copy_2d[{.grid = {9, 3}, .block = {4, 4}}](x2, y2);
  EXPECT_EQ(y2.to_vector(), values);
  cuttle::Array<int, 3> x3(values, 7, 11, 5), y3(7, 11, 5);
  copy_3d[{.grid = {4, 3, 2}, .block = {2, 4, 3}}](x3, y3);
  EXPECT_EQ(y3.to_vector(), values);
}

auto sizes_of_the_grid = CUTTLE_KERNEL([](unsigned* out) {
  if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z == 0) {
    out[0] = gridDim.x * blockDim.x, out[1] = gridDim.y * blockDim.y, out[2] = gridDim.z * blockDim.z;
  }
});

TEST_P(Parity, TheGridKnowsItsSizes) {
  cuttle::Array<unsigned> out(3);
  sizes_of_the_grid[{.grid = {3, 2, 5}, .block = {4, 8, 2}}](out);
  EXPECT_EQ(out.to_vector(), (std::vector<unsigned>{12, 16, 10}));
}

auto describe = CUTTLE_KERNEL([](auto x, std::int64_t* out) {
  out[0] = x.ndim;
  out[1] = x.size();
  for (int d = 0; d < x.ndim; ++d) out[2 + 2 * d] = x.shape(d), out[3 + 2 * d] = x.stride(d);
});

TEST_P(Parity, ViewsKnowDimensionsShapeAndStrides) {
  cuttle::Array<std::int64_t> out(16);
  cuttle::Array<int, 7> seven(1, 2, 1, 3, 1, 2, 1);
  describe[{1, 1}](seven, out);
  const std::vector<std::int64_t> of_seven = out.to_vector();
  EXPECT_EQ(of_seven[0], 7);
  EXPECT_EQ(of_seven[1], 12);
  cuttle::Array<int, 2> plane(3, 4);
  describe[{1, 1}](plane.transpose(), out);
  std::vector<std::int64_t> of_plane = out.to_vector();
  of_plane.resize(6);
  EXPECT_EQ(of_plane, (std::vector<std::int64_t>{2, 12, 4, 1, 3, 4}));
}

auto copy_element = CUTTLE_KERNEL([](auto x, auto y) { y() = x(); });

TEST_P(Parity, AnArrayWithoutDimensionsIsReadAndWritten) {
  cuttle::Array<int, 0> x = cuttle::full(42), y = cuttle::full(0);
  copy_element[{1, 1}](x, y);
  EXPECT_EQ(y.item(), 42);
}

auto control_flow = CUTTLE_KERNEL([](auto x, auto y) {
  const int i = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int j = 0; j < 10; ++j) {
    if (j == x[i]) continue;
    if (j > 7) break;
    sum += j;
  }
  int k = 0;
  while (true) {
    if (++k > x[i]) break;
    if (k % 2 == 0) continue;
    sum += 100;
  }
  y[i] = sum;
  if (sum > 300) return;
  y[i] += 1000000;
});

TEST_P(Parity, LoopsContinueBreakAndReturn) {
  cuttle::Array<int> y(12);
  control_flow[{1, 12}](cuttle::Array<int>(numbers(12)), y);
  std::vector<int> expected;
  for (int v = 0; v < 12; ++v) {
    const int sum = 28 - (v <= 7 ? v : 0) + (v + 1) / 2 * 100;
    expected.push_back(sum > 300 ? sum : sum + 1000000);
  }
  EXPECT_EQ(y.to_vector(), expected);
}

auto halves_meet = CUTTLE_KERNEL([](int* x, unsigned mask) {
  const unsigned t = threadIdx.x;
  if ((mask >> t & 1) == 0) return;
  if (t < 16) {
    x[t] = static_cast<int>(t);
    __syncwarp(mask);
  } else {
    __syncwarp(mask);
    x[t] = x[t - 16];
  }
});

TEST_P(Parity, SyncwarpJoinsDivergedLanesOfAnyMask) {
  for (int m = 17; m <= 32; ++m) {
    cuttle::Array<int> x(32);
    x.fill(-1);
    halves_meet[{1, 32}](x, static_cast<unsigned>((std::uint64_t{1} << m) - 1));
    std::vector<int> expected(32, -1);
    for (int t = 0; t < m; ++t) expected[t] = t % 16;
    EXPECT_EQ(x.to_vector(), expected) << m;
  }
}

auto exchange_through_global_memory = CUTTLE_KERNEL([](auto x, auto y) {
  const unsigned t = threadIdx.x;
  y[t] = x[t];
  __syncthreads();
  const int other = y[blockDim.x - 1 - t];
  __syncthreads();
  y[t] = other;
});

TEST_P(Parity, SyncthreadsOrdersGlobalMemory) {
  cuttle::Array<int> y(200);
  exchange_through_global_memory[{1, 200}](cuttle::Array<int>(numbers(200)), y);
  std::vector<int> expected = numbers(200);
  std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(y.to_vector(), expected);
}

auto fill_two_bins = CUTTLE_KERNEL([](auto x, auto bins) { atomicAdd(&bins[threadIdx.x % 2], x[threadIdx.x]); });

template <class T>
void expect_bins() {
  std::vector<T> values;
  T even = 0, odd = 0;
  for (int i = 0; i < 128; ++i) {
    values.push_back(static_cast<T>(i % 7));
    (i % 2 == 0 ? even : odd) += values.back();
  }
  cuttle::Array<T> bins = cuttle::zeros<T>(2);
  fill_two_bins[{1, 128}](cuttle::Array<T>(values), bins);
  EXPECT_EQ(bins.to_vector(), (std::vector<T>{even, odd}));
}

TEST_P(Parity, AtomicAddFillsAHistogramOfEveryType) {
  expect_bins<std::int32_t>();
  expect_bins<std::uint32_t>();
  expect_bins<std::int64_t>();
  expect_bins<std::uint64_t>();
  expect_bins<float>();
  expect_bins<double>();
}

auto call_device_functions = CUTTLE_KERNEL([](auto x, auto y, int* calls) {
  const int i = static_cast<int>(threadIdx.x);
  int a = x[i], b = i;
  y[i] = shifted_sum(a, b) + add_constant<1>(a) + add_constant<2>(b) + add_constant<3>(0);
  y[next_index(calls, i)] += 1;
});

TEST_P(Parity, DeviceFunctionsTakeCopiesAndConstantsAndAreCalledOnce) {
  cuttle::Array<int> y(40), calls{0};
  call_device_functions[{1, 40}](cuttle::Array<int>(numbers(40)), y, calls);
  std::vector<int> expected;
  for (int i = 0; i < 40; ++i) expected.push_back(i + 10 + 2 * i + i + 1 + i + 2 + 3 + 1);
  EXPECT_EQ(y.to_vector(), expected);
  EXPECT_EQ(calls.item(), 40);
}

auto sum_by_templates = CUTTLE_KERNEL([](auto x, float* sum) {
  __shared__ float values[256];
  values[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  tree_sum<128>(values);
  if (threadIdx.x == 0) *sum = values[0];
});

TEST_P(Parity, DeviceTemplatesRecurseAtCompileTime) {
  std::vector<float> values;
  for (int i = 0; i < 256; ++i) values.push_back(static_cast<float>(i));
  cuttle::Array<float> sum(1);
  sum_by_templates[{1, 256}](cuttle::Array<float>(values), sum);
  EXPECT_EQ(sum.item(), 255 * 128.0f);
}

auto store_special_values = CUTTLE_KERNEL([](float* f, double* d) {
  f[0] = INFINITY, f[1] = -INFINITY, f[2] = NAN;
  d[0] = std::numeric_limits<double>::infinity(), d[1] = -d[0], d[2] = std::numeric_limits<double>::quiet_NaN();
});

TEST_P(Parity, InfinitiesAndNaNsAreLiterals) {
  cuttle::Array<float> f(3);
  cuttle::Array<double> d(3);
  store_special_values[{1, 1}](f, d);
  const auto floats = f.to_vector();
  const auto doubles = d.to_vector();
  EXPECT_TRUE(std::isinf(floats[0]) && floats[0] > 0 && std::isinf(floats[1]) && floats[1] < 0 && std::isnan(floats[2]));
  EXPECT_TRUE(std::isinf(doubles[0]) && doubles[0] > 0 && std::isinf(doubles[1]) && doubles[1] < 0 && std::isnan(doubles[2]));
}

auto store_scalar = CUTTLE_KERNEL([](auto x, auto y) { y[0] = x; });

template <class T>
void expect_scalar(T value) {
  cuttle::Array<T> y(1);
  store_scalar[{1, 1}](value, y);
  EXPECT_EQ(y.item(), value);
}

TEST_P(Parity, ScalarsOfEveryTypeArrive) {
  expect_scalar(true);
  expect_scalar(std::int8_t{-5});
  expect_scalar(std::uint8_t{250});
  expect_scalar(std::int16_t{-3000});
  expect_scalar(std::uint16_t{60000});
  expect_scalar(-7);
  expect_scalar(4000000000u);
  expect_scalar(std::int64_t{-1} << 50);
  expect_scalar(std::uint64_t{1} << 63);
  expect_scalar(1.5f);
  expect_scalar(0.1);
  expect_scalar(std::complex<float>(1, -2));
  expect_scalar(std::complex<double>(0.1, 3));
}

}  // namespace
