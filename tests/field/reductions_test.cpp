// Kernels from the field, reductions, scans, sorting and counting: exact answers from shared memory, warps and atomics.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "field/inputs.h"
#include "support/device_test.h"

namespace {

using cuttle::Array;
using namespace cuttle::test;

class Reductions : public OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Reductions);

// A sum in one launch: the block that comes last adds the sums of all. (cuda-samples, threadFenceReduction)
auto sum_by_last_block = CUTTLE_KERNEL([](const int* x, int n, long long* partial, unsigned* ticket, long long* total) {
  __shared__ long long warps[32];
  __shared__ bool last;
  const auto block_sum = [&](long long value) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(~0u, value, step);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(~0u, value, step);
    return value;
  };
  long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  mine = block_sum(mine);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  mine = threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0;
  mine = block_sum(mine);
  if (threadIdx.x == 0) *total = mine;
});

TEST_P(Reductions, TheLastBlockAddsTheSumsOfAll) {
  constexpr int n = 100'003, blocks = 37;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[at(i)] = i * 7919 % 100'000 - 3;
  Array<int> device(x);
  Array<long long> partial(blocks), total(1);
  Array<unsigned> ticket({0});
  sum_by_last_block[{.grid = blocks, .block = 256}](device, n, partial, ticket, total);
  EXPECT_EQ(total.item(), std::accumulate(x.begin(), x.end(), 0ll));
}

// For each element, how many true ones stand before it in the block: by votes in a warp, then over warps. (HeCBench, bscan)
auto binary_prefix = CUTTLE_KERNEL([](auto flags, auto before, int n) {
  __shared__ int warps[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool flag = i < n && flags[i];
  const unsigned votes = __ballot_sync(0xffffffffu, flag);
  if (lane == 0) warps[warp] = __popc(votes);
  __syncthreads();
  int count = __popc(votes & ((1u << lane) - 1));
  for (int w = 0; w < warp; ++w) count += warps[w];
  if (i < n) before[i] = count;
});

TEST_P(Reductions, BinaryPrefixCountsVotes) {
  constexpr int n = 1000, block = 192;
  Array<bool> flags(n);
  std::vector<std::uint8_t> host(n);
  for (int i = 0; i < n; ++i) host[at(i)] = i * i % 7 < 3;
  std::vector<int> expected(n);
  for (int i = 0, count = 0; i < n; ++i) {
    if (i % block == 0) count = 0;
    expected[at(i)] = count;
    count += host[at(i)];
  }
  Array<std::uint8_t> device(host);
  Array<int> before(n);
  binary_prefix[{.grid = (n + block - 1) / block, .block = block}](device, before, n);
  EXPECT_EQ(before.to_vector(), expected);
}

// Bitonic sort of keys with their values, a block's worth in shared memory; the direction is a constant of the kernel.
template <bool ascending>
auto make_bitonic_sort() {
  return CUTTLE_KERNEL_WITH((constant(ascending)), [](unsigned* keys, int* values) {
    __shared__ unsigned key[512];
    __shared__ int value[512];
    const unsigned t = threadIdx.x;
    for (unsigned i = t; i < 512; i += blockDim.x) key[i] = keys[i], value[i] = values[i];
    for (unsigned size = 2; size <= 512; size *= 2) {
      for (unsigned stride = size / 2; stride > 0; stride /= 2) {
        __syncthreads();
        const unsigned low = 2 * t - (t & (stride - 1)), high = low + stride;
        const bool up = ((low & size) == 0) == ascending;
        if ((key[low] > key[high]) == up) {
          const unsigned k = key[low];
          const int v = value[low];
          key[low] = key[high], value[low] = value[high];
          key[high] = k, value[high] = v;
        }
      }
    }
    __syncthreads();
    for (unsigned i = t; i < 512; i += blockDim.x) keys[i] = key[i], values[i] = value[i];
  });
}

TEST_P(Reductions, BitonicSortCarriesValuesWithTheirKeys) {
  std::vector<unsigned> keys(512);
  for (unsigned i = 0; i < 512; ++i) keys[i] = (i * 2654435761u) >> 3;
  std::vector<int> positions(512);
  std::iota(positions.begin(), positions.end(), 0);
  const auto expect = [&](const auto& sort, auto order) {
    Array<unsigned> k(keys);
    Array<int> v(positions);
    sort[{.grid = 1, .block = 256}](k, v);
    auto sorted = keys;
    std::sort(sorted.begin(), sorted.end(), order);
    EXPECT_EQ(k.to_vector(), sorted);
    const auto from = v.to_vector();
    for (std::size_t i = 0; i < 512; ++i) ASSERT_EQ(keys[at(from[i])], sorted[i]);
  };
  expect(make_bitonic_sort<true>(), std::less<>()), expect(make_bitonic_sort<false>(), std::greater<>());
}

// A table for each warp in shared memory, then one addition for each bin and block. (cuda-samples, histogram256)
auto histogram = CUTTLE_KERNEL([](const std::uint8_t* data, int n, unsigned* bins) {
  __shared__ unsigned tables[4][256];
  for (int i = threadIdx.x; i < 4 * 256; i += blockDim.x) tables[i / 256][i % 256] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&tables[threadIdx.x / 32][data[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
    unsigned sum = 0;
    for (int w = 0; w < 4; ++w) sum += tables[w][bin];
    atomicAdd(&bins[bin], sum);
  }
});

TEST_P(Reductions, HistogramWithATableForEachWarp) {
  constexpr int n = 50'021;
  std::vector<std::uint8_t> data(n);
  std::vector<unsigned> expected(256);
  for (int i = 0; i < n; ++i) ++expected[data[at(i)] = static_cast<std::uint8_t>(i % 5 ? i * 37 / 11 : 200)];
  Array<std::uint8_t> device(data);
  Array<unsigned> bins(cuttle::zeros<unsigned>(256));
  histogram[{.grid = 9, .block = 128}](device, n, bins);
  EXPECT_EQ(bins.to_vector(), expected);
}

// One addition for all lanes of a warp that count the same thing. (HeCBench, atomicAggregate)
auto count_by_leaders = CUTTLE_KERNEL([](const int* kind, int n, int* counts, int* rank) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned present = __ballot_sync(0xffffffffu, i < n);
  if (i >= n) return;
  const unsigned same = __match_any_sync(present, kind[i]);
  const int leader = __ffs(same) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(&counts[kind[i]], __popc(same));
  rank[i] = __shfl_sync(same, base, leader) + __popc(same & ((1u << lane) - 1));
});

TEST_P(Reductions, LeadersOfAWarpCountForTheOthers) {
  constexpr int n = 3001, kinds = 5;
  std::vector<int> kind(n), expected(kinds);
  for (int i = 0; i < n; ++i) ++expected[at(kind[at(i)] = i * i % 11 % kinds)];
  Array<int> device(kind), counts(cuttle::zeros<int>(kinds)), rank(n);
  count_by_leaders[{.grid = (n + 127) / 128, .block = 128}](device, n, counts, rank);
  EXPECT_EQ(counts.to_vector(), expected);
  const auto ranks = rank.to_vector();
  for (int k = 0; k < kinds; ++k) {  // the ranks of a kind are 0, 1, 2, ... in some order
    std::vector<int> own;
    for (int i = 0; i < n; ++i) {
      if (kind[at(i)] == k) own.push_back(ranks[at(i)]);
    }
    std::sort(own.begin(), own.end());
    for (std::size_t i = 0; i < own.size(); ++i) ASSERT_EQ(own[i], static_cast<int>(i));
  }
}

// Softmax of rows in one pass: maximum and sum as a struct with an operator of its own. (HeCBench, softmax-online)
CUTTLE_DEVICE(struct Softmax {
  float highest, sum;
  friend Softmax operator+(Softmax a, Softmax b) {
    const bool first = a.highest > b.highest;
    const Softmax high = first ? a : b, low = first ? b : a;
    return {high.highest, high.sum + low.sum * std::exp(low.highest - high.highest)};
  }
};);

auto softmax = CUTTLE_KERNEL([](cuttle::view<const float, 2> x, cuttle::view<float, 2> y) {
  const int row = blockIdx.x, lane = threadIdx.x;
  Softmax mine{-1e30f, 0};
  for (int j = lane; j < x.shape(1); j += 32) mine = mine + Softmax{x(row, j), 1};
  for (int step = 16; step > 0; step /= 2) {
    mine = mine + Softmax{__shfl_xor_sync(~0u, mine.highest, step), __shfl_xor_sync(~0u, mine.sum, step)};
  }
  for (int j = lane; j < x.shape(1); j += 32) y(row, j) = std::exp(x(row, j) - mine.highest) / mine.sum;
});

TEST_P(Reductions, OnlineSoftmaxWithAStructForItsState) {
  constexpr std::size_t rows = 9, columns = 77;
  auto x = uniform<float>(rows * columns, 11);
  for (float& value : x) value *= 40;
  Array<float, 2> in(x, rows, columns), out(rows, columns);
  softmax[{.grid = rows, .block = 32}](in, out);
  std::vector<double> expected(x.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(i * columns), end = begin + columns;
    const double highest = *std::max_element(begin, end);
    double sum = 0;
    for (auto it = begin; it != end; ++it) sum += std::exp(*it - highest);
    for (std::size_t j = 0; j < columns; ++j) expected[i * columns + j] = std::exp(x[i * columns + j] - highest) / sum;
  }
  expect_near(out.to_vector(), expected, 1e-5);
}

}  // namespace
