// A mistake in a kernel is a CompileError that points at this very file, line and column (where the file is gone: source_gone_test.cpp).

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "support/device_test.h"
#include "support/process.h"

namespace {

using cuttle::Array;
using cuttle::CompileError;
using cuttle::Diagnostic;

class CompileErrors : public cuttle::test::OnEveryDevice {
 protected:
  void SetUp() override {
    OnEveryDevice::SetUp();
    // A compiler that was given a relative path was so from the build folder.
    std::error_code ignored;
    std::filesystem::current_path(cuttle::test::program_folder().parent_path(), ignored);
    if (!std::filesystem::exists(__FILE__)) GTEST_SKIP() << "this file's source is not here: see source_gone_test.cpp";
  }
};
CUTTLE_ON_EVERY_DEVICE(CompileErrors);

// The first error of the diagnostics of what `launch` throws; notes and warnings may stand before it.
template <class Launch>
Diagnostic first_error(const Launch& launch) {
  try {
    launch();
  } catch (const CompileError& error) {
    for (const Diagnostic& d : error.diagnostics()) {
      if (d.severity == cuttle::Severity::error) return d;
    }
    ADD_FAILURE() << "a CompileError without an error: " << error.what();
    return {};
  }
  ADD_FAILURE() << "no CompileError";
  return {};
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The line where the marker stands, and the column of the word in it: what the messages have to say.
constexpr unsigned on_one_line = __LINE__ + 1;
auto one_line = CUTTLE_KERNEL([](auto x) { x[threadIdx.x].no_such_member = 1; });

constexpr unsigned in_the_middle = __LINE__ + 8;
auto many_lines = CUTTLE_KERNEL([](auto x, auto n) {
  auto i = threadIdx.x;
  // A comment, and blank lines, are lines too.

  if (i < n) {
    x[i] = 1;

    x[i].wrong_name();
  }
});

// The same text twice: each error is at its own place.
constexpr unsigned first_twin = __LINE__ + 1;
auto twin_a = CUTTLE_KERNEL([](auto x) { x.twin(); });
constexpr unsigned second_twin = __LINE__ + 1;
auto twin_b = CUTTLE_KERNEL([](auto x) { x.twin(); });

#define CUTTLE_TEST_WIDTH 16
constexpr unsigned after_a_macro = __LINE__ + 4;
auto with_macro = CUTTLE_KERNEL([](auto x) {
  float a[CUTTLE_TEST_WIDTH] = {};
  a[0] = CUTTLE_TEST_WIDTH;
  x.after_a_macro(a[0]);
});

TEST_P(CompileErrors, PointAtLineAndColumnOfThisFile) {
  Array<float> x(1);
  const Diagnostic d = first_error([&] { one_line[{1, 1}](x); });
  EXPECT_EQ(file_name(d.file), "compile_error_test.cpp");
  EXPECT_EQ(d.line, on_one_line);
  EXPECT_EQ(d.column, std::string("auto one_line = CUTTLE_KERNEL([](auto x) { x[threadIdx.x].").size());  // the dot
  EXPECT_NE(d.message.find("float"), std::string::npos) << d.message;
  EXPECT_NE(d.source_line.find("no_such_member"), std::string::npos) << d.source_line;
}

TEST_P(CompileErrors, PointIntoALambdaOfManyLines) {
  Array<float> x(1);
  const Diagnostic d = first_error([&] { many_lines[{1, 1}](x, 1); });
  EXPECT_EQ(d.line, in_the_middle);
  EXPECT_NE(d.source_line.find("wrong_name"), std::string::npos) << d.source_line;
}

TEST_P(CompileErrors, TellTwoLambdasOfTheSameTextApart) {
  Array<float> x(1);
  EXPECT_EQ(first_error([&] { twin_a[{1, 1}](x); }).line, first_twin);
  EXPECT_EQ(first_error([&] { twin_b[{1, 1}](x); }).line, second_twin);
}

TEST_P(CompileErrors, CountLinesRightBehindAMacro) {
  Array<float> x(1);
  EXPECT_EQ(first_error([&] { with_macro[{1, 1}](x); }).line, after_a_macro);
}

TEST_P(CompileErrors, CarryTheSignatureAndReadAsSentences) {
  Array<double> x(1);
  try {
    many_lines[{1, 1}](x, 1u);
    FAIL() << "no CompileError";
  } catch (const CompileError& error) {
    EXPECT_EQ(error.signature(), "(view<f64>, u32)");
    const std::string text = error.what();
    EXPECT_NE(text.find(" does not compile with x: view<f64>, n: u32\n"), std::string::npos) << text;
    EXPECT_NE(text.find("compile_error_test.cpp:" + std::to_string(in_the_middle) + ":"), std::string::npos) << text;
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 45) << text;  // a screenful
  }
}

// Seen by the host's parse, and not by the kernel.
constexpr int test_radius = 3;
constexpr unsigned with_radius = __LINE__ + 1;
auto uses_radius = CUTTLE_KERNEL([](auto x, int n) { x[n] = test_radius; });

TEST_P(CompileErrors, SayWhereAMissingNameIsAndHowAKernelGetsIt) {
  Array<float> x(1);
  try {
    uses_radius[{1, 1}](x, 0);
    FAIL() << "no CompileError";
  } catch (const CompileError& error) {
    const std::string file = __FILE__;
    const std::string place = file + ":" + std::to_string(with_radius);
    const std::string line = "auto uses_radius = CUTTLE_KERNEL([](auto x, int n) { x[n] = test_radius; });";
    const std::size_t column = line.find("test_radius");
    const std::string hint = "a kernel does not see test_radius, a constant at " + file + ":" + std::to_string(with_radius - 2) +
                             ": `constexpr int test_radius = 3;`; capture it, CUTTLE_KERNEL_WITH((test_radius), [](...) {...}), or put it in "
                             "CUTTLE_DEVICE(...)";
    EXPECT_EQ(std::string(error.what()), "the kernel at " + place + " does not compile with x: view<f32>, n: i32\n" + place + ":" +
                                             std::to_string(column + 1) + ": error: use of undeclared identifier 'test_radius'\n    " + line +
                                             "\n    " + std::string(column, ' ') + "^\n  hint: " + hint);
    ASSERT_EQ(error.diagnostics().size(), 1u);
    EXPECT_EQ(error.diagnostics().front().hint, hint);
  }
}

TEST_P(CompileErrors, ShowCapturedValuesBesideTheArguments) {
  const int width = 7;
  auto wrong = CUTTLE_KERNEL_WITH((width), [](auto x) { x[0] = test_radius * width; });
  Array<float> x(1);
  try {
    wrong[{1, 1}](x);
    FAIL() << "no CompileError";
  } catch (const CompileError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(" does not compile with x: view<f32> and width = 7\n"), std::string::npos) << text;
    EXPECT_NE(text.find("CUTTLE_KERNEL_WITH((..., test_radius), [](...) {...})"), std::string::npos) << text;
  }
}

TEST_P(CompileErrors, AreRememberedAndThrownAgainWithoutCompiling) {
  auto wrong = CUTTLE_KERNEL([](auto x) { x.remembered(); });
  Array<float> x(1);
  EXPECT_THROW((wrong[{1, 1}](x)), CompileError);
  const auto compilations = cuttle::stats().compilations;
  EXPECT_THROW((wrong[{1, 1}](x)), CompileError);
  EXPECT_THROW((wrong.over(1)(x)), CompileError);
  EXPECT_EQ(cuttle::stats().compilations, compilations);
}

TEST_P(CompileErrors, OfOneSignatureLeaveTheOthersAlone) {
  auto only_for_integers = CUTTLE_KERNEL([](auto x) { x[0] = x[0] % 5; });
  Array<float> floats({7});
  Array<int> integers({7});
  EXPECT_THROW((only_for_integers[{1, 1}](floats)), CompileError);
  only_for_integers[{1, 1}](integers);
  EXPECT_EQ(integers.item(), 2);
}

TEST_P(CompileErrors, ReachEveryThreadThatWaits) {
  auto wrong = CUTTLE_KERNEL([](auto x) { x.in_every_thread(); });
  Array<float> x(1);
  std::atomic<int> caught{0};
  const auto compilations = cuttle::stats().compilations;
  {
    const cuttle::Device device = cuttle::Device::current();
    std::vector<std::jthread> threads;
    for (int i = 0; i < 16; ++i) {
      threads.emplace_back([&] {
        const cuttle::Use use(device);
        try {
          wrong[{1, 1}](x);
        } catch (const CompileError&) {
          ++caught;
        }
      });
    }
  }
  EXPECT_EQ(caught, 16);
  EXPECT_EQ(cuttle::stats().compilations, compilations + 1);
}

}  // namespace
