// Options{.check} on the CPU device: each mistake is found where it is made, and its mended twin passes.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cuttle {
namespace {

using Finding = CheckError::Finding;

// What the launch found.
template <class Launching>
std::optional<Finding> finding_of(const Launching& launch) {
  const Use use(Device::cpu());
  try {
    launch();
  } catch (const CheckError& error) {
    EXPECT_NE(std::string(error.what()).find(error.finding().file + ":" + std::to_string(error.finding().line)), std::string::npos) << error.what();
    return error.finding();
  }
  return std::nullopt;
}

template <class Launching>
void expect_clean(const Launching& launch) {
  const Use use(Device::cpu());
  EXPECT_NO_THROW(launch());
}

// The line `offset` below a kernel's first: where the file is not at hand, as for a moved build, all is on the first.
unsigned line_in_kernel(unsigned first, unsigned offset) { return std::filesystem::exists(__FILE__) ? first + offset : first; }

#define EXPECT_FOUND(finding, what, line_, thread_)                                         \
  ASSERT_TRUE(finding.has_value());                                                         \
  EXPECT_EQ(finding->check, what);                                                          \
  EXPECT_EQ(finding->line, line_);                                                          \
  EXPECT_EQ(finding->thread[0], thread_);                                                   \
  EXPECT_NE(finding->file.find("check_test.cpp"), std::string::npos) << finding->file;      \
  EXPECT_NE(finding->kernel.find("check_test"), std::string::npos) << finding->kernel

// ---- bounds --------------------------------------------------------------------------------------------------------------------------

const unsigned line_of_copy = line_in_kernel(__LINE__ + 1, 2);
auto copy = CUTTLE_KERNEL([](auto x, auto y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
});

TEST(Check, FindsAnIndexOutsideOfAView) {
  const Use use(Device::cpu());
  const Array<float> x(100);
  Array<float> y(50);
  const auto found = finding_of([&] { copy.with({.check = true})[{.grid = 4, .block = 32}](x, y, 100); });
  EXPECT_FOUND(found, Check::out_of_bounds, line_of_copy, 18u);
  EXPECT_EQ(found->block[0], 1u);
  EXPECT_EQ(found->argument, 2);
  EXPECT_EQ(found->index, 50);
  expect_clean([&] { copy.with({.check = true})[{.grid = 4, .block = 32}](x, y, 50); });
}

auto set_corner = CUTTLE_KERNEL([](view<int, 2> x, int row, int column) { x(row, column) = 1; });

TEST(Check, FindsAColumnThatLiesInTheNextRow) {
  const Use use(Device::cpu());
  auto x = zeros<int>(4, 5);
  const auto found = finding_of([&] { set_corner.with({.check = true})[{1, 1}](x, 1, 5); });
  EXPECT_FOUND(found, Check::out_of_bounds, found->line, 0u);
  EXPECT_EQ(found->argument, 1);
  EXPECT_EQ(found->index, 5);
  const auto below = finding_of([&] { set_corner.with({.check = true})[{1, 1}](x, -1, 0); });
  ASSERT_TRUE(below.has_value());
  EXPECT_EQ(below->index, -1);
  expect_clean([&] { set_corner.with({.check = true})[{1, 1}](x, 3, 4); });
}

TEST(Check, FindsAnAccessOutsideOfAPartOfAnArray) {
  const Use use(Device::cpu());
  auto x = zeros<float>(100), y = zeros<float>(100);
  const auto found = finding_of([&] { copy.with({.check = true})[{.grid = 1, .block = 32}](x, y.part(10, 20), 11); });
  EXPECT_FOUND(found, Check::out_of_bounds, line_of_copy, 10u);
  EXPECT_EQ(found->argument, 2);
}

const unsigned line_of_fill = line_in_kernel(__LINE__ + 1, 1);
auto fill = CUTTLE_KERNEL([](int* x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = i;
});

TEST(Check, FindsAnAccessOutsideOfThePointersArray) {
  const Use use(Device::cpu());
  Array<int> x(100);
  const auto found = finding_of([&] { fill.with({.check = true})[{.grid = 1, .block = 32}](x.data(), 101); });
  EXPECT_FOUND(found, Check::out_of_bounds, line_of_fill, 4u);
  EXPECT_EQ(found->argument, 1);
  EXPECT_EQ(found->index, 100);
  expect_clean([&] { fill.with({.check = true})[{.grid = 1, .block = 32}](x.data(), 100); });
}

auto shift = CUTTLE_KERNEL([](view<int> y, int by) {
  __shared__ int a[32], b[32];
  int t = threadIdx.x;
  a[t] = t;
  b[t] = -t;
  __syncthreads();
  y[t] = a[t + by] + b[t];
});

TEST(Check, FindsAnAccessOutsideOfASharedArray) {
  const Use use(Device::cpu());
  Array<int> y(32);
  const auto found = finding_of([&] { shift.with({.check = true})[{.grid = 1, .block = 32}](y, 1); });
  EXPECT_FOUND(found, Check::out_of_bounds, found->line, 31u);
  EXPECT_EQ(found->index, 128);
  expect_clean([&] { shift.with({.check = true})[{.grid = 1, .block = 32}](y, 0); });
}

const unsigned line_of_request = line_in_kernel(__LINE__ + 1, 2);
auto two_pieces = CUTTLE_KERNEL([](view<int> y, int n) {
  int* first = dynamic_shared<int>(32);
  int* second = dynamic_shared<int>(n);
  first[threadIdx.x] = threadIdx.x;
  if (static_cast<int>(threadIdx.x) < n) second[threadIdx.x] = 1;
  y[threadIdx.x] = first[threadIdx.x];
});
auto extern_array = CUTTLE_KERNEL([](view<int> y, int n) {
  __shared__ int before[32];
  extern __shared__ int words[];
  before[threadIdx.x] = threadIdx.x;
  words[threadIdx.x] = before[threadIdx.x];
  words[n] = 7;
  y[threadIdx.x] = words[threadIdx.x];
});

TEST(Check, FindsDynamicSharedMemoryThatTheLaunchDoesNotGive) {
  const Use use(Device::cpu());
  Array<int> y(32);
  const auto asked = finding_of([&] { two_pieces.with({.check = true})[{.grid = 2, .block = 32, .shared = 252}](y, 32); });
  EXPECT_FOUND(asked, Check::out_of_bounds, line_of_request, 0u);
  EXPECT_EQ(asked->index, 256);
  expect_clean([&] { two_pieces.with({.check = true})[{.grid = 1, .block = 32, .shared = 256}](y, 32); });
  const auto written = finding_of([&] { extern_array.with({.check = true})[{.grid = 1, .block = 32, .shared = 132}](y, 33); });
  EXPECT_FOUND(written, Check::out_of_bounds, written->line, 0u);
  EXPECT_EQ(written->index, 132);
  expect_clean([&] { extern_array.with({.check = true})[{.grid = 1, .block = 32, .shared = 132}](y, 32); });
}

const unsigned line_of_local_write = line_in_kernel(__LINE__ + 1, 2);
auto squares = CUTTLE_KERNEL([](view<int> y, int n, int at) {
  int local[8] = {};
  for (int i = 0; i < n; ++i) local[i] = i * i;
  y[threadIdx.x] = local[at];
});

TEST(Check, FindsAnAccessOutsideOfALocalArray) {
  const Use use(Device::cpu());
  Array<int> y(4);
  const auto written = finding_of([&] { squares.with({.check = true})[{1, 4}](y, 9, 0); });
  EXPECT_FOUND(written, Check::out_of_bounds, line_of_local_write, 0u);
  EXPECT_EQ(written->index, 32);
  const auto read = finding_of([&] { squares.with({.check = true})[{1, 4}](y, 8, -1); });
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->index, -4);
  expect_clean([&] { squares.with({.check = true})[{1, 4}](y, 8, 7); });
  EXPECT_EQ(y.to_vector(), std::vector<int>(4, 49));
}

TEST(Check, FindsTheUseOfAFreedArray) {
  const Use use(Device::cpu());
  const auto checked = fill.with({.check = true});
  Array<int> kept(100);
  expect_clean([&] { checked[{1, 32}](kept.data(), 100); });
  int* dangling = nullptr;
  {
    Array<int> freed(100);
    dangling = freed.data();
  }
  const auto found = finding_of([&] { checked[{1, 32}](dangling, 100); });
  EXPECT_FOUND(found, Check::freed_array, line_of_fill, 0u);
  EXPECT_EQ(found->argument, 1);
}

// ---- barriers and races --------------------------------------------------------------------------------------------------------------

const unsigned line_of_first_barrier = line_in_kernel(__LINE__ + 1, 2);
auto part_at_barrier = CUTTLE_KERNEL([](view<int> y, int limit) {
  y[threadIdx.x] = 0;
  if (static_cast<int>(threadIdx.x) < limit) __syncthreads();
  y[threadIdx.x] += 1;
  __syncthreads();
  y[threadIdx.x] += 1;
});

TEST(Check, FindsABarrierThatNotAllThreadsReach) {
  const Use use(Device::cpu());
  Array<int> y(64);
  const auto found = finding_of([&] { part_at_barrier.with({.check = true})[{1, 64}](y, 16); });
  EXPECT_FOUND(found, Check::divergent_barrier, line_of_first_barrier, 0u);
  expect_clean([&] { part_at_barrier.with({.check = true})[{1, 64}](y, 64); });
}

auto return_early = CUTTLE_KERNEL([](view<int> y, int n) {
  if (static_cast<int>(threadIdx.x) >= n) return;
  y[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] += y[n - 1 - threadIdx.x] * 0;
});

TEST(Check, LetsThreadsReturnBeforeABarrier) {
  const Use use(Device::cpu());
  Array<int> y(64);
  const auto found = finding_of([&] { return_early.with({.check = true})[{1, 64}](y, 48); });
  EXPECT_TRUE(!found || found->check == Check::race);  // the last line reads what others write
}

const unsigned line_of_reversed_read = line_in_kernel(__LINE__ + 1, 6);
auto reverse = CUTTLE_KERNEL([](view<const int> x, view<int> y, bool wait) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[63 - t] = x[t];
  if (wait) __syncthreads();
  int mirrored = 0;
  mirrored = tile[t];
  y[t] = mirrored;
});

TEST(Check, FindsAReadOfSharedMemoryThatRacesWithAWrite) {
  const Use use(Device::cpu());
  const auto x = arange<int>(64);
  Array<int> y(64);
  const auto found = finding_of([&] { reverse.with({.check = true})[{1, 64}](x, y, false); });
  EXPECT_FOUND(found, Check::race, line_of_reversed_read, found->thread[0]);
  expect_clean([&] { reverse.with({.check = true})[{1, 64}](x, y, true); });
}

auto sum_without_last_barrier = CUTTLE_KERNEL([](view<const int> x, view<int> y, bool wait) {
  __shared__ int partial[64];
  int t = threadIdx.x;
  partial[t] = x[t];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    if (wait || half != 16) __syncthreads();
  }
  if (t == 0) y[0] = partial[0];
});

TEST(Check, FindsTheOneBarrierThatAReductionLacks) {
  const Use use(Device::cpu());
  const auto x = arange<int>(64);
  Array<int> y(1);
  const auto found = finding_of([&] { sum_without_last_barrier.with({.check = true})[{1, 64}](x, y, false); });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->check, Check::race);
  expect_clean([&] { sum_without_last_barrier.with({.check = true})[{1, 64}](x, y, true); });
  EXPECT_EQ(y.item(), 64 * 63 / 2);
}

auto sum_of_warp = CUTTLE_KERNEL([](view<int> y, bool wait) {
  __shared__ int partial[64];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  partial[t] = t;
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    if (lane < half) partial[t] += partial[t + half];
    if (wait) __syncwarp();
  }
  if (lane == 0) y[warp] = partial[t];
});

TEST(Check, KnowsThatAWarpsBarrierOrdersItsLanes) {
  const Use use(Device::cpu());
  Array<int> y(2);
  expect_clean([&] { sum_of_warp.with({.check = true})[{1, 64}](y, true); });
  EXPECT_EQ(y.to_vector(), (std::vector{31 * 16, 31 * 16 + 32 * 32}));
  const auto found = finding_of([&] { sum_of_warp.with({.check = true})[{1, 64}](y, false); });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->check, Check::race);
}

// As it was written before sm_70, when the lanes of a warp ran in step.
auto sum_by_volatile = CUTTLE_KERNEL([](view<int> y, bool wait) {
  __shared__ int partial[64];
  int t = threadIdx.x;
  partial[t] = t;
  __syncthreads();
  if (t < 32) {
    volatile int* p = partial;
    for (int half = 32; half > 0; half /= 2) {
      int other = p[t + half];
      if (wait) __syncwarp();
      p[t] = p[t] + other;
      if (wait) __syncwarp();
    }
  }
  if (t == 0) y[0] = partial[0];
});

TEST(Check, KnowsThatVolatileDoesNotOrderTheLanesOfAWarp) {
  const Use use(Device::cpu());
  Array<int> y(1);
  const auto found = finding_of([&] { sum_by_volatile.with({.check = true})[{1, 64}](y, false); });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->check, Check::race);
  expect_clean([&] { sum_by_volatile.with({.check = true})[{1, 64}](y, true); });
  EXPECT_EQ(y.item(), 64 * 63 / 2);
}

// A sum of the first lanes: from the middle on they read lanes that take no part, of which the first one's sum has nothing.
const unsigned line_of_shuffle = line_in_kernel(__LINE__ + 1, 4);
auto sum_of_lanes = CUTTLE_KERNEL([](view<double> y, int lanes, int first_step) {
  const int t = threadIdx.x;
  if (t >= lanes) return;
  double sum = t;
  for (int step = first_step; step > 0; step /= 2) sum += __shfl_down_sync((1u << lanes) - 1, sum, step);
  if (t == 0) y[0] = sum;
});
auto greatest_of_lanes = CUTTLE_KERNEL([](view<int> y, int lanes) {
  const int t = threadIdx.x;
  if (t >= lanes) return;
  int greatest = t, at = t;
  for (int step = 8; step > 0; step /= 2) {
    const int other = __shfl_xor_sync(0xffff, greatest, step), other_at = __shfl_xor_sync(0xffff, at, step);
    if (other > greatest) {
      greatest = other;
      at = other_at;
    }
  }
  y[t] = at;
});

TEST(Check, FindsAShuffleFromALaneThatTakesNoPart) {
  const Use use(Device::cpu());
  auto y = zeros<double>(1);
  const auto found = finding_of([&] { sum_of_lanes.with({.check = true})[{1, 32}](y, 16, 16); });
  EXPECT_FOUND(found, Check::inactive_lane, line_of_shuffle, 0u);
  EXPECT_EQ(found->index, 16);
  const auto passed_on = finding_of([&] { sum_of_lanes.with({.check = true})[{1, 32}](y, 15, 8); });
  EXPECT_FOUND(passed_on, Check::inactive_lane, line_of_shuffle, 7u);  // lane 7 got it, and lane 0 has it from there
  expect_clean([&] { sum_of_lanes.with({.check = true})[{1, 32}](y, 16, 8); });
  EXPECT_EQ(y.item(), 16 * 15 / 2);
  Array<int> at(16);
  const auto compared = finding_of([&] { greatest_of_lanes.with({.check = true})[{1, 32}](at, 12); });
  ASSERT_TRUE(compared.has_value());
  EXPECT_EQ(compared->check, Check::inactive_lane);
  expect_clean([&] { greatest_of_lanes.with({.check = true})[{1, 32}](at, 16); });
  EXPECT_EQ(at.to_vector(), std::vector<int>(16, 15));
}

auto count = CUTTLE_KERNEL([](view<int> counter, bool atomic) {
  if (atomic) {
    atomicAdd(&counter[0], 1);
  } else {
    counter[0] += 1;
  }
});

TEST(Check, FindsAnUpdateByTwoBlocksThatIsNotAtomic) {
  const Use use(Device::cpu());
  auto counter = zeros<int>(1);
  const auto found = finding_of([&] { count.with({.check = true})[{4, 1}](counter, false); });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->check, Check::race);
  EXPECT_EQ(found->block[0], 1u);
  EXPECT_EQ(found->argument, 1);
  counter.fill(0);
  expect_clean([&] { count.with({.check = true})[{4, 32}](counter, true); });
  EXPECT_EQ(counter.item(), 128);
}

auto last_block_sums = CUTTLE_KERNEL([](view<int> partial, view<unsigned> finished, view<int> sum, bool fence) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x + 1;
    if (fence) __threadfence();
    is_last = atomicAdd(&finished[0], 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
    sum[0] = total;
  }
});

TEST(Check, KnowsThatAFenceAndAnAtomicOrderBlocks) {
  const Use use(Device::cpu());
  Array<int> partial(8), sum(1);
  auto finished = zeros<unsigned>(1);
  expect_clean([&] { last_block_sums.with({.check = true})[{8, 32}](partial, finished, sum, true); });
  EXPECT_EQ(sum.item(), 36);
  finished.fill(0);
  const auto found = finding_of([&] { last_block_sums.with({.check = true})[{8, 32}](partial, finished, sum, false); });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->check, Check::race);
}

auto raise_flag = CUTTLE_KERNEL([](view<const int> x, view<int> found, view<int> places) {
  __shared__ int any;
  if (threadIdx.x == 0) any = 0;
  __syncthreads();
  if (x[threadIdx.x] > 0) any = 1;
  __syncthreads();
  found[blockIdx.x] = any;
  places[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
});

TEST(Check, AllowsManyThreadsToWriteOneValue) {
  const Use use(Device::cpu());
  const auto x = arange<int>(64);
  Array<int> found(2), places(128);
  expect_clean([&] { raise_flag.with({.check = true})[{2, 64}](x, found, places); });
}

// One step of Floyd and Warshall's shortest paths: row and column k are read by all and written by their own threads, with what they have.
auto shortest_paths = CUTTLE_KERNEL([](view<int, 2> distance, int k, int at_k) {
  const int i = threadIdx.y, j = threadIdx.x;
  if (at_k != 0 && i == k && j == k) distance(k, k) = at_k;
  distance(i, j) = min(distance(i, j), distance(i, k) + distance(k, j));
});

TEST(Check, AllowsAnInPlaceWriteOfWhatIsThere) {
  const Use use(Device::cpu());
  Array<int, 2> distance{{0, 5, 1}, {7, 0, 2}, {4, 1, 0}};
  expect_clean([&] {
    for (int k = 0; k < 3; ++k) shortest_paths.with({.check = true})[{.grid = 1, .block = {3, 3}}](distance, k, 0);
  });
  EXPECT_EQ(distance.to_vector(), (std::vector{0, 2, 1, 6, 0, 2, 4, 1, 0}));
  const auto found = finding_of([&] { shortest_paths.with({.check = true})[{.grid = 1, .block = {3, 3}}](distance, 1, 1); });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->check, Check::race);
}

auto halves_meet = CUTTLE_KERNEL([](view<int> x, view<int> y, bool wait) {
  const int t = threadIdx.x;
  if (t < 16) {
    x[t] = t;
    if (wait) __syncwarp();
  } else {
    if (wait) __syncwarp();
    y[t] = x[t - 16];
  }
});

TEST(Check, KnowsThatLanesOfOneMaskMeetAtTwoPlaces) {
  const Use use(Device::cpu());
  Array<int> x(16), y(32);
  expect_clean([&] { halves_meet.with({.check = true})[{1, 32}](x, y, true); });
  EXPECT_EQ(y.to_vector()[31], 15);
  const auto found = finding_of([&] { halves_meet.with({.check = true})[{1, 32}](x, y, false); });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->check, Check::race);
}

auto read_unwritten = CUTTLE_KERNEL([](view<int> y, int written) {
  int* shared_words = dynamic_shared<int>(32);
  int t = threadIdx.x;
  if (t < written) shared_words[t] = t;
  __syncthreads();
  y[t] = shared_words[t];
});

TEST(Check, FindsAReadOfSharedMemoryThatNothingWasWrittenTo) {
  const Use use(Device::cpu());
  Array<int> y(32);
  const auto found = finding_of([&] { read_unwritten.with({.check = true})[{.grid = 1, .block = 32, .shared = 128}](y, 31); });
  EXPECT_FOUND(found, Check::uninitialised, found->line, 31u);
  expect_clean([&] { read_unwritten.with({.check = true})[{.grid = 1, .block = 32, .shared = 128}](y, 32); });
}

// ---- waits ---------------------------------------------------------------------------------------------------------------------------

auto add_under_lock = CUTTLE_KERNEL([](view<int> lock, view<int> sum, int rounds) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock[0], 0, 1) == 0) {
      *(volatile int*)&sum[0] = *(volatile int*)&sum[0] + 1;
      done = true;
      if (rounds == 0) {
        __threadfence();
        atomicExch(&lock[0], 0);
      }
    }
  }
  for (int i = 0; i < rounds; ++i) atomicAdd(&sum[0], 0);
  if (rounds > 0) atomicExch(&lock[0], 0);
});

TEST(Check, FindsAWaitForAThreadThatRunsOnlyBehindIt) {
  const Use use(Device::cpu());
  auto lock = zeros<int>(1), sum = zeros<int>(1);
  expect_clean([&] { add_under_lock.with({.check = true})[{2, 32}](lock, sum, 0); });
  EXPECT_EQ(sum.item(), 64);
  const auto found = finding_of([&] { add_under_lock.with({.check = true})[{1, 32}](lock, sum, 5); });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->check, Check::endless_wait);
  EXPECT_EQ(found->argument, 1);
}

// ---- divisions -----------------------------------------------------------------------------------------------------------------------

const unsigned line_of_division = line_in_kernel(__LINE__ + 1, 0);
auto divide = CUTTLE_KERNEL([](view<const int> a, view<const int> b, view<int> y) { y[threadIdx.x] = a[threadIdx.x] / b[threadIdx.x]; });

TEST(Check, FindsADivisionByZero) {
  const Use use(Device::cpu());
  const Array<int> a{6, 7, 8}, zero{1, 0, 2}, minus_one{1, 2, -1}, smallest{1, 2, INT32_MIN};
  Array<int> y(3);
  const auto found = finding_of([&] { divide.with({.check = true})[{1, 3}](a, zero, y); });
  EXPECT_FOUND(found, Check::division, line_of_division, 1u);
  const auto overflow = finding_of([&] { divide.with({.check = true})[{1, 3}](smallest, minus_one, y); });
  EXPECT_FOUND(overflow, Check::division, line_of_division, 2u);
  expect_clean([&] { divide.with({.check = true})[{1, 3}](a, minus_one, y); });
  EXPECT_EQ(y.to_vector(), (std::vector{6, 3, -8}));
}

const unsigned line_of_trap = line_in_kernel(__LINE__ + 1, 1);
auto trap_at = CUTTLE_KERNEL([](view<int> y, int thread) {
  if (static_cast<int>(threadIdx.x) == thread) __trap();
  y[threadIdx.x] = 1;
});

TEST(Check, SaysWhereATrapStands) {
  const Use use(Device::cpu());
  Array<int> y(8);
  const auto found = finding_of([&] { trap_at.with({.check = true})[{1, 8}](y, 5); });
  EXPECT_FOUND(found, Check::trap, line_of_trap, 5u);
  expect_clean([&] { trap_at.with({.check = true})[{1, 8}](y, 8); });
}

}  // namespace
}  // namespace cuttle
