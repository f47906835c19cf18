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

}  // namespace
