// What cache_test.cpp starts: runs a few kernels on the default device, checks what they computed and says where their code came from; with the
// argument slow, one that takes long to compile; with sine, one more that needs a math library.
// CUTTLE_TEST_SCALE, _CAPTURE, _BIAS and _MOVED make the same program after an edit.

#include <cuttle/cuttle.hpp>

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#ifndef CUTTLE_TEST_SCALE
#define CUTTLE_TEST_SCALE 2
#endif
#ifndef CUTTLE_TEST_CAPTURE
#define CUTTLE_TEST_CAPTURE 10
#endif
#ifndef CUTTLE_TEST_BIAS
#define CUTTLE_TEST_BIAS 100
#endif

CUTTLE_DEVICE(inline int bias() { return CUTTLE_TEST_BIAS; });

namespace {

#ifdef CUTTLE_TEST_MOVED
// The same kernel with other lines and another layout.
#line 1000
auto scale = CUTTLE_KERNEL([](auto n, auto x) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;  // a comment

  if (i < n) x[i] = CUTTLE_TEST_SCALE * x[i];
});
#else
auto scale = CUTTLE_KERNEL([](auto n, auto x) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = CUTTLE_TEST_SCALE * x[i];
});
#endif

auto shift = CUTTLE_KERNEL([](auto n, auto x) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += bias();
});

auto sine = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] = std::sin(x[threadIdx.x]); });

// Takes Clang seconds, by constant evaluation.
auto slow = CUTTLE_KERNEL([](auto x) {
  constexpr auto spin = [](auto seed) {
    unsigned sum = seed;
    for (unsigned i = 0; i < 100000; ++i) sum = sum * 7 + i;
    return sum;
  };
  constexpr unsigned size = sizeof(x);
  constexpr unsigned spun[] = {spin(size),     spin(size + 1), spin(size + 2), spin(size + 3),
                               spin(size + 4), spin(size + 5), spin(size + 6), spin(size + 7)};
  x[threadIdx.x] = spun[threadIdx.x % 8];
});

template <class T>
bool computes_right() {
  constexpr unsigned count = 300;
  const int value = CUTTLE_TEST_CAPTURE;
  auto add = CUTTLE_KERNEL_WITH((value), [](auto n, auto x) {
    auto i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += value;
  });
  cuttle::Array<T> x(std::vector<T>(count, T(3)));
  scale.over(count)(count, x);
  add.over(count)(count, x);
  shift.over(count)(count, x);
  // The stub driver of the tests runs nothing.
  return std::getenv("CUTTLE_DRIVER") || x.to_vector() == std::vector<T>(count, T(CUTTLE_TEST_SCALE * 3 + CUTTLE_TEST_CAPTURE + CUTTLE_TEST_BIAS));
}

bool has_compiler_library() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("libcuttle-compiler.so") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (const char* user = std::getenv("CUTTLE_TEST_USER"); user && setuid(static_cast<uid_t>(std::atoi(user))) != 0) return 2;
  const std::string argument = argc > 1 ? argv[1] : "";
  if (argument == "slow") {
    cuttle::Array<int> x(1);
    slow[{1, 1}](x);
    return 0;
  }
  if (argument == "sine") {
    cuttle::Array<double> x(1);
    sine[{1, 1}](x);
  }
  const bool right = computes_right<float>() && computes_right<double>() && computes_right<int>();
  const cuttle::Stats stats = cuttle::stats();
  std::printf("compilations=%llu disk_hits=%llu compiler=%d right=%d\n", static_cast<unsigned long long>(stats.compilations),
              static_cast<unsigned long long>(stats.disk_hits), has_compiler_library(), right);
  return right ? 0 : 1;
}
