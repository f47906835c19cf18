// Pointers to what a GPU does not reach, on the CUDA half: refused by name before the launch, and looked at without cost to later launches.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <cstring>
#include <string>
#include <vector>

#include "support/stub_driver.h"

namespace {

using cuttle::Array;
using cuttle::test::StubDriver;

const StubDriver stub;

const auto add = CUTTLE_KERNEL([](const float* from, auto n, float* to) {
  const auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i];
});

template <class Launch>
std::string refusal(const Launch& launch) {
  try {
    launch();
  } catch (const cuttle::LaunchError& error) {
    return error.what();
  }
  return "nothing was refused";
}

class HostPointers : public testing::Test {
 protected:
  HostPointers() { stub.record(); }
  cuttle::Use use_{cuttle::Device::cuda()};
};

TEST_F(HostPointers, AreRefusedByNameAndNothingIsLaunched) {
  std::vector<float> host(4);
  Array<float> device(4);
  const std::string message = refusal([&] { add[{1, 4}](device, 4, host.data()); });
  EXPECT_NE(message.find("argument 3 (to) of kernel host_pointer_test_"), std::string::npos) << message;
  EXPECT_NE(message.find("only the host reaches"), std::string::npos) << message;
  EXPECT_EQ(stub.calls("cuLaunchKernel"), 0u);
  add[{1, 4}](device, 4, device);
  EXPECT_EQ(stub.calls("cuLaunchKernel"), 1u) << "what was refused leaves no trace";
}

TEST_F(HostPointers, AreRefusedAsTheDataOfAView) {
  auto set = CUTTLE_KERNEL([](auto x) { x[0] = 1; });
  std::vector<int> host(4);
  const std::string message = refusal([&] { set[{1, 1}](cuttle::view<int>(host.data(), 4)); });
  EXPECT_NE(message.find("argument 1 (x)"), std::string::npos) << message;
}

TEST_F(HostPointers, AreRefusedByAFunctionOfAModule) {
  const auto module = cuttle::Module::from_source("__global__ void set(int* x) { *x = 1; }");
  int host = 0;
  const std::string message = refusal([&] { module.function("set")[{1, 1}](&host); });
  EXPECT_NE(message.find("argument 1 of kernel set"), std::string::npos) << message;
}

TEST_F(HostPointers, AsThoseToAnotherGpusMemoryAreRefused) {
  auto set = CUTTLE_KERNEL([](int* x) { *x = 2; });
  int* there = nullptr;
  const cuttle::Use other(cuttle::Device::cuda(1));
  Array<int> x(4);
  there = x.data();
  {
    const cuttle::Use use(cuttle::Device::cuda(0));
    const std::string message = refusal([&] { set[{1, 1}](there); });
    EXPECT_NE(message.find("argument 1 (x)"), std::string::npos) << message;
    EXPECT_NE(message.find("memory of GPU 1, which GPU 0 may not access"), std::string::npos) << message;
  }
  EXPECT_EQ(refusal([&] { set[{1, 1}](there); }), "nothing was refused") << "on its own device";
}

TEST_F(HostPointers, AsThoseToAFreedArrayAreRefused) {
  auto set = CUTTLE_KERNEL([](int* x) { *x = 3; });
  auto see = CUTTLE_KERNEL([](auto x) { x[0] = 3; });
  Array<int> x(4);
  int* const gone = x.data();
  x = {};
  const std::string message = refusal([&] { set[{1, 1}](gone); });
  EXPECT_NE(message.find("argument 1 (x)"), std::string::npos) << message;
  EXPECT_NE(message.find("an Array that was freed"), std::string::npos) << message;
  EXPECT_NE(refusal([&] { see[{1, 1}](cuttle::view<int>(gone, 4)); }).find("an Array that was freed"), std::string::npos);
}

TEST_F(HostPointers, AsNullIsWhereThereAreElements) {
  auto see = CUTTLE_KERNEL([](auto x) { x[0] = 4; });
  EXPECT_NE(refusal([&] { see[{1, 1}](cuttle::view<int>(nullptr, 4)); }).find("a view of elements whose pointer is null"), std::string::npos);
  EXPECT_EQ(refusal([] { static_cast<void>(Array<int>::borrow(nullptr, {0})); }), "nothing was refused");
}

TEST_F(HostPointers, ThatTheGpuReachesArePassed) {
  auto touch = CUTTLE_KERNEL([](const float* a, const float* b, const float* c, const float* d) { (void)(a + (b - c) + (d ? 1 : 0)); });
  const Array<float> device(4);
  cuttle::Pinned<float> pinned(4);
  cuttle::Managed<float> managed(4);
  const float* none = nullptr;
  touch[{1, 1}](pinned.data(), managed.data(), device.data() + 4, none);
  EXPECT_EQ(stub.calls("cuLaunchKernel"), 1u);
}

TEST_F(HostPointers, AreLookedForByTheFirstLaunchAloneUnlessChecksAreOn) {
  auto kernel = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] = 51; });
  Array<int> x(4);
  kernel[{1, 4}](x);
  kernel[{.block = 4, .shared = 100 * 1024}](x);
  stub.record();
  kernel[{1, 4}](x);
  kernel[{.block = 4, .shared = 100 * 1024}](x);
  EXPECT_EQ(stub.calls("cuPointerGetAttribute"), 0u);

  const auto checked = kernel.with({.check = true});
  std::vector<int> host(4);
  checked[{1, 4}](x.view());
  EXPECT_NE(refusal([&] { checked[{1, 4}](cuttle::view<int>(host.data(), 4)); }), "nothing was refused");
}

}  // namespace
