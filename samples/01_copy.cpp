// 01: an inline lambda becomes a kernel. The first call with new argument types compiles it; later calls only launch.

#include <cuttle/cuttle.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

auto copy = CUTTLE_KERNEL([](auto x, auto size, auto y) {
  auto tid = blockIdx.x * blockDim.x + threadIdx.x;
  auto ntid = gridDim.x * blockDim.x;
  for (auto i = tid; i < size; i += ntid) y[i] = x[i];
});

int main() {
  std::vector<float> host(100);
  std::iota(host.begin(), host.end(), 1.0f);

  cuttle::Array x(host);  // to the device
  cuttle::Array<float> y(100);
  copy[{.grid = 10, .block = 10}](x, 100u, y);  // compiles for (view<f32>, u32, view<f32>), caches, launches
  copy[{10, 10}](x, 100u, y);                   // grid, block: no compilation
  copy.over(100)(x, 100u, y);                   // block and grid by cuttle

  std::printf("on %s: y[99] = %g\n", cuttle::Device::current().name().c_str(), y.to_vector()[99]);
  std::printf("compilations: %llu\n", static_cast<unsigned long long>(cuttle::stats().compilations));
  return y.to_vector() == host ? 0 : 1;
}
