// The PTX of barriers, warp operations and shared memory: one instruction for what the hardware has, and assembled by ptxas where it is at hand.

#include <cuttle/cuttle.hpp>

#include "support/ptxas.h"

namespace {

auto everything = CUTTLE_KERNEL([](int* out, double* reals) {
  struct Pair {
    float value;
    short index;
  };
  __shared__ int plane[4][8];
  auto& other = shared<float, 32>();
  int* counts = dynamic_shared<int>(32);
  double* halves = dynamic_shared<double>(32);
  const unsigned t = threadIdx.x;
  plane[t / 8][t % 8] = out[t];
  other[t] = static_cast<float>(t);
  counts[t] = out[t] + 1;
  halves[t] = reals[t];
  __syncthreads();
  int sum = plane[t % 4][t / 4] + static_cast<int>(other[31 - t]) + counts[t ^ 1];
  sum += __syncthreads_count(sum > 3) + __syncthreads_and(sum > 3) + __syncthreads_or(sum > 3);
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  sum += __shfl_sync(0xffffffff, sum, 3, 8) + __shfl_up_sync(0xffffffff, sum, 1) + __shfl_down_sync(0xffffffff, sum, 1);
  Pair pair{static_cast<float>(sum), static_cast<short>(t)};
  pair = __shfl_xor_sync(0xffffffff, pair, 2);
  __syncwarp();
  int same = 0;
  sum += static_cast<int>(__ballot_sync(0xffffffff, sum) + __activemask() + __match_any_sync(0xffffffff, sum) +
                          __match_all_sync(0xffffffff, reals[t], &same));
  sum += __any_sync(0xffffffff, sum) + __all_sync(0xffffffff, sum) + same + pair.index + __reduce_add_sync(0xffffffff, sum);
  __nanosleep(10);
  reals[t] = halves[t ^ 1] + __shfl_sync(0xffffffff, reals[t], 0) + static_cast<double>(clock64()) + static_cast<double>(globaltimer());
  out[t] = sum + static_cast<int>(pair.value) + static_cast<int>(laneid() + lanemask_lt());
});

TEST(SimtPtx, IsAssembledForEveryArchitecture) {
  if (cuttle::test::find_ptxas().empty()) GTEST_SKIP() << "there is no ptxas here";
  for (const int sm : {75, 80, 90}) EXPECT_TRUE(cuttle::test::assembles(everything.inspect<int*, double*>(cuttle::sm(sm)).ptx(), sm));
}

TEST(SimtPtx, HasTheHardwaresInstructions) {
  const std::string ptx = everything.inspect<int*, double*>(cuttle::sm(90)).ptx();
  for (const char* instruction :
       {"bar.sync", "bar.red.popc", "bar.red.and.pred", "bar.red.or.pred", "membar.cta", "membar.gl", "membar.sys", "shfl.sync.idx.b32",
        "shfl.sync.up.b32", "shfl.sync.down.b32", "shfl.sync.bfly.b32", "bar.warp.sync", "vote.sync.ballot.b32", "vote.sync.any.pred",
        "vote.sync.all.pred", "activemask.b32", "match.any.sync.b32", "match.all.sync.b64", "nanosleep.u32"}) {
    EXPECT_NE(ptx.find(instruction), std::string::npos) << instruction << "\n" << ptx;
  }
}

}  // namespace
