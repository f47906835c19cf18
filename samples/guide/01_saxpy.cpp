// The guide's first kernel: declared parameter types, and its two launches.

#include <cuttle/cuttle.hpp>

#include <vector>

auto saxpy = CUTTLE_KERNEL([](float a, view<const float> x, view<float> y) {
  const auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size()) y[i] += a * x[i];
});

int main() {
  const cuttle::Array<float> x(std::vector<float>(1000, 1.0f));  // device memory, and a copy of the vector in it
  cuttle::Array<float> y(1000);
  y.fill(2);

  saxpy[{.grid = 4, .block = 256}](3, x, y);  // <<<4, 256>>>; the 3 becomes 3.0f
  saxpy.over(x.size())(3, x, y);              // at least so many threads: block and grid are cuttle's choice

  return y.to_vector() == std::vector<float>(1000, 8.0f) ? 0 : 1;  // waits for the kernels, and copies back
}
