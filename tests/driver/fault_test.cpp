// Faults on the CUDA half: a fault is blamed on the kernels launched last, is then reported at once, and leaves the CPU device alone.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <cstdio>
#include <string>

#include "support/stub_driver.h"

namespace {

using cuttle::Array;
using cuttle::Device;
using cuttle::test::StubDriver;

const StubDriver stub;
constexpr int illegal_address = 700, time_out = 702, misaligned_address = 716, trap = 719;

constexpr int line_of_wild = __LINE__ + 1;
const auto wild = CUTTLE_KERNEL([](cuttle::view<int> x) { x[0] = 1; });

// In a process of its own: a device that has faulted stays so.
void expect_blame(const std::string& what, bool condition) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::_Exit(1);
}

[[noreturn]] void fault_and_go_on(int code) {
  stub.record();  // what fails is looked up while calls are recorded
  Array<int> x(1);
  wild[{1, 1}](x);
  std::string first;
  {
    const StubDriver::Failure failure(stub, "cuCtxSynchronize", code);
    try {
      cuttle::synchronize();
    } catch (const cuttle::DriverError& error) {
      first = error.what();
      expect_blame("the code is the driver's", error.code() == code);
    }
  }
  expect_blame("the kernel and its signature are named: " + first,
               first.find("fault_test.cpp:" + std::to_string(line_of_wild) + " (view<i32>)") != std::string::npos);
  expect_blame("the likely causes are named: " + first,
               code != illegal_address || first.find("an index past an end, a freed array, or a pointer to memory of the host") != std::string::npos);
  stub.record();
  try {
    wild[{1, 1}](x);
    expect_blame("a launch after a fault throws", false);
  } catch (const cuttle::DriverError& error) {
    expect_blame("the same is said again", error.what() == first);
  }
  expect_blame("the driver is not asked again", stub.calls("cuLaunchKernel") == 0);
  {
    const cuttle::Use use(Device::cpu());
    Array<int> y{0};
    wild[{1, 1}](y);
    expect_blame("the CPU device works", y.item() == 1);
  }
  std::exit(0);  // with x alive in this frame, and its device lost
}

TEST(CudaFault, NamesTheKernelIsRepeatedQuicklyAndLeavesTheCpuDevice) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const int code : {illegal_address, time_out, misaligned_address, trap}) {
    EXPECT_EXIT(fault_and_go_on(code), testing::ExitedWithCode(0), "^$") << code;
  }
}

TEST(CudaFault, AnErrorThatIsNoFaultDoesNotStay) {
  stub.record();
  const cuttle::Use use(Device::cuda());
  {
    const StubDriver::Failure failure(stub, "cuCtxSynchronize", 1);
    EXPECT_THROW(cuttle::synchronize(), cuttle::DriverError);
  }
  EXPECT_NO_THROW(cuttle::synchronize());
}

TEST(CudaLaunch, IsDroppedWhereTheDriverHasShutDownAndReadingBackIsNot) {
  const cuttle::Use use(Device::cuda());
  stub.record();
  constexpr int deinitialized = 4;
  Array<int> x(1);
  wild[{1, 1}](x);
  {
    const StubDriver::Failure failure(stub, "cuLaunchKernel", deinitialized);
    EXPECT_NO_THROW((wild[{1, 1}](x)));
  }
  const StubDriver::Failure failure(stub, "cuMemcpyAsync", deinitialized);
  EXPECT_THROW((void)x.to_vector(), cuttle::DriverError);
}

TEST(CudaLaunch, WithAttributesGoesThroughLaunchKernelEx) {
  const cuttle::Use use(Device::cuda());
  Array<int> x(1);
  stub.record();
  wild[{.grid = 4, .block = 32, .cluster = 2}](x);
  wild[{.grid = 4, .block = 32, .cooperative = true}](x);
  wild[{.grid = 4, .block = 32, .overlap = true}](x);
  EXPECT_EQ(stub.calls("cuLaunchKernelEx"), 3u);
  EXPECT_EQ(stub.calls("cuLaunchKernel"), 0u);
}

TEST(CudaLaunch, ACooperativeGridThatDoesNotFitIsALaunchError) {
  const cuttle::Use use(Device::cuda());
  stub.record();
  Array<int> x(1);
  const StubDriver::Failure failure(stub, "cuLaunchKernelEx", 720);
  EXPECT_THROW((wild[{.grid = 1 << 20, .block = 1024, .cooperative = true}](x)), cuttle::LaunchError);
}

}  // namespace
