// cuttle's header among others: <cmath>, <algorithm>, <complex>, `using namespace std` and cuda_runtime.h, before ours and after, and kernels in
// classes, templates and functions. Both compilers take it without a warning.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/host_compiler.h"

namespace {

using cuttle::test::HostCompiler;
using cuttle::test::TemporaryFolder;

constexpr const char* kernels = R"(
auto at_namespace_scope = CUTTLE_KERNEL([](auto x, auto n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = sqrtf(x[i]) + std::max(1.0f, 2.0f);
});
auto uses_nothing = CUTTLE_KERNEL([](auto x) { x[0] = 1; });
auto without_parameters = CUTTLE_KERNEL([] {});
auto declared = CUTTLE_KERNEL([](cuttle::view<const float> x, cuttle::view<float> y, int n) {
  const auto i = threadIdx.x;
  if (static_cast<int>(i) < n) y[i] = fabsf(x[i]) + expf(x[i]) + static_cast<float>(abs(n)) + std::min(1.0f, y[i]);
});
auto with_loops = CUTTLE_KERNEL([](auto x, int n, auto width) {
  for (auto i : grid_stride(n)) x[i] = 1;
  for (auto [i, j] : grid_stride(n, width)) x[i + j] = 2;
  for (auto i : unroll(range(n, 0, -2))) x[i] += static_cast<float>(grid<1>() + gridsize<1>());
});
auto with_loops_of_declared_types = CUTTLE_KERNEL([](cuttle::view<float> x, int n, unsigned m) {
  for (auto i : grid_stride(m)) x[i] = 1;
  for (auto [i, j, k] : grid_stride(n, m, n)) x[i + static_cast<int>(j) * k] = 2;
  for (auto i : unroll<4>(range(n))) x[i] = 3;
  for (auto i : range(0, m, 2)) x[i] = 4;
});
auto with_math = CUTTLE_KERNEL([](cuttle::view<float> x, int n) {
  static_assert(std::is_same_v<decltype(sin(1.0f)), float> && std::is_same_v<decltype(sin(1)), double> && std::is_same_v<decltype(abs(1)), int>);
  static_assert(std::is_same_v<decltype(pow(1.0f, 2.0f)), float> && std::is_same_v<decltype(pow(1.0f, 2)), double>);
  static_assert(std::is_same_v<decltype(ldexpf(1, 2)), float> && std::is_same_v<decltype(lrint(1.0)), long>);
  int exponent;
  float whole;
  x[0] = frexp(x[0], &exponent) + modf(x[1], &whole) + fma(x[0], 2.0f, x[1]) + hypot(x[0], x[1]) + sinf(2) + atan2f(1, 2) + scalbn(x[0], 3);
  if (isnan(x[0]) || isless(x[0], x[1]) || fmax(n, 2) > 3 || std::abs(n) > 2 || log(n) > 1) x[1] = fabs(x[0]) + abs(x[1]);
});
auto with_shared = CUTTLE_KERNEL([](auto x) {
  __shared__ float tile[32];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[31 - threadIdx.x];
});

namespace {
inline auto in_an_unnamed_namespace = CUTTLE_KERNEL([](auto x) { x[0] = 2; });
}

struct Holder {
  cuttle::Kernel member = CUTTLE_KERNEL([](auto x) { x[0] = 3; });
  static inline auto shared_member = CUTTLE_KERNEL([](auto x) { x[0] = 4; });
  void run(cuttle::Array<float>& x) const {
    auto local = CUTTLE_KERNEL([](auto y) { y[blockIdx.x] = 5; });
    local[{1, 1}](x);
    member[{.grid = 1, .block = 32}](x);
    shared_member.over(x.size())(x);
  }
};

template <class T>
struct Template {
  static inline auto kernel = CUTTLE_KERNEL([](auto x, auto a) { x[0] = a; });
  static T run(cuttle::Array<T>& x) {
    kernel[{1, 1}](x, T{1});
    auto local = CUTTLE_KERNEL([](auto y) { y[0] += 1; });
    local[{1, 1}](x);
    return x.item();
  }
};

template <class T>
T function_template(cuttle::Array<T>& x) {
  auto kernel = CUTTLE_KERNEL([](auto y) { y[threadIdx.x] = 6; });
  kernel[{1, 1}](x);
  return Template<T>::run(x);
}

int main() {
  cuttle::Array<float> x({1, 2, 3});
  cuttle::Array<double> y({1, 2, 3});
  at_namespace_scope[{.grid = 10, .block = 10}](x, 3u);
  declared[{1, 1}](x, x, 3);
  without_parameters[{1, 1}]();
  with_loops.with({.fast_math = true, .name = "loops"})[{.grid = 2, .block = cuttle::block<64>}](x, 3, cuttle::constant<2>);
  with_loops_of_declared_types[{1, 32}](x, 3, 2u);
  with_math[{1, 1}](x, 3);
  with_shared[{1, 32}](x);
  uses_nothing[{1, 1}](y);
  in_an_unnamed_namespace[{1, 1}](y);
  Holder().run(x);
  return static_cast<int>(function_template(x) + static_cast<float>(function_template(y)));
}
)";

constexpr const char* others = R"(
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <iostream>
#include <numeric>
using namespace std;
)";

constexpr const char* ours = "#include <cuttle/cuttle.hpp>\n#include <algorithm>\n";

class Neighbours : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const std::string reason = compiler_.why_not(); !reason.empty()) GTEST_SKIP() << reason;
  }
  void expect_silence(const std::string& text, const std::string& options = {}) const {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "program.cpp";
    std::ofstream(file) << text;
    const auto result = compiler_.check(file + " -Wconversion -Wsign-conversion " + options);
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.output, "");
  }

  const HostCompiler compiler_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(, Neighbours, testing::Values("g++", "clang++-22"), cuttle::test::compiler_test_name);

TEST_P(Neighbours, OursAloneWithBodiesChecked) { expect_silence(std::string(ours) + kernels, "-DCUTTLE_HOST_CHECK"); }
TEST_P(Neighbours, OursAlone) { expect_silence(std::string(ours) + kernels); }
TEST_P(Neighbours, StandardHeadersBeforeOurs) { expect_silence(std::string(others) + ours + kernels); }
TEST_P(Neighbours, StandardHeadersAfterOurs) { expect_silence(std::string(ours) + others + kernels); }

// A program's globals may have the names of our parameters: -Wshadow looks at ours as at anybody's.
TEST_P(Neighbours, GlobalsWithTheNamesOfOurParameters) {
  expect_silence(
      std::string("int x, y, z, w, n, i, d, a, b, data, size, shape, stride, value, count, stream, device, array, options, text, argument;\n") +
      ours + "auto k = CUTTLE_KERNEL([](auto input, int m) { input[0] = m; });\nint main() { k[{1, 1}](cuttle::Array<int>(1), 2); }\n");
}

/// All that users may include, one #include a line.
std::string every_header() {
  std::string text;
  for (const std::string folder : {CUTTLE_TEST_SOURCE_DIR "/runtime/include", CUTTLE_TEST_SOURCE_DIR "/dsl/include"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".hpp" || entry.path().stem() == "hide_macros" || entry.path().stem() == "restore_macros") continue;
      text += "#include <" + std::filesystem::relative(entry.path(), folder).string() + ">\n";
    }
  }
  return text;
}

// <complex.h> defines I, and programs define N, M, T or K for themselves. They are as they were below our headers.
TEST_P(Neighbours, MacrosOfOneLetterBeforeOurs) {
  std::string macros, untouched = "static_assert(";
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    macros += std::string("#define ") + letter + " (" + std::to_string(letter) + " + 0.5)\n";
    untouched += std::string(1, letter) + " == " + std::to_string(letter) + ".5 && ";
  }
  untouched += "true);\n";
  expect_silence(macros + every_header() + untouched +
                 "auto k = CUTTLE_KERNEL([](view<double> x, int n) { x[n] = N; });\nint main() { k[{1, 1}](cuttle::Array<double>(2), 1); }\n");
  expect_silence("#include <complex.h>\n" + every_header(), "-std=gnu++20");
}

TEST_P(Neighbours, AnOlderStandardGetsOneError) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "program.cpp";
  std::ofstream(file) << ours << "int main() {}\n";
  const auto [status, output] = compiler_.run("-fsyntax-only -std=c++17 " + file);
  EXPECT_NE(status, 0);
  EXPECT_NE(output.find("cuttle is C++20: compile with -std=c++20 or newer"), std::string::npos) << output;
  EXPECT_EQ(output.find("error:"), output.rfind("error:")) << output;
}

TEST_P(Neighbours, CudaRuntimeBeforeAndAfterOurs) {
  const std::string include = "/usr/local/cuda/include";
  if (!std::filesystem::exists(include + "/cuda_runtime.h")) GTEST_SKIP() << "there is no CUDA toolkit in " << include;
  const std::string cuda = "#include <cuda_runtime.h>\n";
  expect_silence(cuda + others + ours + kernels, "-isystem " + include);
  expect_silence(std::string(ours) + others + cuda + kernels, "-isystem " + include);
}

}  // namespace
