// cuda::barrier, cuda::pipeline and their copies: sums whose data come through shared memory in stages.

#include <numeric>
#include <vector>

#include "support/device_test.h"

namespace {

class Pipelines : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Pipelines);

std::vector<int> numbers(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

// Tile i + 1 is on its way while tile i, turned round, is added up.
auto add_tiles = CUTTLE_KERNEL([](const int* in, int* out, int tiles) {
  __shared__ int staged[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x;
  int sum = 0;
  pipe.producer_acquire();
  cuda::memcpy_async(block, staged[0], in, sizeof(int) * 64, pipe);
  pipe.producer_commit();
  for (int i = 0; i < tiles; ++i) {
    if (i + 1 < tiles) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, staged[(i + 1) % 2], in + (i + 1) * 64, cuda::aligned_size_t<16>(sizeof(int) * 64), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += (i + 1) * staged[i % 2][63 - t];
    pipe.consumer_release();
  }
  out[t] = sum;
});

TEST_P(Pipelines, CopyOneTileWhileAnotherIsUsed) {
  constexpr int tiles = 5;
  const std::vector<int> in = numbers(64 * tiles);
  cuttle::Array<int> out(64);
  add_tiles[{1, 64}](cuttle::Array(in), out, tiles);
  std::vector<int> expected(64);
  for (int t = 0; t < 64; ++t) {
    for (int i = 0; i < tiles; ++i) expected[static_cast<std::size_t>(t)] += (i + 1) * in[static_cast<std::size_t>(64 * i + 63 - t)];
  }
  EXPECT_EQ(out.to_vector(), expected);
}

// Each thread's own copies, and all but the last batch.
auto own_copies = CUTTLE_KERNEL([](const int* in, int* out) {
  __shared__ int staged[2][32];
  const int t = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  for (int i = 0; i < 2; ++i) {
    cuda::memcpy_async(&staged[i][t], in + 32 * i + t, sizeof(int), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<1>(pipe);
  const int first = staged[0][t];
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  out[t] = 1000 * first + staged[1][t];
});

TEST_P(Pipelines, ServeASingleThread) {
  cuttle::Array<int> out(32);
  own_copies[{1, 32}](cuttle::Array(numbers(64)), out);
  std::vector<int> expected;
  for (int t = 0; t < 32; ++t) expected.push_back(1000 * (t + 1) + 33 + t);
  EXPECT_EQ(out.to_vector(), expected);
}

// A thread goes on between its arrival and its wait.
auto split_barrier = CUTTLE_KERNEL([](const int* in, int* out, int rounds) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ int staged[64];
  const int t = threadIdx.x;
  if (t == 0) init(&ready, 64);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    cuda::memcpy_async(&staged[t], in + 64 * i + t, sizeof(int), ready);
    auto token = ready.arrive();
    sum *= 3;
    ready.wait(token);
    sum += staged[63 - t];
    ready.arrive_and_wait();
  }
  out[t] = sum;
});

TEST_P(Pipelines, BarriersSplitArrivalAndWait) {
  const std::vector<int> in = numbers(64 * 4);
  cuttle::Array<int> out(64);
  split_barrier[{1, 64}](cuttle::Array(in), out, 4);
  std::vector<int> expected(64);
  for (int t = 0; t < 64; ++t) {
    for (int i = 0; i < 4; ++i)
      expected[static_cast<std::size_t>(t)] = 3 * expected[static_cast<std::size_t>(t)] + in[static_cast<std::size_t>(64 * i + 63 - t)];
  }
  EXPECT_EQ(out.to_vector(), expected);
}

auto half_a_block = CUTTLE_KERNEL([](int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  if (threadIdx.x == 0) init(&ready, 32);
  __syncthreads();
  if (threadIdx.x < 32) ready.arrive_and_wait();
  out[threadIdx.x] = 1;
});

auto of_another_block = CUTTLE_KERNEL([](int* out) {
  __shared__ int value;
  value = 1;
  out[0] = *cg::this_cluster().map_shared_rank(&value, 1);
});

// What another thread of the block, or another block, would have to do at the same time is refused, and not done wrongly.
TEST(PipelinesOnTheCpu, RefuseBarriersOfPartOfABlockAndSharedMemoryOfAnother) {
  const cuttle::Use use(cuttle::Device::cpu());
  cuttle::Array<int> out(64);
  half_a_block[{1, 64}](out);
  EXPECT_THROW(cuttle::synchronize(), cuttle::AssertionError);
  of_another_block[{2, 1}](out);
  EXPECT_THROW(cuttle::synchronize(), cuttle::AssertionError);
}

}  // namespace
