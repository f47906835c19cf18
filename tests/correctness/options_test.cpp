// Kernels with options, launched: what they compute, which launches are refused, and that each is compiled for itself.

#include <limits>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::block;
using cuttle::Kernel;
using cuttle::LaunchError;

class WithOptions : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(WithOptions);

auto residual = CUTTLE_KERNEL([](auto x, auto y) { y[0] = x[0] * x[0] - x[1]; });

// 1 + 2^-12 squared is 1 + 2^-11 + 2^-24, whose last bit a float has not: only a product that is not rounded leaves it.
TEST_P(WithOptions, ContractionDecidesWhetherAProductIsRounded) {
  const float a = 1.0f + 0x1p-12f;
  const Array<float> x({a, 1.0f + 0x1p-11f});
  Array<float> y(1);
  residual[{1, 1}](x, y);
  EXPECT_EQ(y.item(), 0x1p-24f);
  residual.with({.contract = false})[{1, 1}](x, y);
  EXPECT_EQ(y.item(), 0.0f);
  residual[{1, 1}](x, y);
  EXPECT_EQ(y.item(), 0x1p-24f);
}

TEST_P(WithOptions, DenormalsStayUnlessFlushed) {
  auto halve = CUTTLE_KERNEL([](auto x) { x[0] = x[0] * 0.5f; });
  const float least = std::numeric_limits<float>::min();
  Array<float> x({least});
  halve[{1, 1}](x);
  EXPECT_EQ(x.item(), least / 2);
  if (!on_gpu()) GTEST_SKIP() << "the CPU device keeps denormals (docs/semantics.md)";
  x.copy_from(std::vector<float>{least});
  halve.with({.flush_denormals = true})[{1, 1}](x);
  EXPECT_EQ(x.item(), 0.0f);
}

TEST_P(WithOptions, EachChoiceIsCompiledOnceAndFoundAgain) {
  auto kernel = CUTTLE_KERNEL([](auto x) { x[0] += 17; });
  Array<int> x({0});
  const auto before = cuttle::stats().compilations;
  const auto fast = kernel.with({.fast_math = true});
  const auto bounded = kernel.with({.launch_bounds = {64}});
  for (int round = 0; round < 3; ++round) {
    kernel[{1, 1}](x);
    fast[{1, 1}](x);
    bounded[{1, 1}](x);
    kernel.with({.launch_bounds = {64}})[{1, 1}](x);
    kernel.with({.name = "seventeen"})[{1, 1}](x);
  }
  EXPECT_EQ(x.item(), 17 * 15);
  EXPECT_EQ(cuttle::stats().compilations - before, 4u);
}

TEST_P(WithOptions, AnErasedKernelKeepsThem) {
  auto kernel = CUTTLE_KERNEL([](auto x) { x[0] += 18; });
  Array<int> x({0});
  const Kernel named = kernel.with({.name = "eighteen"});
  named[{1, 1}](x);
  const auto before = cuttle::stats().compilations;
  kernel.with({.name = "eighteen"})[{1, 1}](x);
  Kernel(kernel).with({.name = "eighteen"})[{1, 1}](x);
  EXPECT_EQ(cuttle::stats().compilations, before);
  EXPECT_EQ(named.inspect(cuttle::sm(90), x).entry().rfind("eighteen_", 0), 0u);
}

TEST_P(WithOptions, CapturedValuesStayWithThem) {
  const int step = 3;
  auto kernel = CUTTLE_KERNEL_WITH((step), [](auto x) { x[0] += step; });
  Array<int> x({0});
  kernel.with({.max_registers = 32})[{1, 1}](x);
  Kernel(kernel).with({.max_registers = 32})[{1, 1}](x);
  EXPECT_EQ(x.item(), 6);
}

TEST_P(WithOptions, ABlockLargerThanTheLaunchBoundsIsRefused) {
  auto kernel = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] = 1; }).with({.launch_bounds = {.max_threads = 64}});
  Array<int> x(128);
  kernel[{1, 64}](x);
  try {
    kernel[{1, 65}](x);
    FAIL() << "no LaunchError";
  } catch (const LaunchError& error) {
    EXPECT_NE(std::string(error.what()).find("threads of a block 65; 64 is the most"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("launch_bounds"), std::string::npos) << error.what();
  }
  EXPECT_THROW((kernel[{1, {16, 8}}](x)), LaunchError);
}

TEST_P(WithOptions, LaunchesOverACountStayWithinTheBounds) {
  auto kernel = CUTTLE_KERNEL([](auto x) {
    const auto i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < x.size()) x[i] = static_cast<int>(blockDim.x);
  });
  Array<int> x(1000);
  kernel.with({.launch_bounds = {32}}).over(1000)(x);
  EXPECT_EQ(x.to_vector(), std::vector<int>(1000, 32));
}

TEST_P(WithOptions, StaticBlockSizesBecomeLaunchBounds) {
  auto kernel = CUTTLE_KERNEL([](auto x) { x[threadIdx.y * blockDim.x + threadIdx.x] = static_cast<int>(blockDim.x); });
  Array<int> x(128);
  const auto before = cuttle::stats().compilations;
  kernel[{.grid = 1, .block = block<128>}](x);
  EXPECT_EQ(x.to_vector(), std::vector<int>(128, 128));
  kernel[{1, block<64, 2>}](x);
  EXPECT_EQ(x.to_vector(), std::vector<int>(128, 64));
  EXPECT_EQ(cuttle::stats().compilations - before, 1u) << "both have 128 threads";
  kernel[{1, 128}](x);
  EXPECT_EQ(cuttle::stats().compilations - before, 2u) << "no bounds";
  kernel.with({.launch_bounds = {128}})[{1, 128}](x);
  EXPECT_EQ(cuttle::stats().compilations - before, 2u) << "the bounds of block<128>";
  EXPECT_THROW((kernel.with({.launch_bounds = {32}})[{1, block<64>}](x)), LaunchError);
}

TEST_P(WithOptions, LineInfoChangesNoResult) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto n) {
                  __shared__ float tile[64];
                  tile[threadIdx.x] = x[threadIdx.x];
                  __syncthreads();
                  float sum = 0;
                  for (int i = 0; i < n; ++i) sum += tile[i];
                  x[threadIdx.x] = sum + __shfl_xor_sync(0xffffffff, sum, 1);
                }).with({.line_info = true});
  Array<float> x(std::vector<float>(64, 1.0f));
  kernel[{1, 64}](x, 64);
  EXPECT_EQ(x.to_vector(), std::vector<float>(64, 128.0f));
}

}  // namespace
