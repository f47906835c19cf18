// What device_header_test.cpp starts: kernels whose code stands in a header. Prints what a kernel and the host computed, and how many compilations
// it took.

#include <cuttle/cuttle.hpp>

#include <cstdio>

#include "stencil.h"

CUTTLE_DEVICE_HEADER("stencil.h");

int main() {
  auto weigh = CUTTLE_KERNEL([](auto y, stencil::Offset offset) { y[0] = stencil::weight(offset) + stencil::nested::bias; });
  cuttle::Array<int> y(1);
  try {
    weigh[{1, 1}](y, stencil::Offset{1, 2});
  } catch (const cuttle::CompileError& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  std::printf("%d %d %d\n", y.item(), stencil::weight({1, 2}) + stencil::nested::bias, static_cast<int>(cuttle::stats().compilations));
}
