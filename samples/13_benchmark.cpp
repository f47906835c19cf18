// 13: how long a kernel takes, by the device's own clock, and how long its launch keeps the host.

#include <cuttle/cuttle.hpp>

#include <cstdio>

auto scale = CUTTLE_KERNEL([](auto x, auto factor) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size()) x[i] *= factor;
});

int main() {
  auto x = cuttle::ones<float>(1 << 20);
  const cuttle::Benchmark timing = cuttle::benchmark(scale.over(x.size()), x, 0.5f);
  std::printf("%s\n", timing.text().c_str());
  const double bytes = 2.0 * 4.0 * static_cast<double>(x.size());
  std::printf("%.1f GB/s\n", bytes / timing.device_median() / 1e6);
  return timing.device.empty() ? 1 : 0;
}
