// Faults of kernels on the CPU device are exceptions of the next wait, and the process and the device go on.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <cstdint>
#include <string>

namespace cuttle {
namespace {

CUTTLE_DEVICE(struct Depth {
  static int below(int n, int* sink) {
    int room[256];
    for (int i = 0; i < 256; ++i) room[i] = n + i;
    sink[0] = room[n & 255];
    return n == -1 ? 0 : below(n + 1, room) + room[(n + 7) & 255];
}
};  // namespace cuttle
);

constexpr int line_of_write_far = __LINE__ + 1;
auto write_far = CUTTLE_KERNEL([](view<int> x, std::int64_t far) {
  if (blockIdx.x % 2 == 1) x[far] = 1;
  x[blockIdx.x] = blockIdx.x;
});
auto descend = CUTTLE_KERNEL([](view<int> x) { x[blockIdx.x] = Depth::below(0, x.data()); });
auto stop = CUTTLE_KERNEL([](view<int> x, bool breakpoint) {
  x[blockIdx.x] = 1;
  if (blockIdx.x == 1) {
    if (breakpoint) __brkpt();
    __trap();
  }
});
auto set = CUTTLE_KERNEL([](view<int> x) { x[blockIdx.x] = 7; });

// What the next wait throws.
DriverError fault() {
  try {
    synchronize();
  } catch (const DriverError& error) {
    return error;
  }
  ADD_FAILURE() << "no fault was reported";
  return {"", 0};
}

void expect_device_works() {
  auto x = zeros<int>(8);
  set[{.grid = 8, .block = 1}](x);
  synchronize();
  EXPECT_EQ(x.to_vector(), std::vector<int>(8, 7));
}

class CpuFault : public testing::TestWithParam<int> {
 protected:
  Use use_{Device::cpu()};
};

TEST_P(CpuFault, AccessToNoMemoryIsAnException) {
  auto x = zeros<int>(64);
  write_far[{.grid = GetParam(), .block = 1}](x, std::int64_t{1} << 42);
  const DriverError error = fault();
  EXPECT_EQ(error.code(), 700);
  EXPECT_NE(std::string(error.what()).find("cpu_fault_test.cpp:" + std::to_string(line_of_write_far) + " (view<i32>, i64)"), std::string::npos)
      << error.what();
  EXPECT_EQ(x.to_vector()[0], 0);
  synchronize();  // it is reported once
  expect_device_works();
}

TEST_P(CpuFault, RunningOutOfStackIsAnException) {
  auto x = zeros<int>(64);
  descend[{.grid = GetParam(), .block = 1}](x);
  const DriverError error = fault();
  EXPECT_EQ(error.code(), 700);
  EXPECT_NE(std::string(error.what()).find("stack"), std::string::npos) << error.what();
  expect_device_works();
}

TEST_P(CpuFault, ATrapAndABreakpointWithoutADebuggerEndTheLaunch) {
  for (const bool breakpoint : {false, true}) {
    auto x = zeros<int>(64);
    stop[{.grid = GetParam(), .block = 1}](x, breakpoint);
    const DriverError error = fault();
    EXPECT_EQ(error.code(), 719);
    EXPECT_NE(std::string(error.what()).find("kernel cpu_fault_test_"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(breakpoint ? "breakpoint" : "trap"), std::string::npos) << error.what();
    expect_device_works();
  }
}

INSTANTIATE_TEST_SUITE_P(, CpuFault, testing::Values(2, 64), [](const auto& test) { return std::to_string(test.param) + "_blocks"; });

}  // namespace
}  // namespace cuttle
