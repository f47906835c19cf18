// Whole headers as device code: whatever their directives say, the compiler answers in bounded time and reads no file.

#include <gtest/gtest.h>

#include <chrono>
#include <ostream>
#include <string>

#include "support/compiler_library.h"

namespace {

using cuttle::test::CompilerLibrary;
using cuttle::test::Outcome;

constexpr const char* use_it = "[](auto x, auto n) { x[0] = value(n); }";

// "#define A25 A24 A24" down to A0, `body`.
std::string doubling(int levels, const std::string& body) {
  std::string text = "#define A0 " + body + "\n";
  for (int i = 1; i <= levels; ++i) text += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" + std::to_string(i - 1) + "\n";
  return text;
}

std::string nested(const std::string& name, int depth) {
  std::string text = "n";
  for (int i = 0; i < depth; ++i) text = name + "(" + text + ")";
  return text;
}

struct Case {
  const char* name;
  std::string header;
  const char* message;  // null where it compiles
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

constexpr const char* too_long = "more than 100000 tokens when their macros are expanded";

const Case cases[] = {
    {"RightMacros",
     "#pragma once\n#define ADD(a, b) ((a) + \\\n (b))\n#define ZERO 0\n#if ZERO\n#error no\n#else\ninline int value(int n) { return ADD(n, "
     "ADD(ZERO, 1)); }\n#endif\n",
     nullptr},
    {"AsksWhoReadsIt",
     "#ifndef CUTTLE_DEVICE_CODE\n#error a host\n#endif\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 900\n#error another GPU\n#endif\n"
     "inline int value(int n) { return n; }",
     nullptr},
    {"TableByMacros", doubling(12, "+ n") + "inline int value(int n) { return 0 A12; }", nullptr},
    {"ObjectMacrosThatDouble", doubling(26, "+ n") + "inline int value(int n) { return 0 A26; }", too_long},
    {"EmptyMacrosThatDouble", doubling(40, "") + "inline int value(int n) { return A40 n; }", too_long},
    {"FunctionMacrosThatDouble", "#define D(a) (a + a)\ninline int value(int n) { return " + nested("D", 40) + "; }", too_long},
    {"FunctionMacrosOfMacros", "#define D(a) (a + a)\n#define E(a) D(D(D(D(D(a)))))\ninline int value(int n) { return E(E(E(E(E(n))))); }", too_long},
    {"VariadicMacrosThatDouble", "#define D(...) (__VA_ARGS__ + __VA_ARGS__)\ninline int value(int n) { return " + nested("D", 40) + "; }", too_long},
    {"MacrosThatNameThemselves", "#define n n + m\n#define m m + n\ninline int value(int n) { return 1; }", "undeclared"},
    {"IncludesAFile", "#include \"/etc/passwd\"\ninline int value(int n) { return n; }", "write #include \"name\""},
    {"IncludesItself", "# include __FILE__\n#include __FILE__\ninline int value(int n) { return n; }", "write #include \"name\""},
    {"EmbedsAFile", "inline int value(int n) { const char a[] = {\n#embed \"/dev/zero\"\n}; return a[n]; }", "write #include \"name\""},
    {"UnterminatedConditional", "#if 0\ninline int value(int n) { return n; }", "unterminated conditional directive"},
    {"ErrorDirective", "#error stop here\ninline int value(int n) { return n; }", "stop here"},
    {"LineDirective", "#line 4000000000 \"/dev/full\"\ninline int value(int n) { return undeclared; }", "undeclared"},
    {"AsksForAFile", "#if __has_include(\"/etc/passwd\")\n#error it sees files\n#endif\ninline int value(int n) { return n; }", nullptr},
    {"TooDeep", "inline int value(int n) { return " + nested("int", 300) + "; }", "brackets nested to a depth"},
};

class DeviceHeaderLimits : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(, DeviceHeaderLimits, testing::ValuesIn(cases), [](const auto& test) { return std::string(test.param.name); });

TEST_P(DeviceHeaderLimits, AreKept) {
  const auto begin = std::chrono::steady_clock::now();
  for (const uint32_t backend : {CUTTLE_BACKEND_PTX, CUTTLE_BACKEND_CPU}) {
    const Outcome outcome = CompilerLibrary::instance().compile(use_it, backend, {.header = GetParam().header});
    if (!GetParam().message) {
      EXPECT_EQ(outcome.status, CUTTLE_COMPILE_OK) << outcome.text();
      continue;
    }
    EXPECT_EQ(outcome.status, CUTTLE_COMPILE_USER_ERROR) << outcome.text();
    EXPECT_NE(outcome.text().find(GetParam().message), std::string::npos) << outcome.text();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
