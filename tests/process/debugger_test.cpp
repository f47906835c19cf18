// A debugger in a kernel on the CPU device: breakpoints by file and line, steps, variables.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/process.h"
#include "support/shell.h"

namespace {

const std::filesystem::path source = CUTTLE_TEST_SOURCE_DIR "/tests/process/programs/debugged.cpp";

// The line of debugged.cpp that has the text.
std::string place_of(const std::string& text) {
  std::ifstream file(source);
  int number = 1;
  for (std::string line; std::getline(file, line); ++number) {
    if (line.find(text) != std::string::npos) return "debugged.cpp:" + std::to_string(number);
  }
  return "no such line";
}

class Debugger : public testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "gdb cannot run a program under ThreadSanitizer";
#endif
    if (access("/usr/bin/gdb", X_OK) != 0) GTEST_SKIP() << "gdb is not installed";
    if (!std::filesystem::exists(source)) GTEST_SKIP() << "the kernels' source is not here, and they have one line";
    if (gdb("run\n").find("exited normally") == std::string::npos) GTEST_SKIP() << "gdb cannot run a program here";
  }

  // What gdb says to the commands.
  static std::string gdb(const std::string& commands) {
    const cuttle::test::TemporaryFolder folder;
    const auto script = folder.path() / "commands";
    std::ofstream(script) << "set breakpoint pending on\nset pagination off\n" << commands;
    const auto program = cuttle::test::program_folder() / "debugged";
    // The program's text knows its source by a path from the build folder.
    return cuttle::test::run_shell("cd " + program.parent_path().parent_path().string() + " && gdb -nx -q -batch -x " + script.string() + " " +
                                   program.string())
        .output;
  }
};

// The host program has no lines of its own, among which gdb would look for the breakpoint's before there is a kernel.
TEST_F(Debugger, StopsAtALineAndShowsVariables) {
  const std::string said =
      gdb("break " + place_of("stop in scale") + "\nrun\ncondition 1 i == 5\ncontinue\nbacktrace 1\ninfo locals\nprint factor\nprint x.data_[i]\n");
  EXPECT_NE(said.find("value = 6\n"), std::string::npos) << said;
  EXPECT_NE(said.find("scaled = 18\n"), std::string::npos) << said;
  EXPECT_NE(said.find("$1 = 3\n$2 = 6\n"), std::string::npos) << said;
  EXPECT_NE(said.find("debugged.cpp:"), std::string::npos) << said;
}

// The breakpoint stands behind a barrier: what was set before it, and shared memory, are there.
TEST_F(Debugger, FollowsOneThreadThroughALoopBehindABarrier) {
  const std::string said =
      gdb("break " + place_of("stop in sum_around") + "\nrun\ncontinue\nprint k\nprint sum\nprint t\nprint tile\ndelete\ntbreak " +
          place_of("x[t] = sum") + "\ncontinue\nprint sum\n");
  for (const char* value : {"$1 = 1\n", "$2 = 4\n", "$3 = 0\n", "$4 = {4, 7, 10, 13, 16, 19, 22, 25}\n", "$5 = 21\n"}) {
    EXPECT_NE(said.find(value), std::string::npos) << value << said;
  }
}

}  // namespace
