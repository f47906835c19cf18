// The guide's constants: values of the program that a kernel is compiled for.

#include <cuttle/cuttle.hpp>

#include <array>
#include <vector>

constexpr int radius = 1;
const std::array<float, 3> weights{0.25f, 0.5f, 0.25f};

auto blur = CUTTLE_KERNEL_WITH((radius, weights), [](view<const float> x, view<float> y) {
  float window[2 * radius + 1];  // in registers: radius is a constant here
  for (auto i : grid_stride(x.size() - 2 * radius)) {
    for (auto k : range(2 * radius + 1)) window[k] = x[i + k];
    float sum = 0;
    for (auto k : range(2 * radius + 1)) sum += weights[k] * window[k];
    y[i + radius] = sum;
  }
});

cuttle::Kernel power(int exponent) {  // a kernel of its own for each exponent, which only the run knows
  return CUTTLE_KERNEL_WITH((exponent), [](view<float> x) {
    for (auto i : grid_stride(x.size())) {
      float result = 1;
      for (int k = 0; k < exponent; ++k) result *= x[i];  // unrolled: the bound is a constant
      x[i] = result;
    }
  });
}

auto fill = CUTTLE_KERNEL([](view<int> x, auto n) {
  int local[n];  // n is a constant: its value is in its type
  for (auto i : range(n)) local[i] = i * i;
  x[0] = local[n - 1];
});

int main() {
  const cuttle::Array<float> x({0, 4, 8, 4, 0});
  cuttle::Array<float> y({0, 0, 0, 0, 0});
  blur.over(3)(x, y);

  power(2).over(5)(y);
  power(3).over(5)(y);

  cuttle::Array<int> squares(1);
  fill[{.grid = 1, .block = 1}](squares, cuttle::constant(10));
  return y.to_vector() == std::vector<float>{0, 4096, 46656, 4096, 0} && squares.item() == 81 ? 0 : 1;
}
