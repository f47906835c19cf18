// A program that is deployed without its sources: errors still name file and line of the macro, and kernels still run.

#include <string>

#include "support/device_test.h"

namespace {

class SourceGone : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(SourceGone);

#line 7 "/nonexistent/gone.cpp"
auto wrong = CUTTLE_KERNEL([](auto x) {
  x[0] = 1;
  x.gone();
});

#line 90 "/nonexistent/other.cpp"
auto right = CUTTLE_KERNEL([](auto x, int n) {
  // A comment.
  for (int i = 0; i < n; ++i) x[i] = i;
});

TEST_P(SourceGone, ErrorsNameFileAndLineOfTheMacro) {
  cuttle::Array<float> x(1);
  try {
    wrong[{1, 1}](x);
    FAIL() << "no CompileError";
  } catch (const cuttle::CompileError& error) {
    ASSERT_FALSE(error.diagnostics().empty());
    const cuttle::Diagnostic& d = error.diagnostics().front();
    EXPECT_EQ(d.file, "/nonexistent/gone.cpp");
    EXPECT_EQ(d.line, 7u);
    EXPECT_NE(d.message.find("'gone'"), std::string::npos) << d.message;
    EXPECT_NE(d.source_line.find("x.gone()"), std::string::npos) << d.source_line;
  }
}

TEST_P(SourceGone, KernelsRun) {
  cuttle::Array<float> x(3);
  right[{1, 1}](x, 3);
  EXPECT_EQ(x.to_vector(), (std::vector<float>{0, 1, 2}));
}

}  // namespace
