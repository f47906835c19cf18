// Warps: sums, scans and products whose threads pass values by shuffles.

#include "race.h"

namespace {

using cuttle::view;
using cuttle::race::arguments;

constexpr int n = 1 << 26;

auto block_sums = CUTTLE_KERNEL([](view<const float> x, view<float> sums, int count) {
  __shared__ float partial[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += x[i];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.0f;
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
});
CUTTLE_RACE(block_sums) {
  const int blocks = 132 * 4;
  auto& x = race.uniform<float>(n);
  auto& sums = race.output<float>(blocks);
  race.run({.launch = {blocks, 512}, .bytes = 4.0 * n, .flops = 1.0 * n, .tolerance = 1e-5}, block_sums, arguments(x, sums, n));
}

auto scan_warps = CUTTLE_KERNEL([](view<const float> x, view<float> y) {
  __shared__ float totals[32];
  const long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float value = x[i];
  for (int d = 1; d < 32; d *= 2) {
    const float other = __shfl_up_sync(0xffffffffu, value, d);
    if (lane >= d) value += other;
  }
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  if (warp == 0) {
    float total = totals[lane];
    for (int d = 1; d < 32; d *= 2) {
      const float other = __shfl_up_sync(0xffffffffu, total, d);
      if (lane >= d) total += other;
    }
    totals[lane] = total;
  }
  __syncthreads();
  y[i] = value + (warp > 0 ? totals[warp - 1] : 0.0f);
});
CUTTLE_RACE(scan_warps) {
  auto& x = race.uniform<float>(n);
  auto& y = race.output<float>(n);
  race.run({.launch = {n / 1024, 1024}, .bytes = 8.0 * n, .flops = 1.0 * n, .tolerance = 1e-6}, scan_warps, arguments(x, y));
}

auto matrix_vector = CUTTLE_KERNEL([](const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  struct alignas(16) Quad {
    float x, y, z, w;
  };
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const Quad* from = reinterpret_cast<const Quad*>(a) + static_cast<long>(row) * (columns / 4);
  const Quad* by = reinterpret_cast<const Quad*>(x);
  float sum = 0;
  for (int j = lane; j < columns / 4; j += 32) {
    const Quad u = from[j], v = by[j];
    sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (lane == 0) y[row] = sum;
});
CUTTLE_RACE(matrix_vector) {
  const int rows = 16384, columns = 4096;
  auto& a = race.uniform<float>(std::int64_t{rows} * columns, -1, 1);
  auto& x = race.uniform<float>(columns, -1, 1);
  auto& y = race.output<float>(rows);
  race.run({.launch = {rows / 8, 256}, .bytes = 4.0 * rows * columns, .flops = 2.0 * rows * columns, .tolerance = 1e-4}, matrix_vector,
           arguments(a, x, y, rows, columns));
}

auto spmv_warp =
    CUTTLE_KERNEL([](view<const int> starts, view<const int> columns, view<const float> values, view<const float> x, view<float> y, int rows) {
      const int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = threadIdx.x % 32;
      if (row >= rows) return;
      float sum = 0;
      for (int j = starts[row] + lane; j < starts[row + 1]; j += 32) sum += values[j] * x[columns[j]];
      for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
      if (lane == 0) y[row] = sum;
    });
CUTTLE_RACE(spmv_warp) {
  const int rows = 1 << 19, each = 64;
  std::vector<int> starts, columns;
  for (int i = 0; i <= rows; ++i) starts.push_back(i * each);
  for (int k = 0; k < rows * each; ++k) columns.push_back(static_cast<int>(cuttle::race::mixed(static_cast<unsigned>(k)) % unsigned{rows}));
  auto& device_starts = race.from(starts);
  auto& device_columns = race.from(columns);
  auto& values = race.uniform<float>(rows * each);
  auto& x = race.uniform<float>(rows);
  auto& y = race.output<float>(rows);
  race.run({.launch = {rows / 8, 256}, .bytes = 12.0 * rows * each, .flops = 2.0 * rows * each, .tolerance = 1e-5}, spmv_warp,
           arguments(device_starts, device_columns, values, x, y, rows));
}

auto softmax_warps = CUTTLE_KERNEL([](view<const float> in, view<float> out, int columns) {
  __shared__ float partial[32];
  const int t = threadIdx.x;
  const long first = blockIdx.x * static_cast<long>(columns);
  float most = -1e30f;
  for (int i = t; i < columns; i += blockDim.x) most = fmaxf(most, in[first + i]);
  for (int lanes = 16; lanes > 0; lanes /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, lanes));
  if (t % 32 == 0) partial[t / 32] = most;
  __syncthreads();
  most = partial[0];
  for (int i = 1; i < static_cast<int>(blockDim.x) / 32; ++i) most = fmaxf(most, partial[i]);
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += blockDim.x) sum += expf(in[first + i] - most);
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
  if (t % 32 == 0) partial[t / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < static_cast<int>(blockDim.x) / 32; ++i) sum += partial[i];
  for (int i = t; i < columns; i += blockDim.x) out[first + i] = expf(in[first + i] - most) / sum;
});
CUTTLE_RACE(softmax_warps) {
  const int rows = 16384, columns = 4096;
  const std::int64_t elements = std::int64_t{rows} * columns;
  auto& in = race.uniform<float>(elements, -4, 4);
  auto& out = race.output<float>(elements);
  race.run({.launch = {rows, 256}, .bytes = 8.0 * elements, .flops = 12.0 * elements, .tolerance = 1e-5}, softmax_warps, arguments(in, out, columns));
}

}  // namespace
