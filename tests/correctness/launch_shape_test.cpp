// Launches over shapes, with clusters, cooperative ones, and what the GPU says of a kernel.

#include <cstdint>
#include <vector>

#include "support/device_test.h"

namespace {

class LaunchShapes : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(LaunchShapes);

using cuttle::Array;

const auto count_visits = CUTTLE_KERNEL([](cuttle::view<int, 3> visits) {
  const auto x = blockIdx.x * blockDim.x + threadIdx.x;
  const auto y = blockIdx.y * blockDim.y + threadIdx.y;
  const auto z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < visits.shape(2) && y < visits.shape(1) && z < visits.shape(0)) visits(z, y, x) += 1;
});

const auto set_one = CUTTLE_KERNEL([](cuttle::view<int> x) {
  const auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size()) x[i] = 1;
});

TEST_P(LaunchShapes, OverAShapeVisitsEveryElementOnce) {
  const std::vector<cuttle::Dim> shapes = {{1000}, {1, 1000}, {1, 1, 1000}, {37, 19}, {3, 5, 7}, {100, 2, 3}, {1, 1, 1}, {2, 300}, {5, 0, 3}};
  for (const cuttle::Dim& shape : shapes) {
    Array<int, 3> visits = cuttle::zeros<int>(shape.z, shape.y, shape.x);
    count_visits.over(shape)(visits);
    EXPECT_EQ(visits.to_vector(), std::vector<int>(static_cast<std::size_t>(visits.size()), 1)) << shape.x << " " << shape.y << " " << shape.z;
  }
}

TEST_P(LaunchShapes, OfThreadsInBlocksOfAGivenSizeCoverTheShape) {
  using cuttle::threads;
  Array<int, 3> visits = cuttle::zeros<int>(3, 19, 37);
  count_visits[threads({37, 19, 3}, {16, 8, 2})](visits);
  EXPECT_EQ(visits.to_vector(), std::vector<int>(37 * 19 * 3, 1));
  Array<int> x = cuttle::zeros<int>(1000);
  set_one[threads(x.size(), cuttle::block<256>)](x);
  EXPECT_EQ(x.to_vector(), std::vector<int>(1000, 1));

  EXPECT_EQ(threads(1000, 256).grid.x, 4);
  EXPECT_EQ(threads(1024, 256).grid.x, 4);
  EXPECT_EQ(threads(1024, 256).block.x, 256);
  EXPECT_EQ(threads(std::int64_t{1} << 40, 1024).grid.x, std::int64_t{1} << 30);
  set_one[threads(0, 256)](x);  // does nothing
  EXPECT_THROW(set_one[threads(-1, 256)](x), cuttle::LaunchError);
  EXPECT_THROW(set_one[threads(1000, 0)](x), cuttle::LaunchError);
}

// numba#9229: the index of a thread went negative past 2^31. All blocks but the last return at once.
TEST_P(LaunchShapes, ThreadsPastTwoToTheThirtyFirstKnowTheirPlace) {
  auto kernel = CUTTLE_KERNEL([](view<unsigned long long> out, unsigned first_block) {
    if (blockIdx.x < first_block) return;
    const auto expected = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (grid<1>() != expected || grid<1, std::uint64_t>() != expected) atomicAdd(&out[0], 1ull);
    atomicMax(&out[1], grid<1, unsigned long long>());
    out[2] = gridsize<1, std::uint64_t>();
  });
  cuttle::Array<unsigned long long> out({0, 0, 0});
  kernel[{.grid = 8388609, .block = 256}](out, 8388600u);
  EXPECT_EQ(out.to_vector(), (std::vector<unsigned long long>{0, 2147483903, 2147483904}));
}

TEST_P(LaunchShapes, OverANegativeCountIsRefused) {
  Array<int> x(1);
  EXPECT_THROW(set_one.over(-1)(x), cuttle::LaunchError);
}

TEST_P(LaunchShapes, ClustersDivideTheGrid) {
  Array<int> x = cuttle::zeros<int>(256);
  EXPECT_THROW((set_one[{.grid = 7, .block = 32, .cluster = 2}](x)), cuttle::LaunchError);
  EXPECT_THROW((set_one[{.grid = 32, .block = 32, .cluster = 32}](x)), cuttle::LaunchError);
  EXPECT_THROW((set_one[{.grid = 8, .block = 32, .cluster = 0}](x)), cuttle::LaunchError);
  if (on_gpu() && cuttle::Device::current().sm() < 90) return;
  set_one[{.grid = 8, .block = 32, .cluster = 4}](x);
  EXPECT_EQ(x.to_vector(), std::vector<int>(256, 1));
}

TEST_P(LaunchShapes, ACooperativeGridRunsWholeOrIsRefused) {
  Array<int> x = cuttle::zeros<int>(32);
  set_one[{.grid = 1, .block = 32, .cooperative = true}](x);
  EXPECT_EQ(x.to_vector(), std::vector<int>(32, 1));
  EXPECT_THROW((set_one[{.grid = 1 << 20, .block = 1024, .cooperative = true}](x)), cuttle::LaunchError);
  x.fill(0);
  set_one[{.grid = 1, .block = 32}](x);
  EXPECT_EQ(x.to_vector(), std::vector<int>(32, 1)) << "the next launch works";
}

TEST_P(LaunchShapes, AnOverlappingLaunchGivesTheSameResult) {
  Array<int> x = cuttle::zeros<int>(32);
  set_one[{.block = 32, .overlap = true}](x);
  EXPECT_EQ(x.to_vector(), std::vector<int>(32, 1));
}

TEST_P(LaunchShapes, BenchmarkTimesALaunch) {
  Array<int> x = cuttle::zeros<int>(1000);
  const cuttle::Benchmark timing = cuttle::benchmark({.repeat = 7, .warm_up = 1}, set_one[{.grid = 4, .block = 256}], x);
  EXPECT_EQ(timing.device.size(), 7u);
  EXPECT_EQ(timing.host.size(), 7u);
  EXPECT_GT(timing.device_median(), 0.0);
  EXPECT_GT(timing.host_median(), 0.0);
  EXPECT_NE(timing.text().find("7 calls"), std::string::npos) << timing.text();
  EXPECT_EQ(x.to_vector(), std::vector<int>(1000, 1));
}

TEST_P(LaunchShapes, TheGpuSaysWhatAKernelTakes) {
  const Array<int> x(1);
  const auto compiled = set_one.inspect<cuttle::view<int>>();
  if (!on_gpu()) {
    EXPECT_THROW(static_cast<void>(compiled.registers()), cuttle::Error);
    return;
  }
  EXPECT_GT(compiled.registers(), 0);
  EXPECT_EQ(compiled.local_bytes(), 0u);
  EXPECT_EQ(compiled.max_threads_per_block(), 1024);
  EXPECT_GT(compiled.occupancy(256), 0.5);
  EXPECT_LE(compiled.occupancy(256), 1.0);
  EXPECT_EQ(compiled.blocks_per_multiprocessor(256, 200 * 1024), 1);
  EXPECT_THROW(static_cast<void>(compiled.occupancy(2000)), cuttle::LaunchError);
}

}  // namespace
