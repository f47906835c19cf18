// A failed assert of a kernel, on each device in a process of its own: on a GPU it costs the process its context.

#undef NDEBUG  // which takes every assert out, a kernel's too

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

const auto check_all = CUTTLE_KERNEL([](cuttle::view<int> x, int limit) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  assert(x[i] < limit && "too large");
  x[i] += 1;
});
constexpr int line_after = __LINE__;

// Where this file is not at hand, the kernel's first line is all that is known.
int line_of_assert() { return line_after - (std::filesystem::exists(__FILE__) ? 3 : 6); }

[[noreturn]] void end(bool right, const std::string& text) {
  if (!right) std::fprintf(stderr, "%s\n", text.c_str());
  std::exit(right ? 0 : 1);
}

bool runs_on(cuttle::Device device) {
  const cuttle::Use use(device);
  cuttle::Array<int> x(4 * 8);
  x.fill(1);
  check_all[{4, 8}](x, 2);
  cuttle::synchronize();
  return x.to_vector() == std::vector<int>(4 * 8, 2);
}

// Of 4 blocks of 8 threads one thread fails: number 5 of block 2.
std::string message_of_a_failure() {
  std::vector<int> values(4 * 8, 1);
  values[21] = 100;
  cuttle::Array<int> x(values);
  check_all[{4, 8}](x, 50);
  try {
    cuttle::synchronize();
  } catch (const cuttle::AssertionError& error) {
    return error.code() == 710 ? error.what() : "another code";
  }
  return "no exception";
}

[[noreturn]] void fail_on(const cuttle::Device& device) {
  std::string text;
  {
    const cuttle::Use use(device);
    text = message_of_a_failure();
  }
  for (const std::string& part :
       {std::string("kernel assert_test_"), std::string("(view<i32>, i32)"), std::string("x[i] < limit && \"too large\""),
        "assert_test.cpp:" + std::to_string(line_of_assert()), std::string("block (2, 0, 0)"), std::string("thread (5, 0, 0)")}) {
    if (text.find(part) == std::string::npos) end(false, part + " is not in: " + text);
  }
  end(runs_on(cuttle::Device::cpu()), "the CPU device does not go on");
}

TEST(Assert, OnTheCpuDeviceBecomesAnExceptionAtTheNextWaitAndTheDeviceGoesOn) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fail_on(cuttle::Device::cpu()), testing::ExitedWithCode(0), "^$");
}

TEST(Assert, OnAGpuBecomesAnExceptionAtTheNextWaitAndTheCpuDeviceGoesOn) {
  if (cuttle::Device::cuda_count() == 0) GTEST_SKIP() << "no GPU in this machine";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fail_on(cuttle::Device::cuda()), testing::ExitedWithCode(0), "^$");
}

TEST(Assert, ThatHoldsChangesNothing) { EXPECT_TRUE(runs_on(cuttle::Device::current())); }

TEST(Assert, OfOneStreamIsNotThrownByAWaitForAnother) {
  const cuttle::Use use(cuttle::Device::cpu());
  cuttle::Array<int> x(1);
  x.fill(9);
  cuttle::Stream failing, other;
  check_all[{.grid = 1, .block = 1, .stream = failing}](x, 5);
  EXPECT_NO_THROW(other.synchronize());
  EXPECT_THROW(failing.synchronize(), cuttle::AssertionError);
  EXPECT_NO_THROW(cuttle::synchronize());
}

}  // namespace
