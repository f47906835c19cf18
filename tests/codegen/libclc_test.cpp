// Math functions on a machine that has libclc and no libdevice.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cuttle/dsl/math_names.hpp"
#include "support/compiler_library.h"
#include "support/ptxas.h"

namespace {

using cuttle::test::Outcome;

constexpr const char* path = "/usr/lib/clc/nvptx64--.bc";

#define NAME(name) #name,
#define FAST_NAME(name) "__" #name,
const std::vector<std::string> unary = {CUTTLE_CMATH_UNARY(NAME) CUTTLE_CUDA_UNARY_LIBM(NAME) CUTTLE_CUDA_UNARY(NAME)};
const std::vector<std::string> binary = {CUTTLE_CMATH_BINARY(NAME) "rhypot"};
const std::vector<std::string> fast = {CUTTLE_FAST_UNARY(FAST_NAME) "__tanhf"};
#undef NAME
#undef FAST_NAME
const std::vector<std::string> cuda_alone = {"j0",      "j1",    "y0",     "y1",      "cyl_bessel_i0", "cyl_bessel_i1",
                                             "erfcinv", "erfcx", "erfinv", "normcdf", "normcdfinv"};

// All calls of the vocabulary that libclc has something for, of `x`, `y`, `n` and the variables `w`, `u` in `type`.
std::vector<std::string> calls(const std::string& type) {
  std::vector<std::string> all = {"frexp(x, &n) + n",
                                  "modf(x, &w) + w",
                                  "ldexp(x, n)",
                                  "ilogb(x)",
                                  "remquo(x, y, &n) + n",
                                  "(sincos(x, &w, &u), w - u)",
                                  "norm3d(x, y, x)",
                                  "std::abs(std::complex(x, y))",
                                  "(sincospi(x, &w, &u), w - u)"};
  for (const std::string& name : unary) {
    if (std::ranges::find(cuda_alone, name) == cuda_alone.end()) all.push_back(name + "(x)");
  }
  for (const std::string& name : binary) all.push_back(name + "(x, y)");
  if (type == "float") {
    for (const std::string& name : fast) all.push_back(name + "(x)");
    for (const char* call : {"__powf(x, y)", "__fdividef(x, y)", "(__sincosf(x, &w, &u), w - u)"}) all.emplace_back(call);
  }
  return all;
}

std::string variables(const std::string& type) { return type + " x = v[0], y = v[1], w = 0, u = 0;"; }

class Libclc : public testing::Test {
 protected:
  void SetUp() override {
    if (access(path, R_OK) != 0) GTEST_SKIP() << "libclc is not installed";
  }

  static Outcome compile(const std::string& body, const std::string& header = "") {
    return cuttle::test::CompilerLibrary::instance().compile("[](auto v, int n) {" + body + "}", CUTTLE_BACKEND_PTX,
                                                             {.header = header, .libdevice = path});
  }
};

// A function that is not found, or is taken for another of the same name, would leave a constant to be stored, or nothing.
TEST_F(Libclc, ServesWhatOpenClHas) {
  for (const std::string type : {"float", "double"}) {
    for (const std::string& call : calls(type)) {
      const Outcome outcome = compile(variables(type) + "v[2] = static_cast<float>(" + call + ");");
      ASSERT_EQ(outcome.status, CUTTLE_COMPILE_OK) << type << " " << call << ": " << outcome.text();
      EXPECT_EQ(outcome.code.find("call"), std::string::npos) << call << "\n" << outcome.code;
      EXPECT_NE(outcome.code.find("ld.global"), std::string::npos) << call << " does not depend on its argument\n" << outcome.code;
    }
  }
}

TEST_F(Libclc, MakesCodeThatNvidiasAssemblerTakes) {
  if (cuttle::test::find_ptxas().empty()) GTEST_SKIP() << "ptxas is not installed";
  std::string body;
  for (const std::string type : {"float", "double"}) {
    for (const std::string& call : calls(type)) body += "{" + variables(type) + "v[n++] = static_cast<float>(" + call + ");}\n";
  }
  const Outcome outcome = compile(body);
  ASSERT_EQ(outcome.status, CUTTLE_COMPILE_OK) << outcome.text();
  EXPECT_TRUE(cuttle::test::assembles(outcome.code, 90));
}

// OpenCL has sign, mad and many a name more that a user would choose, mangled alike (_Z4signf). Beside them libclc's functions serve as ever.
TEST_F(Libclc, LeavesAKernelsOwnFunctionsOfItsNames) {
  const Outcome outcome = compile("v[0] = sign(v[0]) + sin(v[1]); v[1] = mad(v[1], v[2], v[3]); v[2] = half_sin(v[2]);",
                                  "inline float sign(float x) { return x * 42.0f; }\n"
                                  "inline float mad(float x, float y, float z) { return x * 43.0f + y - z; }\n"
                                  "__device__ __attribute__((noinline)) float half_sin(float x) { return sinpi(x) * 44.0f; }\n");
  ASSERT_EQ(outcome.status, CUTTLE_COMPILE_OK) << outcome.text();
  for (const char* constant : {"0f42280000", "0f422C0000", "0f42300000"}) {
    EXPECT_NE(outcome.code.find(constant), std::string::npos) << constant << "\n" << outcome.code;
  }
  EXPECT_NE(outcome.code.find("0f3F22F983"), std::string::npos) << "sin multiplies by 2 / pi\n" << outcome.code;
}

TEST_F(Libclc, LeavesFastFunctionsToTheGpusInstructions) {
  for (const auto& [call, instruction] : {std::pair{"__sinf(v[0])", "sin.approx.f32"},
                                          {"__cosf(v[0])", "cos.approx.f32"},
                                          {"__expf(v[0])", "ex2.approx.f32"},
                                          {"__logf(v[0])", "lg2.approx.f32"},
                                          {"__fdividef(v[0], v[1])", "div.approx.f32"},
                                          {"__tanhf(v[0])", "tanh.approx.f32"},
                                          {"__powf(v[0], v[1])", "ex2.approx.f32"}}) {
    const Outcome outcome = compile(std::string("v[2] = ") + call + ";");
    EXPECT_NE(outcome.code.find(instruction), std::string::npos) << outcome.text() << outcome.code;
  }
}

TEST_F(Libclc, LacksWhatOnlyCudaHasAndSaysWhereThatWasLookedFor) {
  for (const std::string& name : cuda_alone) {
    const Outcome outcome = compile("v[0] = " + name + "(v[0]);");
    EXPECT_EQ(outcome.status, CUTTLE_COMPILE_USER_ERROR);
    EXPECT_NE(outcome.text().find("math function (" + name + ") that needs NVIDIA's libdevice.10.bc"), std::string::npos) << outcome.text();
    EXPECT_NE(outcome.text().find("looked for in: /nowhere"), std::string::npos) << outcome.text();
  }
}

}  // namespace
