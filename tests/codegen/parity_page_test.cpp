// docs/parity.md: every test that the page names is there.

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// "Suite.Test" of every test in the source folder, and "Suite.*".
std::set<std::string> tests_that_exist() {
  std::set<std::string> names;
  const std::regex test(R"(TEST(?:_P|_F)?\((\w+), (\w+)\))");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CUTTLE_TEST_SOURCE_DIR "/tests")) {
    if (!entry.path().string().ends_with("_test.cpp")) continue;
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), test), end; found != end; ++found) {
      names.insert((*found)[1].str() + "." + (*found)[2].str());
      names.insert((*found)[1].str() + ".*");
    }
  }
  return names;
}

TEST(ParityPage, NamesTestsThatExist) {
  std::ifstream page(CUTTLE_TEST_SOURCE_DIR "/docs/parity.md");
  if (!page) GTEST_SKIP() << "docs/parity.md is not here";
  const std::set<std::string> existing = tests_that_exist();
  std::size_t rows = 0, named = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ") || line.starts_with("| cupyx.jit")) continue;
    ++rows;
    // A name without its suite is one of the suite named before it.
    std::string suite;
    for (std::size_t open = line.find('`'); open != std::string::npos; open = line.find('`', open)) {
      const std::size_t close = line.find('`', open + 1);
      std::string name = line.substr(open + 1, close - open - 1);
      open = close + 1;
      if (const std::size_t dot = name.find('.'); dot != std::string::npos) suite = name.substr(0, dot);
      if (!std::isupper(static_cast<unsigned char>(name[0]))) continue;  // a file, or a name of the vocabulary
      if (name.find('.') == std::string::npos) name = suite + "." + name;
      EXPECT_TRUE(existing.contains(name)) << name << " is in the row\n" << line;
      ++named;
    }
  }
  EXPECT_GT(rows, 40u);
  EXPECT_GT(named, 50u);
}

}  // namespace
