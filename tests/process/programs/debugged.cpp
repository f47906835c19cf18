// Kernels to stop in: debugger_test.cpp runs this under gdb.

#include <cuttle/cuttle.hpp>

auto scale = CUTTLE_KERNEL([](auto x, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[i];
  float scaled = factor * value;
  x[i] = scaled + 1.0f;  // stop in scale
});

auto sum_around = CUTTLE_KERNEL([](auto x) {
  __shared__ float tile[8];
  int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 3; ++k) {
    sum += tile[(t + k) % 8];  // stop in sum_around
  }
  x[t] = sum;
});

int main() {
  const cuttle::Use use(cuttle::Device::cpu());
  cuttle::Array x(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  scale.with({.line_info = true})[{.grid = 1, .block = 8}](x, 3.0f);
  sum_around.with({.line_info = true})[{.grid = 1, .block = 8}](x);
}
