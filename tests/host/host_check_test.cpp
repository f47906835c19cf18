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
    const cuttle::test::TemporaryFolder folder;
    const std::string file = folder.path() / "program.cpp";
    std::ofstream(file) << "#include <cuttle/cuttle.hpp>\n"
                           "cuttle::Array<float> array(1);\n"
                           "auto k = CUTTLE_KERNEL([](auto y, auto n) {\n"
                        << body << "\n});\nvoid f() { k[{1, 1}](" << arguments << "); }\n";
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

}  // namespace
