// The guide's options: the same kernel, compiled another way, and a look at its code.

#include <cuttle/cuttle.hpp>

#include <cstdio>
#include <string>
#include <vector>

auto wave = CUTTLE_KERNEL([](view<float> x, float phase) {
  for (auto i : grid_stride(x.size())) x[i] = sqrtf(x[i]) / (1 + phase);
  if (threadIdx.x == 0 && blockIdx.x == 0) printf("x[0] = %g\n", x[0]);
});

int main() {
  cuttle::Array<float> x({4, 9, 16});
  wave.over(3)(x, 0.0f);
  wave.with({.fast_math = true})[{.grid = 1, .block = 32}](x, 1.0f);

  const std::string precise = wave.inspect(cuttle::sm(90), x, 0.0f).ptx();
  const std::string fast = wave.with({.fast_math = true}).inspect(cuttle::sm(90), x, 0.0f).ptx();
  const bool differ = precise.find("sqrt.rn.f32") != std::string::npos && fast.find("sqrt.approx") != std::string::npos;

  const std::vector<float> result = x.to_vector();
  return differ && result[0] > 0.70f && result[0] < 0.71f ? 0 : 1;
}
