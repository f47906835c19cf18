// k.with({...}): each option changes the PTX as nvcc's switch of the same meaning does, and no kernel is given another's code.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "support/process.h"
#include "support/ptxas.h"

namespace {

using cuttle::Options;
using cuttle::sm;
using cuttle::view;

auto arithmetic = CUTTLE_KERNEL([](view<float> x, float a) {
  const float v = x[threadIdx.x];
  x[threadIdx.x] = a * v + 1.0f / v + sqrtf(v) + sinf(a);
});

std::string ptx(const Options& options) { return arithmetic.with(options).inspect<view<float>, float>(sm(90)).ptx(); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Options, ByDefaultArithmeticIsPreciseAndContracted) {
  const std::string text = ptx({});
  EXPECT_TRUE(contains(text, "fma.rn.f32")) << text;
  EXPECT_TRUE(contains(text, "rcp.rn.f32") || contains(text, "div.rn.f32")) << text;
  EXPECT_TRUE(contains(text, "sqrt.rn.f32")) << text;
  EXPECT_FALSE(contains(text, "approx")) << text;
  EXPECT_FALSE(contains(text, ".ftz")) << text;
}

TEST(Options, FastMathIsApproximateAndFlushesDenormals) {
  const std::string text = ptx({.fast_math = true});
  EXPECT_TRUE(contains(text, "sqrt.approx.ftz.f32")) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex(R"((rcp|div)\.approx\.ftz\.f32)"))) << text;
  EXPECT_TRUE(contains(text, "sin.approx.ftz.f32")) << text;
  EXPECT_TRUE(contains(text, "fma.rn.ftz.f32")) << text;
  EXPECT_FALSE(std::regex_search(text, std::regex(R"((sqrt|div|rcp)\.rn)"))) << text;
}

auto multiply_add = CUTTLE_KERNEL([](view<float> x, view<double> y, float a, double b) {
  x[threadIdx.x] = x[threadIdx.x] * a + 1.0f;
  y[threadIdx.x] = y[threadIdx.x] * b + 1.0;
});

TEST(Options, WithoutContractionAProductIsRounded) {
  const auto text_with = [](const Options& options) {
    return multiply_add.with(options).inspect<view<float>, view<double>, float, double>(sm(90)).ptx();
  };
  EXPECT_TRUE(contains(text_with({}), "fma.rn.f32"));
  EXPECT_TRUE(contains(text_with({}), "fma.rn.f64"));
  const std::string separate = text_with({.contract = false});
  EXPECT_FALSE(contains(separate, "fma.")) << separate;
  // .rn on both: without it ptxas would contract them itself.
  EXPECT_TRUE(contains(separate, "mul.rn.f32") && contains(separate, "add.rn.f32")) << separate;
  EXPECT_TRUE(contains(separate, "mul.rn.f64") && contains(separate, "add.rn.f64")) << separate;
}

TEST(Options, FlushedDenormalsAreAnInstructionsFtz) {
  const std::string text = ptx({.flush_denormals = true});
  EXPECT_TRUE(contains(text, "fma.rn.ftz.f32")) << text;
  EXPECT_TRUE(contains(text, "sqrt.rn.ftz.f32")) << text;
  EXPECT_FALSE(contains(text, "sqrt.approx")) << text;
  EXPECT_FALSE(std::regex_search(text, std::regex(R"(fma\.rn\.f32)"))) << text;
}

TEST(Options, LaunchBoundsAndRegistersAreDirectives) {
  const std::string bounded = ptx({.launch_bounds = {.max_threads = 256, .min_blocks = 2}});
  EXPECT_TRUE(std::regex_search(bounded, std::regex(R"(\.maxntid\s+256)"))) << bounded;
  EXPECT_TRUE(std::regex_search(bounded, std::regex(R"(\.minnctapersm\s+2)"))) << bounded;
  EXPECT_TRUE(std::regex_search(ptx({.max_registers = 32}), std::regex(R"(\.maxnreg\s+32)"))) << ptx({.max_registers = 32});
  EXPECT_FALSE(std::regex_search(ptx({}), std::regex(R"(\.maxn)")));
}

TEST(Options, LineInfoNamesThisFileAndItsLines) {
  // A compiler that was given a relative path was so from the build folder.
  std::error_code ignored;
  std::filesystem::current_path(cuttle::test::program_folder().parent_path(), ignored);
  if (!std::filesystem::exists(__FILE__)) GTEST_SKIP() << "this file's source, which has the lines, is not here";
  const int above = __LINE__ + 1;
  auto kernel = CUTTLE_KERNEL([](view<float> x, float a) {
    const float v = x[threadIdx.x];

    x[threadIdx.x] = v * a;
  });
  EXPECT_FALSE(contains(kernel.inspect<view<float>, float>(sm(90)).ptx(), ".loc"));
  const std::string text = kernel.with({.line_info = true}).inspect<view<float>, float>(sm(90)).ptx();
  std::smatch file;
  ASSERT_TRUE(std::regex_search(text, file, std::regex(R"re(\.file\s+(\d+)\s+"[^"]*options_test.cpp")re"))) << text;
  std::set<int> lines;
  const std::regex location(R"(\.loc\s+)" + file[1].str() + R"(\s+(\d+))");
  for (std::sregex_iterator i(text.begin(), text.end(), location), end; i != end; ++i) lines.insert(std::stoi((*i)[1]));
  EXPECT_TRUE(lines.contains(above + 1) && lines.contains(above + 3)) << text;
  EXPECT_FALSE(std::regex_search(text, std::regex(R"(\.file.*"/.*/dsl/)"))) << "the place where cuttle was built:\n" << text;
}

TEST(Options, NameBeginsTheEntryPointsName) {
  const auto entry = [](const Options& options) { return arithmetic.with(options).inspect<view<float>, float>(sm(90)).entry(); };
  EXPECT_TRUE(entry({.name = "sum of squares"}).starts_with("sum_of_squares_"));
  EXPECT_TRUE(entry({.name = "3d"}).starts_with("k3d_"));
  EXPECT_TRUE(entry({}).starts_with("options_test_"));
}

TEST(Options, AreInTheSignatureWhereTheyAreNotAsUsual) {
  const auto signature = [](const Options& options) { return arithmetic.with(options).inspect<view<float>, float>(sm(90)).signature(); };
  EXPECT_EQ(signature({}), "(view<f32>, f32)");
  EXPECT_EQ(signature({.fast_math = true, .max_registers = 40}), "(view<f32>, f32) [fast_math, max_registers = 40]");
  EXPECT_EQ(signature({.contract = false, .launch_bounds = {128}}), "(view<f32>, f32) [no contract, max_threads = 128]");
}

TEST(Options, AssembleInEveryCombinationThatPtxasKnows) {
  if (cuttle::test::find_ptxas().empty()) GTEST_SKIP() << "ptxas is not here";
  for (const Options& options : {Options{.fast_math = true, .launch_bounds = {256, 4}, .line_info = true}, Options{.max_registers = 24},
                                 Options{.contract = false, .flush_denormals = true, .line_info = true}}) {
    EXPECT_TRUE(cuttle::test::assembles(ptx(options), 90));
  }
}

// Options are a signature's part in the CPU's code too.
TEST(Options, GiveTheCpuDeviceItsLines) {
  const auto with_lines = arithmetic.with({.line_info = true}).inspect<view<float>, float>(cuttle::Architecture::cpu());
  EXPECT_TRUE(contains(with_lines.ptx(), ".loc")) << with_lines.ptx();
  EXPECT_FALSE(contains((arithmetic.inspect<view<float>, float>(cuttle::Architecture::cpu()).ptx()), ".loc"));
}

}  // namespace
