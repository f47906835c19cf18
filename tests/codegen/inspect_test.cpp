// What inspect() shows without launching and without a GPU: source, signature, IR and PTX, for every GPU generation, and what specialisation on
// types does to the code.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "support/process.h"
#include "support/shell.h"

namespace {

using cuttle::sm;
using cuttle::view;
using cuttle::test::run_shell;
using cuttle::test::TemporaryFolder;

auto axpy = CUTTLE_KERNEL([](auto n, auto a, auto x, auto y) {
  decltype(n) i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
});

template <class Size, class T>
std::string ptx_of() {
  return axpy.inspect<Size, T, view<const T>, view<T>>(sm(90)).ptx();
}

std::size_t count(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return static_cast<std::size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()));
}

TEST(Inspect, ShowsSourceSignatureIrAndPtx) {
  const auto compiled = axpy.inspect<int, float, view<const float>, view<float>>(sm(80));
  EXPECT_EQ(compiled.signature(), "(i32, f32, view<const f32>, view<f32>)");
  EXPECT_NE(compiled.source().find("y[i] = a * x[i] + y[i]"), std::string::npos) << compiled.source();
  EXPECT_NE(compiled.llvm_ir().find("ptx_kernel void @" + compiled.entry() + "("), std::string::npos) << compiled.llvm_ir();
  EXPECT_NE(compiled.ptx().find(".entry " + compiled.entry()), std::string::npos) << compiled.ptx();
  EXPECT_EQ(compiled.entry().rfind("inspect_test_", 0), 0u) << compiled.entry();
}

TEST(Inspect, GivesFromTypesWhatSuitsAllArguments) {
  const cuttle::Use use(cuttle::Device::cpu());
  cuttle::Array<float> y(4);
  EXPECT_EQ(count(axpy.inspect(sm(80), 4, 1.0f, y, y).ptx(), R"(ld\.global\.nc)"), 0u);
  EXPECT_EQ(count(ptx_of<int, float>(), R"(ld\.global\.nc)"), 0u);
  EXPECT_EQ(axpy.inspect(sm(80), 4, 1.0f, y.data(), y.data()).ptx(), (axpy.inspect<int, float, float*, float*>(sm(80)).ptx()));
}

TEST(Inspect, LaunchesNothing) {
  const cuttle::Use use(cuttle::Device::cpu());
  cuttle::Array<float> y({1});
  (void)axpy.inspect(sm(80), 1, 1.0f, y, y);
  (void)axpy.inspect(cuttle::Architecture::cpu(), 1, 1.0f, y, y);
  EXPECT_EQ(y.item(), 1.0f);
}

TEST(Inspect, WritesPtxForEveryGeneration) {
  for (const int version : {75, 80, 86, 89, 90, 100, 103, 110, 120, 121}) {
    const std::string ptx = axpy.inspect<int, float, view<const float>, view<float>>(sm(version)).ptx();
    EXPECT_NE(ptx.find(".target sm_" + std::to_string(version) + "\n"), std::string::npos) << ptx;
    EXPECT_NE(ptx.find("fma.rn.f32"), std::string::npos) << ptx;
  }
  EXPECT_NE((axpy.inspect<int, float, view<const float>, view<float>>(sm(90, 'a')).ptx().find(".target sm_90a")), std::string::npos);
}

TEST(Inspect, RefusesAGenerationThatThereIsNot) {
  try {
    (void)axpy.inspect<int, float, view<const float>, view<float>>(sm(42));
    FAIL() << "no exception";
  } catch (const cuttle::CompileError& error) {
    EXPECT_NE(std::string(error.what()).find("sm_42"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("120"), std::string::npos) << "it does not say what there is: " << error.what();
  }
}

TEST(Inspect, ShowsTheCodeOfTheCpuDeviceToo) {
  const auto compiled = axpy.inspect<int, float, view<const float>, view<float>>(cuttle::Architecture::cpu());
  EXPECT_NE(compiled.llvm_ir().find("x86_64"), std::string::npos);
  EXPECT_NE(compiled.ptx().find(".text"), std::string::npos) << compiled.ptx();
  EXPECT_EQ(compiled.ptx().find(".target sm_"), std::string::npos);
}

TEST(Specialised, LoadsAreAsWideAsTheElements) {
  EXPECT_EQ(count(ptx_of<int, float>(), R"(ld\.global(\.nc)?\.[bf]32)"), 2u);
  EXPECT_EQ(count(ptx_of<int, double>(), R"(ld\.global(\.nc)?\.[bf]64)"), 2u);
  EXPECT_EQ(count(ptx_of<int, std::int32_t>(), R"(ld\.global(\.nc)?\.[bsu]32)"), 2u);
  EXPECT_EQ(count(ptx_of<int, std::uint8_t>(), R"(ld\.global(\.nc)?\.[bu]8)"), 2u);
  EXPECT_EQ(count(ptx_of<int, std::int16_t>(), R"(ld\.global(\.nc)?\.[bsu]16)"), 2u);
  EXPECT_EQ(count(ptx_of<int, std::int64_t>(), R"(ld\.global(\.nc)?\.[bsu]64)"), 2u);
}

TEST(Specialised, ArithmeticIsOfTheElementsType) {
  const std::string f32 = ptx_of<int, float>(), f64 = ptx_of<int, double>(), i32 = ptx_of<int, std::int32_t>();
  EXPECT_EQ(count(f32, R"(fma\.rn\.f32)"), 1u);
  EXPECT_EQ(count(f32, R"(\.f64)"), 0u) << f32;
  EXPECT_EQ(count(f64, R"(fma\.rn\.f64)"), 1u);
  EXPECT_EQ(count(f64, R"(fma\.rn\.f32)"), 0u) << f64;
  EXPECT_EQ(count(i32, R"(fma)"), 0u) << i32;
  EXPECT_EQ(count(i32, R"(mad\.lo\.s32)"), 2u) << i32;  // the index, and a * x + y
}

TEST(Specialised, AnIndexOf32BitsStaysSo) {
  const std::string narrow = ptx_of<int, float>(), wide = ptx_of<std::int64_t, float>();
  EXPECT_EQ(count(narrow, R"(setp\.\w+\.s32)"), 1u) << narrow;
  EXPECT_EQ(count(narrow, R"(setp\.\w+\.[su]64)"), 0u) << narrow;
  EXPECT_EQ(count(wide, R"(setp\.\w+\.[su]64)"), 1u) << wide;
}

// ---- ptxas, where it is -----------------------------------------------------------------------------------------------------------

std::string ptxas() {
  if (run_shell("command -v ptxas").status == 0) return "ptxas";
  const std::string toolkit = "/usr/local/cuda/bin/ptxas";
  return std::filesystem::exists(toolkit) ? toolkit : "";
}

class Assembles : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, Assembles, testing::Values(75, 80, 90, 100, 120), [](const auto& test) { return "sm_" + std::to_string(test.param); });

TEST_P(Assembles, WhatIsEmitted) {
  const std::string assembler = ptxas();
  if (assembler.empty()) GTEST_SKIP() << "ptxas is neither on the PATH nor in /usr/local/cuda/bin";
  const TemporaryFolder folder;
  auto with_shared = CUTTLE_KERNEL([](auto x, auto n) {
    __shared__ double tile[64];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n) x[threadIdx.x] = tile[63 - threadIdx.x];
  });
  const int version = GetParam();
  const std::string texts[] = {
      axpy.inspect<int, float, view<const float>, view<float>>(sm(version)).ptx(),
      axpy.inspect<std::int64_t, double, view<const double>, view<double>>(sm(version)).ptx(),
      axpy.inspect<unsigned, std::uint8_t, view<const std::uint8_t>, view<std::uint8_t>>(sm(version)).ptx(),
      with_shared.inspect<view<float>, int>(sm(version)).ptx(),
  };
  for (const std::string& text : texts) {
    const std::string path = folder.path() / "kernel.ptx";
    std::ofstream(path) << text;
    const auto result = run_shell(assembler + " -arch=sm_" + std::to_string(version) + " -o /dev/null " + path);
    if (result.output.find("is not defined for option 'gpu-name'") != std::string::npos) GTEST_SKIP() << "this ptxas does not know sm_" << version;
    EXPECT_EQ(result.status, 0) << result.output << text;
    EXPECT_EQ(result.output, "");
  }
}

// ---- CUTTLE_DUMP ------------------------------------------------------------------------------------------------------------------

TEST(Dump, WritesWhatEachCompilationWasMadeOfAndMade) {
  const TemporaryFolder folder;
  const std::filesystem::path place = folder.path() / "made" / "when needed";
  setenv("CUTTLE_DUMP", place.c_str(), 1);
  auto kernel = CUTTLE_KERNEL([](auto x) { x[0] = 4711; });
  const cuttle::Use use(cuttle::Device::cpu());
  cuttle::Array<int> x(1);
  kernel[{1, 1}](x);
  const auto compiled = kernel.inspect<view<float>>(sm(75));
  unsetenv("CUTTLE_DUMP");

  std::map<std::string, int> kinds;
  for (const auto& file : std::filesystem::directory_iterator(place)) {
    kinds[file.path().extension()] += 1;
    EXPECT_GT(file.file_size(), 0u) << file.path();
  }
  EXPECT_EQ(kinds, (std::map<std::string, int>{{".cu", 2}, {".ll", 2}, {".ptx", 1}, {".s", 1}, {".o", 1}}));
  std::ifstream in(place / (compiled.entry() + ".ptx"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), compiled.ptx());
}

}  // namespace
