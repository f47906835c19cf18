// docs/vocabulary.md and the prelude: every name that the page lists is there, for both devices.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "support/compiler_library.h"
#include "support/vocabulary_page.h"

namespace {

std::vector<std::string> documented_names() {
  std::vector<std::string> names;
  for (const auto& row : cuttle::test::vocabulary_rows(CUTTLE_TEST_SOURCE_DIR)) names.insert(names.end(), row.names.begin(), row.names.end());
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

// The other way round: what the headers for the host compiler declare under CUDA's names for functions of a device.
TEST(VocabularyPage, ListsWhatTheHeadersDeclare) {
  const std::vector<std::string> names = documented_names();
  if (names.empty()) GTEST_SKIP() << "docs/vocabulary.md is not here";
  const std::set<std::string> documented(names.begin(), names.end());
  const std::regex comment("//.*"), declared(R"(\b(__[a-z]\w*|atomic[A-Z]\w*)\()");
  const std::regex of_compilers("__(builtin_|attribute__|has_|is_).*");
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CUTTLE_TEST_SOURCE_DIR "/dsl/include/cuttle/dsl")) {
    std::ifstream header(entry.path());
    for (std::string line; std::getline(header, line);) {
      line = std::regex_replace(line, comment, "");
      for (std::sregex_iterator name(line.begin(), line.end(), declared), end; name != end; ++name) {
        if (std::regex_match((*name)[1].str(), of_compilers)) continue;
        EXPECT_TRUE(documented.contains((*name)[1].str())) << (*name)[1].str() << " of " << entry.path() << " is on no page";
        ++found;
      }
    }
  }
  EXPECT_GT(found, 100u);
}

}  // namespace
