// The loops that kernels on the CPU device are measured against, in a library of their own that clang++ -O3 -march=native compiles (loops.cpp).
#pragma once

extern "C" {
/// All of them, so that one symbol is looked up.
struct CpuLoops {
  void (*saxpy)(int n, float a, const float* x, float* y);
  void (*black_scholes)(int n, const float* stock, const float* strike, const float* years, float* call, float* put);
  void (*stencil)(int width, int height, const float* x, float* y);
  void (*mandelbrot)(int width, int height, int* iterations);
};
const CpuLoops* cpu_loops();
}
