// The tuning measures for shared memory; see tuning_test.cpp.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <regex>
#include <string>

namespace {

using cuttle::sm;
using cuttle::view;

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

std::ptrdiff_t count(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator());
}

auto shared_rows = CUTTLE_KERNEL([](view<const float> x, view<float> y) {
  __shared__ float rows[32][8];
  for (int j = 0; j < 8; ++j) rows[threadIdx.x][j] = x[threadIdx.x * 8 + j];
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 8; ++j) sum += rows[31 - threadIdx.x][j] * x[j];
  y[threadIdx.x] = sum;
});

TEST(Tuning, NeighboursInSharedMemoryAreOneAccess) {
  const std::string ptx = shared_rows.inspect<view<const float>, view<float>>(sm(90)).ptx();
  EXPECT_EQ(count(ptx, R"(ld\.shared\.v4\.)"), 2);
  EXPECT_EQ(count(ptx, R"(st\.shared\.v4\.)"), 2);
}

TEST(Tuning, SharedAddressesAre32BitsWide) {
  const std::string ptx = shared_rows.inspect<view<const float>, view<float>>(sm(90)).ptx();
  EXPECT_EQ(count(ptx, R"((ld|st)\.shared[^;]*\[%rd)"), 0) << ptx;
}

auto tile_sums = CUTTLE_KERNEL([](const float* x, float* y) {
  __shared__ float tile[256];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 256; ++j) sum += tile[j] * y[threadIdx.x];
  y[threadIdx.x] = sum;
});

TEST(Tuning, ALongConstantLoopOverSharedMemoryReadsFourAtOnce) {
  const std::string ptx = tile_sums.inspect<const float*, float*>(sm(90)).ptx();
  EXPECT_EQ(count(ptx, R"(ld\.shared\.v4\.)"), 2) << "unrolled by eight:\n" << ptx;
  EXPECT_EQ(count(ptx, R"(ld\.shared\.b32)"), 0) << "256 is a multiple of eight: there is no remainder";
}

auto halo = CUTTLE_KERNEL([](view<const float> x, view<float> y, int n) {
  __shared__ float tile[34];
  const int t = threadIdx.x;
  tile[t + 1] = x[t];
  if (t == 0) tile[0] = x[n];
  if (t == 31) tile[33] = x[n + 1];
  __syncthreads();
  y[t] = tile[t] + tile[t + 2];
});

TEST(Tuning, TwoShortIfsOnOneValueStayIfs) {
  EXPECT_FALSE(contains((halo.inspect<view<const float>, view<float>, int>(sm(90)).llvm_ir()), "switch i32"));
}

}  // namespace
