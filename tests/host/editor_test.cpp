// What an editor shows of correct kernels: clangd, that of Debian 12 among them, finds no error in the guide's lessons.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/process.h"
#include "support/shell.h"

namespace {

namespace fs = std::filesystem;

class Editor : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, Editor, testing::Values("clangd-14", "clangd-22"),
                         [](const auto& test) { return "clangd" + std::string(test.param).substr(7); });

TEST_P(Editor, ShowsNoErrorInTheLessons) {
  const std::string clangd = GetParam(), source = CUTTLE_TEST_SOURCE_DIR;
  if (cuttle::test::run_shell("command -v " + clangd).status != 0) GTEST_SKIP() << clangd << " is not here";
  if (!fs::exists(source + "/samples/guide")) GTEST_SKIP() << "the samples are not here";
  const cuttle::test::TemporaryFolder folder;
  std::ofstream(folder.path() / "compile_flags.txt") << "-std=c++20\n-Wall\n-I" << source << "/runtime/include\n-I" << source << "/dsl/include\n";
  int lessons = 0;
  for (const auto& lesson : fs::directory_iterator(source + "/samples/guide")) {
    const fs::path copy = folder.path() / lesson.path().filename();
    fs::copy_file(lesson.path(), copy);
    const std::string output = cuttle::test::run_shell(clangd + " --check=" + copy.string()).output;
    EXPECT_NE(output.find("All checks completed"), std::string::npos) << output;
    EXPECT_EQ(output.find("] Line "), std::string::npos) << "an error of the compiler\n" << output;
    ++lessons;
  }
  EXPECT_GT(lessons, 10);
}

}  // namespace
