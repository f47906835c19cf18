#include "kernels.h"

namespace cuttle::bench {
namespace {

template <class... T>
constexpr const detail::Signature* signature = &detail::SignatureOf<T...>::value;

using In = view<const float>;
using Out = view<float>;

// clang-format off
const KernelPair pairs[] = {
{"copy", signature<Out, unsigned, Out>, "auto x, auto size, auto y", "float* x, unsigned size, float* y", R"(
  auto tid = blockIdx.x * blockDim.x + threadIdx.x;
  auto ntid = gridDim.x * blockDim.x;
  for (auto i = tid; i < size; i += ntid) y[i] = x[i];
)"},

{"saxpy", signature<int, float, In, Out>, "int n, float a, view<const float> x, view<float> y", "int n, float a, const float* x, float* y", R"(
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
)"},

{"sinf", signature<int, In, Out>, "int n, view<const float> x, view<float> y", "int n, const float* x, float* y", R"(
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sinf(x[i]);
)"},

{"black-scholes", signature<int, In, In, In, Out, Out>,
 "int n, view<const float> stock, view<const float> strike, view<const float> years, view<float> call, view<float> put",
 "int n, const float* stock, const float* strike, const float* years, float* call, float* put", R"(
  const float riskfree = 0.02f, volatility = 0.30f;
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    float s = stock[i], x = strike[i], t = years[i];
    float root_t = sqrtf(t);
    float d1 = (logf(s / x) + (riskfree + 0.5f * volatility * volatility) * t) / (volatility * root_t);
    float d2 = d1 - volatility * root_t;
    auto normal = [](float d) {
      float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
      float tail = 0.39894228040143267794f * expf(-0.5f * d * d) *
                   (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
      return d > 0 ? 1.0f - tail : tail;
    };
    float n1 = normal(d1), n2 = normal(d2);
    float discount = expf(-riskfree * t);
    call[i] = s * n1 - x * discount * n2;
    put[i] = x * discount * (1.0f - n2) - s * (1.0f - n1);
  }
)"},

{"softmax", signature<int, In, Out>, "int columns, view<const float> x, view<float> y", "int columns, const float* x, float* y", R"(
  __shared__ float partial[256];
  int row = blockIdx.x, lane = threadIdx.x;
  float largest = -3.4e38f;
  for (int c = lane; c < columns; c += 256) largest = fmaxf(largest, x[row * columns + c]);
  partial[lane] = largest;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (lane < half) partial[lane] = fmaxf(partial[lane], partial[lane + half]);
    __syncthreads();
  }
  largest = partial[0];
  __syncthreads();
  float sum = 0;
  for (int c = lane; c < columns; c += 256) sum += expf(x[row * columns + c] - largest);
  partial[lane] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (lane < half) partial[lane] += partial[lane + half];
    __syncthreads();
  }
  float inverse = 1.0f / partial[0];
  for (int c = lane; c < columns; c += 256) y[row * columns + c] = expf(x[row * columns + c] - largest) * inverse;
)"},

{"n-body", signature<int, In, In, Out>, "int n, view<const float> position, view<const float> mass, view<float> acceleration",
 "int n, const float* position, const float* mass, float* acceleration", R"(
  __shared__ float tile[4][256];
  int i = blockIdx.x * 256 + threadIdx.x;
  float px = position[3 * i], py = position[3 * i + 1], pz = position[3 * i + 2];
  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += 256) {
    int j = start + threadIdx.x;
    tile[0][threadIdx.x] = position[3 * j];
    tile[1][threadIdx.x] = position[3 * j + 1];
    tile[2][threadIdx.x] = position[3 * j + 2];
    tile[3][threadIdx.x] = mass[j];
    __syncthreads();
    for (int k = 0; k < 256; ++k) {
      float dx = tile[0][k] - px, dy = tile[1][k] - py, dz = tile[2][k] - pz;
      float distance2 = dx * dx + dy * dy + dz * dz + 1e-6f;
      float inverse = rsqrtf(distance2);
      float scale = tile[3][k] * inverse * inverse * inverse;
      ax += dx * scale;
      ay += dy * scale;
      az += dz * scale;
    }
    __syncthreads();
  }
  acceleration[3 * i] = ax;
  acceleration[3 * i + 1] = ay;
  acceleration[3 * i + 2] = az;
)"},

{"transpose", signature<int, int, In, Out>, "int rows, int columns, view<const float> x, view<float> y",
 "int rows, int columns, const float* x, float* y", R"(
  __shared__ float tile[32][33];
  int column = blockIdx.x * 32 + threadIdx.x;
  for (int r = threadIdx.y; r < 32; r += 8) {
    int row = blockIdx.y * 32 + r;
    if (row < rows && column < columns) tile[r][threadIdx.x] = x[row * columns + column];
  }
  __syncthreads();
  int target_column = blockIdx.y * 32 + threadIdx.x;
  for (int r = threadIdx.y; r < 32; r += 8) {
    int row = blockIdx.x * 32 + r;
    if (row < columns && target_column < rows) y[row * rows + target_column] = tile[threadIdx.x][r];
  }
)"},

{"stencil", signature<int, int, In, Out>, "int width, int height, view<const float> x, view<float> y",
 "int width, int height, const float* x, float* y", R"(
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < 1 || row < 1 || column >= width - 1 || row >= height - 1) return;
  int at = row * width + column;
  y[at] = 0.5f * x[at] + 0.125f * (x[at - 1] + x[at + 1] + x[at - width] + x[at + width]);
)"},

{"mandelbrot", signature<int, int, view<int>>, "int width, int height, view<int> iterations", "int width, int height, int* iterations", R"(
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  float cx = -2.0f + 3.0f * column / width, cy = -1.5f + 3.0f * row / height;
  float zx = 0, zy = 0;
  int count = 0;
  while (zx * zx + zy * zy < 4.0f && count < 1000) {
    float next = zx * zx - zy * zy + cx;
    zy = 2.0f * zx * zy + cy;
    zx = next;
    ++count;
  }
  iterations[row * width + column] = count;
)"},

{"pow-f64", signature<int, view<const double>, view<double>>, "int n, view<const double> x, view<double> y", "int n, const double* x, double* y", R"(
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = pow(x[i], 1.5) + exp(-x[i]) * log(x[i]);
)"},

{"hash", signature<int, view<const unsigned>, view<unsigned>>, "int n, view<const unsigned> x, view<unsigned> y",
 "int n, const unsigned* x, unsigned* y", R"(
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned h = x[i];
  for (int round = 0; round < 16; ++round) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h = (h << 13) | (h >> 19);
    h = h * 5 + 0xe6546b64u + round;
  }
  y[i] = h;
)"},

{"sgemm-tiled", signature<int, In, In, Out>, "int n, view<const float> a, view<const float> b, view<float> c",
 "int n, const float* a, const float* b, float* c", R"(
  __shared__ float a_tile[16][16], b_tile[16][16];
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int start = 0; start < n; start += 16) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
)"},

{"sgemm-registers", signature<int, In, In, Out>, "int n, view<const float> a, view<const float> b, view<float> c",
 "int n, const float* a, const float* b, float* c", R"(
  constexpr int tile = 64, depth = 16, each = 4;
  __shared__ float a_tile[depth][tile], b_tile[depth][tile];
  int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  int row0 = blockIdx.y * tile, column0 = blockIdx.x * tile;
  float sums[each][each] = {};
  for (int start = 0; start < n; start += depth) {
    for (int e = thread; e < tile * depth; e += 256) {
      a_tile[e % depth][e / depth] = a[(row0 + e / depth) * n + start + e % depth];
      b_tile[e / tile][e % tile] = b[(start + e / tile) * n + column0 + e % tile];
    }
    __syncthreads();
    for (int k = 0; k < depth; ++k) {
      float left[each], right[each];
      for (int i = 0; i < each; ++i) left[i] = a_tile[k][ty * each + i];
      for (int j = 0; j < each; ++j) right[j] = b_tile[k][tx * each + j];
      for (int i = 0; i < each; ++i)
        for (int j = 0; j < each; ++j) sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < each; ++i)
    for (int j = 0; j < each; ++j) c[(row0 + ty * each + i) * n + column0 + tx * each + j] = sums[i][j];
)"},
};
// clang-format on

std::string salted(const KernelPair& pair, int salt) {
  return "{\n  constexpr int salt = " + std::to_string(salt) + ";\n  (void)salt;" + pair.body + "}";
}

}  // namespace

std::string KernelPair::lambda(int salt) const { return std::string("[](") + lambda_parameters + ") " + salted(*this, salt); }

std::string KernelPair::cuda(int salt) const {
  return "extern \"C\" __global__ void " + cuda_name(salt) + "(" + cuda_parameters + ") " + salted(*this, salt) + "\n";
}

std::string KernelPair::cuda_name(int salt) const { return "kernel_" + std::to_string(salt); }

std::span<const KernelPair> kernel_pairs() { return pairs; }

}  // namespace cuttle::bench
