// The PTX of cooperative groups, collectives, cache hints and tensor cores: the hardware's instructions, and assembled by ptxas where it is at hand.

#include <cuttle/cuttle.hpp>

#include "support/ptxas.h"

namespace {

void expect_all(const std::string& ptx, std::initializer_list<const char*> instructions) {
  for (const char* instruction : instructions) EXPECT_NE(ptx.find(instruction), std::string::npos) << instruction << "\n" << ptx;
}

void expect_assembled(const std::string& ptx, int sm) {
  if (cuttle::test::find_ptxas().empty()) return;
  EXPECT_TRUE(cuttle::test::assembles(ptx, sm)) << "sm_" << sm;
}

auto groups = CUTTLE_KERNEL([](const int* in, int* out) {
  __shared__ int staged[64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, staged, in, sizeof(staged));
  cg::wait(block);
  const unsigned t = block.thread_rank();
  int sum = block_reduce(staged[t]) + warp_inclusive_scan(staged[t]) + block_sort(staged[t]) + cg::coalesced_threads().shfl(staged[t], 0);
  cg::this_grid().sync();
  out[t] = sum;
});

TEST(GroupsPtx, IsAssembledForEveryArchitectureAndCopiesInTheBackgroundWhereItCan) {
  for (const int sm : {75, 80, 90, 100}) {
    const std::string ptx = groups.inspect<const int*, int*>(cuttle::sm(sm)).ptx();
    expect_all(ptx, {"envreg1", "envreg2", "shfl.sync", "bar.sync"});
    EXPECT_EQ(ptx.find("cp.async") != std::string::npos, sm >= 80);
    expect_assembled(ptx, sm);
  }
}

auto pipelines = CUTTLE_KERNEL([](const int* in, int* out, int rounds) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ int staged[2][64];
  const int t = threadIdx.x;
  if (t == 0) init(&ready, 64);
  __syncthreads();
  auto pipe = cuda::make_pipeline();
  for (int i = 0; i < rounds; ++i) {
    cuda::memcpy_async(&staged[0][t], in + i, sizeof(int), pipe);
    pipe.producer_commit();
    cuda::memcpy_async(&staged[1][t], in + i, sizeof(int), ready);
    auto token = ready.arrive();
    pipe.consumer_wait();
    ready.wait(token);
    out[t] = __viaddmax_s16x2(staged[0][t], staged[1][63 - t], out[t]);
  }
});

TEST(GroupsPtx, HasBarriersInSharedMemoryWhereTheGpuHas) {
  for (const int sm : {75, 80, 90}) {
    const std::string ptx = pipelines.inspect<const int*, int*, int>(cuttle::sm(sm)).ptx();
    for (const char* instruction : {"mbarrier.init", "mbarrier.arrive", "mbarrier.test_wait", "cp.async.wait_group"}) {
      EXPECT_EQ(ptx.find(instruction) != std::string::npos, sm >= 80) << instruction << " sm_" << sm;
    }
    EXPECT_EQ(ptx.find("max.s16x2") != std::string::npos, sm >= 90) << "sm_" << sm;
    expect_assembled(ptx, sm);
  }
}

auto clusters = CUTTLE_KERNEL([](int* out) {
  __shared__ int value;
  auto cluster = cg::this_cluster();
  value = static_cast<int>(cluster.thread_rank());
  cluster.sync();
  out[cluster.thread_rank()] = *cluster.map_shared_rank(&value, 1) + static_cast<int>(cluster.dim_blocks().x + cluster.block_index().y);
});

TEST(GroupsPtx, HasTheClustersInstructions) {
  const std::string ptx = clusters.inspect<int*>(cuttle::sm(90)).ptx();
  expect_all(ptx, {"barrier.cluster.arrive", "barrier.cluster.wait", "mapa.u64", "cluster_ctarank"});
  expect_assembled(ptx, 90);
}

auto hints = CUTTLE_KERNEL([](const float4* in, float4* out, const char* bytes, char* to) {
  const unsigned i = threadIdx.x;
  __stcs(out + i, __ldg(in + i));
  __stcg(out + i + 32, __ldcs(in + i));
  __stwt(to + i, __ldcv(bytes + i));
});

TEST(GroupsPtx, HasOneInstructionForAHintedVector) {
  const std::string ptx = hints.inspect<const cuttle::dsl::float4*, cuttle::dsl::float4*, const char*, char*>(cuttle::sm(90)).ptx();
  expect_all(ptx, {"ld.global.nc.v2.b64", "ld.global.cs.v2.b64", "st.global.cs.v2.b64", "st.global.cg.v2.b64", "ld.global.cv.b8", "st.global.wt.b8"});
  expect_assembled(ptx, 90);
}

#define CUTTLE_TEST_MMA(name, m, n, k, T, Element, Acc)                                 \
  auto name = CUTTLE_KERNEL([](const Element* a, const Element* b, Acc* c) {            \
    wmma::fragment<wmma::matrix_a, m, n, k, T, wmma::row_major> fa;                     \
    wmma::fragment<wmma::matrix_b, m, n, k, T, wmma::col_major> fb;                     \
    wmma::fragment<wmma::accumulator, m, n, k, Acc> fc;                                 \
    wmma::fill_fragment(fc, Acc(0));                                                    \
    wmma::load_matrix_sync(fa, a, k);                                                   \
    wmma::load_matrix_sync(fb, b, k);                                                   \
    wmma::mma_sync(fc, fa, fb, fc);                                                     \
    wmma::store_matrix_sync(c, fc, n, wmma::mem_row_major);                             \
  })
CUTTLE_TEST_MMA(mma_f16, 16, 16, 16, half, half, float);
CUTTLE_TEST_MMA(mma_bf16, 16, 16, 16, bfloat16, bfloat16, float);
CUTTLE_TEST_MMA(mma_tf32, 16, 16, 8, wmma::precision::tf32, float, float);
CUTTLE_TEST_MMA(mma_f64, 8, 8, 4, double, double, double);
CUTTLE_TEST_MMA(mma_s8, 16, 16, 16, signed char, signed char, int);

template <class Element, class Acc, class Kernel>
void expect_mma(const Kernel& kernel, const char* shape) {
  const std::string ptx = kernel.template inspect<const Element*, const Element*, Acc*>(cuttle::sm(90)).ptx();
  expect_all(ptx, {"wmma.mma.sync.aligned.row.col", shape});
  expect_assembled(ptx, 90);
}

TEST(GroupsPtx, UsesTheTensorCores) {
  expect_mma<cuttle::dsl::half, float>(mma_f16, "m16n16k16.f32.f32");
  expect_mma<cuttle::dsl::bfloat16, float>(mma_bf16, "m16n16k16.f32.bf16.bf16.f32");
  expect_mma<float, float>(mma_tf32, "m16n16k8.f32.tf32.tf32.f32");
  expect_mma<double, double>(mma_f64, "m8n8k4.f64.f64.f64.f64");
  expect_mma<signed char, int>(mma_s8, "m16n16k16.s32.s8.s8.s32");
}

}  // namespace
