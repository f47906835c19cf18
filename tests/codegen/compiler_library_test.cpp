// The compiler library keeps to itself: no symbol of LLVM or Clang is visible, other LLVMs live in the same process, many threads compile at once,
// and nothing is printed.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/process.h"
#include "support/shell.h"

namespace {

using cuttle::Array;
using cuttle::test::Process;
using cuttle::test::program_folder;
using cuttle::test::run_shell;

class CompilerLibrary : public testing::Test {
 protected:
  const cuttle::Use use_{cuttle::Device::cpu()};
};

std::vector<std::string> defined_symbols(const std::string& library) {
  std::istringstream lines(run_shell("nm -D --defined-only " + (program_folder() / "../lib" / library).string()).output);
  std::vector<std::string> symbols;
  for (std::string address, kind, name; lines >> address >> kind >> name;) symbols.push_back(name);
  return symbols;
}

TEST_F(CompilerLibrary, ShowsItsOwnFunctionsOnly) {
  if (run_shell("command -v nm").status != 0) GTEST_SKIP() << "there is no nm";
  const auto symbols = defined_symbols("libcuttle-compiler.so");
  EXPECT_GT(symbols.size(), 4u);
  for (const std::string& symbol : symbols) EXPECT_EQ(symbol.rfind("cuttle_", 0), 0u) << symbol;
}

TEST_F(CompilerLibrary, IsNoPartOfLibcuttle) {
  if (run_shell("command -v nm").status != 0) GTEST_SKIP() << "there is no nm";
  const auto symbols = defined_symbols("libcuttle.so");
  EXPECT_GT(symbols.size(), 10u);
  for (const std::string& symbol : symbols) {
    for (const char* unwanted : {"4llvm", "5clang", "LLVM"}) EXPECT_EQ(symbol.find(unwanted), std::string::npos) << symbol;
  }
  const std::string needed = run_shell("ldd " + (program_folder() / "../lib/libcuttle.so").string()).output;
  EXPECT_EQ(needed.find("LLVM"), std::string::npos) << needed;
  EXPECT_EQ(needed.find("libcuda"), std::string::npos) << needed;
}

// Each of 36 instances calls one lambda with other types: so many compilations.
using Tags = std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;
template <int I>
using Tag = std::tuple_element_t<I, Tags>;

auto sizes = CUTTLE_KERNEL([](auto x, auto a, auto b) { x[0] = 100 * sizeof(a) + 10 * sizeof(b) + (a / 2 * 2 == a); });

template <int I>
bool gives_the_right_sizes() {
  Array<int> x(1);
  const Tag<I / 6> a = 3;
  const Tag<I % 6> b = 3;
  sizes[{1, 1}](x, a, b);
  return x.item() == static_cast<int>(100 * sizeof(a) + 10 * sizeof(b) + (std::is_floating_point_v<Tag<I / 6>> ? 1 : 0));
}

TEST_F(CompilerLibrary, CompilesManyKernelsAtOnceAndEachOnce) {
  const auto before = cuttle::stats().compilations;
  std::atomic<int> wrong{0};
  [&]<int... I>(std::integer_sequence<int, I...>) {
    std::vector<std::jthread> threads;
    (threads.emplace_back([&] {
      const cuttle::Use use(cuttle::Device::cpu());
      if (!gives_the_right_sizes<I>()) ++wrong;
    }),
     ...);
  }(std::make_integer_sequence<int, 36>());
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(cuttle::stats().compilations, before + 36);
}

TEST_F(CompilerLibrary, CompilesOneKernelOnceForManyThreads) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto i) { x[i] = 2 * i; });
  Array<int> x(32);
  const auto before = cuttle::stats().compilations;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 32; ++i) {
      threads.emplace_back([&, i] {
        const cuttle::Use use(cuttle::Device::cpu());
        kernel[{1, 1}](x, i);
      });
    }
  }
  EXPECT_EQ(cuttle::stats().compilations, before + 1);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(x.to_vector()[static_cast<std::size_t>(i)], 2 * i);
}

// ---- other LLVMs in the process, in programs of their own --------------------------------------------------------------------------

void expect_runs_in_silence(const std::string& program, const std::vector<std::string>& arguments) {
  const auto path = program_folder() / program;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << program << " was not built: its LLVM is not installed";
  Process process(path, arguments, {});
  EXPECT_EQ(process.wait(), 0) << process.error();
  EXPECT_EQ(process.error(), "");
}

TEST_F(CompilerLibrary, LivesBesideAnLlvm14ThatTheProgramLinks) { expect_runs_in_silence("../tests/codegen/beside_llvm14", {}); }

TEST_F(CompilerLibrary, LivesBesideAnLlvm22ThatTheProgramOpensForAll) {
  const std::string other = "libLLVM.so.22.1";
  void* handle = dlopen(other.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!handle) GTEST_SKIP() << other << " is not installed";
  expect_runs_in_silence("beside_llvm", {other});
}

}  // namespace
