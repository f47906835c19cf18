// Kernels bound by memory: one pass over large arrays, a few operations for each element.

#include "race.h"

namespace {

using cuttle::view;
using cuttle::race::arguments;

constexpr int blocks = 132 * 16;  // enough for each multiprocessor of an H200
constexpr int n = 1 << 26;

auto copy = CUTTLE_KERNEL([](auto x, auto size, auto y) {
  auto tid = blockIdx.x * blockDim.x + threadIdx.x;
  auto ntid = gridDim.x * blockDim.x;
  for (auto i = tid; i < size; i += ntid) y[i] = x[i];
});
CUTTLE_RACE(copy) {
  auto& x = race.uniform<float>(n);
  auto& y = race.output<float>(n);
  race.run({.launch = {blocks, 256}, .bytes = 8.0 * n}, copy, arguments(x, unsigned{n}, y));
}

auto saxpy = CUTTLE_KERNEL([](int size, float a, const float* __restrict__ x, float* __restrict__ y) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride) y[i] = a * x[i] + y[i];
});
CUTTLE_RACE(saxpy) {
  auto& x = race.uniform<float>(n);
  auto& y = race.in_out(race.uniform<float>(n));
  race.run({.launch = {blocks, 256}, .bytes = 12.0 * n, .flops = 2.0 * n}, saxpy, arguments(n, 2.0f, x, y));
}

auto saxpy_view = CUTTLE_KERNEL([](view<const float> x, view<float> y, float a) {
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < x.size(); i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
});
CUTTLE_RACE(saxpy_view) {
  auto& x = race.uniform<float>(n);
  auto& y = race.in_out(race.uniform<float>(n));
  race.run({.launch = {blocks, 256}, .bytes = 12.0 * n, .flops = 2.0 * n}, saxpy_view, arguments(x, y, 2.0f), arguments(x, y, 2.0f, long{n}));
}

auto triad = CUTTLE_KERNEL([](view<const double> a, view<const double> b, view<double> c, double s, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) c[i] = a[i] + s * b[i];
});
CUTTLE_RACE(triad) {
  auto& a = race.uniform<double>(n);
  auto& b = race.uniform<double>(n);
  auto& c = race.output<double>(n);
  race.run({.launch = {n / 256, 256}, .bytes = 24.0 * n, .flops = 2.0 * n}, triad, arguments(a, b, c, 3.0, n));
}

auto gelu = CUTTLE_KERNEL([](view<const float> x, view<const float> bias, view<float> y, int size, int channels) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    const float v = x[i] + bias[i % channels];
    y[i] = 0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
  }
});
CUTTLE_RACE(gelu) {
  const int channels = 1000;
  auto& x = race.uniform<float>(n, -3, 3);
  auto& bias = race.uniform<float>(channels, -1, 1);
  auto& y = race.output<float>(n);
  race.run({.launch = {blocks, 256}, .bytes = 8.0 * n, .flops = 14.0 * n, .tolerance = 1e-6}, gelu, arguments(x, bias, y, n, channels));
}

auto trigonometry = CUTTLE_KERNEL([](view<const float> x, view<float> y, int size) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) y[i] = sinf(x[i]) * cosf(x[i]) + tanhf(x[i]);
});
CUTTLE_RACE(trigonometry) {
  auto& x = race.uniform<float>(n, -6, 6);
  auto& y = race.output<float>(n);
  race.run({.launch = {blocks, 256}, .bytes = 8.0 * n, .flops = 50.0 * n, .tolerance = 1e-6}, trigonometry, arguments(x, y, n));
}

auto power_law = CUTTLE_KERNEL([](view<const float> x, view<float> y, float exponent) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size()) y[i] = powf(x[i], exponent) + logf(x[i]);
});
CUTTLE_RACE(power_law) {
  auto& x = race.uniform<float>(n, 0.1, 20);
  auto& y = race.output<float>(n);
  race.run({.launch = {n / 256, 256}, .bytes = 8.0 * n, .flops = 60.0 * n, .tolerance = 1e-6}, power_law, arguments(x, y, 1.7f),
           arguments(x, y, 1.7f, long{n}));
}

auto gray = CUTTLE_KERNEL([](view<const std::uint8_t> in, view<std::uint8_t> out, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const int r = in[i * 3], g = in[i * 3 + 1], b = in[i * 3 + 2];
  out[i] = static_cast<std::uint8_t>((r * 77 + g * 150 + b * 29) >> 8);
});
CUTTLE_RACE(gray) {
  auto& in = race.integers<std::uint8_t>(3 * std::int64_t{n}, 256);
  auto& out = race.output<std::uint8_t>(n);
  race.run({.launch = {n / 256, 256}, .bytes = 4.0 * n}, gray, arguments(in, out, n));
}

auto weighted_history = CUTTLE_KERNEL([](view<const float> x, view<float> y, int size, long stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  float sum = 0;
  for (int k = 0; k < 24; ++k) sum += x[i + k * stride] * static_cast<float>(k + 1);
  y[i] = sum;
});
CUTTLE_RACE(weighted_history) {
  const int size = 1 << 21;
  auto& x = race.uniform<float>(24 * std::int64_t{size});
  auto& y = race.output<float>(size);
  race.run({.launch = {size / 256, 256}, .bytes = 100.0 * size, .flops = 48.0 * size, .tolerance = 1e-6}, weighted_history,
           arguments(x, y, size, long{size}));
}

// Every thread keeps eight independent chains of fused multiply-adds: what the arithmetic units can do at most.
auto fma_chains = CUTTLE_KERNEL([](view<const float> x, view<float> y, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float a = x[i], b = x[i + 1];
  float chain[8];
  for (int k = 0; k < 8; ++k) chain[k] = x[i + k];
  for (int r = 0; r < rounds; ++r) {
    for (int k = 0; k < 8; ++k) chain[k] = chain[k] * a + b;
  }
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += chain[k];
  y[i] = sum;
});
CUTTLE_RACE(fma_chains) {
  const int threads = 1 << 20, rounds = 1024;
  auto& x = race.uniform<float>(threads + 8, 0.1, 0.9);
  auto& y = race.output<float>(threads);
  race.run({.launch = {threads / 256, 256}, .flops = 16.0 * rounds * threads, .tolerance = 1e-4}, fma_chains, arguments(x, y, rounds));
}

}  // namespace
