// A program whose source was edited after it was built, or is no file any more: kernels stay what the program holds.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>

#include "support/compiler_library.h"
#include "support/process.h"

namespace {

using cuttle::test::CompilerInput;
using cuttle::test::CompilerLibrary;
using cuttle::test::Outcome;
using cuttle::test::TemporaryFolder;

// As g++ captures it: on one line, without its pragma.
constexpr const char* captured =
    "[](view<float> x, int n) { int s = 0; for (int i = 0; i < n; ++i) { s += i; if (s > 100) break; } while (s > 50) s -= 7; x[0] = s; }";

const std::string as_built = R"(auto k = CUTTLE_KERNEL([](view<float> x, int n) {
  int s = 0;
#pragma unroll 4
  for (int i = 0; i < n; ++i) {
    s += i;
    if (s > 100) break;
  }
  while (s > 50) s -= 7;
  x[0] = s;
});
)";

std::string replaced(std::string text, const std::string& what, const std::string& with) { return text.replace(text.find(what), what.size(), with); }

class SourceEdited : public testing::Test {
 protected:
  [[nodiscard]] Outcome compile_with(const std::string& text) const {
    std::ofstream(path_) << text;
    return compile();
  }
  [[nodiscard]] Outcome compile() const {
    CompilerInput input;
    input.file = path_;
    input.line = 1;
    return CompilerLibrary::instance().compile(captured, CUTTLE_BACKEND_PTX, input);
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_.path() / "kernel.cpp";
};

TEST_F(SourceEdited, PutsAPragmaBackBeforeItsLoop) {
  const Outcome outcome = compile_with(as_built);
  EXPECT_EQ(outcome.status, CUTTLE_COMPILE_OK) << outcome.text();
  EXPECT_NE(outcome.source.find("# pragma unroll 4\n  for (int i"), std::string::npos) << outcome.source;
}

TEST_F(SourceEdited, CompilesWhatTheProgramHoldsWhicheverLineIsGone) {
  for (std::size_t begin = 0; begin < as_built.size(); begin = as_built.find('\n', begin) + 1) {
    std::string text = as_built;
    const std::string line = text.substr(begin, text.find('\n', begin) + 1 - begin);
    const Outcome outcome = compile_with(text.erase(begin, line.size()));
    EXPECT_EQ(outcome.status, CUTTLE_COMPILE_OK) << "without " << line << outcome.text();
  }
}

TEST_F(SourceEdited, PutsNoPragmaBeforeAnythingElse) {
  for (const char* other : {"s += n;", "if (n > 0)", "SOME_MACRO(s)", "do"}) {
    const Outcome outcome = compile_with(replaced(as_built, "for (int i", std::string(other) + "\n  for (int i"));
    EXPECT_EQ(outcome.status, CUTTLE_COMPILE_OK) << other << outcome.text();
    EXPECT_EQ(outcome.source.find("unroll"), std::string::npos) << other;
  }
}

TEST_F(SourceEdited, TakesNoStatementForAMacro) {
  const Outcome outcome = compile_with(replaced(as_built, "  int s = 0;\n", ""));
  EXPECT_NE(outcome.source.find(captured), std::string::npos) << outcome.source;
}

TEST_F(SourceEdited, ReadsNoFolder) {
  std::filesystem::create_directory(path_);
  EXPECT_EQ(compile().status, CUTTLE_COMPILE_OK);
}

TEST_F(SourceEdited, WaitsForNoPipe) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(compile().status, CUTTLE_COMPILE_OK);
}

TEST_F(SourceEdited, ReadsNoDeviceWithoutEnd) {
  std::filesystem::create_symlink("/dev/zero", path_);
  EXPECT_EQ(compile().status, CUTTLE_COMPILE_OK);
}

}  // namespace
