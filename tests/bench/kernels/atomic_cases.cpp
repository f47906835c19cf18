// Atomics, votes and packed vectors: histograms, a radix sort's block pass, byte products.

#include "race.h"

namespace {

using cuttle::float4;
using cuttle::view;
using cuttle::race::arguments;

constexpr int blocks = 132 * 8;
constexpr int n = 1 << 26;

auto histogram = CUTTLE_KERNEL([](view<const unsigned> x, view<unsigned> out, int count) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) atomicAdd(&bins[x[i] & 255], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
});
CUTTLE_RACE(histogram) {
  auto& x = race.integers<unsigned>(n, 4294967296.0);
  auto& out = race.in_out(race.from(std::vector<unsigned>(256, 1)));
  race.run({.launch = {blocks, 256}, .bytes = 4.0 * n}, histogram, arguments(x, out, n));
}

auto histogram_wide = CUTTLE_KERNEL([](view<const unsigned> x, view<unsigned> counts, view<unsigned> largest, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const unsigned v = x[i];
    atomicAdd(&counts[(v >> 8) & 0xffff], 1u);
    atomicMax(&largest[(v >> 4) & 0xff], v);
  }
});
CUTTLE_RACE(histogram_wide) {
  const int count = 1 << 25;
  auto& x = race.integers<unsigned>(count, 4294967296.0);
  auto& counts = race.in_out(race.from(std::vector<unsigned>(65536, 1)));
  auto& largest = race.in_out(race.from(std::vector<unsigned>(256, 1)));
  race.run({.launch = {blocks, 256}, .bytes = 4.0 * count}, histogram_wide, arguments(x, counts, largest, count));
}

auto dot_product = CUTTLE_KERNEL([](view<const float> x, view<const float> y, view<float> out, int count) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(&out[0], sum);
});
CUTTLE_RACE(dot_product) {
  auto& x = race.uniform<float>(n);
  auto& y = race.uniform<float>(n);
  auto& out = race.in_out(race.from(std::vector<float>{1.0f}));
  // The order of the atomics is the machine's: sums of millions of positive terms, in single precision.
  race.run({.launch = {blocks, 256}, .bytes = 8.0 * n, .flops = 2.0 * n, .tolerance = 1e-4}, dot_product, arguments(x, y, out, n));
}

// Sorts the 1,024 keys of a block by four bits: a stable split by each, with ranks from votes and a scan of the warps' counts.
auto radix_pass = CUTTLE_KERNEL([](view<const unsigned> in, view<unsigned> out, int shift) {
  __shared__ unsigned keys[1024];
  __shared__ unsigned zeros[32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const long first = blockIdx.x * 1024l;
  unsigned key = in[first + t];
  for (int bit = shift; bit < shift + 4; ++bit) {
    const bool one = (key >> bit) & 1;
    const unsigned votes = __ballot_sync(0xffffffffu, !one);
    if (lane == 0) zeros[warp] = __popc(votes);
    __syncthreads();
    if (warp == 0) {
      unsigned count = zeros[lane];
      for (int d = 1; d < 32; d *= 2) {
        const unsigned other = __shfl_up_sync(0xffffffffu, count, d);
        if (lane >= d) count += other;
      }
      zeros[lane] = count;
    }
    __syncthreads();
    const unsigned before = (warp > 0 ? zeros[warp - 1] : 0u) + __popc(votes & ((1u << lane) - 1u));
    const unsigned to = one ? zeros[31] + t - before : before;
    keys[to] = key;
    __syncthreads();
    key = keys[t];
    __syncthreads();
  }
  out[first + t] = key;
});
CUTTLE_RACE(radix_pass) {
  auto& in = race.integers<unsigned>(n, 4294967296.0);
  auto& out = race.output<unsigned>(n);
  race.run({.launch = {n / 1024, 1024}, .bytes = 8.0 * n}, radix_pass, arguments(in, out, 8));
}

auto copy_quads = CUTTLE_KERNEL([](view<const float4> x, view<float4> y, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) y[i] = x[i];
});
CUTTLE_RACE(copy_quads) {
  auto& x = race.uniform<float>(n);
  auto& y = race.output<float>(n);
  race.run({.launch = {132 * 16, 256}, .bytes = 8.0 * n}, copy_quads,
           arguments(view<const float4>(reinterpret_cast<const float4*>(x.data()), n / 4), view<float4>(reinterpret_cast<float4*>(y.data()), n / 4),
                     n / 4),
           arguments(x, y, n / 4));
}

auto normalize = CUTTLE_KERNEL([](const float4* __restrict__ x, float4* __restrict__ y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 v = x[i];
  const float scale = rsqrtf(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
  y[i] = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
});
CUTTLE_RACE(normalize) {
  auto& x = race.uniform<float>(n, -1, 1);
  auto& y = race.output<float>(n);
  race.run({.launch = {n / 4 / 256, 256}, .bytes = 8.0 * n, .flops = 3.0 * n, .tolerance = 1e-6}, normalize,
           arguments(reinterpret_cast<const float4*>(x.data()), reinterpret_cast<float4*>(y.data()), n / 4), arguments(x, y, n / 4));
}

// Rows of bytes against one vector of bytes, four products an instruction.
auto byte_products = CUTTLE_KERNEL([](const int* __restrict__ a, const int* __restrict__ x, int* __restrict__ out, int rows, int words) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  int sum = 0;
  for (int j = lane; j < words; j += 32) sum = __dp4a(a[row * words + j], x[j], sum);
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (lane == 0) out[row] = sum;
});
CUTTLE_RACE(byte_products) {
  const int rows = 1 << 16, words = 1024;
  auto& a = race.integers<int>(std::int64_t{rows} * words, 2147483647.0);
  auto& x = race.integers<int>(words, 2147483647.0);
  auto& out = race.output<int>(rows);
  race.run({.launch = {rows / 8, 256}, .bytes = 4.0 * rows * words}, byte_products, arguments(a, x, out, rows, words));
}

auto hamming = CUTTLE_KERNEL([](view<const unsigned> x, view<const unsigned> query, view<int> out, int count, int words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int distance = 0;
  for (int k = 0; k < words; ++k) distance += __popc(x[k * count + i] ^ query[k]);
  out[i] = distance;
});
CUTTLE_RACE(hamming) {
  const int count = 1 << 22, words = 16;
  auto& x = race.integers<unsigned>(std::int64_t{count} * words, 4294967296.0);
  auto& query = race.integers<unsigned>(words, 4294967296.0);
  auto& out = race.output<int>(count);
  race.run({.launch = {count / 256, 256}, .bytes = 4.0 * count * (words + 1)}, hamming, arguments(x, query, out, count, words));
}

}  // namespace
