// Twins of algebra_cases.cpp.

TWIN transpose(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

TWIN sgemm_naive(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  int row = GLOBAL_Y, column = GLOBAL_X;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

TWIN sgemm_view(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, long m, long n, long depth) {
  int i = GLOBAL_Y, j = GLOBAL_X;
  if (i >= m || j >= n) return;
  float sum = 0;
  for (int k = 0; k < depth; ++k) sum += a[i * depth + k] * b[k * n + j];
  c[i * n + j] = sum;
}

TWIN sgemm_tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  __shared__ float left[32][32], right[32][32];
  int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    left[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

TWIN dgemm_tiled(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ c, int n) {
  __shared__ double left[16][16], right[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  long row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  double sum = 0;
  for (int t = 0; t < n; t += 16) {
    left[ty][tx] = a[row * n + t + tx];
    right[ty][tx] = b[(long)(t + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[ty][k] * right[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

TWIN sgemm_register_tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  __shared__ float left[8][128], right[8][128];
  int t = threadIdx.x, tx = t % 16, ty = t / 16;
  a += blockIdx.y * 128 * n;
  b += blockIdx.x * 128;
  float sums[8][8];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) sums[i][j] = 0;
  int left_row = t / 2, left_column = t % 2 * 4, right_row = t / 32, right_column = t % 32 * 4;
  for (int k = 0; k < n; k += 8) {
    float4 quad = *(const float4*)&a[left_row * n + k + left_column];
    left[left_column][left_row] = quad.x;
    left[left_column + 1][left_row] = quad.y;
    left[left_column + 2][left_row] = quad.z;
    left[left_column + 3][left_row] = quad.w;
    *(float4*)&right[right_row][right_column] = *(const float4*)&b[(k + right_row) * n + right_column];
    __syncthreads();
    for (int p = 0; p < 8; ++p) {
      float rows[8], columns[8];
      for (int i = 0; i < 8; ++i) rows[i] = left[p][ty * 8 + i];
      for (int j = 0; j < 8; ++j) columns[j] = right[p][tx * 8 + j];
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) sums[i][j] += rows[i] * columns[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) c[(blockIdx.y * 128 + ty * 8 + i) * n + blockIdx.x * 128 + tx * 8 + j] = sums[i][j];
}

TWIN sgemm_warp_tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  __shared__ float left[2][16][64 + 4];
  __shared__ float right[2][16][128];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int warp_row = warp / 2 * 32, warp_column = warp % 2 * 64, row = lane / 8 * 8, column = lane % 8 * 4;
  a += blockIdx.y * 64l * n;
  b += blockIdx.x * 128;
  float sums[8][8];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) sums[i][j] = 0;
  float4 from_a[2], from_b[4];
  auto load = [&](int k) {
    for (int q = 0; q < 2; ++q) {
      int e = t + q * 128;
      from_a[q] = *(const float4*)&a[e / 4 * (long)n + k + e % 4 * 4];
    }
    for (int q = 0; q < 4; ++q) {
      int e = t + q * 128;
      from_b[q] = *(const float4*)&b[(k + e / 32) * (long)n + e % 32 * 4];
    }
  };
  auto store = [&](int buffer) {
    for (int q = 0; q < 2; ++q) {
      int e = t + q * 128;
      left[buffer][e % 4 * 4][e / 4] = from_a[q].x;
      left[buffer][e % 4 * 4 + 1][e / 4] = from_a[q].y;
      left[buffer][e % 4 * 4 + 2][e / 4] = from_a[q].z;
      left[buffer][e % 4 * 4 + 3][e / 4] = from_a[q].w;
    }
    for (int q = 0; q < 4; ++q) {
      int e = t + q * 128;
      *(float4*)&right[buffer][e / 32][e % 32 * 4] = from_b[q];
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
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) sums[i][j] += rows[i] * columns[j];
    }
    if (k + 16 < n) {
      store(buffer ^ 1);
      __syncthreads();
      buffer ^= 1;
    }
  }
  for (int i = 0; i < 8; ++i)
    for (int h = 0; h < 2; ++h)
      *(float4*)&c[(long)(blockIdx.y * 64 + warp_row + row + i) * n + blockIdx.x * 128 + warp_column + h * 32 + column] =
          make_float4(sums[i][h * 4], sums[i][h * 4 + 1], sums[i][h * 4 + 2], sums[i][h * 4 + 3]);
}

TWIN row_scale(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ b, long rows, long columns) {
  int j = GLOBAL_X, i = blockIdx.y;
  if (i >= rows || j >= columns) return;
  b[i * columns + j] = a[i * columns + j] * x[j] + x[i];
}

TWIN spmv_scalar(const int* __restrict__ starts, const int* __restrict__ columns, const float* __restrict__ values, const float* __restrict__ x,
                 float* __restrict__ y, int rows) {
  for (int i = GLOBAL_X; i < rows; i += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int j = starts[i]; j < starts[i + 1]; ++j) sum += values[j] * x[columns[j]];
    y[i] = sum;
  }
}

TWIN graph_sum(const int* __restrict__ starts, const int* __restrict__ neighbours, const float* __restrict__ x, float* __restrict__ y, int nodes) {
  int i = GLOBAL_X;
  if (i >= nodes) return;
  float sum = 0;
  for (int j = starts[i]; j < starts[i + 1]; ++j) {
    float value = x[neighbours[j]];
    if (value > 0.5f)
      sum += value;
    else
      sum -= 0.25f * value;
  }
  y[i] = sum;
}

TWIN solve6(const float* __restrict__ in, float* __restrict__ out, int systems) {
  int i = GLOBAL_X;
  if (i >= systems) return;
  float a[6][7];
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 7; ++c) a[r][c] = in[(r * 7 + c) * (long)systems + i] + (r == c ? 4.0f : 0.0f);
  for (int p = 0; p < 6; ++p) {
    float inverse = 1.0f / a[p][p];
    for (int r = 0; r < 6; ++r) {
      if (r == p) continue;
      float factor = a[r][p] * inverse;
      for (int c = p; c < 7; ++c) a[r][c] -= factor * a[p][c];
    }
  }
  for (int r = 0; r < 6; ++r) out[r * (long)systems + i] = a[r][6] / a[r][r];
}
