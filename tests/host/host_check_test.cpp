// -DCUTTLE_HOST_CHECK: the host compiler looks into the `auto` bodies of kernels at their calls, and finds what only the first launch would.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "support/host_compiler.h"

namespace {

using cuttle::test::HostCompiler;

class HostCheck : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const std::string reason = compiler_.why_not(); !reason.empty()) GTEST_SKIP() << reason;
  }
  [[nodiscard]] cuttle::test::ShellResult compile(const std::string& body, const std::string& arguments, const std::string& options) const {
    return compile_program("auto k = CUTTLE_KERNEL([](auto y, auto n) {\n" + body + "\n});\nvoid f() { k[{1, 1}](" + arguments + "); }\n", options);
  }
  [[nodiscard]] cuttle::test::ShellResult compile_program(const std::string& text, const std::string& options) const {
    const cuttle::test::TemporaryFolder folder;
    const std::string file = folder.path() / "program.cpp";
    std::ofstream(file) << "#include <cuttle/cuttle.hpp>\ncuttle::Array<float> array(1);\n" << text;
    return compiler_.check(file + " " + options);
  }

  const HostCompiler compiler_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(, HostCheck, testing::Values("g++", "clang++-22"), cuttle::test::compiler_test_name);

TEST_P(HostCheck, FindsAMistakeInAnAutoBodyAtItsLine) {
  const std::string wrong = "  y[n] = 1;\n  y[n].no_such_member = 1;";
  EXPECT_EQ(compile(wrong, "array, 0", "").status, 0);
  const auto [status, output] = compile(wrong, "array, 0", "-DCUTTLE_HOST_CHECK");
  EXPECT_NE(status, 0);
  EXPECT_NE(output.find("program.cpp:5:"), std::string::npos) << output;
}

TEST_P(HostCheck, ChecksForTheTypesOfTheCall) {
  const std::string only_for_integers = "  y[0] = n % 5;";
  EXPECT_EQ(compile(only_for_integers, "array, 7", "-DCUTTLE_HOST_CHECK").output, "");
  EXPECT_NE(compile(only_for_integers, "array, 7.0f", "-DCUTTLE_HOST_CHECK").status, 0);
}

TEST_P(HostCheck, RefusesAResult) {
  const auto [status, output] = compile("  return y[n];", "array, 0", "-DCUTTLE_HOST_CHECK");
  EXPECT_NE(status, 0);
  EXPECT_NE(output.find("a kernel returns nothing: write results through a view"), std::string::npos) << output;
}

TEST_P(HostCheck, IsSilentAboutARightKernel) {
  const auto result = compile(
      "  __shared__ float tile[32];\n  tile[threadIdx.x] = y[blockIdx.x];\n  __syncthreads();\n  atomicAdd(&y[0], std::max(tile[0], sqrtf(1.0f * "
      "n)));",
      "array, 0", "-DCUTTLE_HOST_CHECK");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "");
}

// With captured values: where all of them are constants of the host, the body is instantiated with them.
TEST_P(HostCheck, LooksIntoABodyWithCapturedConstants) {
  const auto program = [](const std::string& statement) {
    return "constexpr int width = 4;\nenum class Mode { plain };\ntemplate <class T, int N> struct Holder {\n"
           "  static inline auto kernel = CUTTLE_KERNEL_WITH((type(T), constant(N), width), [](view<T> y, auto n) {\n"
           "    T local[N * width];\n    static_assert(N == 2 && width == 4);\n    local[0] = n;\n    y[0] = local[0];\n" +
           statement +
           "\n  });\n};\nvoid f(Mode mode, const int& late, float alpha) {\n  Holder<float, 2>::kernel[{1, 1}](array, 1);\n"
           "  auto unknown = CUTTLE_KERNEL_WITH((mode, late, alpha), [](auto z) { z[0] = late * alpha + (mode == decltype(mode){}); });\n"
           "  unknown[{1, 1}](array);\n}\n";
  };
  EXPECT_EQ(compile_program(program(""), "-DCUTTLE_HOST_CHECK").output, "");
  const std::string wrong = program("n.no_such_member();");
  EXPECT_EQ(compile_program(wrong, "").status, 0);
  const auto [status, output] = compile_program(wrong, "-DCUTTLE_HOST_CHECK");
  EXPECT_NE(status, 0);
  EXPECT_NE(output.find("no_such_member"), std::string::npos) << output;
}

TEST_P(HostCheck, LooksIntoABodyWithCapturedFloatsArraysAndStructs) {
  const auto program = [](const std::string& statement) {
    return "#include <array>\nstruct Shape {\n  int n;\n  double step;\n  std::array<int, 2> edges;\n};\n"
           "constexpr float alpha = 0.5f;\nconstexpr std::array<float, 3> weights{1, 2, 3};\nconstexpr Shape shape{3, 0.1, {4, 5}};\n"
           "auto kernel = CUTTLE_KERNEL_WITH((alpha, weights, shape), [](auto y, auto n) {\n"
           "  float local[shape.n * weights.size()];\n  static_assert(weights[1] == 2 && shape.edges[1] == 5 && shape.step == 0.1);\n"
           "  if constexpr (alpha > 0.25f) local[0] = alpha;\n  y[n] = local[0] + weights[0];\n" +
           statement + "\n});\nvoid f() { kernel[{1, 1}](array, 0); }\n";
  };
  EXPECT_EQ(compile_program(program(""), "-DCUTTLE_HOST_CHECK").output, "");
  const auto [status, output] = compile_program(program("  y.no_such_member();"), "-DCUTTLE_HOST_CHECK");
  EXPECT_NE(status, 0);
  EXPECT_NE(output.find("no_such_member"), std::string::npos) << output;
}

// What no template argument can be, or what only the run knows, is left to the first call.
TEST_P(HostCheck, LeavesBodiesAloneWhoseConstantsTheHostDoesNotKnow) {
  const auto result = compile_program(
      "class Closed {\n public:\n  constexpr explicit Closed(int n) : n_(n) {}\n  constexpr int get() const { return n_; }\n\n private:\n"
      "  int n_;\n};\nconstexpr Closed closed(3);\nvoid f(float late, int count) {\n"
      "  auto a = CUTTLE_KERNEL_WITH((closed), [](auto y) { y[0] = closed.get(); });\n  a[{1, 1}](array);\n"
      "  auto b = CUTTLE_KERNEL_WITH((late), [](auto y) {\n    if constexpr (late > 1.0f) y[0] = late;\n  });\n  b[{1, 1}](array);\n"
      "  for (int i : {1, 2}) {\n    auto d = CUTTLE_KERNEL_WITH((i, count), [](auto y) {\n      float local[i];\n      local[0] = count;\n"
      "      y[0] = local[0];\n    });\n    d[{1, 1}](array);\n  }\n"
      "  auto c = CUTTLE_KERNEL([](auto y, auto n) { float local[n]; local[0] = 1; y[0] = local[0]; });\n"
      "  c[{1, 1}](array, cuttle::constant(4));\n  c[{1, 1}](array, cuttle::constant<4>);\n}\n",
      "-DCUTTLE_HOST_CHECK");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "");
}

}  // namespace
