// Linear algebra: matrix products from naive to register-tiled, transposition, sparse products, small systems.

#include "race.h"

namespace {

using cuttle::view;
using cuttle::race::arguments;
using cuttle::race::Race;

auto transpose = CUTTLE_KERNEL([](view<const float> in, view<float> out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
});
CUTTLE_RACE(transpose) {
  const int n = 8192;
  auto& in = race.uniform<float>(n * n);
  auto& out = race.output<float>(n * n);
  race.run({.launch = {{n / 32, n / 32}, {32, 8}}, .bytes = 8.0 * n * n}, transpose, arguments(in, out, n));
}

// C = A B of n x n matrices, whatever the kernel's tiling.
template <class T, class Kernel>
void race_product(Race& race, const cuttle::Launch& launch, int n, double tolerance, const Kernel& kernel) {
  const std::int64_t elements = std::int64_t{n} * n;
  auto& a = race.uniform<T>(elements, -1, 1);
  auto& b = race.uniform<T>(elements, -1, 1);
  auto& c = race.output<T>(elements);
  race.run({.launch = launch, .bytes = 3.0 * sizeof(T) * elements, .flops = 2.0 * n * elements, .tolerance = tolerance}, kernel,
           arguments(a, b, c, n));
}

auto sgemm_naive = CUTTLE_KERNEL([](view<const float> a, view<const float> b, view<float> c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
});
CUTTLE_RACE(sgemm_naive) { race_product<float>(race, {{2048 / 32, 2048 / 8}, {32, 8}}, 2048, 1e-4, sgemm_naive); }

auto sgemm_view = CUTTLE_KERNEL([](view<const float, 2> a, view<const float, 2> b, view<float, 2> c) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c.shape(0) || j >= c.shape(1)) return;
  float sum = 0;
  for (int k = 0; k < a.shape(1); ++k) sum += a(i, k) * b(k, j);
  c(i, j) = sum;
});
CUTTLE_RACE(sgemm_view) {
  const int n = 2048;
  auto& a = race.uniform<float>(n * n, -1, 1);
  auto& b = race.uniform<float>(n * n, -1, 1);
  auto& c = race.output<float>(n * n);
  race.run({.launch = {{n / 32, n / 8}, {32, 8}}, .bytes = 12.0 * n * n, .flops = 2.0 * n * n * n, .tolerance = 1e-4}, sgemm_view,
           arguments(view<const float, 2>(a.data(), n, n), view<const float, 2>(b.data(), n, n), view<float, 2>(c.data(), n, n)),
           arguments(a, b, c, long{n}, long{n}, long{n}));
}

auto sgemm_tiled = CUTTLE_KERNEL([](view<const float> a, view<const float> b, view<float> c, int n) {
  __shared__ float left[32][32], right[32][32];
  const int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    left[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
});
CUTTLE_RACE(sgemm_tiled) { race_product<float>(race, {{4096 / 32, 4096 / 32}, {32, 32}}, 4096, 1e-4, sgemm_tiled); }

auto dgemm_tiled = CUTTLE_KERNEL([](view<const double> a, view<const double> b, view<double> c, int n) {
  __shared__ double left[16][16], right[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const long row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  double sum = 0;
  for (int t = 0; t < n; t += 16) {
    left[ty][tx] = a[row * n + t + tx];
    right[ty][tx] = b[static_cast<long>(t + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[ty][k] * right[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
});
CUTTLE_RACE(dgemm_tiled) { race_product<double>(race, {{2048 / 16, 2048 / 16}, {16, 16}}, 2048, 1e-12, dgemm_tiled); }

// 128 x 128 of C a block of 256 threads, 8 x 8 of it in each thread's registers.
auto sgemm_register_tiled = CUTTLE_KERNEL([](const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  struct alignas(16) Quad {
    float v[4];
  };
  __shared__ float left[8][128], right[8][128];
  const int t = threadIdx.x, tx = t % 16, ty = t / 16;
  a += blockIdx.y * 128 * n;
  b += blockIdx.x * 128;
  float sums[8][8];
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) sums[i][j] = 0;
  }
  const int left_row = t / 2, left_column = t % 2 * 4, right_row = t / 32, right_column = t % 32 * 4;
  for (int k = 0; k < n; k += 8) {
    const Quad quad = *reinterpret_cast<const Quad*>(&a[left_row * n + k + left_column]);
    for (int i = 0; i < 4; ++i) left[left_column + i][left_row] = quad.v[i];
    *reinterpret_cast<Quad*>(&right[right_row][right_column]) = *reinterpret_cast<const Quad*>(&b[(k + right_row) * n + right_column]);
    __syncthreads();
    for (int p = 0; p < 8; ++p) {
      float rows[8], columns[8];
      for (int i = 0; i < 8; ++i) rows[i] = left[p][ty * 8 + i];
      for (int j = 0; j < 8; ++j) columns[j] = right[p][tx * 8 + j];
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) sums[i][j] += rows[i] * columns[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) c[(blockIdx.y * 128 + ty * 8 + i) * n + blockIdx.x * 128 + tx * 8 + j] = sums[i][j];
  }
});
CUTTLE_RACE(sgemm_register_tiled) { race_product<float>(race, {{4096 / 128, 4096 / 128}, 256}, 4096, 1e-4, sgemm_register_tiled); }

// 64 x 128 of C a block of four warps, 32 x 64 a warp, double buffered.
auto sgemm_warp_tiled = CUTTLE_KERNEL([](const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  struct alignas(16) Quad {
    float v[4];
  };
  __shared__ float left[2][16][64 + 4];
  __shared__ float right[2][16][128];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  const int warp_row = warp / 2 * 32, warp_column = warp % 2 * 64, row = lane / 8 * 8, column = lane % 8 * 4;
  a += blockIdx.y * 64l * n;
  b += blockIdx.x * 128;
  float sums[8][8];
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) sums[i][j] = 0;
  }
  Quad from_a[2], from_b[4];
  auto load = [&](int k) {
    for (int q = 0; q < 2; ++q) {
      const int e = t + q * 128;
      from_a[q] = *reinterpret_cast<const Quad*>(&a[e / 4 * static_cast<long>(n) + k + e % 4 * 4]);
    }
    for (int q = 0; q < 4; ++q) {
      const int e = t + q * 128;
      from_b[q] = *reinterpret_cast<const Quad*>(&b[(k + e / 32) * static_cast<long>(n) + e % 32 * 4]);
    }
  };
  auto store = [&](int buffer) {
    for (int q = 0; q < 2; ++q) {
      const int e = t + q * 128;
      for (int i = 0; i < 4; ++i) left[buffer][e % 4 * 4 + i][e / 4] = from_a[q].v[i];
    }
    for (int q = 0; q < 4; ++q) {
      const int e = t + q * 128;
      *reinterpret_cast<Quad*>(&right[buffer][e / 32][e % 32 * 4]) = from_b[q];
    }
  };
  load(0);
  store(0);
  __syncthreads();
  int buffer = 0;
  for (int k = 0; k < n; k += 16) {
    if (k + 16 < n) load(k + 16);
    for (int p = 0; p < 16; ++p) {
      float rows[8], columns[8];
      for (int i = 0; i < 8; ++i) rows[i] = left[buffer][p][warp_row + row + i];
      for (int j = 0; j < 4; ++j) {
        columns[j] = right[buffer][p][warp_column + column + j];
        columns[j + 4] = right[buffer][p][warp_column + 32 + column + j];
      }
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) sums[i][j] += rows[i] * columns[j];
      }
    }
    if (k + 16 < n) {
      store(buffer ^ 1);
      __syncthreads();
      buffer ^= 1;
    }
  }
  for (int i = 0; i < 8; ++i) {
    for (int h = 0; h < 2; ++h) {
      const Quad quad = {{sums[i][h * 4], sums[i][h * 4 + 1], sums[i][h * 4 + 2], sums[i][h * 4 + 3]}};
      *reinterpret_cast<Quad*>(&c[static_cast<long>(blockIdx.y * 64 + warp_row + row + i) * n + blockIdx.x * 128 + warp_column + h * 32 + column]) =
          quad;
    }
  }
});
CUTTLE_RACE(sgemm_warp_tiled) { race_product<float>(race, {{4096 / 128, 4096 / 64}, 128}, 4096, 1e-4, sgemm_warp_tiled); }

auto row_scale = CUTTLE_KERNEL([](view<const float, 2> a, view<const float> x, view<float, 2> b) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (i >= a.shape(0) || j >= a.shape(1)) return;
  b(i, j) = a(i, j) * x[j] + x[i];
});
CUTTLE_RACE(row_scale) {
  const int n = 8192;
  auto& a = race.uniform<float>(n * n);
  auto& x = race.uniform<float>(n);
  auto& b = race.output<float>(n * n);
  race.run({.launch = {{n / 256, n}, 256}, .bytes = 8.0 * n * n, .flops = 2.0 * n * n}, row_scale,
           arguments(view<const float, 2>(a.data(), n, n), x, view<float, 2>(b.data(), n, n)), arguments(a, x, b, long{n}, long{n}));
}

/// Rows of a sparse matrix with 1 to 64 entries each, at scattered columns.
struct Sparse {
  std::vector<int> starts, columns;
};
Sparse sparse(int rows) {
  Sparse result;
  result.starts.push_back(0);
  for (int i = 0; i < rows; ++i) {
    const unsigned entries = 1 + cuttle::race::mixed(static_cast<unsigned>(i)) % 64;
    for (unsigned k = 0; k < entries; ++k) {
      result.columns.push_back(static_cast<int>(cuttle::race::mixed(static_cast<unsigned>(i) * 64 + k) % static_cast<unsigned>(rows)));
    }
    result.starts.push_back(static_cast<int>(result.columns.size()));
  }
  return result;
}

auto spmv_scalar =
    CUTTLE_KERNEL([](view<const int> starts, view<const int> columns, view<const float> values, view<const float> x, view<float> y, int rows) {
      for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x) {
        float sum = 0;
        for (int j = starts[i]; j < starts[i + 1]; ++j) sum += values[j] * x[columns[j]];
        y[i] = sum;
      }
    });
CUTTLE_RACE(spmv_scalar) {
  const int rows = 1 << 20;
  const Sparse matrix = sparse(rows);
  const auto entries = static_cast<std::int64_t>(matrix.columns.size());
  auto& starts = race.from(matrix.starts);
  auto& columns = race.from(matrix.columns);
  auto& values = race.uniform<float>(entries);
  auto& x = race.uniform<float>(rows);
  auto& y = race.output<float>(rows);
  race.run({.launch = {132 * 16, 256}, .bytes = 12.0 * entries + 8.0 * rows, .flops = 2.0 * entries, .tolerance = 1e-5}, spmv_scalar,
           arguments(starts, columns, values, x, y, rows));
}

auto graph_sum = CUTTLE_KERNEL([](view<const int> starts, view<const int> neighbours, view<const float> x, view<float> y, int nodes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nodes) return;
  float sum = 0;
  for (int j = starts[i]; j < starts[i + 1]; ++j) {
    const float value = x[neighbours[j]];
    if (value > 0.5f) {
      sum += value;
    } else {
      sum -= 0.25f * value;
    }
  }
  y[i] = sum;
});
CUTTLE_RACE(graph_sum) {
  const int nodes = 1 << 20;
  const Sparse graph = sparse(nodes);
  const auto edges = static_cast<std::int64_t>(graph.columns.size());
  auto& starts = race.from(graph.starts);
  auto& neighbours = race.from(graph.columns);
  auto& x = race.uniform<float>(nodes);
  auto& y = race.output<float>(nodes);
  race.run({.launch = {nodes / 256, 256}, .bytes = 8.0 * edges + 8.0 * nodes, .flops = 2.0 * edges, .tolerance = 1e-5}, graph_sum,
           arguments(starts, neighbours, x, y, nodes));
}

auto solve6 = CUTTLE_KERNEL([](view<const float> in, view<float> out, int systems) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= systems) return;
  float a[6][7];
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 7; ++c) a[r][c] = in[(r * 7 + c) * static_cast<long>(systems) + i] + (r == c ? 4.0f : 0.0f);
  }
  for (int p = 0; p < 6; ++p) {
    const float inverse = 1.0f / a[p][p];
    for (int r = 0; r < 6; ++r) {
      if (r == p) continue;
      const float factor = a[r][p] * inverse;
      for (int c = p; c < 7; ++c) a[r][c] -= factor * a[p][c];
    }
  }
  for (int r = 0; r < 6; ++r) out[r * static_cast<long>(systems) + i] = a[r][6] / a[r][r];
});
CUTTLE_RACE(solve6) {
  const int systems = 1 << 21;
  auto& in = race.uniform<float>(42 * std::int64_t{systems}, 0, 1);
  auto& out = race.output<float>(6 * std::int64_t{systems});
  race.run({.launch = {systems / 256, 256}, .bytes = 192.0 * systems, .flops = 400.0 * systems, .tolerance = 1e-3}, solve6,
           arguments(in, out, systems));
}

}  // namespace
