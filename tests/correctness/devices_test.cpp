// Devices: which there are, what they say of themselves, and which one is current, for each thread.

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::Device;
using cuttle::Use;

class Devices : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Devices);

TEST_P(Devices, AreEnumeratedGpusFirstAndTheCpuLast) {
  const std::vector<Device> all = Device::all();
  ASSERT_EQ(all.size(), static_cast<std::size_t>(Device::cuda_count()) + 1);
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    EXPECT_TRUE(all[i].is_cuda());
    EXPECT_EQ(all[i].index(), static_cast<int>(i));
  }
  EXPECT_EQ(all.back(), Device::cpu());
  EXPECT_EQ(Device::cpu().index(), -1);
  EXPECT_NE(std::find(all.begin(), all.end(), Device::current()), all.end());
}

TEST_P(Devices, SayWhatTheyAreAndCan) {
  const Device device = Device::current();
  EXPECT_EQ(device.is_cuda(), on_gpu());
  EXPECT_FALSE(device.name().empty());
  EXPECT_EQ(device.sm() > 0, on_gpu());
  const cuttle::DeviceProperties properties = device.properties();
  EXPECT_GE(properties.max_grid[0], 2147483647);
  EXPECT_GE(properties.max_grid[1], 65535);
  EXPECT_GE(properties.max_block[0], 1024);
  EXPECT_GE(properties.max_threads_per_block, 1024);
  EXPECT_GE(properties.max_shared_bytes_per_block, 48 * 1024);
  EXPECT_GE(properties.multiprocessors, 1);
  EXPECT_EQ(properties.warp_size, 32);
  EXPECT_LE(properties.greatest_stream_priority, 0);
  EXPECT_EQ(properties.driver_version > 0, on_gpu());
  EXPECT_EQ(properties.pci_bus_id.empty(), !on_gpu());
  EXPECT_EQ(properties.l2_bytes > 0, on_gpu());
}

TEST_P(Devices, ThatAreNotThereAreRefusedWithTheWayOut) {
  try {
    static_cast<void>(Device::cuda(1000));
    FAIL() << "there is no such GPU";
  } catch (const cuttle::Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(Device::cuda_count() > 0 ? "GPU 1000 was asked for, and there are" : "Device::cpu()"), std::string::npos) << message;
  }
}

TEST_P(Devices, AreCurrentInAScopeAndInOneThread) {
  const Device outer = Device::current();
  {
    const Use use(Device::cpu());
    EXPECT_EQ(Device::current(), Device::cpu());
    {
      const Use inner(outer);
      EXPECT_EQ(Device::current(), outer);
    }
    EXPECT_EQ(Device::current(), Device::cpu());
    EXPECT_EQ(Array<int>(3).device(), Device::cpu());
  }
  EXPECT_EQ(Device::current(), outer);
  bool is_own = false;
  std::thread([&] {
    const Device standard = Device::current();
    const Use use(Device::cpu());
    is_own = Device::current() == Device::cpu() && standard == Device::all().front();
  }).join();
  EXPECT_TRUE(is_own);
  EXPECT_EQ(Device::current(), outer);
}

TEST_P(Devices, KnowTheirMemory) {
  const cuttle::MemoryInfo memory = cuttle::memory_info();
  EXPECT_GT(memory.free, 0u);
  EXPECT_LE(memory.free, memory.total);
}

// Every launch runs on every device that there is, from one kernel.
TEST_P(Devices, ShareAKernel) {
  const auto add = CUTTLE_KERNEL([](auto x, int step) { x[threadIdx.x] += step; });
  int step = 1;
  for (const Device device : Device::all()) {
    const Use use(device);
    Array<int> x{1, 2, 3};
    add[{1, 3}](x, step);
    EXPECT_EQ(x.to_vector(), (std::vector{1 + step, 2 + step, 3 + step})) << device.name();
    ++step;
  }
}

}  // namespace
