// Whole processes: how they end with kernels and arrays everywhere, crashes that are the user's own, and a fork after the driver has started.

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

#include "support/process.h"

namespace {

using cuttle::test::Environment;
using cuttle::test::Process;
using cuttle::test::program_folder;

struct Ended {
  int code;
  std::string error;
};

Ended run(const std::string& program, const std::vector<std::string>& arguments, const Environment& environment = {}) {
  Process process(program_folder() / program, arguments, environment);
  const int code = process.wait();
  return {code, process.error()};
}

class Lifetime : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, Lifetime, testing::Values("return", "exit", "quick_exit", "thread"), [](const auto& test) { return test.param; });

TEST_P(Lifetime, EndsWithItsOwnExitCodeInSilenceEveryTime) {
  for (int i = 0; i < 100; ++i) {
    const Ended ended = run("lifetime", {GetParam()});
    ASSERT_EQ(ended.code, 42) << "run " << i << ": " << ended.error;
    ASSERT_EQ(ended.error, "") << "run " << i;
  }
}

TEST(Lifetimes, ThatAnExceptionOutOfMainEndsAreEndedByItAlone) {
  for (int i = 0; i < 100; ++i) {
    const Ended ended = run("lifetime", {"exception"});
    ASSERT_EQ(ended.code, -SIGABRT) << "run " << i << ": " << ended.error;
    ASSERT_EQ(ended.error, "terminate called after throwing an instance of 'std::runtime_error'\n  what():  out of main\n") << "run " << i;
  }
}

TEST(Fork, AfterUseOfADriverTheChildIsToldSoAndHasTheCpuDevice) {
  const auto stub = program_folder() / "../lib/stub/libcuda.so.1";
  const Ended ended = run("fork_program", {}, {{{"CUTTLE_DRIVER", stub}, {"CUTTLE_CACHE", "0"}}, {}});
  EXPECT_EQ(ended.code, 0) << ended.error;
}

TEST(Fork, WhileOtherThreadsCompileAndAllocateLeavesTheChildAbleToDoSo) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer does not let a child start threads that was forked beside other threads";
#endif
  const Ended ended = run("fork_while_compiling", {});
  EXPECT_EQ(ended.code, 0) << ended.error;
}

TEST(Fork, WhileAnotherThreadMakesTheFirstUseLeavesTheChildAbleToDoSo) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer does not let a child start threads that was forked beside other threads";
#endif
  const Ended ended = run("fork_at_start", {});
  EXPECT_EQ(ended.code, 0) << ended.error;
}

TEST(Crash, OfTheUsersOwnCodeEndsTheProcessAsEver) {
  EXPECT_EQ(run("crash", {"segv"}).code, -SIGSEGV);
  EXPECT_EQ(run("crash", {"thread"}).code, -SIGSEGV);
  EXPECT_EQ(run("crash", {"abort"}).code, -SIGABRT);
  EXPECT_EQ(run("crash", {"raise"}).code, -SIGFPE);
}

TEST(Crash, ReachesTheHandlerThatTheUserHas) {
  EXPECT_EQ(run("crash", {"handler_before"}).code, 43);
  EXPECT_EQ(run("crash", {"information_handler_before"}).code, 44);
  EXPECT_EQ(run("crash", {"handler_after"}).code, 43);
  EXPECT_EQ(run("crash", {"ignored_before"}).code, 45);
}

}  // namespace
