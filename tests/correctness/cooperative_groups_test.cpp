// Cooperative groups under CUDA's names: what their members say, barriers across the grid, tiles, coalesced lanes, and copies in the background.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "support/device_test.h"

namespace {

class CooperativeGroups : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(CooperativeGroups);

auto block_members = CUTTLE_KERNEL([](unsigned* out) {
  auto block = cooperative_groups::this_thread_block();
  unsigned* mine = out + 16 * (cooperative_groups::this_grid().thread_rank());
  mine[0] = block.thread_rank();
  mine[1] = block.num_threads();
  mine[2] = block.size();
  mine[3] = block.group_index().x;
  mine[4] = block.group_index().y;
  mine[5] = block.group_index().z;
  mine[6] = block.thread_index().x;
  mine[7] = block.thread_index().y;
  mine[8] = block.thread_index().z;
  mine[9] = block.dim_threads().x;
  mine[10] = block.dim_threads().y;
  mine[11] = block.group_dim().z;
  block.sync();
  cooperative_groups::sync(block);
});

TEST_P(CooperativeGroups, BlockKnowsItsThreads) {
  cuttle::Array<unsigned> out(16 * 2 * 3 * 24);
  out.fill(99);
  block_members[{.grid = {2, 3}, .block = {4, 3, 2}}](out);
  const std::vector<unsigned> values = out.to_vector();
  for (unsigned block = 0; block < 6; ++block) {
    for (unsigned t = 0; t < 24; ++t) {
      const unsigned* mine = values.data() + 16 * (24 * block + t);
      const std::vector<unsigned> expected = {t, 24, 24, block % 2, block / 2, 0, t % 4, t / 4 % 3, t / 12, 4, 3, 2};
      EXPECT_EQ(std::vector<unsigned>(mine, mine + 12), expected);
    }
  }
}

auto grid_members = CUTTLE_KERNEL([](std::uint64_t* out) {
  auto grid = cg::this_grid();
  std::uint64_t* mine = out + 8 * grid.thread_rank();
  mine[0] = grid.is_valid();
  mine[1] = grid.size();
  mine[2] = grid.block_rank();
  mine[3] = grid.num_blocks();
  mine[4] = grid.dim_blocks().y;
  mine[5] = grid.block_index().x;
  grid.sync();
  mine[6] = grid.group_dim().x;
});

TEST_P(CooperativeGroups, GridKnowsItsBlocksAndIsValidWhereItSynchronises) {
  cuttle::Array<std::uint64_t> out(8 * 6 * 32);
  grid_members[{.grid = {3, 2}, .block = 32}](out);
  const std::vector<std::uint64_t> values = out.to_vector();
  for (std::uint64_t t = 0; t < 6 * 32; ++t) {
    const std::uint64_t block = t / 32;
    const std::vector<std::uint64_t> expected = {1, 6 * 32, block, 6, 2, block % 3, 3};
    EXPECT_EQ(std::vector<std::uint64_t>(values.begin() + 8 * t, values.begin() + 8 * t + 7), expected);
  }
}

auto is_valid_only = CUTTLE_KERNEL([](int* out) { *out = cg::this_grid().is_valid(); });

TEST_P(CooperativeGroups, GridIsNotValidInALaunchThatIsNotCooperative) {
  cuttle::Array<int> out(1);
  is_valid_only[{1, 1}](out);
  if (!on_gpu()) {
    EXPECT_EQ(out.item(), 0);  // NVIDIA's driver gives every launch a workspace, which is all that CUDA's own is_valid looks at
  }
  is_valid_only[{.grid = 1, .block = 1, .cooperative = true}](out);
  EXPECT_EQ(out.item(), 1);
}

// Each round every block adds up what all blocks wrote in the round before: any block that runs ahead or behind makes it wrong.
auto add_up_the_grid = CUTTLE_KERNEL([](unsigned* partial, unsigned* sums, int rounds) {
  auto grid = cg::this_grid();
  const unsigned blocks = gridDim.x * gridDim.y;
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) partial[block] = block + round;
    grid.sync();
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < blocks; i += blockDim.x) sum += partial[i];
    sum = block_reduce(sum);
    if (threadIdx.x == 0) sums[round * blocks + block] = sum;
    grid.sync();
  }
});

TEST_P(CooperativeGroups, GridSynchronisesInTwoDimensionsAndManyTimes) {
  constexpr unsigned blocks = 24, rounds = 20;
  cuttle::Array<unsigned> partial(blocks), sums(blocks * rounds);
  add_up_the_grid[{.grid = {6, 4}, .block = 40}](partial, sums, static_cast<int>(rounds));
  std::vector<unsigned> expected;
  for (unsigned round = 0; round < rounds; ++round) expected.insert(expected.end(), blocks, blocks * (blocks - 1) / 2 + blocks * round);
  EXPECT_EQ(sums.to_vector(), expected);
}

TEST_P(CooperativeGroups, GridThatDoesNotFitIsRefused) {
  cuttle::Array<unsigned> x(1);
  EXPECT_THROW((add_up_the_grid[{.grid = 1 << 20, .block = 1024}](x, x, 1)), cuttle::LaunchError);
  cuttle::Array<unsigned> partial(1), sums(1);
  add_up_the_grid[{.grid = 1, .block = 32}](partial, sums, 1);
  EXPECT_EQ(sums.item(), 0u);
}

auto tile_members = CUTTLE_KERNEL([](unsigned* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  auto part = cg::tiled_partition<4>(tile);
  const unsigned t = block.thread_rank();
  unsigned* mine = out + 16 * t;
  mine[0] = tile.thread_rank();
  mine[1] = tile.size();
  mine[2] = tile.meta_group_rank();
  mine[3] = tile.meta_group_size();
  mine[4] = tile.shfl(t, 3);
  mine[5] = tile.shfl_down(t, 2);
  mine[6] = tile.shfl_up(t, 2);
  mine[7] = tile.shfl_xor(t, 5);
  mine[8] = tile.ballot(t % 3 == 0);
  mine[9] = tile.any(t == 11);
  mine[10] = tile.all(t >= 8);
  mine[11] = tile.match_any(t / 3);
  mine[12] = part.shfl(t, 1);
  tile.sync();
});

TEST_P(CooperativeGroups, TilesExchangeAndVoteAmongTheirThreads) {
  constexpr unsigned threads = 64;
  cuttle::Array<unsigned> out(16 * threads);
  tile_members[{.grid = 1, .block = {8, 8}}](out);
  const std::vector<unsigned> values = out.to_vector();
  for (unsigned t = 0; t < threads; ++t) {
    const unsigned first = t / 8 * 8, rank = t % 8;
    unsigned thirds = 0, same = 0;
    for (unsigned i = 0; i < 8; ++i) {
      thirds |= unsigned{(first + i) % 3 == 0} << i;
      same |= unsigned{(first + i) / 3 == t / 3} << i;
    }
    const std::vector<unsigned> expected = {rank,
                                            8,
                                            t / 8,
                                            8,
                                            first + 3,
                                            rank + 2 < 8 ? t + 2 : t,
                                            rank >= 2 ? t - 2 : t,
                                            t ^ 5,
                                            thirds,
                                            unsigned{first == 8},
                                            unsigned{first >= 8},
                                            same,
                                            t / 4 * 4 + 1};
    EXPECT_EQ(std::vector<unsigned>(values.begin() + 16 * t, values.begin() + 16 * t + 13), expected) << "thread " << t;
  }
}

auto partitions = CUTTLE_KERNEL([](const int* labels, unsigned* out) {
  const unsigned t = threadIdx.x;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto odd = cg::binary_partition(warp, t % 2 == 1);
  auto same = cg::labeled_partition(warp, labels[t]);
  unsigned* mine = out + 8 * t;
  mine[0] = odd.thread_rank();
  mine[1] = odd.num_threads();
  mine[2] = odd.shfl(t, 2);
  mine[3] = odd.ballot(t < 10);
  mine[4] = same.thread_rank();
  mine[5] = same.size();
  mine[6] = cg::reduce(same, t);
  mine[7] = cg::exclusive_scan(odd, 1u);
});

TEST_P(CooperativeGroups, PartitionsNumberTheirLanesWithoutGaps) {
  std::vector<int> labels;
  for (int t = 0; t < 64; ++t) labels.push_back(t * 5 % 7);
  cuttle::Array<unsigned> out(8 * 64);
  partitions[{1, 64}](cuttle::Array<int>(labels), out);
  const std::vector<unsigned> values = out.to_vector();
  for (unsigned t = 0; t < 64; ++t) {
    const unsigned first = t / 32 * 32;
    unsigned rank = 0, size = 0, sum = 0, ballot = 0;
    for (unsigned i = first; i < first + 32; ++i) {
      if (labels[i] == labels[t]) rank += i < t, ++size, sum += i;
      if (i % 2 == t % 2 && i < 10) ballot |= 1u << ((i - first) / 2);
    }
    const std::vector<unsigned> expected = {(t - first) / 2, 16, first + 4 + t % 2, ballot, rank, size, sum, (t - first) / 2};
    EXPECT_EQ(std::vector<unsigned>(values.begin() + 8 * t, values.begin() + 8 * t + 8), expected) << "thread " << t;
  }
}

// The counter goes up once for all lanes that are here together, and every lane gets a slot of its own.
auto append_those_that_pass = CUTTLE_KERNEL([](auto flags, int* counter, int* slots) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < static_cast<int>(flags.size()) && flags[i] != 0) {
    auto group = cg::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(group.size()));
    slots[group.shfl(first, 0) + static_cast<int>(group.thread_rank())] = i;
  }
});

TEST_P(CooperativeGroups, CoalescedThreadsAppendTogether) {
  constexpr int n = 10000;
  std::vector<int> flags, kept;
  for (int i = 0; i < n; ++i) {
    flags.push_back(i * 7919 % 13 < 6);
    if (flags.back()) kept.push_back(i);
  }
  cuttle::Array<int> counter{0}, slots(n);
  append_those_that_pass[{.grid = (n + 127) / 128, .block = 128}](cuttle::Array<int>(flags), counter, slots);
  ASSERT_EQ(counter.item(), static_cast<int>(kept.size()));
  std::vector<int> found = slots.to_vector();
  found.resize(kept.size());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, kept);
}

auto copy_in_two_batches = CUTTLE_KERNEL([](const char* in, int* out, int offset) {
  auto block = cg::this_thread_block();
  alignas(16) __shared__ char first[1024];
  alignas(16) __shared__ char second[1024];
  cg::memcpy_async(block, first + offset, in + offset, 1000 - offset);
  cg::memcpy_async(block, second, in + 1024 + offset, 1000);
  cg::wait_prior<1>(block);
  for (unsigned i = offset + threadIdx.x; i < 1000; i += blockDim.x) out[i] = first[i];
  cg::wait(block);
  for (unsigned i = threadIdx.x; i < 1000; i += blockDim.x) out[1000 + i] = second[i];
});

TEST_P(CooperativeGroups, CopiesInTheBackgroundWhateverTheAlignment) {
  std::vector<char> in;
  for (int i = 0; i < 4096; ++i) in.push_back(static_cast<char>(i * 31 % 127));
  const cuttle::Array<char> source(in);
  for (const int offset : {0, 1, 4, 6, 16}) {
    cuttle::Array<int> out(2000);
    copy_in_two_batches[{1, 96}](source, out, offset);
    const std::vector<int> values = out.to_vector();
    for (int i = offset; i < 1000; ++i) ASSERT_EQ(values[i], in[i]) << "offset " << offset << ", byte " << i;
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(values[1000 + i], in[1024 + offset + i]) << "offset " << offset << ", byte " << i;
  }
}

auto cluster_of_one = CUTTLE_KERNEL([](int* out) {
  auto cluster = cg::this_cluster();
  __shared__ int value;
  if (threadIdx.x == 0) value = static_cast<int>(10 * blockIdx.x);
  cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  const int there = *cluster.map_shared_rank(&value, next);
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = there;
});

TEST_P(CooperativeGroups, ClusterReadsTheSharedMemoryOfItsBlocks) {
  if (on_gpu() && cuttle::Device::cuda().sm() < 90) GTEST_SKIP() << "clusters are of sm_90 and later";
  cuttle::Array<int> out(8);
  const std::vector<int> alone = {0, 10, 20, 30, 40, 50, 60, 70}, in_fours = {10, 20, 30, 0, 50, 60, 70, 40};
  cluster_of_one[{.grid = 8, .block = 32}](out);
  EXPECT_EQ(out.to_vector(), alone);
  cluster_of_one[{.grid = 8, .block = 32, .cluster = 4}](out);
  EXPECT_EQ(out.to_vector(), in_fours);
}

auto sums_of_clusters = CUTTLE_KERNEL([](auto x, int* out, int rounds) {
  auto cluster = cg::this_cluster();
  extern __shared__ int parts[];
  const auto place = cluster.block_index(), extent = cluster.dim_blocks();
  const int block = static_cast<int>(place.x + extent.x * place.y);
  // Clusters with other numbers wait more often: their barriers are their own.
  const int first = static_cast<int>(blockIdx.x / extent.x + blockIdx.y / extent.y * (gridDim.x / extent.x));
  int sum = 0;
  for (int round = 0; round < rounds + first; ++round) {
    parts[threadIdx.x] = x[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] + round;
    cluster.sync();
    const auto* there = cluster.map_shared_rank(parts, (cluster.block_rank() + static_cast<unsigned>(round)) % cluster.num_blocks());
    sum += there[blockDim.x - 1 - threadIdx.x];
    cluster.sync();
  }
  out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = block == static_cast<int>(cluster.block_rank()) ? sum : -1;
});

TEST_P(CooperativeGroups, ClustersOfTwoDimensionsWaitByThemselvesAndShareDynamicMemory) {
  if (on_gpu() && cuttle::Device::cuda().sm() < 90) GTEST_SKIP() << "clusters are of sm_90 and later";
  constexpr int width = 6, height = 4, threads = 48, rounds = 5;
  cuttle::Array<int> x(width * height * threads), out(width * height * threads);
  std::vector<int> in(x.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 7 % 1000);
  x.copy_from(in);
  sums_of_clusters[{.grid = {width, height}, .block = threads, .shared = threads * sizeof(int), .cluster = {3, 2}}](x, out, rounds);
  const std::vector<int> sums = out.to_vector();
  for (int by = 0; by < height; ++by) {
    for (int bx = 0; bx < width; ++bx) {
      const int cluster = bx / 3 + by / 2 * (width / 3), rank = bx % 3 + by % 2 * 3;
      for (int t = 0; t < threads; ++t) {
        int expected = 0;
        for (int round = 0; round < rounds + cluster; ++round) {
          const int other = (rank + round) % 6, block = (by / 2 * 2 + other / 3) * width + bx / 3 * 3 + other % 3;
          expected += in[static_cast<std::size_t>(block * threads + threads - 1 - t)] + round;
        }
        ASSERT_EQ(sums[static_cast<std::size_t>((by * width + bx) * threads + t)], expected) << "block " << bx << ", " << by << ", thread " << t;
      }
    }
  }
}

}  // namespace
