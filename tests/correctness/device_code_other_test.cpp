// A second file with device code of the same names: each file's kernels get their own.

#include "correctness/device_code_header.hpp"
#include "support/device_test.h"

namespace {
CUTTLE_DEVICE([[maybe_unused]] inline float helper(float x) { return x + 200; });
}  // namespace

namespace {

class DeviceCodeOfAnotherFile : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(DeviceCodeOfAnotherFile);

TEST_P(DeviceCodeOfAnotherFile, SameNameInTwoFilesIsResolvedByTheFile) {
  auto kernel = CUTTLE_KERNEL([](auto y) { y[0] = helper(1); });
  cuttle::Array<float> y(1);
  kernel[{1, 1}](y);
  EXPECT_EQ(y.item(), 201.0f);
}

}  // namespace
