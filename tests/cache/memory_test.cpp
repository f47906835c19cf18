// What one process remembers: a kernel is compiled once however many threads ask, and one that does not compile is not tried again.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace {

using cuttle::stats;

class Memory : public testing::Test {
 protected:
  cuttle::Use use_{cuttle::Device::cpu()};
};

TEST_F(Memory, AHundredThreadsOnOneNewSignatureCompileOnce) {
  auto add_one = CUTTLE_KERNEL([](auto n, auto x) {
    auto i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
  });
  const auto before = stats();
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 100; ++t) {
    threads.emplace_back([&] {
      const cuttle::Use cpu(cuttle::Device::cpu());
      cuttle::Array<int> x(std::vector<int>(10, 1));
      add_one.over(10)(10u, x);
      right += x.to_vector() == std::vector<int>(10, 2);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 100);
  EXPECT_EQ(stats().compilations, before.compilations + 1);
  EXPECT_EQ(stats().modules, before.modules + 1);
}

TEST_F(Memory, TheSameTextElsewhereIsFoundInMemory) {
  auto here = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] = 17; });
  auto there = CUTTLE_KERNEL([](auto x) {
    // with another layout
    x[threadIdx.x] = 17;
  });
  cuttle::Array<int> x(1);
  here[{1, 1}](x);
  const auto before = stats();
  there[{1, 1}](x);
  EXPECT_EQ(stats().compilations, before.compilations);
  EXPECT_EQ(stats().memory_hits, before.memory_hits + 1);
}

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const cuttle::CompileError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(Memory, AKernelThatDoesNotCompileFailsAgainWithoutCompiling) {
  auto wrong = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] = x.no_such_member; });
  cuttle::Array<int> x(1);
  cuttle::Array<float> y(1);
  const auto before = stats().compilations;
  const std::string first = message_of([&] { wrong[{1, 1}](x); });
  EXPECT_NE(first.find("no_such_member"), std::string::npos) << first;
  EXPECT_EQ(message_of([&] { wrong[{1, 1}](x); }), first);
  EXPECT_EQ(stats().compilations, before + 1);
  EXPECT_NE(message_of([&] { wrong[{1, 1}](y); }), first);  // another signature is another attempt
  EXPECT_EQ(stats().compilations, before + 2);
}

TEST_F(Memory, StagesAreTimed) {
  auto kernel = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] = 23; });
  cuttle::Array<int> x(1);
  const cuttle::StageTimes before = stats().milliseconds;
  kernel[{1, 1}](x);
  const cuttle::StageTimes after = stats().milliseconds;
  EXPECT_GT(after.parse, before.parse);
  EXPECT_GT(after.optimise, before.optimise);
  EXPECT_GT(after.lower, before.lower);
  EXPECT_GT(after.write, before.write);
  EXPECT_GT(after.load, before.load);
}

}  // namespace
