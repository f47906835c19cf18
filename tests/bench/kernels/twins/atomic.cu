// Twins of atomic_cases.cpp.

TWIN histogram(const unsigned* __restrict__ x, unsigned* __restrict__ out, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[x[i] & 255], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

TWIN histogram_wide(const unsigned* __restrict__ x, unsigned* __restrict__ counts, unsigned* __restrict__ largest, int n) {
  for (int i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) {
    unsigned v = x[i];
    atomicAdd(&counts[(v >> 8) & 0xffff], 1u);
    atomicMax(&largest[(v >> 4) & 0xff], v);
  }
}

TWIN dot_product(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ out, int n) {
  float sum = 0;
  for (int i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(&out[0], sum);
}

TWIN radix_pass(const unsigned* __restrict__ in, unsigned* __restrict__ out, int shift) {
  __shared__ unsigned keys[1024];
  __shared__ unsigned zeros[32];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  size_t first = (size_t)blockIdx.x * 1024;
  unsigned key = in[first + t];
  for (int bit = shift; bit < shift + 4; ++bit) {
    bool one = (key >> bit) & 1;
    unsigned votes = __ballot_sync(0xffffffffu, !one);
    if (lane == 0) zeros[warp] = __popc(votes);
    __syncthreads();
    if (warp == 0) {
      unsigned count = zeros[lane];
      for (int d = 1; d < 32; d *= 2) {
        unsigned other = __shfl_up_sync(0xffffffffu, count, d);
        if (lane >= d) count += other;
      }
      zeros[lane] = count;
    }
    __syncthreads();
    unsigned before = (warp > 0 ? zeros[warp - 1] : 0u) + __popc(votes & ((1u << lane) - 1u));
    unsigned to = one ? zeros[31] + t - before : before;
    keys[to] = key;
    __syncthreads();
    key = keys[t];
    __syncthreads();
  }
  out[first + t] = key;
}

TWIN copy_quads(const float4* __restrict__ x, float4* __restrict__ y, int n) {
  for (int i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) y[i] = x[i];
}

TWIN normalize(const float4* __restrict__ x, float4* __restrict__ y, int n) {
  int i = GLOBAL_X;
  if (i >= n) return;
  float4 v = x[i];
  float scale = rsqrtf(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
  y[i] = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
}

TWIN byte_products(const int* __restrict__ a, const int* __restrict__ x, int* __restrict__ out, int rows, int words) {
  int row = GLOBAL_X / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  int sum = 0;
  for (int j = lane; j < words; j += 32) sum = __dp4a(a[row * words + j], x[j], sum);
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (lane == 0) out[row] = sum;
}

TWIN hamming(const unsigned* __restrict__ x, const unsigned* __restrict__ query, int* __restrict__ out, int n, int words) {
  int i = GLOBAL_X;
  if (i >= n) return;
  int distance = 0;
  for (int k = 0; k < words; ++k) distance += __popc(x[k * n + i] ^ query[k]);
  out[i] = distance;
}
