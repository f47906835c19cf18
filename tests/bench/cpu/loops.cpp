// What a C++ programmer writes in place of the kernels of cpu.cpp: plain loops on all cores by oneTBB.

#include "loops.h"

#include <cmath>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace {

template <class Body>
void parallel(int end, const Body& body) {
  tbb::parallel_for(tbb::blocked_range<int>(0, end), [&](const tbb::blocked_range<int>& range) { body(range.begin(), range.end()); });
}

void saxpy(int n, float a, const float* __restrict x, float* __restrict y) {
  parallel(n, [=](int begin, int end) {
    for (int i = begin; i < end; ++i) y[i] = a * x[i] + y[i];
  });
}

float normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * std::fabs(d));
  const float tail = 0.39894228040143267794f * std::exp(-0.5f * d * d) *
                     (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

void black_scholes(int n, const float* __restrict stock, const float* __restrict strike, const float* __restrict years, float* __restrict call,
                   float* __restrict put) {
  parallel(n, [=](int begin, int end) {
    const float riskfree = 0.02f, volatility = 0.30f;
    for (int i = begin; i < end; ++i) {
      const float s = stock[i], x = strike[i], t = years[i];
      const float root_t = std::sqrt(t);
      const float d1 = (std::log(s / x) + (riskfree + 0.5f * volatility * volatility) * t) / (volatility * root_t);
      const float n1 = normal(d1), n2 = normal(d1 - volatility * root_t);
      const float discount = std::exp(-riskfree * t);
      call[i] = s * n1 - x * discount * n2;
      put[i] = x * discount * (1.0f - n2) - s * (1.0f - n1);
    }
  });
}

void stencil(int width, int height, const float* __restrict x, float* __restrict y) {
  parallel(height - 2, [=](int begin, int end) {
    for (int row = begin + 1; row < end + 1; ++row) {
      for (int column = 1; column < width - 1; ++column) {
        const int at = row * width + column;
        y[at] = 0.5f * x[at] + 0.125f * (x[at - 1] + x[at + 1] + x[at - width] + x[at + width]);
      }
    }
  });
}

void mandelbrot(int width, int height, int* __restrict iterations) {
  parallel(height, [=](int begin, int end) {
    for (int row = begin; row < end; ++row) {
      for (int column = 0; column < width; ++column) {
        const float cx = -2.0f + 3.0f * column / width, cy = -1.5f + 3.0f * row / height;
        float zx = 0, zy = 0;
        int count = 0;
        while (zx * zx + zy * zy < 4.0f && count < 1000) {
          const float next = zx * zx - zy * zy + cx;
          zy = 2.0f * zx * zy + cy;
          zx = next;
          ++count;
        }
        iterations[row * width + column] = count;
      }
    }
  });
}

constexpr CpuLoops loops{saxpy, black_scholes, stencil, mandelbrot};

}  // namespace

const CpuLoops* cpu_loops() { return &loops; }
