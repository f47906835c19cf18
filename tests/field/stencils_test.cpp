// Kernels from the field, stencils, images and cellular automata: halos, constant coefficients, many launches.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "field/inputs.h"
#include "support/device_test.h"

namespace {

using cuttle::Array;
using namespace cuttle::test;

class Stencils : public OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Stencils);

CUTTLE_DEVICE(constexpr float derivative[] = {4.0f / 5.0f, -1.0f / 5.0f, 4.0f / 105.0f, -1.0f / 280.0f};);

// The derivative along rows of a periodic grid, eighth order: a row and its halo of four in shared memory.
auto differentiate = CUTTLE_KERNEL([](const float* f, float* df, int n, float inverse_step) {
  extern __shared__ float line[];
  const int row = blockIdx.x;
  for (int i = threadIdx.x; i < n + 8; i += blockDim.x) line[i] = f[row * n + (i - 4 + n) % n];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += derivative[k] * (line[i + 5 + k] - line[i + 3 - k]);
    df[row * n + i] = sum * inverse_step;
  }
});

TEST_P(Stencils, EighthOrderDerivativeOfASine) {
  constexpr int n = 150, rows = 3;
  std::vector<float> f(n * rows);
  std::vector<double> expected(n * rows);
  for (int i = 0; i < n * rows; ++i) {
    const double wave = 2 * std::numbers::pi * (i / n + 1), x = static_cast<double>(i % n) / n;
    f[at(i)] = static_cast<float>(std::sin(wave * x)), expected[at(i)] = wave * std::cos(wave * x);
  }
  Array<float> in(f), out(f.size());
  differentiate[{.grid = rows, .block = 64, .shared = (n + 8) * sizeof(float)}](in, out, n, static_cast<float>(n));
  expect_near(out.to_vector(), expected, 2e-5);
}

// Jacobi's iteration with the greatest change found on the way: a warp's maximum, then an atomic one.
auto relax = CUTTLE_KERNEL([](cuttle::view<const float, 2> u, cuttle::view<float, 2> v, float* change) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float mine = 0;
  if (x > 0 && y > 0 && x < u.shape(1) - 1 && y < u.shape(0) - 1) {
    v(y, x) = 0.25f * (u(y, x - 1) + u(y, x + 1) + u(y - 1, x) + u(y + 1, x));
    mine = fabsf(v(y, x) - u(y, x));
  }
  for (int step = 16; step > 0; step /= 2) mine = fmaxf(mine, __shfl_xor_sync(~0u, mine, step));
  if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0) atomicMax(change, mine);
});

TEST_P(Stencils, JacobiEndsWhereNothingChanges) {
  constexpr std::size_t n = 33;
  std::vector<float> start(n * n);
  for (std::size_t i = 0; i < n; ++i) start[i] = start[(n - 1) * n + i] = start[i * n] = start[i * n + n - 1] = static_cast<float>(i % n);
  for (std::size_t i = 0; i < n; ++i) {  // the boundary of x + y, whose solution inside is x + y
    start[i] = static_cast<float>(i), start[i * n] = static_cast<float>(i);
    start[(n - 1) * n + i] = static_cast<float>(i + n - 1), start[i * n + n - 1] = static_cast<float>(i + n - 1);
  }
  Array<float, 2> a(start, n, n), b(start, n, n);
  int launches = 0;
  for (float moved = 1; moved > 1e-5f && launches < 10'000; launches += 2) {
    Array<float> change({0.0f});
    relax[{.grid = {2, 5}, .block = {32, 8}}](a, b, change);
    relax[{.grid = {2, 5}, .block = {32, 8}}](b, a, change);
    moved = change.item();
  }
  EXPECT_LT(launches, 10'000);
  std::vector<double> expected(n * n);
  for (std::size_t i = 0; i < n * n; ++i) expected[i] = static_cast<double>(i / n + i % n);
  expect_near(a.to_vector(), expected, 1e-3);
}

// The cheapest way down a grid of integers, a launch for each row. (rodinia, pathfinder)
auto step_down = CUTTLE_KERNEL([](cuttle::view<const int> wall, const int* above, int* below, int columns) {
  __shared__ int tile[130];
  const int t = threadIdx.x, j = blockIdx.x * 128 + t;
  const auto cost = [&](int column) { return column < 0 || column >= columns ? 1 << 28 : above[column]; };
  tile[t + 1] = cost(j);
  if (t == 0) tile[0] = cost(j - 1);
  if (t == 127) tile[129] = cost(j + 1);
  __syncthreads();
  if (j < columns) below[j] = wall[j] + min(tile[t], min(tile[t + 1], tile[t + 2]));
});

TEST_P(Stencils, PathfinderIsExact) {
  constexpr int rows = 40, columns = 301;
  std::vector<int> wall(rows * columns);
  for (int i = 0; i < rows * columns; ++i) wall[at(i)] = i * 31 % 17 + i % 5;
  std::vector<int> best(wall.begin(), wall.begin() + columns);
  Array<int> device(wall), above(best), below(columns);
  for (int row = 1; row < rows; ++row) {
    step_down[{.grid = 3, .block = 128}](device.part(row * columns, (row + 1) * columns), above, below, columns);
    std::swap(above, below);
    const std::vector<int> last = best;
    for (int j = 0; j < columns; ++j) {
      best[at(j)] =
          wall[at(row * columns + j)] + std::min({j > 0 ? last[at(j - 1)] : 1 << 28, last[at(j)], j < columns - 1 ? last[at(j + 1)] : 1 << 28});
    }
  }
  EXPECT_EQ(above.to_vector(), best);
}

// Rows of a separable convolution; the radius is a constant of the kernel, the filter a captured table.
auto convolve_rows(const std::array<float, 7>& filter) {
  constexpr int radius = 3;
  return CUTTLE_KERNEL_WITH((filter, radius), [](const float* in, float* out, int width) {
    __shared__ float strip[128 + 2 * radius];
    const int t = threadIdx.x, begin = blockIdx.x * 128, y = blockIdx.y;
    for (int i = t; i < 128 + 2 * radius; i += blockDim.x) {
      const int x = begin + i - radius;
      strip[i] = x >= 0 && x < width ? in[y * width + x] : 0;
    }
    __syncthreads();
    if (begin + t >= width) return;
    float sum = 0;
    for (int k = -radius; k <= radius; ++k) sum += strip[t + radius + k] * filter[radius - k];
    out[y * width + begin + t] = sum;
  });
}

TEST_P(Stencils, ConvolutionWithACapturedFilter) {
  constexpr int width = 301, height = 5;
  const auto image = small_integers<float>(width * height, 12);
  Array<float> in(image), out(image.size());
  for (const std::array<float, 7>& filter : {std::array<float, 7>{1, -2, 3, 4, 0, 1, 2}, std::array<float, 7>{0, 0, 0, 1, 0, 0, 0}}) {
    convolve_rows(filter)[{.grid = {3, height}, .block = 128}](in, out, width);
    std::vector<float> expected(image.size());
    for (int i = 0; i < width * height; ++i) {
      for (int k = -3; k <= 3; ++k) {
        const int x = i % width + k;
        if (x >= 0 && x < width) expected[at(i)] += image[at(i + k)] * filter[at(3 - k)];
      }
    }
    EXPECT_EQ(out.to_vector(), expected);
  }
}

auto live = CUTTLE_KERNEL([](auto now, auto next) {
  const int rows = now.shape(0), columns = now.shape(1);
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx || dy) neighbours += now((y + dy + rows) % rows, (x + dx + columns) % columns);
    }
  }
  next(y, x) = neighbours == 3 || (neighbours == 2 && now(y, x));
});

TEST_P(Stencils, AGliderMovesByOneInFourGenerations) {
  constexpr int n = 19;
  const auto with_glider_at = [](int shift) {
    std::vector<std::uint8_t> cells(n * n);
    for (const auto& [y, x] : {std::pair{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}) cells[at((y + shift) % n * n + (x + shift) % n)] = 1;
    return cells;
  };
  Array<std::uint8_t, 2> a(with_glider_at(0), n, n), b(n, n);
  for (int generation = 0; generation < 4 * 25; generation += 2) {
    live[{.grid = {3, 3}, .block = {8, 8}}](a, b);
    live[{.grid = {3, 3}, .block = {8, 8}}](b, a);
  }
  EXPECT_EQ(a.to_vector(), with_glider_at(25));
}

auto escape = CUTTLE_KERNEL([](int* iterations, int width, int height, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height) return;
  const double cx = -2.0 + 3.0 * (i % width) / width, cy = -1.5 + 3.0 * (i / width) / height;
  double x = 0, y = 0;
  int n = 0;
  for (; n < most && x * x + y * y <= 4; ++n) {
    const double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  iterations[i] = n;
});

TEST_P(Stencils, MandelbrotWithoutContractionCountsAsTheHostDoes) {
  constexpr int width = 67, height = 45, most = 200;
  Array<int> counts(width * height);
  escape.with({.contract = false})[{.grid = (width * height + 127) / 128, .block = 128}](counts, width, height, most);
  std::vector<int> expected(width * height);
  for (int i = 0; i < width * height; ++i) {
    const double cx = -2.0 + 3.0 * (i % width) / width, cy = -1.5 + 3.0 * (i / width) / height;
    double x = 0, y = 0;
    int& n = expected[at(i)];
    for (; n < most && x * x + y * y <= 4; ++n) {
      const double next = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = next;
    }
  }
  EXPECT_EQ(counts.to_vector(), expected);
}

}  // namespace
