// docs/vocabulary.md and the prelude: every name that the page lists is there, for both devices.

#include <gtest/gtest.h>

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

}  // namespace
