// 15: a CUDA C++ source as it stands, compiled when the program runs: vector addition.

#include <cuttle/cuttle.hpp>

#include <iostream>

int main() {
  const auto module = cuttle::Module::from_source(R"(
    extern "C" __global__ void add(const float* x, const float* y, float* z, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) z[i] = x[i] + y[i];
    })");
  const auto x = cuttle::arange(0.0f, 25.0f, 1.0f), y = cuttle::ones<float>(25);
  auto z = cuttle::zeros<float>(25);
  module.function("add")[{.grid = 1, .block = 32}](x, y, z, 25);
  std::cout << z << '\n';
  return z.to_vector()[24] == 25 ? 0 : 1;
}
