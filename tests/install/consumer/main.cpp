// A program of another project: ten lines that need nothing but an installed cuttle.
#include <cuttle/cuttle.hpp>

#include <vector>

#include "scale.h"

CUTTLE_DEVICE_HEADER("scale.h");

int main() {
  auto twice = CUTTLE_KERNEL([](view<float> x) { x[threadIdx.x] *= scale; });
  cuttle::Array x(std::vector<float>{1, 2, 3});
  twice[{.grid = 1, .block = 3}](x);
  return x.to_vector() == std::vector<float>{2, 4, 6} ? 0 : 1;
}
