// The grid-stride copy, the first kernel of the README, with every launch spelling.

#include <numeric>
#include <vector>

#include "support/device_test.h"

namespace {

class Copy : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Copy);

auto copy = CUTTLE_KERNEL([](auto x, auto size, auto y) {
  auto tid = blockIdx.x * blockDim.x + threadIdx.x;
  auto ntid = gridDim.x * blockDim.x;
  for (auto i = tid; i < size; i += ntid) y[i] = x[i];
});

std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

TEST_P(Copy, CopiesEveryElementWithEachLaunchSpelling) {
  const auto host = numbers(1001);  // not a multiple of any block
  const cuttle::Array x(host);
  for (int spelling = 0; spelling < 3; ++spelling) {
    cuttle::Array<float> y(1001);
    if (spelling == 0) copy[{.grid = 10, .block = 10}](x, 1001u, y);
    if (spelling == 1) copy[{3, 64}](x, 1001u, y);
    if (spelling == 2) copy.over(1001)(x, 1001u, y);
    EXPECT_EQ(y.to_vector(), host) << "spelling " << spelling;
  }
}

}  // namespace
