// Compiling ahead of time, bundles, and the `cuttle` command, by whole processes.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <sys/stat.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/process.h"

namespace {

namespace fs = std::filesystem;
using cuttle::test::Environment;
using cuttle::test::Process;
using cuttle::test::program_folder;
using cuttle::test::TemporaryFolder;

constexpr const char* stub = "../lib/stub/libcuda.so.1";

struct Outcome {
  int code;
  std::string output, error;
};

class Ahead : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(program_folder() / "cuttle")) GTEST_SKIP() << "the cuttle command was not built: CLI11 is not here";
  }

  static Outcome run(const std::string& program, const std::vector<std::string>& arguments, const Environment& environment) {
    Process process(program_folder() / program, arguments, environment);
    const int code = process.wait();
    return {code, process.output(), process.error()};
  }

  [[nodiscard]] Environment with_cache(const std::string& name, bool on_gpu) const {
    Environment environment;
    environment.set["CUTTLE_CACHE_DIR"] = (folder_.path() / name).string();
    if (on_gpu) {
      environment.set["CUTTLE_DRIVER"] = (program_folder() / stub).string();
    } else {
      environment.set["CUTTLE_DEFAULT_DEVICE"] = "cpu";
    }
    return environment;
  }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  TemporaryFolder folder_;
};

TEST_F(Ahead, ALaunchAfterPrecompileOnlyLaunches) {
  for (const bool on_gpu : {false, true}) {
    const Environment environment = with_cache(on_gpu ? "gpu" : "cpu", on_gpu);
    const Outcome first = run("ahead_program", {}, environment);
    EXPECT_EQ(first.output, "done=3 calls=3 launched=1 compiled_by_launch=0 compilations=3 disk_hits=0\n") << first.error;
    EXPECT_EQ(run("ahead_program", {}, environment).output, "done=3 calls=3 launched=1 compiled_by_launch=0 compilations=0 disk_hits=3\n");
  }
}

TEST_F(Ahead, PtxOfAnotherMachineIsLinkedHereAndThenKept) {
  const Environment builder = with_cache("cache", /*on_gpu=*/false);
  EXPECT_EQ(run("ahead_program", {"80", "90"}, builder).output, "done=6 calls=6 compilations=6 disk_hits=0\n");
  EXPECT_EQ(run("ahead_program", {"90"}, builder).output, "done=3 calls=3 compilations=0 disk_hits=3\n");
  Environment user = with_cache("cache", /*on_gpu=*/true);  // an sm_90
  user.set["CUTTLE_COMPILER"] = "/nowhere/libcuttle-compiler.so";
  user.set["CUTTLE_LOG"] = "info";
  const Outcome first = run("ahead_program", {}, user);
  EXPECT_EQ(first.output, "done=3 calls=3 launched=1 compiled_by_launch=0 compilations=0 disk_hits=3\n");
  EXPECT_NE(first.error.find(" linked in "), std::string::npos) << first.error;
  const Outcome second = run("ahead_program", {}, user);
  EXPECT_EQ(second.output, first.output);
  EXPECT_EQ(second.error.find(" linked in "), std::string::npos) << second.error;
}

TEST_F(Ahead, ABundleServesAMachineWithoutTheCompilerLibrary) {
  const Environment builder = with_cache("cache", /*on_gpu=*/false);
  ASSERT_EQ(run("ahead_program", {"80", "90", "cpu"}, builder).code, 0);
  const Outcome bundled = run("cuttle", {"cache", "bundle", path("kernels.bundle")}, builder);
  EXPECT_EQ(bundled.output.substr(0, 10), "9 entries,") << bundled.error;

  for (const bool on_gpu : {false, true}) {
    Environment user = with_cache("empty", on_gpu);
    user.set["CUTTLE_COMPILER"] = "/nowhere/libcuttle-compiler.so";
    const Outcome without = run("ahead_program", {}, user);
    EXPECT_EQ(without.code, 1);
    EXPECT_NE(without.error.find("kernel ahead_program_"), std::string::npos) << without.error;
    EXPECT_NE(without.error.find(") is not in the cache, and cannot be compiled"), std::string::npos) << without.error;
    user.set["CUTTLE_CACHE"] = "0";
    user.set["CUTTLE_BUNDLE"] = path("kernels.bundle");
    const Outcome with = run("ahead_program", {}, user);
    EXPECT_EQ(with.output, "done=3 calls=3 launched=1 compiled_by_launch=0 compilations=0 disk_hits=3\n") << with.error;
    EXPECT_EQ(with.error, "");
  }
}

TEST_F(Ahead, ABundleThatIsCutServesItsWholeKernelsAndSaysSo) {
  const Environment builder = with_cache("cache", /*on_gpu=*/false);
  ASSERT_EQ(run("ahead_program", {}, builder).code, 0);
  ASSERT_EQ(run("cuttle", {"cache", "bundle", path("kernels.bundle")}, builder).code, 0);
  const auto size = std::filesystem::file_size(path("kernels.bundle"));
  Environment user = with_cache("empty", /*on_gpu=*/false);
  user.set["CUTTLE_CACHE"] = "0";
  user.set["CUTTLE_BUNDLE"] = path("kernels.bundle");
  std::filesystem::resize_file(path("kernels.bundle"), size - 1);
  const Outcome cut = run("ahead_program", {}, user);
  EXPECT_EQ(cut.output, "done=3 calls=3 launched=1 compiled_by_launch=0 compilations=1 disk_hits=2\n");
  EXPECT_EQ(cut.error.rfind("cuttle: the bundle " + path("kernels.bundle") + " is cut: 1 of its 3 kernels are not whole", 0), 0u) << cut.error;
  std::filesystem::resize_file(path("kernels.bundle"), 60);
  EXPECT_NE(run("ahead_program", {}, user).error.find("is cut, or no bundle"), std::string::npos) << "in its index";
}

TEST_F(Ahead, ABundleThatIsNoneIsALineAndTheKernelsAreCompiled) {
  std::ofstream(path("text")) << "no bundle";
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  for (const std::string& bundle : {path("text"), path("missing"), path("pipe")}) {
    Environment environment = with_cache("cache", /*on_gpu=*/false);
    environment.set["CUTTLE_BUNDLE"] = bundle;
    const Outcome outcome = run("ahead_program", {}, environment);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
    EXPECT_NE(outcome.error.find(bundle), std::string::npos) << outcome.error;
  }
}

TEST_F(Ahead, TheCommandListsShowsVerifiesAndClears) {
  const Environment environment = with_cache("cache", /*on_gpu=*/false);
  ASSERT_EQ(run("ahead_program", {"90"}, environment).code, 0);
  const auto cache = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "cache");
    return run("cuttle", words, environment);
  };
  const std::string list = cache({"list"}).output;
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 4) << list;
  EXPECT_NE(list.find(" (u32, view<const f64>, view<f64>)\n"), std::string::npos) << list;
  EXPECT_NE(list.find("3 entries, "), std::string::npos) << list;

  const std::string hash = list.substr(list.rfind('\n', list.find(" (view<f32>)\n")) + 1, 12);
  const Outcome shown = cache({"show", hash, "--code", path("code")});
  EXPECT_NE(shown.output.find("\n  sm=90\n"), std::string::npos) << shown.output;
  EXPECT_NE(shown.output.find("[ ] ( cuttle :: view < float > x ) {"), std::string::npos) << shown.output;
  std::string line;
  std::getline(std::ifstream(path("code")), line);
  EXPECT_EQ(line.substr(0, 2), "//");  // PTX starts with a comment
  EXPECT_EQ(cache({"show", "none"}).code, 1);

  EXPECT_EQ(cache({"verify"}).code, 0);
  for (const auto& file : fs::recursive_directory_iterator(folder_.path() / "cache")) {
    if (!file.path().filename().string().starts_with(hash)) continue;
    fs::resize_file(file.path(), fs::file_size(file.path()) - 1);
  }
  EXPECT_EQ(cache({"verify"}).code, 1);
  EXPECT_EQ(cache({"verify", "--remove"}).code, 0);
  EXPECT_EQ(cache({"verify"}).code, 0);
  EXPECT_NE(cache({"list"}).output.find("2 entries, "), std::string::npos);
  EXPECT_EQ(cache({"clear"}).code, 0);
  EXPECT_NE(cache({"list"}).output.find("0 entries, "), std::string::npos);
}

TEST_F(Ahead, AKernelCompilesInTheBackground) {
  const cuttle::Use cpu(cuttle::Device::cpu());
  auto fill = CUTTLE_KERNEL([](auto x, auto value) { x[threadIdx.x] = value; });
  const auto before = cuttle::stats();
  cuttle::PendingKernel pending = compile_async(cuttle::specialize<cuttle::view<int>, int>(fill));
  EXPECT_EQ(pending.get().signature(), "(view<i32>, i32)");
  EXPECT_TRUE(pending.ready());
  cuttle::Array<int> x(1);
  fill[{1, 1}](x, 5);
  EXPECT_EQ(x.item(), 5);
  EXPECT_EQ(cuttle::stats().compilations, before.compilations + 1);
  EXPECT_EQ(cuttle::stats().modules, before.modules + 1);

  auto wrong = CUTTLE_KERNEL([](auto y) { y.no_such_member(); });
  cuttle::PendingKernel failing = compile_async(specialize<cuttle::view<int>>(wrong));
  EXPECT_THROW((void)failing.get(), cuttle::CompileError);
}

TEST_F(Ahead, OneKernelIsCompiledFromArgumentsOrTypes) {
  const cuttle::Use cpu(cuttle::Device::cpu());
  auto fill = CUTTLE_KERNEL([](auto x, auto value) { x[threadIdx.x] = value + 37; });
  cuttle::Array<int> x(1);
  const auto before = cuttle::stats();
  fill.compile(x, 5);
  fill.compile<cuttle::view<int>, int>();
  EXPECT_EQ(cuttle::stats().compilations, before.compilations + 1);
  fill[{1, 1}](x, 5);
  EXPECT_EQ(x.item(), 42);
  EXPECT_EQ(cuttle::stats().compilations, before.compilations + 1);

  const cuttle::CompiledKernel for_sm_80 = fill.compile(cuttle::sm(80), x, 5);
  EXPECT_NE(for_sm_80.ptx().find(".target sm_80"), std::string::npos) << for_sm_80.ptx();
  EXPECT_EQ(cuttle::stats().compilations, before.compilations + 3) << "for arguments like these, and for all";
  EXPECT_NE((fill.compile<cuttle::view<int>, int>(cuttle::sm(80)).entry()), for_sm_80.entry());
  EXPECT_EQ(cuttle::stats().compilations, before.compilations + 3);
}

TEST_F(Ahead, PrecompileTriesAllAndThrowsTheFirstError) {
  const cuttle::Use cpu(cuttle::Device::cpu());
  auto wrong = CUTTLE_KERNEL([](auto x) { x.no_such_member(); });
  auto right = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] = 31; });
  const std::vector<cuttle::Specialization> kernels{cuttle::specialize<cuttle::view<int>>(wrong), cuttle::specialize<cuttle::view<int>>(right)};
  std::size_t calls = 0;
  EXPECT_THROW(cuttle::precompile(kernels, {}, [&](std::size_t, std::size_t total) { calls += total == 2; }), cuttle::CompileError);
  EXPECT_EQ(calls, 2u);
  const auto before = cuttle::stats().compilations;
  cuttle::Array<int> x(1);
  right[{1, 1}](x);
  EXPECT_EQ(cuttle::stats().compilations, before);
}

}  // namespace
