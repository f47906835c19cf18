// Kernels from the field, linear algebra and graphs: tiles in shared memory, sparse rows, chains of launches, launches until a flag.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "field/inputs.h"
#include "support/device_test.h"

namespace {

using cuttle::Array;
using namespace cuttle::test;

class LinearAlgebra : public OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(LinearAlgebra);

// SGEMM with a tile of 64 x 64 and 4 x 4 results a thread, sizes that are no multiple of anything. (the ladder of siboehm/SGEMM_CUDA, step 5)
auto sgemm = CUTTLE_KERNEL([](const float* a, const float* b, float* c, int rows, int columns, int inner) {
  constexpr int tile = 64, depth = 8, each = 4;
  __shared__ float as[depth][tile], bs[depth][tile];
  const int row = blockIdx.y * tile, column = blockIdx.x * tile, t = threadIdx.x;
  const int own_row = t / (tile / each) * each, own_column = t % (tile / each) * each;
  float sums[each][each] = {};
  for (int k = 0; k < inner; k += depth) {
    for (int i = t; i < tile * depth; i += blockDim.x) {
      const int r = i / depth, d = i % depth;
      as[d][r] = row + r < rows && k + d < inner ? a[(row + r) * inner + k + d] : 0;
      bs[i / tile][i % tile] = k + i / tile < inner && column + i % tile < columns ? b[(k + i / tile) * columns + column + i % tile] : 0;
    }
    __syncthreads();
    for (int d = 0; d < depth; ++d) {
      for (int i = 0; i < each; ++i) {
        for (int j = 0; j < each; ++j) sums[i][j] += as[d][own_row + i] * bs[d][own_column + j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < each; ++i) {
    for (int j = 0; j < each; ++j) {
      const int r = row + own_row + i, s = column + own_column + j;
      if (r < rows && s < columns) c[r * columns + s] = sums[i][j];
    }
  }
});

TEST_P(LinearAlgebra, RegisterTiledProductOfSmallIntegersIsExact) {
  constexpr int rows = 131, columns = 97, inner = 53;
  const auto a = small_integers<float>(rows * inner, 1), b = small_integers<float>(inner * columns, 2);
  Array<float> da(a), db(b), dc(rows * columns);
  sgemm[{.grid = {(columns + 63) / 64, (rows + 63) / 64}, .block = 256}](da, db, dc, rows, columns, inner);
  std::vector<float> expected(rows * columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      for (int k = 0; k < inner; ++k) expected[at(i * columns + j)] += a[at(i * inner + k)] * b[at(k * columns + j)];
    }
  }
  EXPECT_EQ(dc.to_vector(), expected);
}

auto transpose = CUTTLE_KERNEL([](cuttle::view<const double, 2> in, cuttle::view<double, 2> out) {
  __shared__ double tile[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  for (int j = 0; j < 32; j += 8) {
    if (x < in.shape(1) && y + j < in.shape(0)) tile[ty + j][tx] = in(y + j, x);
  }
  __syncthreads();
  x = blockIdx.y * 32 + tx;
  y = blockIdx.x * 32 + ty;
  for (int j = 0; j < 32; j += 8) {
    if (x < out.shape(1) && y + j < out.shape(0)) out(y + j, x) = tile[tx][ty + j];
  }
});

TEST_P(LinearAlgebra, TiledTransposeOfAnOddMatrix) {
  constexpr std::size_t rows = 77, columns = 140;
  const auto a = uniform<double>(rows * columns, 3);
  Array<double, 2> in(a, rows, columns), out(columns, rows);
  transpose[{.grid = {(columns + 31) / 32, (rows + 31) / 32}, .block = {32, 8}}](in, out);
  const auto result = out.to_vector();
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) ASSERT_EQ(result[j * rows + i], a[i * columns + j]);
  }
}

// y = A'(A x), two launches: by rows, then by columns. (PolyBench, atax)
auto row_products = CUTTLE_KERNEL([](const float* a, const float* x, float* out, int rows, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float sum = 0;
  for (int j = 0; j < columns; ++j) sum += a[i * columns + j] * x[j];
  out[i] = sum;
});
auto column_products = CUTTLE_KERNEL([](const float* a, const float* x, float* out, int rows, int columns) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= columns) return;
  float sum = 0;
  for (int i = 0; i < rows; ++i) sum += a[i * columns + j] * x[i];
  out[j] = sum;
});

TEST_P(LinearAlgebra, ChainOfMatrixVectorProducts) {
  constexpr int rows = 150, columns = 211;
  const auto a = uniform<float>(rows * columns, 4), x = uniform<float>(columns, 5);
  Array<float> da(a), dx(x), between(rows), y(columns);
  row_products.over(rows)(da, dx, between, rows, columns);
  column_products.over(columns)(da, between, y, rows, columns);
  std::vector<double> ax(rows), expected(columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) ax[at(i)] += double{a[at(i * columns + j)]} * x[at(j)];
  }
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) expected[at(j)] += a[at(i * columns + j)] * ax[at(i)];
  }
  expect_near(y.to_vector(), expected, 1e-4);
}

// A sparse matrix (CSR) times a vector, a warp for a row, values of any type and offsets of any width.
auto spmv = CUTTLE_KERNEL([](auto offsets, auto columns, auto values, auto x, auto y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  auto sum = values[0] * 0;
  for (auto j = offsets[row] + lane; j < offsets[row + 1]; j += 32) sum += values[j] * x[columns[j]];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
});

TEST_P(LinearAlgebra, SparseProductWithAWarpForEachRow) {
  const auto expect = [&]<class T, class Offset>(T, Offset) {
    constexpr int rows = 203, columns = 97;
    std::vector<Offset> offsets{0};
    std::vector<int> indices;
    for (int i = 0; i < rows; ++i) {
      for (int j = i % 7; j < columns; j += 1 + i % 11) indices.push_back(j);
      if (i % 13 == 0) indices.resize(static_cast<std::size_t>(offsets.back()));  // an empty row
      offsets.push_back(static_cast<Offset>(indices.size()));
    }
    const auto values = small_integers<T>(indices.size(), 6), x = small_integers<T>(columns, 7);
    Array<Offset> d_offsets(offsets);
    Array<int> d_indices(indices);
    Array<T> d_values(values), dx(x), y(rows);
    spmv[{.grid = (rows * 32 + 127) / 128, .block = 128}](d_offsets, d_indices, d_values, dx, y, rows);
    std::vector<T> expected(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      for (auto j = static_cast<std::size_t>(offsets[i]); j < static_cast<std::size_t>(offsets[i + 1]); ++j)
        expected[i] += values[j] * x[at(indices[j])];
    }
    EXPECT_EQ(y.to_vector(), expected);
  };
  expect(float{}, std::int32_t{}), expect(double{}, std::int64_t{}), expect(int{}, std::uint32_t{});
}

// Parallel cyclic reduction of tridiagonal systems, one a block, four arrays carved from the launch's shared bytes.
auto tridiagonal = CUTTLE_KERNEL([](const double* lower, const double* diagonal, const double* upper, const double* right, double* x, int n) {
  extern __shared__ double shared[];
  double *a = shared, *b = a + n, *c = b + n, *d = c + n;
  const int i = threadIdx.x, base = blockIdx.x * n;
  a[i] = lower[base + i], b[i] = diagonal[base + i], c[i] = upper[base + i], d[i] = right[base + i];
  for (int step = 1; step < n; step *= 2) {
    __syncthreads();
    const int before = i - step, after = i + step;
    double na = 0, nc = 0, nb = b[i], nd = d[i];
    if (before >= 0) {
      const double k = a[i] / b[before];
      na = -k * a[before], nb -= k * c[before], nd -= k * d[before];
    }
    if (after < n) {
      const double k = c[i] / b[after];
      nc = -k * c[after], nb -= k * a[after], nd -= k * d[after];
    }
    __syncthreads();
    a[i] = na, b[i] = nb, c[i] = nc, d[i] = nd;
  }
  x[base + i] = d[i] / b[i];
});

TEST_P(LinearAlgebra, CyclicReductionSolvesTridiagonalSystems) {
  constexpr int n = 100, systems = 5;
  auto lower = uniform<double>(n * systems, 8), upper = uniform<double>(n * systems, 9), right = uniform<double>(n * systems, 10);
  for (int s = 0; s < systems; ++s) lower[at(s * n)] = upper[at(s * n + n - 1)] = 0;
  const std::vector<double> diagonal(at(n * systems), 4.0);
  Array<double> l(lower), d(diagonal), u(upper), r(right), out(at(n * systems));
  tridiagonal[{.grid = systems, .block = n, .shared = 4 * n * sizeof(double)}](l, d, u, r, out, n);
  const auto x = out.to_vector();
  for (int i = 0; i < n * systems; ++i) {
    const double below = i % n ? lower[at(i)] * x[at(i - 1)] : 0, above = i % n < n - 1 ? upper[at(i)] * x[at(i + 1)] : 0;
    ASSERT_NEAR(below + 4 * x[at(i)] + above, right[at(i)], 1e-12);
  }
}

auto floyd_warshall = CUTTLE_KERNEL([](int* distance, int n, int k) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) distance[i * n + j] = min(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
});

TEST_P(LinearAlgebra, ShortestPathsBetweenAllNodes) {
  constexpr int n = 61, far = 1 << 20;
  std::vector<int> distance(at(n * n), far);
  for (int i = 0; i < n; ++i) {
    distance[at(i * n + i)] = 0;
    for (int e = 1; e < 4; ++e) distance[at(i * n + (i * 7 + e * 13) % n)] = i == (i * 7 + e * 13) % n ? 0 : 1 + (i * e) % 9;
  }
  Array<int> device(distance);
  for (int k = 0; k < n; ++k) floyd_warshall[{.grid = {4, 8}, .block = {16, 8}}](device, n, k);
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) distance[at(i * n + j)] = std::min(distance[at(i * n + j)], distance[at(i * n + k)] + distance[at(k * n + j)]);
    }
  }
  EXPECT_EQ(device.to_vector(), distance);
}

// Breadth-first search, a launch for each level, until no thread raises the flag.
auto visit = CUTTLE_KERNEL([](auto offsets, auto targets, auto level, int depth, auto more, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || level[node] != depth) return;
  for (int e = offsets[node]; e < offsets[node + 1]; ++e) {
    if (level[targets[e]] < 0) level[targets[e]] = depth + 1, more[0] = true;
  }
});

TEST_P(LinearAlgebra, BreadthFirstSearchLaunchesUntilNothingIsNew) {
  constexpr int nodes = 300;  // each with edges to 2 n + 1 and 2 n + 2: a tree, whose levels are known
  std::vector<int> offsets{0}, targets, expected(nodes);
  for (int i = 0; i < nodes; ++i) {
    for (const int child : {2 * i + 1, 2 * i + 2}) {
      if (child < nodes) targets.push_back(child), expected[at(child)] = expected[at(i)] + 1;
    }
    offsets.push_back(static_cast<int>(targets.size()));
  }
  std::vector<int> start(nodes, -1);
  start[0] = 0;
  Array<int> d_offsets(offsets), d_targets(targets), level(start);
  int launches = 0;
  for (bool more = true; more; ++launches) {
    Array<bool> flag({false});
    visit[{.grid = 3, .block = 128}](d_offsets, d_targets, level, launches, flag, nodes);
    more = flag.item();
  }
  EXPECT_EQ(level.to_vector(), expected);
  EXPECT_EQ(launches, 1 + *std::max_element(expected.begin(), expected.end()));
}

}  // namespace
