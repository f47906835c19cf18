// fork: before the first use both processes work; after it the child has the CPU device, and a clear error for a GPU.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cuttle/cuttle.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using cuttle::Array;
using cuttle::Device;

const auto add_one = CUTTLE_KERNEL([](cuttle::view<int> x) {
  const auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size()) x[i] += 1;
});

bool works_on(Device device) {
  const cuttle::Use use(device);
  Array<int> x = cuttle::zeros<int>(10'000);
  add_one.over(x.size())(x);
  return x.to_vector() == std::vector<int>(10'000, 1);
}

// Exit code of a child that runs `body`, which returns it.
template <class Body>
int in_child(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 99;
    try {
      code = body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    std::_Exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(Fork, AfterUseLeavesTheCpuDeviceToTheChild) {
  ASSERT_TRUE(works_on(Device::cpu()));
  EXPECT_EQ(in_child([] { return works_on(Device::cpu()) ? 0 : 1; }), 0);
  EXPECT_TRUE(works_on(Device::cpu())) << "the parent is unharmed";
}

TEST(Fork, AfterUseGivesTheChildAClearErrorForAGpu) {
  if (Device::cuda_count() == 0) GTEST_SKIP() << "no GPU in this machine";
  ASSERT_TRUE(works_on(Device::cuda()));
  Array<int> x(10);
  EXPECT_EQ(in_child([&] {
              try {
                static_cast<void>(works_on(Device::cuda()));
                return 1;
              } catch (const cuttle::Error& error) {
                if (std::string(error.what()).find("forked") == std::string::npos) return 2;
              }
              x = {};  // nothing to free here, and nothing goes wrong
              return works_on(Device::cpu()) ? 0 : 3;
            }),
            0);
  EXPECT_TRUE(works_on(Device::cuda()));
}

TEST(Fork, BeforeUseLetsBothWork) {
  // In a process that has not used a device: the first use decides.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [] {
    const int child = in_child([] { return works_on(Device::current()) ? 0 : 1; });
    std::exit(child == 0 && works_on(Device::current()) ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

}  // namespace
