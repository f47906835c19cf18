// Mistakes that the host compiler finds, by a sentence of ours: snippets that must not compile, with every compiler that is here.

#include <gtest/gtest.h>

#include <fstream>
#include <ostream>
#include <string>
#include <tuple>

#include "support/host_compiler.h"

namespace {

using cuttle::test::HostCompiler;

struct Snippet {
  const char* name;
  const char* code;      // stands in a function, after the kernels below
  const char* sentence;  // what the compiler has to say; null for a snippet that is right
};

constexpr const char* preamble = R"(
#include <cuttle/cuttle.hpp>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>
auto add = CUTTLE_KERNEL([](auto x, auto n) { x[0] += n; });
auto scale = CUTTLE_KERNEL([](cuttle::view<float> x, float a) { x[0] *= a; });
auto load = CUTTLE_KERNEL([](float* target, const int* y) { target[0] = y[0]; });
auto mixed = CUTTLE_KERNEL([](auto y, float factor) { y[0] = factor; });
auto last = CUTTLE_KERNEL([](auto* y, auto n) { y[n - 1] = 0; });
#define WIDTH 16
cuttle::Array<float> x(1);
const cuttle::Array<float> constant(1);
cuttle::Array<double> doubles(1);
struct Owning { ~Owning() {} int value; };
void f() {
)";

const Snippet snippets[] = {
    {"CompilesWhenRight",
     "add[{1, 1}](x, 1); scale.over(1)(x, 2); load[{1, 1}](x, static_cast<const int*>(nullptr)); add[{1, 1}](x, std::array<int, 2>());", nullptr},
    {"TooFewArguments", "add[{1, 1}](x);", "too few arguments: the kernel has more parameters"},
    {"TooManyArguments", "add[{1, 1}](x, 1, 2);", "too many arguments"},
    {"TooFewArgumentsForDeclaredParameters", "scale[{1, 1}](x);", "too few arguments: the kernel has more parameters"},
    {"TooManyArgumentsForDeclaredParameters", "scale.over(1)(x, 1, 2);", "too many arguments"},
    {"TooFewArgumentsToInspect", "(void)add.inspect(x);", "too few arguments: the kernel has more parameters"},
    {"TooFewTypesToInspect", "(void)add.inspect<int>();", "too few arguments: the kernel has more parameters"},
    {"Vector", "std::vector<float> v; add[{1, 1}](v, 1);", "a kernel cannot read a host container: make a cuttle::Array of it"},
    {"String", "std::string s; add[{1, 1}](x, s);", "a kernel cannot read a host container: make a cuttle::Array of it"},
    {"StringView", "std::string_view s; add[{1, 1}](x, s);", "a kernel cannot read a host container: make a cuttle::Array of it"},
    {"Span", "std::span<float> s; add[{1, 1}](s, 1);", "a kernel cannot read a host container: make a cuttle::Array of it"},
    {"LongDouble", "add[{1, 1}](x, 1.0L);", "there is no long double in a kernel: use double"},
    {"NotTriviallyCopyable", "Owning o; add[{1, 1}](x, o);", "a kernel argument must be trivially copyable, since it is copied byte by byte"},
    {"ArrayOfAnotherType", "scale[{1, 1}](doubles, 1);", "it does not take this Array: element type, dimensions or const differ"},
    {"ConstArrayToAView", "scale[{1, 1}](constant, 1);", "it does not take this Array: element type, dimensions or const differ"},
    {"ConstArrayToAPointer", "load[{1, 1}](constant, nullptr);", "a const Array needs a const T*"},
    {"StridedViewToAPointer", "load[{1, 1}](x.slice(0, {.step = 2}), nullptr);", "the elements of this view do not lie one behind the other"},
    {"StridedViewToADeducedPointer", "last[{1, 1}](x.slice(0, {.step = 2}), 1);", "the elements of this view do not lie one behind the other"},
    {"ConstPartToAPointer", "load[{1, 1}](constant.part(0, 1), nullptr);", "a const Array needs a const T*"},
    {"ArrayToAScalar", "scale[{1, 1}](x, x);", "it does not take this Array"},
    {"StringToAScalar", "scale[{1, 1}](x, \"1\");", "the argument does not convert to it"},
    {"Lambda", "add[{1, 1}](x, [](float v) { return v; });", "the class of a kernel argument cannot be a lambda, nor local to a function"},
    {"HostFunction", "add[{1, 1}](f, 1);", "a kernel cannot call a host function: put the function in CUTTLE_DEVICE(...)"},
    {"NameOfADeclaredParameter", "load[{1, 1}](constant, nullptr);", "target"},
    {"NameOfADeducedParameter", "mixed[{1, 1}](x, x);", "factor"},
    {"CaptureByReference", "int n = 0; auto k = CUTTLE_KERNEL([&](auto y) { y[0] = n; });", "CUTTLE_KERNEL_WITH((name), [](...) {...})"},
    {"CaptureByName", "int n = 0; auto k = CUTTLE_KERNEL([n](auto y) { y[0] = n; });", "a kernel cannot capture: write [](...) and pass the value"},
    {"CaptureOfAMacro", "auto k = CUTTLE_KERNEL_WITH((WIDTH), [](auto y) { y[0] = WIDTH; });", "macro"},
    {"CaptureByReferenceBesideConstants", "int n = 0; auto k = CUTTLE_KERNEL_WITH((n), [&](auto y) { y[0] = n; });",
     "a kernel cannot capture: write [](...) and pass the value"},
    {"CaptureWithoutParentheses", "constexpr int n = 1; auto k = CUTTLE_KERNEL_WITH(n, [](auto y) { y[0] = n; }); k[{1, 1}](x);",
     "captured names stand in parentheses of their own: CUTTLE_KERNEL_WITH((name), [](...) {...})"},
    {"CapturesWithoutParentheses", "constexpr int n = 1, m = 2; auto k = CUTTLE_KERNEL_WITH(n, m, [](auto y) { y[0] = n; });",
     "captured names stand in parentheses of their own"},
    {"CaptureOfAMember", "Owning o; auto k = CUTTLE_KERNEL_WITH((o.value), [](auto y) { y[0] = 1; });",
     "a capture is a name, type(name) or constant(name): give anything else a name before, const auto n = s.n;"},
    {"CaptureOfAQualifiedName", "auto k = CUTTLE_KERNEL_WITH((std::size_t), [](auto y) { y[0] = 1; });", "a capture is a name, type(name)"},
    {"CaptureOfAnExpression", "int n = 1; auto k = CUTTLE_KERNEL_WITH((n, n + 1), [](auto y) { y[0] = 1; });", "a capture is a name, type(name)"},
    {"CaptureOfATypesName", "auto k = CUTTLE_KERNEL_WITH((type(std::string)), [](auto y) { y[0] = 1; });", "a capture is a name, type(name)"},
    {"NoCaptures", "auto k = CUTTLE_KERNEL_WITH((), [](auto y) { y[0] = 1; }); k[{1, 1}](x);", nullptr},
    {"TooManyCaptures",
     "int i = 0;\n#define TEN i, i, i, i, i, i, i, i, i, i\n#define ALL (TEN, TEN, TEN, TEN, TEN, TEN, TEN)\nauto k = CUTTLE_KERNEL_WITH(ALL, "
     "[](auto y) { "
     "y[0] = 1; });",
     "a kernel captures at most 64 values and types"},
    {"NameOfAtRunTime", "std::string s; (void)add.with({.name = s.c_str()});", "constant expression"},
    {"TypeOfAConstant", "(void)add.inspect<cuttle::view<float>, decltype(cuttle::constant(1))>();", "the type of a constant does not say its value"},
    {"NoLaunch", "add(x, 1);", "a kernel needs a launch: k[{.grid = .., .block = ..}](...), or k.over(n)(...)"},
    {"NoBraces", "add[10](x, 1);", "write k[{grid, block}](...) with braces, or k[{.grid = .., .block = ..}](...)"},
    {"ReturnsAValue", "auto k = CUTTLE_KERNEL([](cuttle::view<float> y) { return y[0]; }); (void)k;",
     "a kernel returns nothing: write results through a view"},
    {"NonDependentMistake", "auto k = CUTTLE_KERNEL([](auto y) { y[0] = undeclared_name; }); (void)k;", "undeclared_name"},
};

void PrintTo(const Snippet& snippet, std::ostream* out) { *out << snippet.name; }

using Parameters = std::tuple<Snippet, std::string>;
class HostErrors : public testing::TestWithParam<Parameters> {};

INSTANTIATE_TEST_SUITE_P(, HostErrors, testing::Combine(testing::ValuesIn(snippets), testing::Values("g++", "clang++-22")), [](const auto& test) {
  return std::string(std::get<0>(test.param).name) + (std::get<1>(test.param) == "g++" ? "Gcc" : "Clang");
});

TEST_P(HostErrors, AreSentences) {
  const auto& [snippet, name] = GetParam();
  const HostCompiler compiler(name);
  if (const std::string reason = compiler.why_not(); !reason.empty()) GTEST_SKIP() << reason;
  const cuttle::test::TemporaryFolder folder;
  const std::string file = folder.path() / "program.cpp";
  std::ofstream(file) << preamble << snippet.code << "\n}\n";
  const auto [status, output] = compiler.check(file);
  if (!snippet.sentence) {
    EXPECT_EQ(status, 0);
    EXPECT_EQ(output, "");
    return;
  }
  EXPECT_NE(status, 0) << "it compiles";
  EXPECT_NE(output.find(snippet.sentence), std::string::npos) << output;
}

}  // namespace
