// Stencils, convolutions and image filters: neighbours, borders and index arithmetic.

#include "race.h"

namespace {

using cuttle::view;
using cuttle::race::arguments;

constexpr int width = 8192, height = 8192;
constexpr std::int64_t pixels = std::int64_t{width} * height;

/// A grid of 32 x 8 blocks over width x height.
constexpr cuttle::Launch over(int columns, int rows, int layers = 1) {
  return {.grid = {(columns + 31) / 32, (rows + 7) / 8, layers}, .block = {32, 8}};
}

auto blur9 = CUTTLE_KERNEL([](view<const float, 2> in, view<float, 2> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x + 1 >= in.shape(1) || y + 1 >= in.shape(0)) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) sum += in(y + dy, x + dx) * (dx == 0 && dy == 0 ? 0.5f : 0.0625f);
  }
  out(y, x) = sum;
});
CUTTLE_RACE(blur9) {
  auto& in = race.uniform<float>(pixels);
  auto& out = race.output<float>(pixels);
  race.run({.launch = over(width, height), .bytes = 8.0 * pixels, .flops = 18.0 * pixels, .tolerance = 1e-6}, blur9,
           arguments(view<const float, 2>(in.data(), height, width), view<float, 2>(out.data(), height, width)), arguments(in, out, width, height));
}

auto sobel = CUTTLE_KERNEL([](view<const std::uint8_t> in, view<std::uint8_t> out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  const int i = y * w + x;
  const int gx = in[i - w + 1] + 2 * in[i + 1] + in[i + w + 1] - in[i - w - 1] - 2 * in[i - 1] - in[i + w - 1];
  const int gy = in[i + w - 1] + 2 * in[i + w] + in[i + w + 1] - in[i - w - 1] - 2 * in[i - w] - in[i - w + 1];
  const float g = sqrtf(static_cast<float>(gx * gx + gy * gy));
  out[i] = static_cast<std::uint8_t>(g > 255.0f ? 255.0f : g);
});
CUTTLE_RACE(sobel) {
  auto& in = race.integers<std::uint8_t>(pixels, 256);
  auto& out = race.output<std::uint8_t>(pixels);
  race.run({.launch = over(width, height), .bytes = 2.0 * pixels}, sobel, arguments(in, out, width, height));
}

auto bilateral = CUTTLE_KERNEL([](view<const float> in, view<float> out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const float center = in[y * w + x];
  float sum = 0, weights = 0;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      const int xx = x + dx, yy = y + dy;
      if (xx < 0 || yy < 0 || xx >= w || yy >= h) continue;
      const float value = in[yy * w + xx];
      const float weight = expf(-(value - center) * (value - center) * 8.0f - 0.1f * static_cast<float>(dx * dx + dy * dy));
      sum += weight * value;
      weights += weight;
    }
  }
  out[y * w + x] = sum / weights;
});
CUTTLE_RACE(bilateral) {
  const int side = 4096;
  auto& in = race.uniform<float>(side * side);
  auto& out = race.output<float>(side * side);
  race.run({.launch = over(side, side), .bytes = 8.0 * side * side, .flops = 25.0 * 12 * side * side, .tolerance = 1e-5}, bilateral,
           arguments(in, out, side, side));
}

auto convolve_columns = CUTTLE_KERNEL([](view<const float> in, view<const float> taps, view<float> out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int k = -8; k <= 8; ++k) {
    const int yy = y + k < 0 ? 0 : y + k >= h ? h - 1 : y + k;
    sum += taps[k + 8] * in[yy * w + x];
  }
  out[y * w + x] = sum;
});
CUTTLE_RACE(convolve_columns) {
  auto& in = race.uniform<float>(pixels);
  auto& taps = race.uniform<float>(17);
  auto& out = race.output<float>(pixels);
  race.run({.launch = over(width, height), .bytes = 8.0 * pixels, .flops = 34.0 * pixels, .tolerance = 1e-5}, convolve_columns,
           arguments(in, taps, out, width, height));
}

auto convolve_rows = CUTTLE_KERNEL([](const float* __restrict__ in, const float* __restrict__ taps, float* __restrict__ out, int w) {
  __shared__ float tile[8][256 + 16];
  const int first = blockIdx.x * 256, y = blockIdx.y * 8 + threadIdx.y;
  for (int i = threadIdx.x; i < 256 + 16; i += 32) {
    const int x = first + i - 8;
    tile[threadIdx.y][i] = x >= 0 && x < w ? in[y * w + x] : 0.0f;
  }
  __syncthreads();
  for (int j = 0; j < 8; ++j) {
    const int x = threadIdx.x + j * 32;
    float sum = 0;
    for (int k = 0; k < 17; ++k) sum += taps[k] * tile[threadIdx.y][x + k];
    out[y * w + first + x] = sum;
  }
});
CUTTLE_RACE(convolve_rows) {
  auto& in = race.uniform<float>(pixels);
  auto& taps = race.uniform<float>(17);
  auto& out = race.output<float>(pixels);
  race.run({.launch = {{width / 256, height / 8}, {32, 8}}, .bytes = 8.0 * pixels, .flops = 34.0 * pixels, .tolerance = 1e-5}, convolve_rows,
           arguments(in, taps, out, width));
}

auto convolve_channels = CUTTLE_KERNEL([](view<const float> in, view<const float> weights, view<float> out, int w, int h, int channels) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, o = blockIdx.z;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float sum = 0;
  for (int c = 0; c < channels; ++c) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) sum += in[(c * h + y + dy) * w + x + dx] * weights[((o * channels + c) * 3 + dy + 1) * 3 + dx + 1];
    }
  }
  out[(o * h + y) * w + x] = sum;
});
CUTTLE_RACE(convolve_channels) {
  const int side = 1024, channels = 16;
  auto& in = race.uniform<float>(channels * side * side);
  auto& weights = race.uniform<float>(channels * channels * 9, -1, 1);
  auto& out = race.output<float>(channels * side * side);
  race.run({.launch = over(side, side, channels),
            .bytes = 8.0 * channels * side * side,
            .flops = 18.0 * channels * channels * side * side,
            .tolerance = 1e-4},
           convolve_channels, arguments(in, weights, out, side, side, channels));
}

auto max_pool = CUTTLE_KERNEL([](view<const float> in, view<float> out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w / 2 || y >= h / 2) return;
  float most = -1e30f;
  for (int dy = 0; dy < 2; ++dy) {
    for (int dx = 0; dx < 2; ++dx) {
      const float value = in[(y * 2 + dy) * w + x * 2 + dx];
      if (value > most) most = value;
    }
  }
  out[y * (w / 2) + x] = most;
});
CUTTLE_RACE(max_pool) {
  auto& in = race.uniform<float>(pixels, -1, 1);
  auto& out = race.output<float>(pixels / 4);
  race.run({.launch = over(width / 2, height / 2), .bytes = 5.0 * pixels}, max_pool, arguments(in, out, width, height));
}

auto life = CUTTLE_KERNEL([](view<const std::uint8_t> now, view<std::uint8_t> next, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx != 0 || dy != 0) alive += now[(y + dy + h) % h * w + (x + dx + w) % w];
    }
  }
  next[y * w + x] = alive == 3 || (alive == 2 && now[y * w + x]);
});
CUTTLE_RACE(life) {
  auto& now = race.integers<std::uint8_t>(pixels, 2);
  auto& next = race.output<std::uint8_t>(pixels);
  race.run({.launch = over(width, height), .bytes = 2.0 * pixels}, life, arguments(now, next, width, height));
}

auto jacobi = CUTTLE_KERNEL([](const double* in, double* out, long nx, long ny) {
  const long x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 1 && x < nx - 1 && y >= 1 && y < ny - 1) {
    out[y * nx + x] = 0.25 * (in[y * nx + x - 1] + in[y * nx + x + 1] + in[(y - 1) * nx + x] + in[(y + 1) * nx + x]);
  }
});
CUTTLE_RACE(jacobi) {
  auto& in = race.uniform<double>(pixels);
  auto& out = race.output<double>(pixels);
  race.run({.launch = over(width, height), .bytes = 16.0 * pixels, .flops = 4.0 * pixels, .tolerance = 1e-15}, jacobi,
           arguments(in, out, long{width}, long{height}));
}

auto heat3d = CUTTLE_KERNEL([](view<const double, 3> a, view<double, 3> b) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= a.shape(2) - 1 || y >= a.shape(1) - 1 || z >= a.shape(0) - 1) return;
  b(z, y, x) = 0.4 * a(z, y, x) + 0.1 * (a(z, y, x - 1) + a(z, y, x + 1) + a(z, y - 1, x) + a(z, y + 1, x) + a(z - 1, y, x) + a(z + 1, y, x));
});
CUTTLE_RACE(heat3d) {
  const int nx = 512, ny = 256, nz = 256;
  const std::int64_t cells = std::int64_t{nx} * ny * nz;
  auto& a = race.uniform<double>(cells);
  auto& b = race.output<double>(cells);
  race.run({.launch = over(nx, ny, nz), .bytes = 16.0 * cells, .flops = 8.0 * cells, .tolerance = 1e-14}, heat3d,
           arguments(view<const double, 3>(a.data(), nz, ny, nx), view<double, 3>(b.data(), nz, ny, nx)), arguments(a, b, nx, ny, nz));
}

auto stencil_march = CUTTLE_KERNEL([](const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  const int layer = nx * ny;
  for (int z = 1; z < nz - 1; ++z) {
    const int i = z * layer + y * nx + x;
    out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - layer] + in[i + layer]);
  }
});
CUTTLE_RACE(stencil_march) {
  const int nx = 1024, ny = 512, nz = 256;
  const std::int64_t cells = std::int64_t{nx} * ny * nz;
  auto& in = race.uniform<float>(cells);
  auto& out = race.output<float>(cells);
  race.run({.launch = over(nx, ny), .bytes = 8.0 * cells, .flops = 8.0 * cells, .tolerance = 1e-5}, stencil_march, arguments(in, out, nx, ny, nz));
}

auto stencil_shared = CUTTLE_KERNEL([](const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  __shared__ float tile[10][34];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const bool inside = x >= 1 && y >= 1 && x < nx - 1 && y < ny - 1;
  const int cx = x < 1 ? 1 : x > nx - 2 ? nx - 2 : x, cy = y < 1 ? 1 : y > ny - 2 ? ny - 2 : y;
  const int layer = nx * ny;
  int i = cy * nx + cx;
  float below = in[i], center = in[i + layer];
  for (int z = 1; z < nz - 1; ++z) {
    i += layer;
    const float above = in[i + layer];
    __syncthreads();
    tile[ty][tx] = center;
    if (threadIdx.x == 0) tile[ty][0] = in[i - 1];
    if (threadIdx.x == 31) tile[ty][33] = in[i + 1];
    if (threadIdx.y == 0) tile[0][tx] = in[i - nx];
    if (threadIdx.y == 7) tile[9][tx] = in[i + nx];
    __syncthreads();
    if (inside) out[i] = 0.4f * center + 0.1f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + below + above);
    below = center;
    center = above;
  }
});
CUTTLE_RACE(stencil_shared) {
  const int nx = 1024, ny = 512, nz = 256;
  const std::int64_t cells = std::int64_t{nx} * ny * nz;
  auto& in = race.uniform<float>(cells);
  auto& out = race.output<float>(cells);
  race.run({.launch = over(nx, ny), .bytes = 8.0 * cells, .flops = 8.0 * cells, .tolerance = 1e-5}, stencil_shared, arguments(in, out, nx, ny, nz));
}

auto fdtd = CUTTLE_KERNEL([](view<const float> ez, view<float> hx, view<float> hy, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w - 1 || y >= h - 1) return;
  const int i = y * w + x;
  hx[i] = 0.99f * hx[i] - 0.5f * (ez[i + w] - ez[i]);
  hy[i] = 0.99f * hy[i] + 0.5f * (ez[i + 1] - ez[i]);
});
CUTTLE_RACE(fdtd) {
  auto& ez = race.uniform<float>(pixels, -1, 1);
  auto& hx = race.in_out(race.uniform<float>(pixels, -1, 1));
  auto& hy = race.in_out(race.uniform<float>(pixels, -1, 1));
  race.run({.launch = over(width, height), .bytes = 20.0 * pixels, .flops = 8.0 * pixels, .tolerance = 1e-6}, fdtd,
           arguments(ez, hx, hy, width, height));
}

auto lattice_boltzmann = CUTTLE_KERNEL([](const float* __restrict__ f, float* __restrict__ out, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const float weight[9] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
  const int cells = nx * ny;
  float g[9], density = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; ++k) {
    const int from_x = (x - cx[k] + nx) % nx, from_y = (y - cy[k] + ny) % ny;
    g[k] = f[k * cells + from_y * nx + from_x];
    density += g[k];
    ux += static_cast<float>(cx[k]) * g[k];
    uy += static_cast<float>(cy[k]) * g[k];
  }
  ux /= density;
  uy /= density;
  const float square = ux * ux + uy * uy;
  for (int k = 0; k < 9; ++k) {
    const float along = static_cast<float>(cx[k]) * ux + static_cast<float>(cy[k]) * uy;
    const float equilibrium = weight[k] * density * (1 + 3 * along + 4.5f * along * along - 1.5f * square);
    out[k * cells + y * nx + x] = g[k] + (equilibrium - g[k]) * 0.6f;
  }
});
CUTTLE_RACE(lattice_boltzmann) {
  const int side = 4096;
  const std::int64_t cells = std::int64_t{side} * side;
  auto& f = race.uniform<float>(9 * cells);
  auto& out = race.output<float>(9 * cells);
  race.run({.launch = over(side, side), .bytes = 72.0 * cells, .flops = 130.0 * cells, .tolerance = 1e-5}, lattice_boltzmann,
           arguments(f, out, side, side));
}

}  // namespace
