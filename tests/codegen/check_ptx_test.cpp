// Checks on a GPU: comparisons of views' indices with their extents, in PTX that the assembler takes; and nothing where they are off.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <string>

#include "support/ptxas.h"

namespace cuttle {
namespace {

auto transpose = CUTTLE_KERNEL([](auto x, auto y) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = x(blockIdx.y * 32 + threadIdx.y, blockIdx.x * 32 + threadIdx.x);
  __syncthreads();
  y[blockIdx.x * 32 + threadIdx.y][blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
});

std::string ptx_of(bool check, int version) {
  return transpose.with({.check = check}).inspect<view<const float, 2>, view<float, 2>>(sm(version)).ptx();
}

TEST(CheckPtx, ComparesIndicesAndNamesTheFile) {
  const std::string ptx = ptx_of(true, 90);
  EXPECT_NE(ptx.find("trap;"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find("cuttle_assert_host"), std::string::npos) << ptx;
}

TEST(CheckPtx, IsNotThereWithoutTheOption) {
  const std::string ptx = ptx_of(false, 90);
  EXPECT_EQ(ptx.find("trap;"), std::string::npos) << ptx;
  EXPECT_EQ(ptx.find("cuttle_assert_host"), std::string::npos) << ptx;
}

TEST(CheckPtx, AssemblesForEveryArchitecture) {
  if (test::find_ptxas().empty()) GTEST_SKIP() << "no ptxas on this machine";
  for (const int version : {75, 90, 120}) EXPECT_TRUE(test::assembles(ptx_of(true, version), version));
}

}  // namespace
}  // namespace cuttle
