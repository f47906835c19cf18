// No kernel text ends the process, hangs it or prints: a corpus of hostile texts, and seeded mutations of valid ones, straight through the C
// boundary of the compiler library.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "dsl/text/tokens.h"
#include "support/compiler_library.h"

namespace {

using cuttle::test::CompilerLibrary;
using cuttle::test::Outcome;

// Seconds of processor time that an answer may take. On an idle machine none of the corpus takes a fifth of it.
constexpr double most_seconds = 20;

std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

std::string kernel(const std::string& body) { return "[](auto x, auto n) { " + body + " }"; }

/// `open` count times, the core, `close` count times.
std::string nested(std::string_view open, std::string_view core, std::string_view close, std::size_t count) {
  return repeat(open, count) + std::string(core) + repeat(close, count);
}

// "f0(); f1(); ..." from "f#(); ".
std::string numbered(std::string_view pattern, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) {
    for (const char c : pattern) c == '#' ? result += std::to_string(i) : result += c;
  }
  return result;
}

enum class Expect {
  refusal,       // the user's error, with a diagnostic
  answer,        // either that, or code
  compiler_bug,  // Clang crashes or runs out of memory: an internal error is the right answer, and the process goes on
};

struct Case {
  const char* name;
  Expect expect;
  std::string (*text)();
};

const Case cases[] = {
    // ---- brackets
    {"ParenthesesOpen", Expect::refusal, [] { return kernel("int a = " + repeat("(", 100'000) + "1;"); }},
    {"Parentheses", Expect::refusal, [] { return kernel("int a = " + nested("(", "1", ")", 10'000) + ";"); }},
    {"ParenthesesBelowTheLimit", Expect::answer, [] { return kernel("int a = " + nested("(", "1", ")", 190) + ";"); }},
    {"Braces", Expect::refusal, [] { return kernel(nested("{", "", "}", 10'000)); }},
    {"BracesClosing", Expect::refusal, [] { return kernel(repeat("}", 10'000)); }},
    {"BraceInitialisers", Expect::refusal, [] { return kernel("int a = " + nested("{", "1", "}", 10'000) + ";"); }},
    {"Brackets", Expect::refusal, [] { return kernel("x[" + nested("x[", "0", "]", 10'000) + "] = 1;"); }},
    {"BracketsOpen", Expect::refusal, [] { return kernel(repeat("[", 100'000)); }},
    {"AngleBrackets", Expect::refusal, [] { return kernel("struct A {}; " + nested("B<", "A", ">", 30'000) + " b;"); }},
    {"LambdasInLambdas", Expect::answer, [] { return kernel(nested("[&] { ", "x[0] = 1;", " }();", 60)); }},
    {"ClassesInClasses", Expect::answer, [] { return kernel(nested("struct A { ", "", " };", 190)); }},
    {"MixedBrackets", Expect::refusal, [] { return kernel(nested("({[", "", "]})", 5'000)); }},
    {"BlockStatements", Expect::answer, [] { return kernel(nested("if (n) { ", "x[0] = 1;", " }", 190)); }},

    // ---- what the limits of guard.h let pass
    {"LogicalChainBelowTheLimit", Expect::answer, [] { return kernel("x[0] = n" + repeat(" && n", 3'000) + ";"); }},
    {"MemberChainBelowTheLimit", Expect::answer,
     [] { return kernel("struct S { S& s() { return *this; } }; S a; a" + repeat(".s()", 2'000) + ";"); }},
    {"InitialiserBelowTheLimit", Expect::answer, [] { return kernel("int a[] = {0" + repeat(", n", 2'000) + "}; x[0] = a[n];"); }},
    {"TableOf20000Numbers", Expect::answer, [] { return kernel("const int a[] = {0" + repeat(", 7", 20'000) + "}; x[0] = a[n];"); }},
    {"ElseIfBelowTheLimit", Expect::answer, [] { return kernel("if (n == 0) x[0] = 0;" + numbered(" else if (n == #) x[0] = #;", 990)); }},
    {"IfIfBelowTheLimit", Expect::answer, [] { return kernel(repeat("if (n) ", 2'000) + ";"); }},
    {"CasesBelowTheLimit", Expect::answer, [] { return kernel("switch (n) { " + numbered("case #: x[#] = #; break;", 1'990) + " }"); }},
    {"CastsBelowTheLimit", Expect::answer, [] { return kernel("x[0] = " + repeat("(int)", 4'000) + "n;"); }},
    {"MinusBelowTheLimit", Expect::answer, [] { return kernel("x[0] = " + repeat("- ", 8'000) + "n;"); }},
    {"TernariesBelowTheLimit", Expect::answer, [] { return kernel("x[0] = " + numbered("n == # ? # : ", 2'000) + "0;"); }},

    // ---- long flat texts
    {"SumOf200000Terms", Expect::refusal, [] { return kernel("x[0] = 0" + repeat(" + n", 200'000) + ";"); }},
    {"SumBelowTheLimit", Expect::answer, [] { return kernel("x[0] = 0" + repeat(" + n", 4'000) + ";"); }},
    {"FloatSumBelowTheLimit", Expect::answer, [] { return kernel("x[0] = 0.f" + repeat(" + x[n]", 1'300) + ";"); }},
    {"CommasBelowTheLimit", Expect::answer, [] { return kernel("x[0] = (0" + repeat(", n", 8'000) + ");"); }},
    {"AssignmentChain", Expect::refusal, [] { return kernel("int a = 0; " + repeat("a = ", 45'000) + "1;"); }},
    {"ShiftChain", Expect::refusal, [] { return kernel("x[0] = n" + repeat(" << n", 45'000) + ";"); }},
    {"ComparisonChain", Expect::refusal, [] { return kernel("x[0] = n" + repeat(" < n", 45'000) + ";"); }},
    {"LogicalChain", Expect::refusal, [] { return kernel("x[0] = n" + repeat(" && n", 45'000) + ";"); }},
    {"CallChain", Expect::refusal, [] { return kernel("struct F { F operator()() { return *this; } }; F f; f" + repeat("()", 30'000) + ";"); }},
    {"MemberChain", Expect::refusal, [] { return kernel("struct S { S& s() { return *this; } }; S a; a" + repeat(".s()", 20'000) + ";"); }},
    {"SubscriptChain", Expect::refusal, [] { return kernel("x" + repeat("[0]", 30'000) + " = 1;"); }},
    {"PostfixOperators", Expect::refusal, [] { return kernel("x[0]" + repeat("++", 90'000) + ";"); }},
    {"Statements", Expect::answer, [] { return kernel(repeat("x[0] += 1.f;", 10'000)); }},
    {"Declarations", Expect::answer, [] { return kernel(numbered("int a# = n;", 15'000)); }},
    {"EmptyStatements", Expect::answer, [] { return kernel(repeat(";", 99'000)); }},
    {"Arguments", Expect::answer,
     [] { return kernel("auto f = [](auto... a) { return sizeof...(a); }; x[0] = f(0" + repeat(", 1", 45'000) + ");"); }},
    {"ArrayInitialiser", Expect::refusal, [] { return kernel("int a[] = {0" + repeat(", n", 45'000) + "}; x[0] = a[n];"); }},

    // ---- chains that nest in the parser
    {"ElseIf", Expect::refusal, [] { return kernel("if (n == 0) x[0] = 0;" + numbered(" else if (n == #) x[0] = #;", 6'000)); }},
    {"ElseIfWithBraces", Expect::refusal, [] { return kernel("if (n == 0) { x[0] = 0; }" + numbered(" else if (n == #) { x[0] = #; }", 5'000)); }},
    {"IfIf", Expect::refusal, [] { return kernel(repeat("if (n) ", 20'000) + ";"); }},
    {"ForFor", Expect::refusal, [] { return kernel(repeat("for (;n;) ", 14'000) + ";"); }},
    {"WhileWhile", Expect::refusal, [] { return kernel(repeat("while (n) ", 20'000) + ";"); }},
    {"DoDo", Expect::refusal, [] { return kernel(repeat("do ", 90'000) + ";"); }},
    {"SwitchSwitch", Expect::refusal, [] { return kernel(repeat("switch (n) ", 20'000) + ";"); }},
    {"CaseCase", Expect::refusal, [] { return kernel("switch (n) { " + numbered("case #: ", 30'000) + "x[0] = 1; }"); }},
    {"Labels", Expect::refusal, [] { return kernel(numbered("l#: ", 45'000) + "x[0] = 1;"); }},
    {"Ternaries", Expect::refusal, [] { return kernel("x[0] = " + numbered("n == # ? # : ", 15'000) + "0;"); }},
    {"TernariesInTheMiddle", Expect::refusal, [] { return kernel("x[0] = " + nested("n ? ", "1", " : 0", 20'000) + ";"); }},
    {"Minus", Expect::refusal, [] { return kernel("x[0] = " + repeat("- ", 90'000) + "n;"); }},
    {"Not", Expect::refusal, [] { return kernel("x[0] = " + repeat("!", 90'000) + "n;"); }},
    {"NotAsAWord", Expect::refusal, [] { return kernel("x[0] = " + repeat("not ", 90'000) + "n;"); }},
    {"Complement", Expect::refusal, [] { return kernel("x[0] = " + repeat("compl ", 90'000) + "n;"); }},
    {"AddressAndValue", Expect::refusal, [] { return kernel("x[0] = " + repeat("*&", 45'000) + "n;"); }},
    {"Casts", Expect::refusal, [] { return kernel("x[0] = " + repeat("(int)", 30'000) + "n;"); }},
    {"FunctionalCasts", Expect::refusal, [] { return kernel("x[0] = " + nested("int(", "n", ")", 30'000) + ";"); }},
    {"SizeofSizeof", Expect::refusal, [] { return kernel("x[0] = " + repeat("sizeof ", 90'000) + "n;"); }},
    {"ExtensionExtension", Expect::refusal, [] { return kernel("x[0] = " + repeat("__extension__ ", 90'000) + "n;"); }},
    {"RealImag", Expect::refusal, [] { return kernel("x[0] = " + repeat("__real ", 90'000) + "n;"); }},
    {"ThrowThrow", Expect::refusal, [] { return kernel(repeat("throw ", 90'000) + ";"); }},
    {"CoAwait", Expect::refusal, [] { return kernel(repeat("co_await ", 90'000) + "n;"); }},
    {"NewNew", Expect::refusal, [] { return kernel(repeat("new ", 90'000) + "int;"); }},
    {"DeleteDelete", Expect::refusal, [] { return kernel(repeat("delete ", 90'000) + "n;"); }},
    {"Pointers", Expect::refusal, [] { return kernel("int " + repeat("*", 90'000) + "p;"); }},
    {"PointersToConst", Expect::refusal, [] { return kernel("int " + repeat("* const ", 45'000) + "p = 0;"); }},
    {"FunctionDeclarators", Expect::refusal, [] { return kernel("int " + nested("(*", "f", ")()", 10'000) + ";"); }},
    {"ArrayDimensions", Expect::refusal, [] { return kernel("int a" + repeat("[1]", 30'000) + ";"); }},
    {"ArrowArrow", Expect::refusal, [] { return kernel("struct S { S* p; }; S* a; a = a" + repeat("->p", 40'000) + ";"); }},
    {"ScopeScope", Expect::refusal, [] { return kernel("struct S {}; " + repeat("S::", 45'000) + "S a;"); }},
    {"Qualifiers", Expect::refusal, [] { return kernel(repeat("const ", 90'000) + "int a = 0;"); }},
    {"Longs", Expect::refusal, [] { return kernel(repeat("long ", 90'000) + "a = 0;"); }},
    {"Attributes", Expect::answer, [] { return kernel(repeat("[[maybe_unused]] ", 15'000) + "int a = 0;"); }},
    {"GnuAttributes", Expect::answer, [] { return kernel("int a " + repeat("__attribute__((unused)) ", 14'000) + " = 0;"); }},
    {"TemplateTemplate", Expect::refusal, [] { return "[]" + repeat("<template ", 45'000) + "class T> (auto x, auto n) {}"; }},
    {"RequiresRequires", Expect::refusal, [] { return "[](auto x, auto n) " + repeat("requires ", 90'000) + "true {}"; }},
    {"LambdaSpecifiers", Expect::refusal, [] { return "[](auto x, auto n) " + repeat("mutable ", 90'000) + "{}"; }},
    {"StringsInARow", Expect::answer, [] { return kernel("auto s = " + repeat("\"a\" ", 90'000) + "; x[0] = s[n];"); }},

    // ---- large tokens
    {"NameOf1MB", Expect::answer, [] { return kernel("int " + repeat("a", 1 << 20) + " = 0;"); }},
    {"NumberOf100000Digits", Expect::refusal, [] { return kernel("x[0] = " + repeat("9", 100'000) + ";"); }},
    {"FloatOf100000Digits", Expect::refusal, [] { return kernel("x[0] = 0." + repeat("9", 100'000) + ";"); }},
    {"FloatExponent", Expect::answer, [] { return kernel("x[0] = 1e999999999999999999;"); }},
    {"StringOf10MB", Expect::answer, [] { return kernel("auto s = \"" + repeat("a", 10 << 20) + "\"; x[0] = s[n];"); }},
    {"CharactersInQuotes", Expect::answer, [] { return kernel("x[0] = '" + repeat("a", 100'000) + "';"); }},
    {"CommentOf10MB", Expect::answer, [] { return kernel("/*" + repeat("*", 10 << 20) + "/"); }},
    {"BlanksOf10MB", Expect::answer, [] { return kernel(repeat(" ", 10 << 20)); }},
    {"LineBreaks", Expect::answer, [] { return kernel(repeat("\n", 1 << 20)); }},
    {"UniversalCharacterNames", Expect::refusal, [] { return kernel("int " + repeat("\\u0000\\UFFFFFFFF", 10'000) + ";"); }},

    // ---- bytes
    {"Empty", Expect::refusal, [] { return std::string(); }},
    {"Nul", Expect::answer, [] { return kernel(std::string("x[0] = 1;\0 x[0] = 2;", 20)); }},
    {"OnlyNul", Expect::refusal, [] { return std::string(1000, '\0'); }},
    {"NulInAString", Expect::answer, [] { return kernel(std::string("auto s = \"a\0b\"; x[0] = s[n];", 29)); }},
    {"InvalidUtf8", Expect::refusal, [] { return kernel("int \xff\xfe\xc0\x80 = 1; /* \xed\xa0\x80 */"); }},
    {"InvalidUtf8InAString", Expect::answer, [] { return kernel("auto s = \"\xff\xc0\"; x[0] = s[n];"); }},
    {"ByteOrderMark", Expect::refusal, [] { return "\xef\xbb\xbf" + kernel("\xef\xbb\xbf"); }},
    {"EveryByte", Expect::refusal,
     [] {
       std::string bytes;
       for (int c = 1; c < 256; ++c) bytes += static_cast<char>(c);
       return kernel(bytes);
     }},
    {"CarriageReturns", Expect::answer, [] { return kernel("x[0]\r = \r\n 1;\r"); }},
    {"BackslashAtTheEnd", Expect::refusal, [] { return std::string("[](auto x, auto n) {\\"); }},
    {"Backslashes", Expect::refusal, [] { return kernel(repeat("\\", 90'000)); }},

    // ---- unterminated
    {"UnterminatedString", Expect::refusal, [] { return kernel("auto s = \"abc;"); }},
    {"UnterminatedCharacter", Expect::refusal, [] { return kernel("auto c = 'a;"); }},
    {"UnterminatedRawString", Expect::refusal, [] { return kernel("auto s = R\"abc(;"); }},
    {"RawStringDelimiterTooLong", Expect::refusal, [] { return kernel("auto s = R\"" + repeat("a", 1000) + "(;"); }},
    {"UnterminatedComment", Expect::refusal, [] { return kernel("/* abc"); }},
    {"LineComment", Expect::refusal, [] { return std::string("[](auto x, auto n) { // }"); }},
    {"UnterminatedLambda", Expect::refusal, [] { return std::string("["); }},
    {"UnterminatedParameters", Expect::refusal, [] { return std::string("[](auto x"); }},
    {"UnterminatedBody", Expect::refusal, [] { return std::string("[](auto x, auto n) {"); }},
    {"UnterminatedTemplate", Expect::refusal, [] { return std::string("[]<class T"); }},
    {"ClosesWhatItDidNotOpen", Expect::refusal, [] { return std::string("[](auto x, auto n) {}; } } int main() { { "); }},
    {"NotALambda", Expect::refusal, [] { return std::string("return while"); }},

    // ---- the preprocessor
    {"IncludesAFile", Expect::refusal, [] { return kernel("\n#include \"/etc/passwd\"\n"); }},
    {"IncludesAnEndlessFile", Expect::refusal, [] { return kernel("\n#include \"/dev/zero\"\n"); }},
    {"IncludesItself", Expect::refusal, [] { return kernel("\n#include __FILE__\n#include \"/cuttle/kernel.cu\"\n"); }},
    {"EmbedsAFile", Expect::refusal, [] { return kernel("\nint a[] = {\n#embed \"/dev/zero\"\n};\n"); }},
    {"MacroBomb", Expect::refusal,
     [] {
       std::string text = "\n#define A0 +n\n";
       for (int i = 1; i < 26; ++i) text += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" + std::to_string(i - 1) + "\n";
       return kernel(text + "x[0] = n A25;");
     }},
    {"MacroRecursion", Expect::refusal, [] { return kernel("\n#define A(x) A(A(x))\nint a = A(A(A(1)));\n"); }},
    {"UnterminatedConditional", Expect::refusal, [] { return kernel("\n#if 0\n"); }},
    {"ErrorDirective", Expect::refusal, [] { return kernel("\n#error stop\n"); }},
    {"LineDirective", Expect::refusal, [] { return kernel("\n#line 4294967295 \"/dev/full\"\nundeclared;\n"); }},
    {"Hash", Expect::refusal, [] { return kernel("# ## #@ %:%:"); }},
    {"Pragmas", Expect::answer, [] { return kernel(repeat("_Pragma(\"unroll\") ", 1) + "for (int i = 0; i < 4; ++i) x[i] = i;"); }},
    {"UnknownPragma", Expect::answer, [] { return kernel("_Pragma(\"nonsense \\\"\") x[0] = 1;"); }},
    {"PopsWhatItDidNotPush", Expect::answer, [] { return kernel("_Pragma(\"clang force_cuda_host_device end\") _Pragma(\"pack(pop)\") x[0] = 1;"); }},
    {"TurnsErrorsOff", Expect::refusal, [] { return kernel("_Pragma(\"clang diagnostic ignored \\\"-Weverything\\\"\") undeclared;"); }},
    {"ModuleImport", Expect::refusal, [] { return kernel("\n#pragma clang module import nonsense\n@import nonsense;"); }},

    // ---- Clang, asked to crash
    {"DebugPragmas", Expect::answer,
     [] {
       std::string text;
       for (const char* what : {"crash", "parser_crash", "llvm_fatal_error", "llvm_unreachable", "overflow_stack", "assert"}) {
         text += "_Pragma(\"clang __debug " + std::string(what) + "\") ";
       }
       return kernel(text + "x[0] = 1;");
     }},

    // ---- templates
    {"TemplateRecursion", Expect::refusal,
     [] { return kernel("x[0] = []<int N>(auto self) { return self.template operator()<N + 1>(self); }.template operator()<0>([](auto s) {});"); }},
    {"GenericRecursion", Expect::refusal, [] { return kernel("auto f = [](auto self, auto t) { self(self, &t); }; f(f, n);"); }},
    {"ExponentialGenericLambda", Expect::answer,
     [] {
       return kernel(
           "auto f = [](auto self, auto depth, auto a) { if constexpr (decltype(depth)::value > 0) { self(self, std::integral_constant<int, "
           "decltype(depth)::value - 1>(), &a); auto b = &a; self(self, std::integral_constant<int, decltype(depth)::value - 1>(), &b); } }; f(f, "
           "std::integral_constant<int, 60>(), n);");
     }},
    {"IntegerSequence", Expect::answer,
     [] {
       return kernel("struct A { template <class T, T... I> struct S {}; }; using B = __make_integer_seq<A::template S, int, 1'000'000>; B b;");
     }},
    {"PackExpansion", Expect::answer,
     [] {
       return kernel("auto f = [](auto... a) { return [](auto... b) { return sizeof...(b); }(a..., a..., a..., a...); }; x[0] = f(1" +
                     repeat(", 1", 2'000) + ");");
     }},
    {"PointerTypeGrowth", Expect::compiler_bug, [] { return kernel("auto f = [](auto self, auto... a) { self(self, a..., a...); }; f(f, n);"); }},

    // ---- constant evaluation
    {"EndlessConstexprLoop", Expect::refusal, [] { return kernel("constexpr auto f = [] { while (true) {} return 1; }; constexpr int a = f();"); }},
    {"EndlessConstexprRecursion", Expect::refusal,
     [] { return kernel("constexpr auto f = [](auto self, int i) -> int { return self(self, i + 1); }; constexpr int a = f(f, 0);"); }},
    {"LongConstexprLoops", Expect::answer,
     [] { return kernel(numbered("constexpr int a# = [] { int s = 0; for (int i = 0; i < 200'000; ++i) s += i & 1; return s; }();", 5)); }},
    {"HugeConstexprArray", Expect::answer, [] { return kernel("constexpr int a[300'000'000] = {1}; x[0] = a[n];"); }},
    {"HugeConstexprStruct", Expect::answer, [] { return kernel("struct S { int a[100'000'000]{}; }; constexpr S s{}; x[0] = s.a[n];"); }},
    {"HugeInitialiserIndex", Expect::answer, [] { return kernel("static const int a[] = {[999'999] = 1}; x[0] = a[n];"); }},
    {"MoreMemoryThanThereIs", Expect::compiler_bug, [] { return kernel("static const int a[] = {[2'000'000'000] = 1}; x[0] = a[n];"); }},
    {"ConstexprAllocation", Expect::refusal,
     [] { return kernel("constexpr int a = [] { auto p = new int[1'000'000'000]; delete[] p; return 1; }();"); }},
    {"ConstexprOverflow", Expect::refusal,
     [] { return kernel("constexpr int a = 2147483647 + 1; constexpr int b = 1 / 0; constexpr int c = 1 << 64;"); }},

    // ---- sizes
    {"LocalArrayOf4GB", Expect::answer, [] { return kernel("float a[1 << 30]; a[n] = 1; x[0] = a[n + 1];"); }},
    {"LocalArrayOf2To62Bytes", Expect::refusal, [] { return kernel("float a[1ull << 60]; a[n] = 1; x[0] = a[n + 1];"); }},
    {"NegativeArray", Expect::refusal, [] { return kernel("float a[-1];"); }},
    {"SharedOver48KB", Expect::refusal, [] { return kernel("__shared__ char s[49153]; s[n] = 1; x[0] = s[n + 1];"); }},
    {"SharedOf4GB", Expect::refusal, [] { return kernel("__shared__ char s[1ull << 32]; s[n] = 1; x[0] = s[n + 1];"); }},
    {"WideVector", Expect::refusal,
     [] { return kernel("typedef float V __attribute__((ext_vector_type(4096))); V v = {}; v[n] = 1; v = v * v; x[0] = v[n + 1];"); }},
    {"WideInteger", Expect::refusal, [] { return kernel("unsigned _BitInt(4096) a = n; a = a * a / (a + 1); x[0] = (float)(int)a;"); }},
    {"WidestInteger", Expect::refusal, [] { return kernel("unsigned _BitInt(8388608) a = n; a = a * a / (a + 1); x[0] = (float)(int)a;"); }},
    {"AlignmentOf2To31", Expect::answer, [] { return kernel("alignas(1u << 28) float a[4]; a[n] = 1; x[0] = a[n + 1];"); }},
    {"UnrolledMillions", Expect::answer, [] { return kernel("_Pragma(\"unroll\") for (int i = 0; i < 10'000'000; ++i) x[i] += x[i + n];"); }},
    {"UnrolledNests", Expect::answer, [] { return kernel(repeat("_Pragma(\"unroll\") for (int i = 0; i < 64; ++i) ", 8) + "x[n] += x[n + 1];"); }},
    {"SwitchOfManyCases", Expect::refusal, [] { return kernel("switch (n) { " + numbered("case #: x[#] = #; break;", 7'000) + " }"); }},
    {"GotoMaze", Expect::answer, [] { return kernel(numbered("l#: if (n > #) goto l0; if (n < #) goto end;", 3'000) + "end:;"); }},
    {"ComputedGoto", Expect::answer, [] { return kernel("void* p = n ? &&a : &&b; goto *p; a: x[0] = 1; b: x[1] = 1;"); }},

    // ---- code that cannot be lowered
    {"EndlessRecursion", Expect::answer, [] { return kernel("struct R { static int f(int i) { return f(i + 1) + f(i - 1); } }; x[0] = R::f(n);"); }},
    {"UnknownBuiltin", Expect::refusal, [] { return kernel("x[0] = __builtin_there_is_no_such_thing(n);"); }},
    {"UnknownNvvmBuiltin", Expect::refusal, [] { return kernel("x[0] = __nvvm_read_ptx_sreg_nonsense();"); }},
    {"BuiltinOfX86", Expect::answer, [] { return kernel("__builtin_ia32_pause(); __builtin_ia32_rdtsc();"); }},
    {"BuiltinOfX86WithFeature", Expect::answer,
     [] { return kernel("typedef double V __attribute__((vector_size(64))); V v{}; v = __builtin_ia32_sqrtpd512(v, 4); x[0] = v[0];"); }},
    {"BuiltinOfNvptx", Expect::answer, [] { return kernel("x[0] = __nvvm_read_ptx_sreg_tid_x();"); }},
    {"BuiltinOfALaterGpu", Expect::answer, [] { return kernel("__nvvm_redux_sync_fmin(1.0f, 1); __nvvm_mbarrier_test_wait(0, 0);"); }},
    {"Exceptions", Expect::answer, [] { return kernel("try { throw 1; } catch (...) {}"); }},
    {"Typeid", Expect::refusal, [] { return kernel("x[0] = typeid(n).hash_code();"); }},
    {"VirtualCall", Expect::answer,
     [] {
       return kernel("struct A { virtual int f() { return 1; } }; struct B : A { int f() override { return 2; } }; B b; A* a = &b; x[0] = a->f();");
     }},
    {"ThreadLocal", Expect::refusal, [] { return kernel("thread_local int a; a = n; x[0] = a;"); }},
    {"VariableLengthArray", Expect::answer, [] { return kernel("float a[n]; a[0] = 1; x[0] = a[n - 1];"); }},
    {"Alloca", Expect::answer, [] { return kernel("auto p = (float*)__builtin_alloca(n); p[0] = 1; x[0] = p[1];"); }},
    {"Setjmp", Expect::answer, [] { return kernel("void* b[5]; if (!__builtin_setjmp(b)) __builtin_longjmp(b, 1);"); }},
    {"LongDouble", Expect::answer, [] { return kernel("long double a = n; x[0] = a * a;"); }},
    {"UndefinedFunction", Expect::answer, [] { return kernel("extern float nowhere(float); x[0] = nowhere(x[1]);"); }},
    {"LibraryCall", Expect::answer, [] { return kernel("x[0] = __builtin_printf(\"%d\", n); __builtin_abort();"); }},
    {"AddressSpaces", Expect::answer, [] { return kernel("auto p = (__attribute__((address_space(777))) int*)0; *p = n;"); }},
    {"MustTail", Expect::answer, [] { return kernel("struct R { static int f(int i) { [[clang::musttail]] return f(i + 1); } }; x[0] = R::f(n);"); }},
    {"TargetAttribute", Expect::answer,
     [] { return kernel("struct R { __attribute__((target(\"nonsense\"))) static int f() { return 1; } }; x[0] = R::f();"); }},
    {"SectionAttribute", Expect::answer, [] { return kernel("static int a __attribute__((section(\"nonsense\"))) = 1; a += n; x[0] = a;"); }},
    {"AliasAttribute", Expect::refusal, [] { return kernel("extern int a __attribute__((alias(\"nowhere\"))); x[0] = a;"); }},
    {"Ifunc", Expect::refusal, [] { return kernel("extern int f() __attribute__((ifunc(\"nowhere\"))); x[0] = f();"); }},

    // ---- inline assembly
    {"AsmNonsense", Expect::answer, [] { return kernel("asm volatile(\"there is no such instruction\");"); }},
    {"AsmBadConstraint", Expect::refusal, [] { return kernel("int a; asm volatile(\"nop\" : \"=@nonsense\"(a));"); }},
    {"AsmMissingOperand", Expect::refusal, [] { return kernel("int a; asm volatile(\"mov %7, %8;\" : \"=r\"(a));"); }},
    {"AsmWrongSize", Expect::answer, [] { return kernel("double a = n; asm volatile(\"nop\" : \"+r\"(a));"); }},
    {"AsmStruct", Expect::answer, [] { return kernel("struct S { int a[100]; } s; asm volatile(\"nop\" : \"+r\"(s));"); }},
    {"AsmUnclosed", Expect::answer, [] { return kernel("asm volatile(\"{ .reg .f32 %%a; /* \");"); }},
    {"AsmReadsAFile", Expect::answer, [] { return kernel("asm volatile(\".incbin \\\"/dev/zero\\\"\");"); }},
    {"AsmIncludesAFile", Expect::answer, [] { return kernel("asm volatile(\".include \\\"/dev/zero\\\"\");"); }},
    {"AsmRepeats", Expect::answer, [] { return kernel("asm volatile(\".rept 100000000\\n nop\\n .endr\");"); }},
    {"AsmMacroRecursion", Expect::answer, [] { return kernel("asm volatile(\".macro m\\n m\\n .endm\\n m\");"); }},
    {"AsmFill", Expect::answer, [] { return kernel("asm volatile(\".fill 4000000000, 8, 1\");"); }},
    {"AsmOrg", Expect::answer, [] { return kernel("asm volatile(\".org 0x7fffffffffff\");"); }},
    {"AsmSection", Expect::answer, [] { return kernel("asm volatile(\".section nonsense\\n .popsection\\n .previous\");"); }},
    {"AsmGoto", Expect::answer, [] { return kernel("asm goto(\"nop\" : : : : end); end:;"); }},
    {"AsmManyClobbers", Expect::answer, [] { return kernel("asm volatile(\"nop\" : : : \"memory\", \"nonsense\", \"rsp\", \"rbp\", \"cc\");"); }},
    {"FileScopeAsm", Expect::refusal, [] { return kernel("} ; } asm(\"nonsense\"); void g() { [](auto x, auto n) {"); }},
};

class Hostile : public testing::TestWithParam<std::tuple<std::size_t, uint32_t>> {};

INSTANTIATE_TEST_SUITE_P(, Hostile,
                         testing::Combine(testing::Range<std::size_t>(0, std::size(cases)), testing::Values(CUTTLE_BACKEND_PTX, CUTTLE_BACKEND_CPU)),
                         [](const auto& test) {
                           return std::string(cases[std::get<0>(test.param)].name) + (std::get<1>(test.param) == CUTTLE_BACKEND_PTX ? "Ptx" : "Cpu");
                         });

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// What the process writes to standard output and standard error until it is asked.
class Printed {
 public:
  Printed() : out_(dup(1)), err_(dup(2)) {
    std::fflush(nullptr);
    dup2(fileno(file_), 1);
    dup2(fileno(file_), 2);
  }
  std::string text() {
    std::fflush(nullptr);
    dup2(out_, 1);
    dup2(err_, 2);
    close(out_);
    close(err_);
    std::string all(static_cast<std::size_t>(lseek(fileno(file_), 0, SEEK_END)), '\0');
    std::rewind(file_);
    all.resize(std::fread(all.data(), 1, all.size(), file_));
    std::fclose(file_);
    return all;
  }

 private:
  std::FILE* file_ = std::tmpfile();
  int out_, err_;
};

// A text that takes all memory takes this much of the machine's, and gets a bad_alloc.
class LimitedMemory : public testing::Environment {
  void SetUp() override {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlimit limit{std::size_t{8} << 30, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &limit);
#endif
  }
};
[[maybe_unused]] const auto* limited_memory = testing::AddGlobalTestEnvironment(new LimitedMemory);

TEST_P(Hostile, IsAnswered) {
  const Case& c = cases[std::get<0>(GetParam())];
  const std::string text = c.text();
  alarm(300);  // a hang ends here, with the name of the test on the screen
  const double before = processor_seconds();
  Printed printed;
  const Outcome outcome = CompilerLibrary::instance().compile(text, std::get<1>(GetParam()));
  EXPECT_EQ(printed.text(), "");
  EXPECT_LE(processor_seconds() - before, most_seconds);
  alarm(0);

  const std::string said = outcome.text().substr(0, 500);
  switch (c.expect) {
    case Expect::refusal:
      EXPECT_EQ(outcome.status, CUTTLE_COMPILE_USER_ERROR) << said;
      EXPECT_FALSE(outcome.diagnostics.empty());
      break;
    case Expect::answer:
      EXPECT_NE(outcome.status, CUTTLE_COMPILE_INTERNAL_ERROR) << said;
      break;
    case Expect::compiler_bug:
      EXPECT_EQ(outcome.status, CUTTLE_COMPILE_INTERNAL_ERROR) << said;
      EXPECT_NE(outcome.message, "");
      break;
  }
}

// ---- mutations of valid kernels -----------------------------------------------------------------------------------------------------

constexpr const char* valid_kernels[] = {
    "[](auto x, auto n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = x[i] * 2.0f + 1.0f; }",
    "[](cuttle::view<float> x, int n) { __shared__ float tile[256]; int t = threadIdx.x; tile[t % 256] = x[t]; float sum = 0; "
    "for (int k = 0; k < 8; ++k) { if (k & 1) continue; sum += tile[(t + k) % 256]; } x[t] = sum; }",
    "[](auto x, auto n) { struct Pair { float a, b; constexpr Pair operator+(Pair o) const { return {a + o.a, b + o.b}; } }; "
    "auto f = [](auto p, auto... rest) { return (p + ... + rest); }; Pair p = f(Pair{1, 2}, Pair{3, 4}); x[0] = p.a * p.b; }",
    "[]<class T>(cuttle::view<T> x, int n) { if constexpr (sizeof(T) == 4) { switch (n % 3) { case 0: x[0] = T(1); break; case 1: x[1] = -x[0]; "
    "[[fallthrough]]; default: x[2] = n > 1 ? x[0] : x[1]; } } else { x[0] = T{}; } do { --n; } while (n > 0 && x[n] < 3.5e2f); }",
    "[](auto x, auto n) { enum class Kind : unsigned char { a, b = 5 }; using U = unsigned long long; U h = 0xcbf29ce484222325ull; "
    "const char* s = \"text\\n\"; for (auto p = s; *p != '\\0'; ++p) h = (h ^ static_cast<U>(*p)) * 0x100000001b3ull; "
    "x[n] = static_cast<float>(h % 7) + (Kind::b == Kind(5)); }",
};

// Deletes, doubles, swaps or replaces a few tokens.
std::string mutated(std::string_view text, std::mt19937& random) {
  std::vector<std::string> tokens;
  for (const auto& token : cuttle::text::tokenize(text)) tokens.emplace_back(token.text);
  const auto any = [&] { return random() % tokens.size(); };
  for (unsigned count = 1 + random() % 4; count > 0 && tokens.size() > 1; --count) {
    const std::size_t at = any();
    switch (random() % 4) {
      case 0:
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens[at]);
        break;
      case 2:
        std::swap(tokens[at], tokens[any()]);
        break;
      default:
        tokens[at] = tokens[any()];
    }
  }
  std::string result;
  for (const std::string& token : tokens) result += token + ' ';
  return result;
}

TEST(Mutations, OfValidKernelsAreAnswered) {
  std::mt19937 random(20260722);  // the same texts in every run
  constexpr int count = 1500;
  const double before = processor_seconds();
  int accepted = 0, refused = 0;
  for (int i = 0; i < count && processor_seconds() - before < 120; ++i) {
    const std::string text = mutated(valid_kernels[i % std::size(valid_kernels)], random);
    const auto backend = static_cast<uint32_t>(i % 3 == 0 ? CUTTLE_BACKEND_CPU : CUTTLE_BACKEND_PTX);
    alarm(100);
    Printed printed;
    const Outcome outcome = CompilerLibrary::instance().compile(text, backend);
    EXPECT_EQ(printed.text(), "") << text;
    alarm(0);
    EXPECT_NE(outcome.status, CUTTLE_COMPILE_INTERNAL_ERROR) << outcome.message << "\n" << text;
    (outcome.status == CUTTLE_COMPILE_OK ? accepted : refused) += 1;
  }
  // Both happen, or the mutations test nothing.
  EXPECT_GT(accepted, 20);
  EXPECT_GT(refused, 20);
}

TEST(Mutations, StartFromKernelsThatCompile) {
  for (const char* text : valid_kernels) {
    for (const uint32_t backend : {CUTTLE_BACKEND_PTX, CUTTLE_BACKEND_CPU}) {
      const Outcome outcome = CompilerLibrary::instance().compile(text, backend);
      EXPECT_EQ(outcome.status, CUTTLE_COMPILE_OK) << outcome.text() << "\n" << text;
    }
  }
}

}  // namespace
