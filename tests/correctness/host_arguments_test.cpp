// Host containers as arguments: in, out and inout copy for the caller.

#include <array>
#include <vector>

#include "support/device_test.h"

namespace {

class HostArguments : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(HostArguments);

using cuttle::in;
using cuttle::inout;
using cuttle::out;

const auto scale = CUTTLE_KERNEL([](auto x, auto factor, auto y) {
  for (auto i = blockIdx.x * blockDim.x + threadIdx.x; i < x.size(); i += gridDim.x * blockDim.x) y[i] = x[i] * factor;
});
const auto add_one = CUTTLE_KERNEL([](cuttle::view<int> x) { x[threadIdx.x] += 1; });

TEST_P(HostArguments, AreCopiedInAndOut) {
  const std::vector<float> x = {1, 2, 3};
  std::vector<float> y(3);
  scale.over(3)(in(x), 2.0f, out(y));
  EXPECT_EQ(y, (std::vector<float>{2, 4, 6}));
  scale[{1, 32}](in(y), 2.0f, inout(y));
  EXPECT_EQ(y, (std::vector<float>{4, 8, 12}));
}

TEST_P(HostArguments, WorkOnAStreamBesideArrays) {
  const cuttle::Stream stream({.non_blocking = true});
  std::array<int, 4> x = {1, 2, 3, 4};
  add_one[{.block = 4, .stream = stream}](inout(x));
  EXPECT_EQ(x, (std::array{2, 3, 4, 5}));
  cuttle::Array<int> y(4);
  scale[{.block = 4, .stream = stream}](in(x), 10, y);
  stream.synchronize();
  EXPECT_EQ(y.to_vector(), (std::vector{20, 30, 40, 50}));
}

TEST_P(HostArguments, MayBeEmpty) {
  std::vector<float> none;
  scale.over(none.size())(in(none), 2.0f, out(none));
  EXPECT_TRUE(none.empty());
}

}  // namespace
