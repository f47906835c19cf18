// One test body on every device: `TEST_P(OnEveryDevice, ...)` runs on the CPU device and on the first GPU, or skips there with the reason.
#pragma once

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <optional>
#include <string>

namespace cuttle::test {

class OnEveryDevice : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "cpu") {
      use_.emplace(Device::cpu());
    } else if (Device::cuda_count() == 0) {
      GTEST_SKIP() << "no GPU in this machine";
    } else {
      use_.emplace(Device::cuda());
    }
  }

  [[nodiscard]] bool on_gpu() const { return GetParam() == "cuda"; }

 private:
  std::optional<Use> use_;
};

/// Runs the suite's tests on every device: CUTTLE_ON_EVERY_DEVICE(Copy) after `class Copy : public OnEveryDevice {}` or a `using`.
#define CUTTLE_ON_EVERY_DEVICE(Suite)                                                       \
  INSTANTIATE_TEST_SUITE_P(, Suite, testing::Values(std::string("cpu"), std::string("cuda")), \
                           [](const auto& test) { return test.param; })

}  // namespace cuttle::test
