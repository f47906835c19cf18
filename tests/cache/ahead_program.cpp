// What ahead_test.cpp starts: compiles its kernels before any call, for the architectures in its arguments (80, 90, cpu) or the current device.

#include <cuttle/cuttle.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

auto add = CUTTLE_KERNEL([](auto n, auto x, auto y) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
});
auto twice = CUTTLE_KERNEL([](cuttle::view<float> x) { x[threadIdx.x] *= 2; });

}  // namespace

int main(int argc, char** argv) {
  using cuttle::specialize;
  using cuttle::view;
  const std::vector<cuttle::Specialization> kernels{specialize<unsigned, view<const float>, view<float>>(add),
                                                    specialize<unsigned, view<const double>, view<double>>(add), specialize<view<float>>(twice)};
  std::vector<cuttle::Architecture> architectures;
  for (int i = 1; i < argc; ++i) {
    architectures.push_back(std::string(argv[i]) == "cpu" ? cuttle::Architecture::cpu() : cuttle::sm(std::atoi(argv[i])));
  }
  std::vector<std::size_t> progress;
  try {
    cuttle::precompile(kernels, architectures, [&](std::size_t done, std::size_t total) {
      progress.push_back(done);
      if (done == total) std::printf("done=%zu calls=%zu ", total, progress.size());
    });
    const auto before = cuttle::stats();
    if (architectures.empty()) {
      cuttle::Array<float> x(std::vector<float>(8, 1.0f)), y(std::vector<float>(8, 2.0f));
      add[{1, 8}](8u, std::as_const(x), y);
      twice[{1, 8}](y);
      const bool right = std::getenv("CUTTLE_DRIVER") || y.to_vector() == std::vector<float>(8, 6.0f);
      std::printf("launched=%d compiled_by_launch=%llu ", right, static_cast<unsigned long long>(cuttle::stats().compilations - before.compilations));
    }
  } catch (const cuttle::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  std::printf("compilations=%llu disk_hits=%llu\n", static_cast<unsigned long long>(cuttle::stats().compilations),
              static_cast<unsigned long long>(cuttle::stats().disk_hits));
  return 0;
}
