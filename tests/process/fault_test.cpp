// A kernel that writes where it must not, on a real GPU, in a process of its own.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

const auto out_of_bounds = CUTTLE_KERNEL([](cuttle::view<int> x, std::int64_t far) { x[far] = 1; });
const auto trap_below_zero = CUTTLE_KERNEL([](cuttle::view<int> x) {
  if (x[0] < 0) __trap();
});
const auto set_one = CUTTLE_KERNEL([](cuttle::view<int> x) { x[0] = 1; });

[[noreturn]] void fault_and_go_on() {
  cuttle::Array<int> x(1);
  out_of_bounds[{1, 1}](x, std::int64_t{1} << 40);
  std::string first, second;
  try {
    cuttle::synchronize();
  } catch (const cuttle::DriverError& error) {
    first = error.what();
  }
  try {
    set_one[{1, 1}](x);
    cuttle::synchronize();
  } catch (const cuttle::DriverError& error) {
    second = error.what();
  }
  const bool named = first.find("(view<i32>, i64)") != std::string::npos && first.find("CUDA_ERROR_ILLEGAL_ADDRESS") != std::string::npos;
  const cuttle::Use use(cuttle::Device::cpu());
  cuttle::Array<int> y{0};
  set_one[{1, 1}](y);
  if (!named || first != second || y.item() != 1) {
    std::fprintf(stderr, "first: %s\nsecond: %s\n", first.c_str(), second.c_str());
    std::exit(1);
  }
  std::exit(0);
}

[[noreturn]] void trap() {
  cuttle::Array<int> x{-1};
  std::string text;
  trap_below_zero[{1, 1}](x);
  try {
    cuttle::synchronize();
  } catch (const cuttle::DriverError& error) {
    text = error.what();
  }
  const bool is_named = text.find("kernel fault_test_") != std::string::npos;
  if (!is_named) std::fprintf(stderr, "%s\n", text.c_str());
  std::exit(is_named ? 0 : 1);
}

[[noreturn]] void leave_view() {
  cuttle::Array<int> x(4);
  bool is_right = false;
  std::string text;
  try {
    out_of_bounds.with({.check = true})[{1, 1}](x, std::int64_t{4});
    cuttle::synchronize();
  } catch (const cuttle::CheckError& error) {
    text = error.what();
    const auto& finding = error.finding();
    is_right = finding.check == cuttle::Check::out_of_bounds && finding.index == 4 && finding.line > 0 &&
               finding.file.find("fault_test.cpp") != std::string::npos;
  }
  if (!is_right) std::fprintf(stderr, "%s\n", text.c_str());
  std::exit(is_right ? 0 : 1);
}

TEST(Fault, OfAKernelIsNamedAndStaysAndTheCpuDeviceGoesOn) {
  if (cuttle::Device::cuda_count() == 0) GTEST_SKIP() << "no GPU in this machine";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fault_and_go_on(), testing::ExitedWithCode(0), "^$");
}

TEST(Fault, OfATrapNamesTheKernel) {
  if (cuttle::Device::cuda_count() == 0) GTEST_SKIP() << "no GPU in this machine";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(trap(), testing::ExitedWithCode(0), "^$");
}

TEST(Fault, OfAnIndexOutsideOfAViewIsACheckErrorUnderChecks) {
  if (cuttle::Device::cuda_count() == 0) GTEST_SKIP() << "no GPU in this machine";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(leave_view(), testing::ExitedWithCode(0), "^$");
}

}  // namespace
