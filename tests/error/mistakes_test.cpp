// The mistakes that people make most: each is an error at its line and column, in the kernel's own words, with a hint that says what to write. With
// the source file at hand, and without.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "support/compiler_library.h"
#include "support/process.h"

namespace {

using cuttle::test::CompilerDiagnostic;
using cuttle::test::CompilerLibrary;
using cuttle::test::Outcome;

struct Mistake {
  const char* name;
  const char* before;                       // what the file has before the kernel
  const char* body;                         // of [](auto x, auto y, auto c, auto n): view<float>, view<float, 2>, view<const float>, int
  const char* at;                           // what in the body the error points at
  const char* message;                      // a part of it
  const char* hint;                         // a part of it, with the file at hand: FILE stands for its name
  const char* hint_without_file = nullptr;  // where it is another
};

const Mistake mistakes[] = {
    // ---- names of the enclosing file
    {"Constant", "constexpr int RADIUS = 3;", "x[0] = RADIUS;", "RADIUS", "use of undeclared identifier 'RADIUS'",
     "a kernel does not see RADIUS, a constant at FILE:1: `constexpr int RADIUS = 3;`; capture it, CUTTLE_KERNEL_WITH((RADIUS), [](...) {...}), or "
     "put "
     "it in CUTTLE_DEVICE(...)",
     "if RADIUS is a constant of the surrounding code, capture it, CUTTLE_KERNEL_WITH((RADIUS), [](...) {...}); a function or a type of your own "
     "belongs in CUTTLE_DEVICE(...)"},
    {"LocalConstant", "void f() {\n  constexpr int radius = 3;", "x[0] = radius;", "radius", "use of undeclared identifier 'radius'",
     "a constant at FILE:2: `constexpr int radius = 3;`; capture it, CUTTLE_KERNEL_WITH((radius), [](...) {...})",
     "capture it, CUTTLE_KERNEL_WITH((radius), [](...) {...})"},
    {"Parameter", "void f(const float* data, int width) {", "x[0] = width;", "width", "use of undeclared identifier 'width'",
     "a variable at FILE:1: `void f(const float* data, int width) {`; pass it as an argument, or capture its value", "if width is a constant"},
    {"Member", "class Solver {\n  int width_ = 3;\n  void run() {", "x[0] = width_;", "width_", "use of undeclared identifier 'width_'",
     "a variable at FILE:2: `int width_ = 3;`; pass it as an argument, or capture its value, CUTTLE_KERNEL_WITH((width_), [](...) {...})",
     "if width_ is a constant"},
    {"Table", "constexpr float weights[] = {1, 2};", "x[0] = weights[n];", "weights", "use of undeclared identifier 'weights'",
     "an array at FILE:1: `constexpr float weights[] = {1, 2};`; make it a std::array and capture it", "if weights is a constant"},
    {"Alias", "using number = float;", "number a = 1; x[0] = a;", "number", "unknown type name 'number'",
     "a type alias at FILE:1: `using number = float;`; capture it, CUTTLE_KERNEL_WITH((type(number)), [](...) {...}), or put it in "
     "CUTTLE_DEVICE(...)",
     "if number is a type of the surrounding code, capture it, CUTTLE_KERNEL_WITH((type(number)), [](...) {...})"},
    {"Typedef", "typedef float number;", "x[0] = static_cast<number>(n);", "number", "unknown type name 'number'", "a type alias at FILE:1",
     "if number is a type"},
    {"TemplateParameter", "template <class T>\nvoid f() {", "T a = 1; x[0] = a;", "T a", "unknown type name 'T'",
     "a template parameter at FILE:1: `template <class T>`; capture it, CUTTLE_KERNEL_WITH((type(T)), [](...) {...})", "if T is a type"},
    {"Function", "float helper(float v) { return v * 2; }", "x[0] = helper(x[1]);", "helper", "use of undeclared identifier 'helper'",
     "a kernel does not see helper, a function of the host at FILE:1: `float helper(float v) { return v * 2; }`; put it in CUTTLE_DEVICE(...)",
     "a function that kernels call belongs in CUTTLE_DEVICE(...)"},
    {"FunctionTemplate", "template <class T>\nT helper(T v) {\n  return v * 2;\n}", "x[0] = helper(x[1]);", "helper",
     "use of undeclared identifier 'helper'", "a function of the host at FILE:2: `T helper(T v) {`; put it in CUTTLE_DEVICE(...)",
     "belongs in CUTTLE_DEVICE(...)"},
    {"Struct", "struct Particle {\n  float x;\n};", "Particle p; x[0] = p.x;", "Particle", "unknown type name 'Particle'",
     "a kernel does not see Particle, a class of the host at FILE:1: `struct Particle {`; put it in CUTTLE_DEVICE(...)",
     "a struct or a template of your own belongs in CUTTLE_DEVICE(...)"},
    {"ClassTemplate", "template <class T>\nclass Box {};", "Box<float> b; x[0] = 1;", "Box", "no template named 'Box'",
     "a class of the host at FILE:2: `class Box {};`; put it in CUTTLE_DEVICE(...)", "belongs in CUTTLE_DEVICE(...)"},
    {"Enumeration", "enum class Color { red, green };", "x[0] = n == static_cast<int>(Color::red);", "Color", "use of undeclared identifier 'Color'",
     "a kernel does not see Color, an enumeration at FILE:1: `enum class Color { red, green };`; put it in CUTTLE_DEVICE(...)",
     "put the declaration of Color::red there"},
    {"Enumerator", "enum Mode { fast_mode, slow_mode };", "x[0] = slow_mode;", "slow_mode", "use of undeclared identifier 'slow_mode'",
     "an enumerator at FILE:1", "if slow_mode is a constant"},
    {"NameOfANamespace", "namespace sim {\nfloat helper(float v) { return v; }\n}", "x[0] = sim::helper(x[1]);", "sim",
     "use of undeclared identifier 'sim'",
     "a kernel does not see sim::helper, a function of the host at FILE:2: `float helper(float v) { return v; }`; put it in CUTTLE_DEVICE(...)",
     "put the declaration of sim::helper there"},
    {"NameOfAnIncludedFile", "#include \"included.hpp\"", "x[0] = from_a_header(1);", "from_a_header", "use of undeclared identifier 'from_a_header'",
     "included.hpp:2: `inline int from_a_header(int i) { return i; }`; put it in CUTTLE_DEVICE(...)", "belongs in CUTTLE_DEVICE(...)"},

    {"ConstantOfANamespace", "namespace sim {\nconstexpr double g = 9.81;\n}", "x[0] = sim::g;", "sim", "use of undeclared identifier 'sim'",
     "a kernel does not see sim::g, a constant at FILE:2: `constexpr double g = 9.81;`; capture it by a name of its own, constexpr auto g = sim::g; "
     "and "
     "CUTTLE_KERNEL_WITH((g), [](...) {...}), or put it in CUTTLE_DEVICE(...)",
     "put the declaration of sim::g there"},
    {"ConstantOfAClass", "class Solver {\n  static constexpr int width = 3;\n};", "x[0] = Solver::width;", "Solver",
     "use of undeclared identifier 'Solver'",
     "Solver::width, a constant at FILE:2: `static constexpr int width = 3;`; capture it by a name of its own, constexpr auto width = Solver::width; "
     "and",
     "put the declaration of Solver::width there"},
    {"UsingDirective", "namespace sim {\nfloat helper(float v) { return v; }\n}", "using namespace sim; x[0] = 1;", "sim", "expected namespace name",
     "a kernel does not see sim, a namespace at FILE:1: `namespace sim {`; put it in CUTTLE_DEVICE(...)", "if sim is a constant"},
    {"ContainerOfTheFile", "const std::vector<float> table{1, 2};", "for (float t : table) x[0] += t;", "table",
     "use of undeclared identifier 'table'", "a kernel cannot read a host container: make a cuttle::Array of it, and pass that",
     "if table is a constant"},

    // ---- what only the host has
    {"Stream", "", "std::cout << x[0];", "cout", "no member named 'cout' in namespace 'std'",
     "a kernel has no streams: print with printf(\"%d\\n\", i)"},
    {"Lambda", "auto helper = [](float v) { return v * 2; };", "x[0] = helper(x[1]);", "helper", "use of undeclared identifier 'helper'",
     "a variable at FILE:1: `auto helper = [](float v) { return v * 2; };`; make it a function in CUTTLE_DEVICE(...)",
     "a function that kernels call belongs in CUTTLE_DEVICE(...)"},
    {"HostPointer", "float* samples = nullptr;", "x[0] = samples[n];", "samples", "use of undeclared identifier 'samples'",
     "a variable at FILE:1: `float* samples = nullptr;`; a kernel cannot read the host's memory: make a cuttle::Array of it, and pass that",
     "if samples is a constant"},
    {"ThrowOfAnException", "", "if (n > 1) throw std::runtime_error(\"n\");", "runtime_error", "no member named 'runtime_error' in namespace 'std'",
     "write an error code through a view, and look at it on the host after the launch"},
    {"Texture", "", "x[0] = tex2D<float>(n, 1, 2);", "tex2D", "use of undeclared identifier 'tex2D'",
     "a kernel has no textures and surfaces: read elements through a view<const T>"},
    {"Clock", "", "x[0] = clock();", "clock", "use of undeclared identifier 'clock'", "write clock64()"},
    {"Container", "", "std::vector<float> v(3); x[0] = v[0];", "vector", "no member named 'vector' in namespace 'std'",
     "a kernel has no heap: use a local array (float a[8], std::array<float, 8>), shared memory, or a view of an Array"},
    {"Algorithm", "", "std::partial_sort(x.begin(), x.begin() + 1, x.end());", "partial_sort", "no member named 'partial_sort' in namespace 'std'",
     "std::partial_sort is not among a kernel's algorithms (docs/vocabulary.md): write the loop"},
    {"Malloc", "", "auto p = malloc(sizeof(float)); x[0] = p != nullptr;", "malloc", "use of undeclared identifier 'malloc'", "a kernel has no heap"},
    {"New", "", "auto p = new float[3]; x[0] = p[0];", "new", "a kernel cannot use 'new': it has no heap", "use a local array, shared memory"},
    {"Delete", "", "delete &x[0];", "delete", "a kernel cannot use 'delete': it has no heap", "use a local array"},
    {"Throw", "", "if (n > 1) throw 1;", "throw", "a kernel cannot use 'throw': there are no exceptions on a device",
     "write an error code through a view, and look at it on the host after the launch"},
    {"Try", "", "try { x[0] = 1; } catch (...) {}", "try", "a kernel cannot use 'try': there are no exceptions on a device", "write an error code"},
    {"Typeid", "", "x[0] = typeid(n) == typeid(int);", "typeid", "a kernel cannot use typeid: there is no run-time type information on a device",
     "decide by the type when the kernel is compiled: if constexpr (std::is_same_v<T, U>)"},
    {"DynamicCast", "", "struct A { virtual int f() { return 1; } }; struct B : A {}; B b; A* a = &b; x[0] = dynamic_cast<B*>(a) != nullptr;",
     "dynamic_cast", "a kernel cannot use dynamic_cast: there is no run-time type information on a device", "decide by the type"},
    {"UndefinedFunction", "", "extern float nowhere(float); x[0] = nowhere(x[1]);", "nowhere(x",
     "a kernel cannot call nowhere, which is declared and not defined in device code", "put its definition in CUTTLE_DEVICE(...)"},
    {"StaticVariable", "", "static int count = 0; x[0] = ++count;", "count", "a kernel cannot have a static variable that changes",
     "make it static constexpr, or __shared__"},
    {"ThreadLocal", "", "thread_local int mine; mine = n; x[0] = mine;", "mine", "a kernel cannot have a thread_local variable",
     "a local variable is every thread's own already"},
    {"LongDouble", "", "long double a = n; x[0] = a;", "a = n", "there is no long double on a device", "use double, and 1.0 in place of 1.0L"},
    {"LongDoubleLiteral", "", "x[0] = n * 1.5L;", "1.5L", "there is no long double on a device", "use double, and 1.0 in place of 1.0L"},
    {"LocalArrayTooLarge", "", "float big[150000]; big[n] = 1; x[0] = big[n + 1];", "big[", "big has 600000 bytes; all of a thread's local variables",
     "pass an Array with a part for every thread, or share it"},
    {"LocalArraysTooLargeTogether", "", "float a[100000]; double b[20000]; if (n > 1) { int c[1000]; c[n] = 1; x[0] = a[n] + b[n] + c[n + 1]; }",
     "a[100000]", "a (400000), b (160000), c (4000) have 564000 bytes together; all of a thread's local variables may have 524288",
     "pass an Array with a part for every thread, or share it"},
    {"VariableLengthArray", "", "float a[n]; a[0] = 1; x[0] = a[0];", "[n]", "a kernel cannot have an array whose length is known only when it runs",
     "give it a constant length"},
    {"SharedArrayOfUnknownLength", "", "__shared__ float s[n]; s[0] = 1; x[0] = s[0];", "s[n]",
     "a kernel cannot have an array whose length is known only when it runs", "give it a constant length"},
    {"SharedArrayWithInitialiser", "", "__shared__ float s[4] = {0}; x[0] = s[0];", "s[4]", "initialization is not supported for",
     "let the threads write it, s[threadIdx.x] = 0; and wait for them, __syncthreads();"},
    {"PrintfOfAView", "", "printf(\"%d\", x);", "x)", "printf cannot print a view<float>", "print an element, a member or"},
    {"ThreeWayComparison", "", "x[0] = (n <=> 3) < 0;", "<=>", "a kernel has no operator <=>", "write < and =="},
    {"ArgumentAsConstant", "", "std::array<float, n> a{}; x[0] = a[0];", "n>", "is not a constant expression",
     "a constant is what CUTTLE_KERNEL_WITH captures, or the argument constant(n) of an auto parameter"},

    // ---- views and parameters
    {"TooManyIndices", "", "x(0, 1) = 1;", "x(0", "give as many indices as the view has dimensions", "x(i) for view<T>, x(i, j) for view<T, 2>"},
    {"TooFewIndices", "", "y(0) = 1;", "y(0", "give as many indices as the view has dimensions", "x(i, j) for view<T, 2>"},
    {"SubscriptOfAnElement", "", "x[0][1] = 1;", "x[0]", "subscripted value is not an array, pointer, or vector",
     "declare the parameter with two, view<T, 2>"},
    {"FloatIndex", "", "x[1.5f] = 1;", "x[", "an index of a view must be an integer", "convert the index: static_cast<int>(i)"},
    {"IndexOfThreeParts", "", "x[threadIdx] = 1;", "x[", "an index of a view must be an integer", "threadIdx and its kin have members: threadIdx.x"},
    {"FloatIndexOfAPointer", "", "auto p = x.data(); p[1.5f] = 1;", "p[1", "array subscript is not an integer",
     "convert the index: static_cast<int>(i)"},
    {"ReadOnlyView", "", "c[0] = 1;", "= 1", "cannot write to an element of a view that is read-only", "pass an Array that is not const"},
    {"ReadOnlyViewIncremented", "", "++c[n];", "++", "cannot write to an element of a view that is read-only", "pass an Array that is not const"},
    {"ReadOnlyViewAtomically", "", "atomicAdd(&c[0], 1.0f);", "atomicAdd", "cannot write to an element of a view that is read-only",
     "pass an Array that is not const"},
    {"RowAdded", "", "x[n] = y[n] + 1;", "+ 1", "invalid operands to binary expression", "is a row"},
    {"RowAssigned", "", "x[0] = y[0];", "y[0]", "assigning to 'float' from incompatible type 'view<float>'", "is a row, itself a view"},
    {"RowsByReference", "", "for (auto& v : y) v[0] = 1;", "v :", "non-const lvalue reference", "a row is a view, by value: for (auto row : x)"},
    {"RowsAsElements", "", "for (float v : y) x[0] += v;", "v :", "no viable conversion from 'view<float>' to 'float'", "is a row, itself a view"},
    {"ElementsAddress", "", "atomicAdd(x + n, 1.0f);", "+ n", "invalid operands to binary expression ('view<float>' and 'int')",
     "the address of an element is &x[i]"},
    {"ReadOnlyViewSwapped", "", "std::swap(c[0], c[1]);", "swap", "cannot write to an element of a view that is read-only",
     "pass an Array that is not const"},
    {"PointerFromAView", "", "float* p = x; p[0] = 1;", "p = x", "no viable conversion from 'view<float>' to 'float *'",
     "the pointer to a view's elements is x.data()"},
    {"ViewAsAPointer", "", "*x = 1;", "*x", "indirection requires pointer operand", "its first element is x[0]"},
    {"SizeAsAMember", "", "x[0] = x.size;", "size", "reference to non-static member function must be called", "it is a function: x.size()"},
    {"FunctionAsAValue", "", "x[0] = std::numeric_limits<float>::max;", "std::numeric", "assigning to 'float' from incompatible type",
     "it is a function: call it"},
    {"IndexWithoutAMember", "", "int i = threadIdx; x[i] = 1;", "i = threadIdx", "no viable conversion from 'const ThreadIndex' to 'int'",
     "it has the members x, y and z: threadIdx.x"},
    {"LoopOverAView", "", "for (auto i : grid_stride(x)) x[i] = 1;", "grid_stride", "a loop's bounds and step must be integers",
     "grid_stride(x.size())"},
    {"TwoNamesForOneNumber", "", "for (auto [i, j] : grid_stride(n)) x[i + j] = 1;", "[i", "cannot bind non-class, non-array type 'int'",
     "grid_stride(n) and range(n) give one number, grid_stride(columns, rows) two"},
    {"ContainerMember", "", "x.push_back(1);", "push_back", "no member named 'push_back' in 'view<float>'",
     "a view has x[i], x(i, j), x.flat(i), size()"},
    {"IndexMember", "", "x[threadIdx.w] = 1;", "w]", "no member named 'w' in", "it has the members x, y and z"},
    {"AtomicOfAValue", "", "atomicAdd(x[0], 1.0f);", "atomicAdd", "no matching function for call to 'atomicAdd'", "pass an address: &x[i]"},
    {"MixedTypes", "", "x[0] = std::max(x[1], n);", "std::max", "no matching function for call to 'max'", "give both arguments one type"},
    {"Returns", "", "x[0] = 1; return x[0];", "return", "a kernel cannot return a value", "write the result through a view: y[i] = value"},

    // ---- spelling
    {"BarrierMisspelt", "", "__syncthread();", "__syncthread", "use of undeclared identifier '__syncthread'; did you mean '__syncthreads'?",
     "write __syncthreads"},
    {"BarrierOfAnotherLanguage", "", "barrier(n);", "barrier", "use of undeclared identifier 'barrier'", "write __syncthreads()"},
    {"IndexMisspelt", "", "x[threadidx.x] = 1;", "threadidx", "did you mean 'threadIdx'?", "write threadIdx"},
    {"OldShuffle", "", "x[0] = __shfl_down(x[0], 1);", "__shfl_down", "use of undeclared identifier '__shfl_down'",
     "write __shfl_down_sync(mask, value, delta)"},
    {"ShuffleWithoutAMask", "", "x[0] = __shfl_down_sync(x[0], 1);", "__shfl", "no matching function for call to '__shfl_down_sync'",
     "the mask of the warp's lanes comes first: __shfl_down_sync(0xffffffff, ...)"},
    {"AtomicMisspelt", "", "atomic_add(&x[0], 1.0f);", "atomic_add", "use of undeclared identifier 'atomic_add'", "write atomicAdd(&x[i], value)"},
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class Mistakes : public testing::TestWithParam<std::tuple<Mistake, uint32_t>> {
 protected:
  const Mistake& mistake_ = std::get<0>(GetParam());
  const std::string before_ = std::string(mistake_.before) + "\nauto k = CUTTLE_KERNEL([](auto x, auto y, auto c, auto n) {\n";

  [[nodiscard]] CompilerDiagnostic first_error(const std::string& file, unsigned line) const {
    const std::string kernel = "[](auto x, auto y, auto c, auto n) { " + std::string(mistake_.body) + " }";
    const std::vector<cuttle::test::CompilerParameter> parameters = {{"cuttle::view<float, 1>", "view<f32>", 16, 8},
                                                                     {"cuttle::view<float, 2>", "view<f32,2>", 24, 8},
                                                                     {"cuttle::view<const float, 1>", "view<const f32>", 16, 8},
                                                                     {"int", "i32", 4, 4}};
    const Outcome outcome =
        CompilerLibrary::instance().compile(kernel, std::get<1>(GetParam()), {.file = file, .line = line, .parameters = parameters, .header = {}});
    EXPECT_EQ(outcome.status, CUTTLE_COMPILE_USER_ERROR) << outcome.text();
    const auto is_error = [](const CompilerDiagnostic& d) { return d.severity == CUTTLE_SEVERITY_ERROR; };
    EXPECT_EQ(std::count_if(outcome.diagnostics.begin(), outcome.diagnostics.end(), is_error), 1) << outcome.text();
    for (const CompilerDiagnostic& d : outcome.diagnostics) {
      EXPECT_EQ(d.message.find("__host__"), std::string::npos) << d.message;
      EXPECT_EQ(d.message.find("cuttle"), std::string::npos) << d.message;
      EXPECT_EQ(d.file.find("dsl/"), std::string::npos) << d.file;
    }
    const auto error = std::find_if(outcome.diagnostics.begin(), outcome.diagnostics.end(), is_error);
    return error == outcome.diagnostics.end() ? CompilerDiagnostic{} : *error;
  }
};

INSTANTIATE_TEST_SUITE_P(, Mistakes, testing::Combine(testing::ValuesIn(mistakes), testing::Values(CUTTLE_BACKEND_PTX, CUTTLE_BACKEND_CPU)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).name) + (std::get<1>(test.param) == CUTTLE_BACKEND_PTX ? "Ptx" : "Cpu");
                         });

TEST_P(Mistakes, HaveAPlaceAndAHint) {
  const cuttle::test::TemporaryFolder folder;
  const std::string file = folder.path() / "sim.cpp";
  std::ofstream(file) << before_ << "  " << mistake_.body << "\n});\n";
  std::ofstream(folder.path() / "included.hpp") << "#pragma once\ninline int from_a_header(int i) { return i; }\n";

  const auto lines = static_cast<unsigned>(std::count(before_.begin(), before_.end(), '\n'));
  const CompilerDiagnostic d = first_error(file, lines);
  EXPECT_EQ(d.file, file);
  EXPECT_EQ(d.line, lines + 1);
  EXPECT_EQ(d.column, std::string(mistake_.body).find(mistake_.at) + 3);
  EXPECT_NE(d.message.find(mistake_.message), std::string::npos) << d.message;
  std::string hint = mistake_.hint;
  if (const std::size_t at = hint.find("FILE"); at != std::string::npos) hint.replace(at, 4, file);
  EXPECT_NE(d.hint.find(hint), std::string::npos) << d.hint << "\n" << hint;
}

TEST_P(Mistakes, HaveALineAndAHintWithoutTheFile) {
  const CompilerDiagnostic d = first_error("/nonexistent/sim.cpp", 40);
  EXPECT_EQ(d.file, "/nonexistent/sim.cpp");
  EXPECT_EQ(d.line, 40u);
  EXPECT_EQ(d.column, 0u);
  EXPECT_NE(d.message.find(mistake_.message), std::string::npos) << d.message;
  const std::string hint = mistake_.hint_without_file ? mistake_.hint_without_file : mistake_.hint;
  EXPECT_NE(d.hint.find(hint), std::string::npos) << d.hint;
}

// ---- local variables ----------------------------------------------------------------------------------------------------------------

TEST(MistakesInSizes, LocalVariablesOfCalledFunctionsCountAndThoseOfEndedScopesDoNot) {
  const auto compile = [](const std::string& body) {
    const std::string header = "inline float other(int n) { float a[80000]; a[n] = 1; return a[n + 1]; }";
    const Outcome outcome = CompilerLibrary::instance().compile("[](auto x, auto n) { " + body + " }", CUTTLE_BACKEND_PTX, {.header = header});
    return outcome.text();
  };
  EXPECT_EQ(
      compile(
          "x[0] = other(n); { float b[80000]; b[n] = 1; x[1] = b[n + 1]; } for (int i = 0; i < 2; ++i) { float c[80000]; c[n] = i; x[i] = c[i]; }"),
      "");
  EXPECT_EQ(compile("float b[80000]; b[n] = 1; x[0] = b[n + 1] + other(n);"),
            "b (320000), a (320000) have 640000 bytes together; all of a thread's local variables may have 524288");
  EXPECT_EQ(compile("const auto f = [&] { float b[80000]; b[n] = 1; return b[n + 1]; }; float d[80000]; d[n] = 1; x[0] = f() + d[n + 1];"),
            "d (320000), b (320000) have 640000 bytes together; all of a thread's local variables may have 524288");
}

// ---- types of the signature ---------------------------------------------------------------------------------------------------------

TEST(MistakesInASignature, AStructThatNoBlockDeclaresIsLookedUpInTheFile) {
  const cuttle::test::TemporaryFolder folder;
  const std::string file = folder.path() / "sim.cpp";
  std::ofstream(file) << "namespace sim {\nstruct Particle { float x; };\n}\nauto k = CUTTLE_KERNEL([](auto p) { p.x; });\n";
  const std::vector<cuttle::test::CompilerParameter> parameters = {{"sim::Particle", "sim::Particle", 4, 4}};
  const Outcome outcome = CompilerLibrary::instance().compile("[](auto p) { p.x; }", CUTTLE_BACKEND_CPU,
                                                              {.file = file, .line = 4, .parameters = parameters, .header = {}});
  ASSERT_EQ(outcome.diagnostics.size(), 1u) << outcome.text();
  EXPECT_EQ(outcome.diagnostics[0].line, 4u);
  EXPECT_EQ(outcome.diagnostics[0].hint, "a kernel does not see sim::Particle, a class of the host at " + file +
                                             ":2: `struct Particle { float x; };`; put it in CUTTLE_DEVICE(...)");
}

// What the host lays out otherwise, by the first member that is elsewhere.
TEST(MistakesInASignature, AClassThatTheHostLaysOutOtherwiseIsRefusedByItsMember) {
  using cuttle::test::CompilerParameter;
  const auto compile = [](const std::string& header, const CompilerParameter& parameter, uint32_t backend) {
    return CompilerLibrary::instance()
        .compile("[](auto) {}", backend, {.file = "/nonexistent/sim.cpp", .line = 4, .parameters = {parameter}, .header = header})
        .text();
  };
  const std::string particle = "struct Particle { float mass; double x[2]; bool fixed; };", flags = "struct Flags { unsigned low : 3, high : 5; };";
  const std::vector<cuttle_member> members = {{0, 32}, {64, 128}, {128, 192}, {192, 193}};
  for (const uint32_t backend : {CUTTLE_BACKEND_PTX, CUTTLE_BACKEND_CPU}) {
    EXPECT_EQ(compile(particle, {"Particle", "Particle", 32, 8, 32, 8, members}, backend), "");
    EXPECT_EQ(compile(particle, {"Particle", "Particle", 32, 8, 32, 8, {{0, 32}, {32, 96}, {96, 160}, {160, 161}}}, backend),
              "the host compiler lays out Particle otherwise: its member x[0] is at byte 4 there, and at byte 8 in the kernel");
    EXPECT_EQ(compile(particle, {"Particle", "Particle", 24, 4, 24, 4, {}}, backend),
              "the host compiler lays out Particle otherwise: it has 24 bytes there, aligned to 4, and 32 in the kernel, aligned to 8");
    EXPECT_EQ(compile(particle, {"cuttle::view<Particle, 1>", "view<Particle>", 16, 8, 32, 8, members}, backend), "");
    EXPECT_EQ(compile(particle, {"cuttle::view<const Particle, 1>", "view<const Particle>", 16, 8, 32, 8, {{0, 32}, {192, 256}}}, backend),
              "the host compiler lays out Particle otherwise: its member x[0] is at byte 24 there, and at byte 8 in the kernel");
    EXPECT_EQ(compile(flags, {"Flags", "Flags", 4, 4, 4, 4, {{0, 3}, {3, 8}}}, backend), "");
    EXPECT_EQ(compile(flags, {"Flags", "Flags", 4, 4, 4, 4, {{0, 3}, {8, 13}}}, backend),
              "the host compiler lays out Flags otherwise: its member high is at byte 1 there, and at bit 3 in the kernel");
    EXPECT_EQ(compile(flags, {"Flags", "Flags", 4, 4, 4, 4, {{0, 4}, {4, 8}}}, backend),
              "the host compiler lays out Flags otherwise: its member low has 4 bits there, and 3 in the kernel");
  }
}

TEST(MistakesInASignature, ACapturedClassThatTheHostLaysOutOtherwiseIsRefusedByItsMember) {
  using cuttle::test::CompilerParameter;
  const std::string particle = "struct Particle { float mass; double x; };";
  const auto compile = [&](const std::string& constants, const std::vector<CompilerParameter>& captures, uint32_t backend) {
    return CompilerLibrary::instance()
        .compile("[](auto) {}", backend,
                 {.file = "/nonexistent/sim.cpp",
                  .line = 4,
                  .parameters = {{"int", "i32", 4, 4}},
                  .header = particle,
                  .constants = constants,
                  .captures = captures})
        .text();
  };
  const std::string constants = "constexpr int n = 1;\nusing T = float;\nconstexpr Particle p{};\n",
                    array = "constexpr std::array<Particle, 2> p{};\n";
  const CompilerParameter number = {"int", "i32", 4, 4};
  const auto particle_with = [](const std::vector<cuttle_member>& members) {
    return CompilerParameter{"Particle", "Particle", 16, 8, 16, 8, members};
  };
  const auto array_with = [](const std::vector<cuttle_member>& members) {
    return CompilerParameter{"std::array<Particle, 2>", "array<Particle,2>", 32, 8, 32, 8, members};
  };
  for (const uint32_t backend : {CUTTLE_BACKEND_PTX, CUTTLE_BACKEND_CPU}) {
    EXPECT_EQ(compile(constants, {number, particle_with({{0, 32}, {64, 128}})}, backend), "");
    EXPECT_EQ(compile(constants, {number, particle_with({{0, 32}, {32, 96}})}, backend),
              "the host compiler lays out Particle otherwise: its member x is at byte 4 there, and at byte 8 in the kernel");
    EXPECT_EQ(compile(array, {array_with({{0, 128}, {128, 256}})}, backend), "");
    EXPECT_EQ(compile(array, {array_with({{0, 96}, {96, 192}})}, backend),
              "the host compiler lays out std::array otherwise: its member elements[1] is at byte 12 there, and at byte 16 in the kernel");
  }
}

TEST(MistakesInASignature, ALayoutThatDiffersIsRefused) {
  const std::vector<cuttle::test::CompilerParameter> parameters = {{"std::array<int, 2>", "array<i32,2>", 12, 4}};
  const Outcome outcome = CompilerLibrary::instance().compile("[](auto) {}", CUTTLE_BACKEND_CPU,
                                                              {.file = "/nonexistent/sim.cpp", .line = 4, .parameters = parameters, .header = {}});
  EXPECT_EQ(outcome.status, CUTTLE_COMPILE_USER_ERROR);
  EXPECT_EQ(outcome.text(), "the host compiler lays out array<i32,2> differently");
}

}  // namespace
