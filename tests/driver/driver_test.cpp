// The CUDA half of cuttle against a driver that writes down what it is asked: contexts, linking, launches, and what is not done.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "support/stub_driver.h"

namespace {

thread_local std::size_t allocations = 0;

}  // namespace

// Every allocation of the program and of libcuttle.so comes by here. Inlined, the pair would look to g++ like new and free.
void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
// AddressSanitizer's own does not call the one above.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using cuttle::Array;
using cuttle::Device;
using cuttle::test::StubDriver;

const StubDriver stub;

class Driver : public testing::Test {
 protected:
  void SetUp() override { stub.record(); }
  void TearDown() override { stub.set_current_context(nullptr); }
};

auto axpy = CUTTLE_KERNEL([](auto n, auto a, auto x, auto y) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
});

TEST_F(Driver, IsTheStub) {
  ASSERT_EQ(Device::cuda_count(), 2);
  EXPECT_EQ(Device::cuda().name(), "stub GPU");
  EXPECT_EQ(Device::current(), Device::cuda());
  EXPECT_EQ(Device::cuda().sm(), 90);
}

TEST_F(Driver, ALaunchHandsOverEveryArgumentWithItsSize) {
  const Array<double> x({1, 2, 3});
  Array<double> y({4, 5, 6});
  axpy[{.grid = {3, 2, 1}, .block = {64, 4}, .shared = 96}](std::int8_t{3}, 0.5, x, y);

  const auto& launch = stub.state().last_launch;
  EXPECT_EQ(stub.calls("cuLaunchKernel"), 1u);
  EXPECT_TRUE(std::ranges::equal(launch.grid, std::vector{3u, 2u, 1u}));
  EXPECT_TRUE(std::ranges::equal(launch.block, std::vector{64u, 4u, 1u}));
  EXPECT_EQ(launch.shared_bytes, 96u);
  EXPECT_EQ(launch.stream, nullptr);  // the legacy stream, in order with the CUDA runtime's
  ASSERT_EQ(launch.parameter_count, 4u);
  EXPECT_EQ(launch.parameter_sizes[0], sizeof(std::int8_t));
  EXPECT_EQ(launch.parameter<std::int8_t>(0), 3);
  EXPECT_EQ(launch.parameter_sizes[1], sizeof(double));
  EXPECT_EQ(launch.parameter<double>(1), 0.5);
  EXPECT_EQ(launch.parameter_sizes[2], sizeof(x.view()));
  EXPECT_EQ(launch.parameter<cuttle::view<const double>>(2).data(), x.data());
  EXPECT_EQ(launch.parameter<cuttle::view<const double>>(2).size(), 3);
  EXPECT_EQ(launch.parameter<cuttle::view<double>>(3).data(), y.data());
}

TEST_F(Driver, TheEntryIsNamedAfterTheFile) {
  Array<float> x(1);
  axpy[{1, 1}](1, 1.0f, x, x);
  EXPECT_EQ(std::string(stub.state().last_launch.entry).rfind("driver_test_", 0), 0u) << stub.state().last_launch.entry;
}

TEST_F(Driver, AWarmLaunchMakesOneCallBesidesTheLookAtTheContext) {
  Array<float> x(1);
  axpy[{1, 1}](1, 1.0f, x, x);
  stub.set_current_context(stub.state().last_launch.context);
  stub.record();
  axpy[{1, 1}](1, 1.0f, x, x);
  unsigned all = 0;
  for (std::size_t i = 0; i < stub.state().entry_count; ++i) all += stub.state().entries[i].calls;
  EXPECT_EQ(stub.calls("cuLaunchKernel"), 1u);
  EXPECT_LE(stub.calls("cuCtxGetCurrent"), 1u);
  EXPECT_EQ(all, stub.calls("cuLaunchKernel") + stub.calls("cuCtxGetCurrent"));
}

TEST_F(Driver, PushesItsContextOnlyWhereAnotherIsCurrentAndLeavesTheCallersAsItWas) {
  Array<float> x(1);
  axpy[{1, 1}](1, 1.0f, x, x);
  void* const ours = stub.state().last_launch.context;
  ASSERT_NE(ours, nullptr);

  int place = 0;
  void* const others = &place;
  stub.set_current_context(others);
  stub.record();
  axpy[{1, 1}](1, 1.0f, x, x);
  EXPECT_EQ(stub.calls("cuCtxPushCurrent"), 1u);
  EXPECT_EQ(stub.calls("cuCtxPopCurrent"), 1u);
  EXPECT_EQ(stub.state().last_launch.context, ours);
  EXPECT_EQ(stub.current_context(), others);

  stub.set_current_context(ours);
  stub.record();
  axpy[{1, 1}](1, 1.0f, x, x);
  EXPECT_EQ(stub.calls("cuCtxPushCurrent"), 0u);
  EXPECT_EQ(stub.current_context(), ours);
}

TEST_F(Driver, AThreadWithoutAContextKeepsOurs) {
  Array<float> x(1);
  axpy[{1, 1}](1, 1.0f, x, x);
  stub.set_current_context(nullptr);
  stub.record();
  axpy[{1, 1}](1, 1.0f, x, x);
  EXPECT_EQ(stub.current_context(), stub.state().last_launch.context);
  axpy[{1, 1}](1, 1.0f, x, x);
  EXPECT_EQ(stub.calls("cuCtxPushCurrent"), 1u);
  EXPECT_EQ(stub.calls("cuCtxPopCurrent"), 0u);
}

TEST_F(Driver, ThePrimaryContextIsRetainedOnceAndNeverReleased) {
  Array<float> x(1);
  axpy[{1, 1}](1, 1.0f, x, x);
  stub.record();
  std::thread([&] { axpy[{1, 1}](1, 1.0f, x, x); }).join();
  EXPECT_EQ(stub.calls("cuDevicePrimaryCtxRetain"), 0u);
}

TEST_F(Driver, AWarmLaunchAllocatesNothing) {
  Array<float> x(8);
  auto over_and_over = [&] {
    axpy[{.grid = 1, .block = 8}](8u, 2.0f, x, x);
    axpy.over(8)(8u, 2.0f, x, x);
  };
  over_and_over();
  stub.state().recording = false;
  const std::size_t before = allocations;
  for (int i = 0; i < 100; ++i) over_and_over();
  EXPECT_EQ(allocations, before);
}

TEST_F(Driver, EachDeviceGetsTheBinaryOfItsOwnAndOneCompilationServesBoth) {
  auto kernel = CUTTLE_KERNEL([](auto out) { out[threadIdx.x] = 41; });
  const auto compilations = cuttle::stats().compilations;
  void* contexts[2];
  for (int device = 0; device < 2; ++device) {
    const cuttle::Use use(Device::cuda(device));
    Array<int> out(1);
    stub.record();
    for (int i = 0; i < 3; ++i) kernel[{1, 1}](out);
    EXPECT_EQ(stub.calls("cuModuleLoadData"), 1u);
    EXPECT_EQ(stub.calls("cuLaunchKernel"), 3u);
    contexts[device] = stub.state().last_launch.context;
  }
  EXPECT_NE(contexts[0], contexts[1]);
  EXPECT_EQ(cuttle::stats().compilations, compilations + 1);
}

TEST_F(Driver, WhenTheLinkerRefusesTheMessageHasItsLogAndNamesTheKeptPtx) {
  auto kernel = CUTTLE_KERNEL([](auto out) { out[threadIdx.x] = 42; });
  Array<int> out(1);
  stub.state().link_log = "ptxas fatal : a line of the linker's log";
  std::string message;
  {
    const StubDriver::Failure failure(stub, "cuLinkComplete", 218);
    try {
      kernel[{1, 1}](out);
      FAIL() << "no exception";
    } catch (const cuttle::DriverError& error) {
      message = error.what();
      EXPECT_EQ(error.code(), 218);
    }
  }
  EXPECT_NE(message.find(stub.state().link_log), std::string::npos) << message;
  EXPECT_NE(message.find("(view<i32>)"), std::string::npos) << message;

  // The file is there, and is the PTX that was refused.
  const std::size_t begin = message.find("kept in ");
  ASSERT_NE(begin, std::string::npos) << message;
  const std::string path = message.substr(begin + 8, message.find(';', begin) - begin - 8);
  std::ifstream in(path);
  const std::string ptx{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(ptx.find(".target sm_90"), std::string::npos) << path;
  std::filesystem::remove(path);

  // And the next launch, with a linker that works, works.
  stub.record();
  kernel[{1, 1}](out);
  EXPECT_EQ(stub.calls("cuLaunchKernel"), 1u);
  EXPECT_EQ(stub.calls("cuLinkCreate"), stub.calls("cuLinkDestroy"));
}

TEST_F(Driver, TheLinkerIsStartedOnceWhileTheFirstKernelCompiles) {
  auto first = CUTTLE_KERNEL([](auto out) { out[threadIdx.x] = 43; });
  auto second = CUTTLE_KERNEL([](auto out) { out[threadIdx.x] = 44; });
  Array<int> out(1);
  stub.record();
  first[{1, 1}](out);
  EXPECT_LE(stub.calls("cuLinkComplete"), 2u);  // one of them nobody's, unless another test came first
  stub.record();
  second[{1, 1}](out);
  EXPECT_EQ(stub.calls("cuLinkComplete"), 1u);
  EXPECT_EQ(stub.calls("cuLinkCreate"), stub.calls("cuLinkDestroy"));
}

TEST_F(Driver, ALaunchThatTheDriverRefusesNamesTheKernel) {
  Array<float> x(1);
  axpy[{1, 1}](1, 1.0f, x, x);
  const StubDriver::Failure failure(stub, "cuLaunchKernel", 701);
  try {
    axpy[{1, 1}](1, 1.0f, x, x);
    FAIL() << "no exception";
  } catch (const cuttle::DriverError& error) {
    EXPECT_NE(std::string(error.what()).find("driver_test_"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("the stub was told to fail"), std::string::npos) << error.what();
    EXPECT_EQ(error.code(), 701);
  }
}

TEST_F(Driver, MoreThan48KBOfDynamicSharedMemoryIsAskedForOnce) {
  auto kernel = CUTTLE_KERNEL([](auto out) { out[threadIdx.x] = 43; });
  Array<int> out(1);
  kernel[{.block = 1, .shared = 48 * 1024}](out);
  EXPECT_EQ(stub.calls("cuFuncSetAttribute"), 0u);
  for (int i = 0; i < 3; ++i) kernel[{.block = 1, .shared = 100 * 1024}](out);
  EXPECT_EQ(stub.calls("cuFuncSetAttribute"), 1u);
  EXPECT_EQ(stub.state().last_launch.shared_bytes, 100u * 1024);
}

TEST_F(Driver, WhatIsOutOfLimitsNeverReachesTheDriver) {
  Array<float> x(1);
  axpy[{1, 1}](1, 1.0f, x, x);
  stub.record();
  EXPECT_THROW((axpy[{.grid = {1, 65536}, .block = 1}](1, 1.0f, x, x)), cuttle::LaunchError);
  EXPECT_THROW((axpy[{.block = 1025}](1, 1.0f, x, x)), cuttle::LaunchError);
  EXPECT_THROW((axpy[{.grid = std::int64_t{1} << 40, .block = 1}](1, 1.0f, x, x)), cuttle::LaunchError);
  axpy[{.grid = 0, .block = 32}](1, 1.0f, x, x);  // no blocks: nothing to do
  EXPECT_EQ(stub.calls("cuLaunchKernel"), 0u);
  axpy[{.grid = {1, 65535}, .block = 1024}](1, 1.0f, x, x);
  EXPECT_EQ(stub.calls("cuLaunchKernel"), 1u);
}

TEST_F(Driver, AnArrayIsFreedOnceAndMemoryThatIsShortIsNamed) {
  const int before = stub.state().live_allocations;
  {
    Array<float> x(100);
    Array<float> moved = std::move(x);
    EXPECT_EQ(stub.state().live_allocations, before + 1);
  }
  EXPECT_EQ(stub.state().live_allocations, before);

  const StubDriver::Failure failure(stub, "cuMemAllocFromPoolAsync", 2);
  try {
    Array<float> x(1000);
    FAIL() << "no exception";
  } catch (const cuttle::Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("4000 bytes"), std::string::npos) << message;  // asked
    EXPECT_NE(message.find("1073741824"), std::string::npos) << message;  // free
  }
}

TEST_F(Driver, KernelsAndTheirCopiesTouchNoDriver) {
  stub.record();
  auto kernel = CUTTLE_KERNEL([](auto out) { out[threadIdx.x] = 44; });
  auto copy = kernel;
  EXPECT_NE(copy.inspect<cuttle::view<int>>(cuttle::sm(90)).ptx(), "");
  for (std::size_t i = 0; i < stub.state().entry_count; ++i) {
    EXPECT_EQ(stub.state().entries[i].calls, 0u) << stub.state().entries[i].name;
  }
}

}  // namespace
