"""The six kernels in CUDA C++, for the peers that compile it, and the shape of their launches."""

import peer

COPY = r"""
extern "C" __global__ void copy(const float* x, unsigned size, float* y) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) y[i] = x[i];
}
"""

SOURCE = r"""
extern "C" {
__global__ void saxpy(float a, const float* x, const float* y, float* out, unsigned size) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a * x[i] + y[i];
}
__global__ void black_scholes(const float* spot, const float* strike, const float* years, float* call) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float spread = 0.3f * sqrtf(years[i]);
  float d1 = (logf(spot[i] / strike[i]) + (0.02f + 0.5f * 0.3f * 0.3f) * years[i]) / spread;
  float n1 = 0.5f * (1 + erff(d1 * 0.70710678f)), n2 = 0.5f * (1 + erff((d1 - spread) * 0.70710678f));
  call[i] = spot[i] * n1 - strike[i] * expf(-0.02f * years[i]) * n2;
}
__global__ void mandelbrot(int* count, int size, int iterations) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float cx = -2.2f + 3.0f * column / size, cy = -1.5f + 3.0f * row / size, x = 0, y = 0;
  int n = 0;
  while (n < iterations && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    ++n;
  }
  count[row * size + column] = n;
}
__global__ void nbody(const float* x, const float* y, const float* z, const float* mass, float* force, int bodies) {
  __shared__ float sx[256], sy[256], sz[256], sm[256];
  int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;
  float px = x[i], py = y[i], pz = z[i], sum = 0;
  for (int tile = 0; tile < bodies; tile += 256) {
    sx[t] = x[tile + t]; sy[t] = y[tile + t]; sz[t] = z[tile + t]; sm[t] = mass[tile + t];
    __syncthreads();
    for (int j = 0; j < 256; ++j) {
      float dx = sx[j] - px, dy = sy[j] - py, dz = sz[j] - pz;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      sum += dx * sm[j] * inverse * inverse * inverse;
    }
    __syncthreads();
  }
  force[i] = sum;
}
__global__ void transpose(const float* in, float* out, int size) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * size + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * size + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void sum(const float* x, float* partial, unsigned size) {
  __shared__ float shared[256];
  float mine = 0;
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < size; i += gridDim.x * 256) mine += x[i];
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = shared[0];
}
}
"""

# grid, block
LAUNCH = {
    "saxpy": (((peer.SAXPY + 255) // 256,), (256,)),
    "black_scholes": ((peer.OPTIONS // 256,), (256,)),
    "mandelbrot": ((peer.IMAGE // 32, peer.IMAGE // 8), (32, 8)),
    "nbody": ((peer.BODIES // 256,), (256,)),
    "transpose": ((peer.MATRIX // 32, peer.MATRIX // 32), (32, 8)),
    "sum": ((peer.SUM_BLOCKS,), (256,)),
}
