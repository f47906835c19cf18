// Twins of warp_cases.cpp.

TWIN block_sums(const float* __restrict__ x, float* __restrict__ sums, int n) {
  __shared__ float partial[32];
  float sum = 0;
  for (int i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.0f;
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

TWIN scan_warps(const float* __restrict__ x, float* __restrict__ y) {
  __shared__ float totals[32];
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float value = x[i];
  for (int d = 1; d < 32; d *= 2) {
    float other = __shfl_up_sync(0xffffffffu, value, d);
    if (lane >= d) value += other;
  }
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  if (warp == 0) {
    float total = totals[lane];
    for (int d = 1; d < 32; d *= 2) {
      float other = __shfl_up_sync(0xffffffffu, total, d);
      if (lane >= d) total += other;
    }
    totals[lane] = total;
  }
  __syncthreads();
  y[i] = value + (warp > 0 ? totals[warp - 1] : 0.0f);
}

TWIN matrix_vector(const float4* __restrict__ a, const float4* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  int row = GLOBAL_X / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float4* from = a + (size_t)row * (columns / 4);
  float sum = 0;
  for (int j = lane; j < columns / 4; j += 32) {
    float4 u = from[j], v = x[j];
    sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (lane == 0) y[row] = sum;
}

TWIN spmv_warp(const int* __restrict__ starts, const int* __restrict__ columns, const float* __restrict__ values, const float* __restrict__ x,
               float* __restrict__ y, int rows) {
  int row = GLOBAL_X / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int j = starts[row] + lane; j < starts[row + 1]; j += 32) sum += values[j] * x[columns[j]];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (lane == 0) y[row] = sum;
}

TWIN softmax_warps(const float* __restrict__ in, float* __restrict__ out, int columns) {
  __shared__ float partial[32];
  int t = threadIdx.x;
  const float* row = in + (size_t)blockIdx.x * columns;
  float* to = out + (size_t)blockIdx.x * columns;
  float most = -1e30f;
  for (int i = t; i < columns; i += blockDim.x) most = fmaxf(most, row[i]);
  for (int lanes = 16; lanes > 0; lanes /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, lanes));
  if (t % 32 == 0) partial[t / 32] = most;
  __syncthreads();
  most = partial[0];
  for (int i = 1; i < (int)blockDim.x / 32; ++i) most = fmaxf(most, partial[i]);
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += blockDim.x) sum += expf(row[i] - most);
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
  if (t % 32 == 0) partial[t / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < (int)blockDim.x / 32; ++i) sum += partial[i];
  for (int i = t; i < columns; i += blockDim.x) to[i] = expf(row[i] - most) / sum;
}
