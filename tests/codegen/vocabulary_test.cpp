// docs/vocabulary.md and the prelude: every name that the page lists is there, for both devices.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "support/compiler_library.h"

namespace {

// `a{b,c}d` is abd, acd; every pair of braces is expanded.
std::vector<std::string> expand(const std::string& pattern) {
  const std::size_t open = pattern.find('{'), close = pattern.find('}', open);
  if (open == std::string::npos) return {pattern};
  std::vector<std::string> all;
  for (std::size_t at = open; at != close;) {
    const std::size_t end = std::min(pattern.find(',', at + 1), close);
    for (const std::string& rest : expand(pattern.substr(close + 1))) {
      all.push_back(pattern.substr(0, open) + pattern.substr(at + 1, end - at - 1) + rest);
    }
    at = end;
  }
  return all;
}

// What stands between backticks in the first column of the page's tables.
std::vector<std::string> documented_names() {
  std::ifstream page(CUTTLE_TEST_SOURCE_DIR "/docs/vocabulary.md");
  std::vector<std::string> names;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    line = line.substr(0, line.find('|', 1));
    for (std::size_t begin = line.find('`'); begin != std::string::npos; begin = line.find('`', begin)) {
      const std::size_t end = line.find('`', begin + 1);
      const std::string name = line.substr(begin + 1, end - begin - 1);
      // Headers and macros are no names that a kernel can be asked for.
      if (!name.starts_with('<') && !name.starts_with("M_")) {
        for (std::string& one : expand(name)) names.push_back(std::move(one));
      }
      begin = end + 1;
    }
  }
  return names;
}

TEST(VocabularyPage, NamesWhatBothDevicesHave) {
  const std::vector<std::string> names = documented_names();
  if (names.empty()) GTEST_SKIP() << "docs/vocabulary.md is not here";
  EXPECT_GT(names.size(), 500u);
  std::string kernel = "[](auto x, int n) {\n__syncthreads();\n";  // a builtin of Clang's, which is there from its first use on
  for (const std::string& name : names) {
    // Clang's own answer to whether a name means something here (Microsoft's __if_not_exists).
    kernel += "__if_not_exists(" + name + ") { static_assert(sizeof(n) == 0, \"" + name + " is documented and missing\"); }\n";
  }
  kernel += "}";
  for (const uint32_t backend : {CUTTLE_BACKEND_PTX, CUTTLE_BACKEND_CPU}) {
    const cuttle::test::Outcome outcome = cuttle::test::CompilerLibrary::instance().compile(kernel, backend);
    EXPECT_EQ(outcome.status, CUTTLE_COMPILE_OK) << outcome.text();
  }
}

}  // namespace
