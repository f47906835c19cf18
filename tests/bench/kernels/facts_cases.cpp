// What a compiler that runs at the call sees of arguments that nobody declared anything of: views that are disjoint, aligned, short, or whose
// elements lie side by side. Kernel and twin take the same arguments, and the twin has no __restrict__, which would be wrong for some of them.

#include "race.h"

namespace {

using cuttle::strided;
using cuttle::view;
using cuttle::race::arguments;

constexpr int mixed_channels = 16;

// A 1 x 1 convolution, plane by plane. Of disjoint arrays a pixel's channels are loaded once and not after each store again; of aligned weights
// four are one load.
auto disjoint_mix = CUTTLE_KERNEL([](view<const float> in, view<const float> weights, view<float> out, int n) {
  constexpr int channels = 16;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int to = 0; to < channels; ++to) {
    float sum = 0;
    for (int from = 0; from < channels; ++from) sum += weights[to * channels + from] * in[from * n + i];
    out[to * n + i] = sum;
  }
});
CUTTLE_SPECIALISED_RACE(disjoint_mix) {
  constexpr int n = 1 << 22;
  auto& in = race.uniform<float>(std::int64_t{mixed_channels} * n);
  auto& weights = race.uniform<float>(mixed_channels * mixed_channels, -1, 1);
  auto& out = race.output<float>(std::int64_t{mixed_channels} * n);
  race.run({.launch = {.grid = n / 256, .block = 256},
            .bytes = 8.0 * mixed_channels * n,
            .flops = 2.0 * mixed_channels * mixed_channels * n,
            .tolerance = 1e-5},
           disjoint_mix, arguments(in, weights, out, int{n}));
}

// A 5 x 5 mean over a part of a larger image. Where elements of a row lie side by side in less than 2^31 bytes, the five of a row are one address
// with constant offsets, and no stride but the pitch is multiplied, in 32 bits.
auto side_by_side_mean = CUTTLE_KERNEL([](view<const float, 2, cuttle::strided> in, view<float, 2, cuttle::strided> out) {
  constexpr int side = 5;
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out.shape(1) || y >= out.shape(0)) return;
  float sum = 0;
  for (int dy = 0; dy < side; ++dy) {
    for (int dx = 0; dx < side; ++dx) sum += in(y + dy, x + dx);
  }
  out(y, x) = sum * (1.0f / (side * side));
});
CUTTLE_SPECIALISED_RACE(side_by_side_mean) {
  constexpr std::int64_t rows = 4096, columns = 4096, pitch = columns + 64, step = 1;
  using Image = view<const float, 2, strided>;
  using Result = view<float, 2, strided>;
  auto& image = race.uniform<float>((rows + 4) * pitch);
  auto& mean = race.output<float>(rows * columns);
  race.run({.launch = {.grid = {columns / 32, rows / 8}, .block = {32, 8}},
            .bytes = 8.0 * rows * columns,
            .flops = 25.0 * rows * columns,
            .tolerance = 1e-5},
           side_by_side_mean,
           arguments(Image(image.data(), {{rows + 4, columns + 4}}, {{pitch, step}}), Result(mean.data(), {{rows, columns}}, {{columns, step}})),
           arguments(image, std::int64_t{pitch}, std::int64_t{step}, mean, std::int64_t{rows}, std::int64_t{columns}, std::int64_t{columns},
                     std::int64_t{step}));
}

}  // namespace
