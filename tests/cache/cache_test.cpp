// Whole processes and their cache: what a second one compiles, what races and damage lead to, where entries are kept.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <pty.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/libdevice.h"
#include "support/process.h"

namespace {

namespace fs = std::filesystem;
using cuttle::test::Environment;
using cuttle::test::Process;
using cuttle::test::program_folder;
using cuttle::test::TemporaryFolder;

// cache_program has three kernels and runs each for three element types.
constexpr int kernels = 9;

std::string ran(int compilations, int disk_hits) {
  return "compilations=" + std::to_string(compilations) + " disk_hits=" + std::to_string(disk_hits) + " compiler=" + (compilations > 0 ? "1" : "0") +
         " right=1\n";
}

struct Outcome {
  int code;
  std::string output, error;
};

std::vector<fs::path> entries_in(const fs::path& folder) {
  std::vector<fs::path> entries;
  for (const auto& file : fs::recursive_directory_iterator(folder)) {
    if (file.path().extension() == ".cuttle") entries.push_back(file.path());
  }
  return entries;
}

int count_lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

// On the CPU device, on a GPU, and through a driver that runs nothing, so that there is a test of cubins on every machine.
class Processes : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "cuda" && cuttle::Device::cuda_count() == 0) GTEST_SKIP() << "no GPU in this machine";
    environment_ = environment_for(cache_.path());
  }

  [[nodiscard]] Environment environment_for(const fs::path& cache) const {
    Environment environment;
    environment.set["CUTTLE_CACHE_DIR"] = cache.string();
    if (GetParam() != "stub") {
      environment.set["CUTTLE_DEFAULT_DEVICE"] = GetParam();
    } else {
      environment.set["CUTTLE_DRIVER"] = (program_folder() / "../lib/stub/libcuda.so.1").string();
    }
    return environment;
  }

  [[nodiscard]] static Outcome run(const Environment& environment, const std::string& program = "cache_program") {
    Process process(program_folder() / program, {}, environment);
    const int code = process.wait();
    return {code, process.output(), process.error()};
  }

  // Runs the program as expected, and with nothing on stderr.
  void expect_run(const std::string& output, const std::string& program = "cache_program") const {
    const Outcome outcome = run(environment_, program);
    EXPECT_EQ(outcome.output, output);
    EXPECT_EQ(outcome.error, "");
  }

  TemporaryFolder cache_;
  Environment environment_;
};
INSTANTIATE_TEST_SUITE_P(, Processes, testing::Values("cpu", "stub", "cuda"), [](const auto& test) { return test.param; });

TEST_P(Processes, TheSecondCompilesNothingAndNeverOpensTheCompilerLibrary) {
  expect_run(ran(kernels, 0));
  expect_run(ran(0, kernels));
}

TEST_P(Processes, TakeWhatPeopleWriteForYesAndNo) {
  const auto run_with = [this](const char* name, const char* value, const std::string& output) {
    Environment environment = environment_;
    environment.set[name] = value;
    const Outcome outcome = run(environment);
    EXPECT_EQ(outcome.output, output) << name << "=" << value;
    EXPECT_EQ(outcome.error, "");
  };
  run_with("CUTTLE_CHECK", "1", ran(kernels, 0));
  run_with("CUTTLE_CHECK", "true", ran(0, kernels));
  run_with("CUTTLE_CHECK", "no", ran(kernels, 0));
  run_with("CUTTLE_CACHE", "on", ran(0, kernels));
  run_with("CUTTLE_CACHE", "off", ran(kernels, 0));
}

TEST_P(Processes, SayOnceWhatAVariableTakesWhereItIsSomethingElse) {
  for (const auto& [name, value] : {std::pair{"CUTTLE_CHECK", "maybe"},
                                    {"CUTTLE_CACHE", "2"},
                                    {"CUTTLE_CACHE_SIZE", "abc"},
                                    {"CUTTLE_CACHE_SIZE", "-1"},
                                    {"CUTTLE_CACHE_SIZE", "99999999999G"},
                                    {"CUTTLE_LOG", "debug"}}) {
    Environment environment = environment_;
    environment.set[name] = value;
    const Outcome outcome = run(environment);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.error.rfind(std::string("cuttle: ") + name + "=" + value + " is ignored: ", 0), 0u) << outcome.error;
    EXPECT_EQ(count_lines(outcome.error), 1) << outcome.error;
  }
}

TEST_P(Processes, AnotherLayoutIsTheSameKernelAndAnEditIsAnotherOne) {
  expect_run(ran(kernels, 0));
  expect_run(ran(0, kernels), "moved/cache_program");
  for (const char* edited : {"edited_kernel", "edited_capture", "edited_block"}) {
    const std::string program = std::string(edited) + "/cache_program";
    expect_run(ran(kernels / 3, kernels - kernels / 3), program);
    expect_run(ran(0, kernels), program);
  }
  expect_run(ran(0, kernels));
}

TEST_P(Processes, ManyOnAnEmptyFolderAllWorkAndLeaveWholeEntries) {
  std::vector<std::unique_ptr<Process>> processes;
  for (int i = 0; i < 16; ++i)
    processes.push_back(std::make_unique<Process>(program_folder() / "cache_program", std::vector<std::string>{}, environment_));
  for (const auto& process : processes) {
    EXPECT_EQ(process->wait(), 0) << process->error();
    EXPECT_EQ(process->error(), "");
  }
  EXPECT_EQ(entries_in(cache_.path()).size(), static_cast<std::size_t>(kernels));
  expect_run(ran(0, kernels));
}

TEST_P(Processes, ThoseKilledInTheMiddleHarmNoOther) {
  for (int i = 0; i < 8; ++i) {
    Process process(program_folder() / "cache_program", {}, environment_);
    usleep(static_cast<useconds_t>(20000 * i));
    process.kill_now();
    process.wait();
  }
  EXPECT_EQ(run(environment_).code, 0);
  expect_run(ran(0, kernels));
}

TEST_P(Processes, DamagedEntriesAreCompiledAgainWithoutAWord) {
  expect_run(ran(kernels, 0));
  int damage = 0;
  for (const fs::path& entry : entries_in(cache_.path())) {
    const auto size = fs::file_size(entry);
    switch (damage++ % 4) {
      case 0:
        fs::resize_file(entry, size / 2);
        break;
      case 1:
        fs::resize_file(entry, 0);
        break;
      case 2:
        std::ofstream(entry, std::ios::binary) << std::string(size, '\x5a');
        break;
      case 3:
        fs::remove(entry);
        fs::create_directory(entry);
        break;
    }
  }
  expect_run(ran(kernels, 0));
  expect_run(ran(0, kernels));
}

TEST_P(Processes, ASwitchTurnsTheCacheOff) {
  environment_.set["CUTTLE_CACHE"] = "0";
  expect_run(ran(kernels, 0));
  expect_run(ran(kernels, 0));
  EXPECT_TRUE(fs::is_empty(cache_.path()));
}

TEST_P(Processes, EntriesAreKeptWhereTheEnvironmentSays) {
  environment_.set.erase("CUTTLE_CACHE_DIR");
  environment_.unset = {"CUTTLE_CACHE_DIR"};
  environment_.set["HOME"] = cache_.path() / "home";
  environment_.set["XDG_CACHE_HOME"] = cache_.path() / "xdg";
  expect_run(ran(kernels, 0));
  EXPECT_EQ(entries_in(cache_.path() / "xdg" / "cuttle").size(), static_cast<std::size_t>(kernels));
  environment_.set.erase("XDG_CACHE_HOME");
  environment_.unset.push_back("XDG_CACHE_HOME");
  expect_run(ran(kernels, 0));
  EXPECT_EQ(entries_in(cache_.path() / "home" / ".cache" / "cuttle").size(), static_cast<std::size_t>(kernels));
  environment_.set["CUTTLE_CACHE_DIR"] = "";  // as unset
  environment_.unset.erase(environment_.unset.begin());
  expect_run(ran(0, kernels));
}

TEST_P(Processes, OddFolderNamesWork) {
  const std::string deep = std::string(200, 'd') + "/" + std::string(200, 'e') + "/" + std::string(200, 'f');
  for (const std::string& name : {std::string("a b\n%s'\"$HOME"), std::string("\xc3\xa4\xff"), deep}) {
    environment_.set["CUTTLE_CACHE_DIR"] = (cache_.path() / name).string();
    expect_run(ran(kernels, 0));
    expect_run(ran(0, kernels));
  }
}

TEST_P(Processes, WhereNothingCanBeKeptTheResultsAreRightAndOneLineSaysSo) {
  std::ofstream(cache_.path() / "file").put('x');
  for (const std::string& folder : {std::string("/proc/nowhere"), (cache_.path() / "file" / "below").string(), "/tmp/" + std::string(5000, 'x')}) {
    const Outcome outcome = run(environment_for(folder));
    EXPECT_EQ(outcome.output, ran(kernels, 0));
    EXPECT_EQ(count_lines(outcome.error), 1) << outcome.error;
    EXPECT_NE(outcome.error.find("CUTTLE_CACHE_DIR"), std::string::npos);
  }
  environment_.set.erase("CUTTLE_CACHE_DIR");
  environment_.unset = {"CUTTLE_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
  const Outcome homeless = run(environment_);
  EXPECT_EQ(homeless.output, ran(kernels, 0));
  EXPECT_EQ(count_lines(homeless.error), 1) << homeless.error;
}

/// Whether other users reach the programs: root's home, for one, is closed to them.
bool is_open_to_others(fs::path folder) {
  while ((fs::status(folder).permissions() & fs::perms::others_exec) != fs::perms::none) {
    if (folder == folder.root_path()) return true;
    folder = folder.parent_path();
  }
  return false;
}

TEST_P(Processes, AReadOnlyFolderIsRead) {
  if (geteuid() == 0 && !is_open_to_others(cuttle::test::program_folder())) GTEST_SKIP() << "other users may not enter the programs' folder";
  const mode_t before = umask(022);
  expect_run(ran(kernels, 0));
  umask(before);
  if (geteuid() == 0) environment_.set["CUTTLE_TEST_USER"] = "12345";  // root may write everywhere
  fs::permissions(cache_.path(), fs::perms{0555});
  expect_run(ran(0, kernels));
  const Outcome edited = run(environment_, "edited_kernel/cache_program");
  EXPECT_EQ(edited.output, ran(kernels / 3, kernels - kernels / 3));
  EXPECT_EQ(count_lines(edited.error), 1) << edited.error;
  fs::permissions(cache_.path(), fs::perms::owner_all);
}

TEST_P(Processes, AFullDiskIsNoMoreThanALine) {
  const fs::path disk = cache_.path() / "disk";
  fs::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=4k,mode=0777") != 0) GTEST_SKIP() << "this user may not mount a small tmpfs";
  const Outcome outcome = run(environment_for(disk));
  umount(disk.c_str());
  EXPECT_EQ(outcome.output, ran(kernels, 0));
  EXPECT_EQ(count_lines(outcome.error), 1) << outcome.error;
  EXPECT_NE(outcome.error.find("No space left"), std::string::npos) << outcome.error;
}

TEST_P(Processes, ALimitOnTheSizeOfFilesIsNoMoreThanALine) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{1024, before.rlim_max};  // more than the program writes to stdout, less than an entry
  setrlimit(RLIMIT_FSIZE, &limit);
  const Outcome outcome = run(environment_);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, ran(kernels, 0));
  EXPECT_EQ(count_lines(outcome.error), 1) << outcome.error;
  EXPECT_NE(outcome.error.find("File too large"), std::string::npos) << outcome.error;
}

TEST_P(Processes, UsersOfOneFolderShareIt) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can run a program as others";
  if (!is_open_to_others(cuttle::test::program_folder())) GTEST_SKIP() << "other users may not enter the programs' folder";
  fs::permissions(cache_.path(), fs::perms::all);
  environment_.set["CUTTLE_TEST_USER"] = "12345";
  const mode_t before = umask(0);
  expect_run(ran(kernels, 0));
  environment_.set["CUTTLE_TEST_USER"] = "12346";
  expect_run(ran(0, kernels));
  umask(before);
}

TEST_P(Processes, OnlyKernelsThatUseTheMathLibraryDependOnIt) {
  const fs::path library = cuttle::test::libdevice();
  if (GetParam() == "cpu") GTEST_SKIP() << "the CPU device uses the C library";
  if (library.empty()) GTEST_SKIP() << cuttle::test::no_libdevice;
  const auto run_with = [&](const fs::path& path) {
    environment_.set["CUTTLE_LIBDEVICE"] = path.string();
    Process process(program_folder() / "cache_program", {"sine"}, environment_);
    process.wait();
    return process.output();
  };
  const fs::path copy = cache_.path() / "copy.bc", other = cache_.path() / "other.bc", none = cache_.path() / "none.bc";
  fs::copy_file(library, copy);
  fs::copy_file(library, other);
  std::ofstream(other, std::ios::app | std::ios::binary).write("\0\0\0", 4);  // Clang reads past it
  EXPECT_EQ(run_with(library), ran(kernels + 1, 0));
  EXPECT_EQ(run_with(library), ran(0, kernels + 1));
  EXPECT_EQ(run_with(copy), ran(0, kernels + 1));  // the content is the same
  EXPECT_EQ(run_with(other), ran(1, kernels));
  EXPECT_EQ(run_with(other), ran(0, kernels + 1));
  EXPECT_EQ(run_with(none), ran(0, kernels + 1));  // where there is none, what others made with theirs is as good
}

TEST_P(Processes, ABinaryOfAnotherDriverIsNotTaken) {
  if (GetParam() != "stub") GTEST_SKIP() << "a machine has one driver";
  expect_run(ran(kernels, 0));
  environment_.set["CUTTLE_STUB_VERSION"] = "12080";
  expect_run(ran(kernels, 0));
  expect_run(ran(0, kernels));
  environment_.set.erase("CUTTLE_STUB_VERSION");
  expect_run(ran(0, kernels));
}

int count(const std::string& text, const std::string& word) {
  int found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST_P(Processes, TheLogHasALineForEachEventWithKernelSignatureAndStages) {
  environment_.set["CUTTLE_LOG"] = "info";
  const std::string first = run(environment_).error;
  EXPECT_EQ(count(first, "cuttle: cache_program_"), count_lines(first)) << first;
  EXPECT_EQ(count(first, " (u32, view<f64>) compiled in "), 2) << first;
  EXPECT_EQ(count(first, " (u32, view<f64>) with value = 10 compiled in "), 1) << first;
  for (const char* word : {" compiled in ", "parse ", "optimise ", "lower ", " kept on disk in ", " loaded in "})
    EXPECT_EQ(count(first, word), kernels) << word << first;
  const std::string second = run(environment_).error;
  EXPECT_EQ(count(second, " found on disk in "), kernels) << second;
  EXPECT_EQ(count(second, " loaded in "), kernels) << second;
  EXPECT_EQ(count_lines(second), 2 * kernels) << second;
}

// What the program writes on a terminal of its own, or nothing where there can be none, as in a chroot without /dev/pts.
std::optional<std::string> on_terminal(const Environment& environment) {
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (pid == -1) return std::nullopt;
  if (pid == 0) {
    unsetenv("CUTTLE_PROGRESS");
    for (const auto& [name, value] : environment.set) setenv(name.c_str(), value.c_str(), 1);
    execl((program_folder() / "cache_program").c_str(), "cache_program", "slow", nullptr);
    _exit(127);
  }
  std::string text;
  char buffer[256];
  for (ssize_t got; (got = read(terminal, buffer, sizeof(buffer))) > 0;) text.append(buffer, static_cast<std::size_t>(got));
  close(terminal);
  waitpid(pid, nullptr, 0);
  return text;
}

TEST_P(Processes, ATerminalShowsALongCompilationAndIsLeftClean) {
  const std::optional<std::string> on_one = on_terminal(environment_);
  if (!on_one) GTEST_SKIP() << "no terminal can be made here";
  const std::string& shown = *on_one;
  const std::string line = "\rcuttle: compiling cache_program_";
  ASSERT_EQ(shown.substr(0, line.size()), line);
  EXPECT_NE(shown.find(" (view<i32>) ..."), std::string::npos) << shown;
  EXPECT_EQ(shown.substr(shown.size() - 2), " \r") << shown;
  EXPECT_EQ(on_terminal(environment_), "") << "compiled again";
  environment_.set["CUTTLE_CACHE"] = "0";
  environment_.set["CUTTLE_PROGRESS"] = "0";
  EXPECT_EQ(on_terminal(environment_), "");
}

}  // namespace
