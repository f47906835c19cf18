// The guide's loops: a grid-stride loop, a range with two ends, and one that is unrolled.

#include <cuttle/cuttle.hpp>

#include <algorithm>
#include <array>
#include <vector>

auto smooth = CUTTLE_KERNEL([](view<const float> x, view<float> y, int radius) {
  const int n = static_cast<int>(x.size());
  for (auto i : grid_stride(n)) {  // i = this thread, this thread + the grid's threads, ... while i < n
    float sum = 0;
    for (auto k : range(-radius, radius + 1)) sum += x[std::clamp(i + k, 0, n - 1)];
    y[i] = sum / static_cast<float>(2 * radius + 1);
  }
});

auto horner = CUTTLE_KERNEL([](view<float> x, std::array<float, 4> c) {
  for (auto i : grid_stride(x.size())) {
    float y = 0;
    for (auto k : unroll(range(3, -1, -1))) y = y * x[i] + c[static_cast<unsigned>(k)];  // 3, 2, 1, 0
    x[i] = y;
  }
});

int main() {
  const cuttle::Array<float> x({0, 3, 6, 9, 12});
  cuttle::Array<float> y(5);
  smooth[{.grid = 1, .block = 2}](x, y, 1);  // any grid is right
  if (y.to_vector() != std::vector<float>{1, 3, 6, 9, 11}) return 1;
  horner.over(5)(y, std::array<float, 4>{1, 0, 2, 1});  // 1 + 2 x^2 + x^3
  return y.to_vector() == std::vector<float>{4, 46, 289, 892, 1574} ? 0 : 1;
}
