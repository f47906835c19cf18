// Modules on the CUDA half: what the driver is given of a source, of PTX and of a cubin.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/process.h"
#include "support/stub_driver.h"

namespace {

using cuttle::Array;
using cuttle::Module;
using cuttle::test::StubDriver;

const StubDriver stub;

constexpr const char* source = R"(
  struct Point { double x, y; };
  namespace { __device__ int count; }
  static __constant__ float table[4];
  __global__ void f(const float* in, float* out, unsigned char level, long n, Point p, bool on) { *out = *in + table[0] + level + n + p.x + on; ++count; }
  __global__ void g(float* out) { *out = 1; }
)";

TEST(CudaModule, OfASourceIsOneBinaryForAllItsKernels) {
  const cuttle::Use use(cuttle::Device::cuda());
  stub.record();
  const Module module = Module::from_source(source);
  Array<float> x(1), y(1);
  struct Point {
    double x, y;
  };
  module.function("f")[{.grid = {2, 3}, .block = 64, .shared = 100}](x, y, 7, 5, Point{1, 2}, 1);
  const auto& launch = stub.state().last_launch;
  EXPECT_NE(std::string(launch.entry).find("f"), std::string::npos);
  ASSERT_EQ(launch.parameter_count, 6u);
  EXPECT_EQ(launch.parameter<float*>(0), x.data());
  EXPECT_EQ(launch.parameter<float*>(1), y.data());
  EXPECT_EQ(launch.parameter<std::uint8_t>(2), 7);
  EXPECT_EQ(launch.parameter<std::int64_t>(3), 5);
  EXPECT_EQ(launch.parameter<Point>(4).y, 2);
  EXPECT_EQ(launch.parameter<std::uint8_t>(5), 1);
  EXPECT_EQ(launch.grid[1], 3u);
  EXPECT_EQ(launch.block[0], 64u);
  EXPECT_EQ(launch.shared_bytes, 100u);
  module.function("g").over(10)(y);
  EXPECT_EQ(stub.calls("cuModuleLoadData"), 1u);
  EXPECT_EQ(stub.calls("cuLinkComplete"), 1u);
}

TEST(CudaModule, VariablesAreTheModulesOwnMemory) {
  const cuttle::Use use(cuttle::Device::cuda());
  const Module module = Module::from_source(source), other = Module::from_source(source);
  auto table = module.global<float>("table");
  EXPECT_EQ(table.size(), 4);
  table.copy_from(std::vector<float>{1, 2, 3, 4});
  EXPECT_EQ(module.global<float>("table").to_vector()[3], 4);
  EXPECT_NE(other.global<float>("table").data(), table.data());
  module.global<int>("count").fill(9);
  EXPECT_EQ(module.global<int>("count").item(), 9);
  EXPECT_THROW((void)module.global<float>("count"), cuttle::Error);
}

TEST(CudaModule, OfPtxIsCheckedByTheSizesThatTheDriverTells) {
  const cuttle::Use use(cuttle::Device::cuda());
  const std::string ptx = R"(.version 7.0
.target sm_70
.visible .global .align 4 .f32 factor = 0f3F000000;
.visible .entry scale(.param .u64 data, .param .u32 n) { ret; }
)";
  const Module module = Module::from_ptx(ptx);
  Array<float> x(1);
  stub.record();
  const auto scale = module.function("scale");
  scale[{.block = 32}](x, 5u);
  EXPECT_EQ(stub.state().last_launch.parameter<float*>(0), x.data());
  EXPECT_EQ(stub.state().last_launch.parameter<unsigned>(1), 5u);
  const auto refusal = [&](const auto&... arguments) -> std::string {
    try {
      scale[{.block = 32}](arguments...);
    } catch (const cuttle::LaunchError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(x.view(), 5ll).find("parameter 2 of kernel scale is of 4 bytes and the argument, long long, of 8"), std::string::npos);
  EXPECT_NE(refusal(x.view()).find("takes 2 arguments and was given 1"), std::string::npos);
  EXPECT_EQ(module.global<float>("factor").size(), 1);
  EXPECT_TRUE(module.kernels().empty());

  const cuttle::test::TemporaryFolder folder;
  const std::string path = (folder.path() / "scale.ptx").string();
  std::ofstream(path) << ptx;
  EXPECT_EQ(Module::from_file(path).function("scale").name(), "scale");
  // A binary is handed on as it is; the stub's is the text.
  EXPECT_NO_THROW((void)Module::from_cubin(ptx).function("scale"));
  EXPECT_THROW((void)module.function("other"), cuttle::Error);
}

TEST(CudaModule, WhatTheDriverRefusesSaysWhy) {
  const cuttle::Use use(cuttle::Device::cuda());
  stub.record();
  stub.state().link_log = "line 3: unknown instruction";
  const StubDriver::Failure failure(stub, "cuLinkComplete", 218);
  try {
    (void)Module::from_ptx(".version 7.0");
    FAIL() << "nothing was thrown";
  } catch (const cuttle::DriverError& error) {
    EXPECT_NE(std::string(error.what()).find("line 3: unknown instruction"), std::string::npos);
  }
}

}  // namespace
