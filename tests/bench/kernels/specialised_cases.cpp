// What only a compiler that runs in the program can know: sizes, shapes and weights that come with the data, captured as constants. The twins are
// the same algorithms with these as parameters, since a program that is compiled beforehand has to serve all of them. facts_cases.cpp has what is
// seen of a call without being captured.

#include <array>

#include "race.h"

namespace {

using cuttle::view;
using cuttle::race::arguments;

constexpr cuttle::Launch linear(std::int64_t threads) { return {.grid = (threads + 255) / 256, .block = 256}; }

constexpr int width = 8192, height = 8192;
constexpr std::int64_t pixels = std::int64_t{width} * height;
constexpr std::array<float, 9> sharpen{-0.05f, -0.1f, -0.05f, -0.1f, 1.6f, -0.1f, -0.05f, -0.1f, -0.05f};
constexpr int radius = 1;

auto captured_filter = CUTTLE_KERNEL_WITH((radius, sharpen), [](view<const float> in, view<float> out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < radius || y < radius || x >= w - radius || y >= h - radius) return;
  float sum = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) sum += in[(y + dy) * w + x + dx] * sharpen[(dy + radius) * (2 * radius + 1) + dx + radius];
  }
  out[y * w + x] = sum;
});
CUTTLE_SPECIALISED_RACE(captured_filter) {
  auto& in = race.uniform<float>(pixels);
  auto& out = race.output<float>(pixels);
  auto& weights = race.from(std::vector<float>(sharpen.begin(), sharpen.end()));
  const cuttle::Launch launch{.grid = {width / 32, height / 8}, .block = {32, 8}};
  race.run({.launch = launch, .bytes = 8.0 * pixels, .flops = 18.0 * pixels, .tolerance = 1e-5}, captured_filter, arguments(in, out, width, height),
           arguments(in, out, width, height, weights, int{radius}));
}

constexpr int degree = 15, points = 16;

auto captured_degree = CUTTLE_KERNEL_WITH((degree, points), [](view<const float> coefficients, view<const float> x, view<float> y, int n) {
  const int first = blockIdx.x * blockDim.x * points + threadIdx.x;
  for (int p = 0; p < points; ++p) {
    const int i = first + p * blockDim.x;
    if (i >= n) return;
    const float at = x[i];
    float value = coefficients[degree];
    for (int k = degree - 1; k >= 0; --k) value = value * at + coefficients[k];
    y[i] = value;
  }
});
CUTTLE_SPECIALISED_RACE(captured_degree) {
  constexpr int n = 1 << 26;
  auto& coefficients = race.uniform<float>(degree + 1);
  auto& x = race.uniform<float>(n);
  auto& y = race.output<float>(n);
  race.run({.launch = linear(n / points), .bytes = 8.0 * n, .flops = 2.0 * degree * n, .tolerance = 1e-5}, captured_degree,
           arguments(coefficients, x, y, int{n}), arguments(coefficients, x, y, int{n}, int{degree}, int{points}));
}

constexpr int order = 6;

// Cholesky factors of many small matrices, one a thread. With the order known, the matrix is in registers.
auto captured_order = CUTTLE_KERNEL_WITH((order), [](view<const float> in, view<float> out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[order * order];
  for (int e = 0; e < order * order; ++e) a[e] = in[e * n + i];
  for (int j = 0; j < order; ++j) {
    for (int k = 0; k < j; ++k) {
      for (int r = j; r < order; ++r) a[r * order + j] -= a[r * order + k] * a[j * order + k];
    }
    const float diagonal = sqrtf(a[j * order + j]);
    a[j * order + j] = diagonal;
    for (int r = j + 1; r < order; ++r) a[r * order + j] /= diagonal;
  }
  for (int r = 0; r < order; ++r) {
    for (int j = 0; j < order; ++j) out[(r * order + j) * n + i] = j <= r ? a[r * order + j] : 0.0f;
  }
});
CUTTLE_SPECIALISED_RACE(captured_order) {
  constexpr int n = 1 << 20;
  std::vector<float> matrices(std::size_t{order} * order * n);
  for (std::size_t e = 0; e < order * order; ++e) {
    for (std::size_t i = 0; i < n; ++i) {
      matrices[e * n + i] = e % (order + 1) == 0 ? 4.0f + static_cast<float>(i % 7) : 0.125f * static_cast<float>((e % order) * (e / order) % 3);
    }
  }
  auto& in = race.from(matrices);
  auto& out = race.output<float>(std::int64_t{order} * order * n);
  race.run({.launch = linear(n), .bytes = 8.0 * order * order * n, .tolerance = 1e-4}, captured_order, arguments(in, out, int{n}),
           arguments(in, out, int{n}, int{order}));
}

constexpr int a_extent = 64, b_extent = 48, c_extent = 80, d_extent = 256;

// (a, b, c, d) to (c, a, d, b), the shape captured: divisions by constants are multiplications.
auto captured_shape = CUTTLE_KERNEL_WITH((b_extent, c_extent, d_extent, a_extent), [](view<const float> in, view<float> out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int b = i % b_extent, d = i / b_extent % d_extent, a = i / b_extent / d_extent % a_extent, c = i / b_extent / d_extent / a_extent;
  out[i] = in[((a * b_extent + b) * c_extent + c) * d_extent + d];
});
CUTTLE_SPECIALISED_RACE(captured_shape) {
  constexpr int n = a_extent * b_extent * c_extent * d_extent;
  auto& in = race.uniform<float>(n);
  auto& out = race.output<float>(n);
  race.run({.launch = linear(n), .bytes = 8.0 * n}, captured_shape, arguments(in, out, int{n}),
           arguments(in, out, int{n}, int{b_extent}, int{c_extent}, int{d_extent}, int{a_extent}));
}

// |x y - x| + y (x + y), as a user's formula comes: in postfix form, n for the negative and a for the absolute value.
constexpr std::array<char, 13> formula{'x', 'y', '*', 'x', 'n', '+', 'a', 'y', 'x', 'y', '+', '*', '+'};

auto captured_formula = CUTTLE_KERNEL_WITH((formula), [](view<const float> xs, view<const float> ys, view<float> out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = xs[i], y = ys[i];
  float stack[4] = {};
  int top = -1;
  for (const char operation : formula) {
    switch (operation) {
      case 'x':
        stack[++top] = x;
        break;
      case 'y':
        stack[++top] = y;
        break;
      case '+':
        stack[top - 1] += stack[top];
        --top;
        break;
      case '*':
        stack[top - 1] *= stack[top];
        --top;
        break;
      case 'n':
        stack[top] = -stack[top];
        break;
      default:
        stack[top] = fabsf(stack[top]);
    }
  }
  out[i] = stack[0];
});
CUTTLE_SPECIALISED_RACE(captured_formula) {
  constexpr int n = 1 << 24;
  auto& x = race.uniform<float>(n, -1, 1);
  auto& y = race.uniform<float>(n, -1, 1);
  auto& out = race.output<float>(n);
  auto& operations = race.from(std::vector<char>(formula.begin(), formula.end()));
  race.run({.launch = linear(n), .bytes = 12.0 * n, .flops = 6.0 * n, .tolerance = 1e-5}, captured_formula, arguments(x, y, out, int{n}),
           arguments(x, y, out, int{n}, operations, int{formula.size()}));
}

}  // namespace
