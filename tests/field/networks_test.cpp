// Kernels from the field, layers of neural networks, forward and backward, next to plain loops in double precision.

#include <cmath>
#include <cstdint>
#include <vector>

#include "field/inputs.h"
#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::view;
using namespace cuttle::test;

class Networks : public OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Networks);

auto gelu = CUTTLE_KERNEL([]<class T>(view<const T> x, view<T> y) {
  for (auto i = blockIdx.x * blockDim.x + threadIdx.x; i < x.size(); i += gridDim.x * blockDim.x) {
    const T cube = T(0.044715) * x[i] * x[i] * x[i];
    y[i] = T(0.5) * x[i] * (1 + std::tanh(T(0.7978845608028654) * (x[i] + cube)));
  }
});

TEST_P(Networks, GeluInBothPrecisions) {
  const auto expect = [&]<class T>(T, double tolerance) {
    auto x = uniform<T>(1001, 16);
    for (T& value : x) value *= 4;
    Array<T> in(x), out(x.size());
    gelu[{.grid = 3, .block = 128}](in, out);
    std::vector<double> expected;
    for (const double v : x) expected.push_back(0.5 * v * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v))));
    expect_near(out.to_vector(), expected, tolerance);
  };
  expect(float{}, 1e-6), expect(double{}, 1e-14);
}

// A warp a row: mean and variance in two passes over it. (llm.c, layernorm_forward)
auto layer_norm = CUTTLE_KERNEL([](view<const float, 2> x, const float* weight, const float* bias, view<float, 2> y, float* mean, float* scale) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize, n = x.shape(1);
  if (row >= x.shape(0)) return;
  const auto total = [](float value) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
    return value;
  };
  float sum = 0, squares = 0;
  for (int j = lane; j < n; j += warpSize) sum += x(row, j);
  const float m = total(sum) / n;
  for (int j = lane; j < n; j += warpSize) squares += (x(row, j) - m) * (x(row, j) - m);
  const float s = rsqrtf(total(squares) / n + 1e-5f);
  for (int j = lane; j < n; j += warpSize) y(row, j) = (x(row, j) - m) * s * weight[j] + bias[j];
  if (lane == 0) mean[row] = m, scale[row] = s;
});

TEST_P(Networks, LayerNormWithAWarpForEachRow) {
  constexpr std::size_t rows = 21, n = 77;
  const auto x = uniform<float>(rows * n, 17), weight = uniform<float>(n, 18), bias = uniform<float>(n, 19);
  Array<float, 2> in(x, rows, n), out(rows, n);
  Array<float> w(weight), b(bias), mean(rows), scale(rows);
  layer_norm[{.grid = (rows * 32 + 127) / 128, .block = 128}](in, w, b, out, mean, scale);
  std::vector<double> expected(x.size()), means(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    double m = 0, variance = 0;
    for (std::size_t j = 0; j < n; ++j) m += x[i * n + j] / double{n};
    for (std::size_t j = 0; j < n; ++j) variance += (x[i * n + j] - m) * (x[i * n + j] - m) / n;
    for (std::size_t j = 0; j < n; ++j) expected[i * n + j] = (x[i * n + j] - m) / std::sqrt(variance + 1e-5) * weight[j] + bias[j];
    means[i] = m;
  }
  expect_near(out.to_vector(), expected, 1e-5);
  expect_near(mean.to_vector(), means, 1e-6);
}

// Causal attention for one head: scores, softmax and values in one launch, a block for each query.
auto attention = CUTTLE_KERNEL([](view<const float, 2> q, view<const float, 2> k, view<const float, 2> v, view<float, 2> out) {
  extern __shared__ float score[];
  __shared__ float highest, sum;
  const int query = blockIdx.x, t = threadIdx.x, depth = q.shape(1);
  for (int j = t; j <= query; j += blockDim.x) {
    float dot = 0;
    for (int d = 0; d < depth; ++d) dot += q(query, d) * k(j, d);
    score[j] = dot * rsqrtf(static_cast<float>(depth));
  }
  __syncthreads();
  if (t == 0) {
    highest = score[0];
    for (int j = 1; j <= query; ++j) highest = fmaxf(highest, score[j]);
    sum = 0;
    for (int j = 0; j <= query; ++j) sum += score[j] = expf(score[j] - highest);
  }
  __syncthreads();
  for (int d = t; d < depth; d += blockDim.x) {
    float value = 0;
    for (int j = 0; j <= query; ++j) value += score[j] * v(j, d);
    out(query, d) = value / sum;
  }
});

TEST_P(Networks, CausalAttention) {
  constexpr std::size_t length = 37, depth = 24;
  const auto q = uniform<float>(length * depth, 20), k = uniform<float>(length * depth, 21), v = uniform<float>(length * depth, 22);
  Array<float, 2> dq(q, length, depth), dk(k, length, depth), dv(v, length, depth), out(length, depth);
  attention[{.grid = length, .block = 32, .shared = length * sizeof(float)}](dq, dk, dv, out);
  std::vector<double> expected(length * depth);
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<double> weight(i + 1);
    double sum = 0;
    for (std::size_t j = 0; j <= i; ++j) {
      double dot = 0;
      for (std::size_t d = 0; d < depth; ++d) dot += double{q[i * depth + d]} * k[j * depth + d];
      sum += weight[j] = std::exp(dot / std::sqrt(double{depth}));
    }
    for (std::size_t d = 0; d < depth; ++d) {
      for (std::size_t j = 0; j <= i; ++j) expected[i * depth + d] += weight[j] / sum * v[j * depth + d];
    }
  }
  expect_near(out.to_vector(), expected, 1e-4);
}

// Gradients of an embedding: rows that several positions share are added to by atomics. (llm.c, encoder_backward)
auto scatter = CUTTLE_KERNEL([](const int* token, view<const float, 2> gradient, view<float, 2> table) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, width = table.shape(1);
  if (i < gradient.size()) atomicAdd(&table(token[i / width], i % width), gradient(i / width, i % width));
});

TEST_P(Networks, EmbeddingGradientByAtomics) {
  constexpr std::size_t positions = 200, width = 13, words = 17;
  std::vector<int> token(positions);
  for (std::size_t i = 0; i < positions; ++i) token[i] = static_cast<int>(i * i % words);
  const auto gradient = small_integers<float>(positions * width, 23);
  Array<int> tokens(token);
  Array<float, 2> in(gradient, positions, width), table(std::vector<float>(words * width), words, width);
  scatter[{.grid = (positions * width + 95) / 96, .block = 96}](tokens, in, table);
  std::vector<float> expected(words * width);
  for (std::size_t i = 0; i < positions * width; ++i) expected[at(token[i / width]) * width + i % width] += gradient[i];
  EXPECT_EQ(table.to_vector(), expected);
}

// One step of AdamW. (llm.c, adamw)
auto adamw = CUTTLE_KERNEL([](float* p, const float* g, float* m, float* v, long n, float rate, float b1, float b2, float c1, float c2, float decay) {
  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  m[i] = b1 * m[i] + (1 - b1) * g[i];
  v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
  p[i] -= rate * ((m[i] / c1) / (sqrtf(v[i] / c2) + 1e-8f) + decay * p[i]);
});

TEST_P(Networks, AdamW) {
  constexpr int n = 517;
  const auto p = uniform<float>(n, 24), g = uniform<float>(n, 25);
  Array<float> dp(p), dg(g), m(cuttle::zeros<float>(n)), v(cuttle::zeros<float>(n));
  std::vector<double> expected(p.begin(), p.end()), em(n), ev(n);
  for (int step = 1; step <= 5; ++step) {
    const double c1 = 1 - std::pow(0.9, step), c2 = 1 - std::pow(0.999, step);
    adamw.over(n)(dp, dg, m, v, n, 0.01f, 0.9f, 0.999f, c1, c2, 0.1f);
    for (std::size_t i = 0; i < n; ++i) {
      em[i] = 0.9 * em[i] + 0.1 * g[i], ev[i] = 0.999 * ev[i] + 0.001 * g[i] * g[i];
      expected[i] -= 0.01 * ((em[i] / c1) / (std::sqrt(ev[i] / c2) + 1e-8) + 0.1 * expected[i]);
    }
  }
  expect_near(dp.to_vector(), expected, 1e-5);
}

}  // namespace
