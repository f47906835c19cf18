// docs/guide.md quotes the lessons of samples/guide, character for character, and what the lesson about mistakes prints.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/process.h"
#include "support/shell.h"

namespace {

namespace fs = std::filesystem;

const fs::path source = CUTTLE_TEST_SOURCE_DIR;

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A fenced block of the guide, and the lesson whose link stands before it.
struct Quotation {
  std::string lesson, language, text;
};

std::vector<Quotation> quotations(const std::string& guide) {
  std::vector<Quotation> result;
  std::istringstream lines(guide);
  std::string lesson;
  bool is_inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      is_inside = !is_inside;
      if (is_inside) result.push_back({lesson, line.substr(3), {}});
    } else if (is_inside) {
      result.back().text += line + "\n";
    } else if (line.starts_with("[samples/guide/")) {
      lesson = line.substr(1, line.find(']') - 1);
    }
  }
  return result;
}

class Guide : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(source / "docs/guide.md")) GTEST_SKIP() << "the sources are not here";
  }
};

TEST_F(Guide, QuotesItsLessons) {
  std::set<std::string> quoted;
  for (const Quotation& block : quotations(read(source / "docs/guide.md"))) {
    if (block.language != "cpp") continue;
    quoted.insert(block.lesson);
    EXPECT_NE(("\n" + read(source / block.lesson)).find("\n" + block.text), std::string::npos) << block.lesson << " does not have\n" << block.text;
  }
  for (const auto& entry : fs::directory_iterator(source / "samples/guide")) {
    EXPECT_TRUE(quoted.contains("samples/guide/" + entry.path().filename().string())) << entry.path() << " is not in docs/guide.md";
  }
}

TEST_F(Guide, ShowsWhatALessonPrints) {
  // __FILE__ may be relative to the build folder, which a bundle is not: its lessons' errors cannot quote their sources.
  if (!fs::exists(cuttle::test::program_folder().parent_path() / __FILE__)) GTEST_SKIP() << "the programs were built in another folder";
  int count = 0;
  for (const Quotation& block : quotations(read(source / "docs/guide.md"))) {
    if (block.language != "text") continue;
    ++count;
    // The path of its file may be relative to the build folder.
    const fs::path lesson = block.lesson, folder = cuttle::test::program_folder();
    const std::string program = folder / ("sample_guide_" + lesson.stem().string());
    const auto [status, output] = cuttle::test::run_shell("cd '" + folder.parent_path().string() + "' && '" + program + "'");
    EXPECT_EQ(status, 0);
    const std::string printed = std::regex_replace(output, std::regex("[^ \n]*" + lesson.filename().string()), lesson.filename().string());
    EXPECT_EQ(printed, block.text);
  }
  EXPECT_GE(count, 1);
}

}  // namespace
