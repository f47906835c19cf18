// CUTTLE_KERNEL: turns a lambda expression into its own source text, its place and its parameters.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cuttle::detail {

struct Variant;

/// Where the compiled variants of the kernels of one macro are found again without a lock: a list that only grows. It is a place to look,
/// not an identity: linkers merge it for equal types of different files, and every entry is compared in full (variant.h).
struct Site {
  std::atomic<const Variant*> variants{nullptr};
};

template <class Lambda>
inline constinit Site site_of{};

/// A kernel as written: text after macro expansion, and place.
struct KernelText {
  const char* text;
  const char* file;
  unsigned line;
};

/// A lambda whose parameter types the call gives: only their number is known.
template <std::size_t N>
struct Deduced {};

/// A lambda with declared parameter types: arguments are converted to them.
template <class... T>
struct Declared {};

/// The number of parameters of the lambda in `text`, read off its parameter list: asking the type would instantiate the body.
consteval std::size_t parameter_count(const char* text) {
  std::size_t i = 0;
  // Past the capture list and a template parameter list, to the first parenthesis outside of both.
  int square = 0, angle = 0;
  for (; text[i] != '\0'; ++i) {
    if (text[i] == '[') ++square;
    if (text[i] == ']') --square;
    if (square == 0 && text[i] == '<') ++angle;
    if (square == 0 && text[i] == '>' && angle > 0) --angle;
    if (square == 0 && angle == 0 && text[i] == '(') break;
    if (square == 0 && angle == 0 && text[i] == '{') return 0;  // a lambda without a parameter list
  }
  if (text[i] == '\0') return 0;
  std::size_t count = 0;
  bool any = false;
  int depth = 0;
  angle = 0;
  for (++i; text[i] != '\0'; ++i) {
    const char c = text[i];
    if (c == ')' && depth == 0) break;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && c == '<') ++angle;
    if (depth == 0 && c == '>' && angle > 0) --angle;
    if (c == ',' && depth == 0 && angle == 0) ++count;
    if (c != ' ') any = true;
  }
  return any ? count + 1 : 0;
}

template <class T>
struct remove_cvref_of_member;

template <class Member>
struct CallOperator;
template <class L, class R, class... A>
struct CallOperator<R (L::*)(A...) const> {
  using Parameters = Declared<A...>;
};
template <class L, class R, class... A>
struct CallOperator<R (L::*)(A...)> {
  using Parameters = Declared<A...>;
};

template <class Lambda, std::size_t N, class = void>
struct ParametersOf {
  using type = Deduced<N>;
};
template <class Lambda, std::size_t N>
struct ParametersOf<Lambda, N, decltype(static_cast<void>(&Lambda::operator()))> {
  using type = typename CallOperator<decltype(&Lambda::operator())>::Parameters;
};

}  // namespace cuttle::detail

#define CUTTLE_STRINGIFY_EXPANDED(...) #__VA_ARGS__
#define CUTTLE_STRINGIFY(...) CUTTLE_STRINGIFY_EXPANDED(__VA_ARGS__)

/// A kernel from a lambda expression: `auto copy = CUTTLE_KERNEL([](auto x, auto n, auto y) { ... });`, at namespace, class or function
/// scope. The host compiler parses the lambda, and never runs it; the embedded Clang compiles its text at the first launch for each
/// set of argument types. A lambda must not capture: pass values as arguments.
///
/// The lambda stands in a function that opens cuttle's vocabulary, so that kernels need no using-directive. Names that CUDA's own headers
/// declare too are taken one by one: a declaration in the block hides theirs.
#define CUTTLE_KERNEL(...)                                                                                              \
  (::cuttle::detail::make_kernel<::cuttle::detail::parameter_count(CUTTLE_STRINGIFY(__VA_ARGS__))>(                     \
      ::cuttle::detail::KernelText{CUTTLE_STRINGIFY(__VA_ARGS__), __FILE__, __LINE__}, [] {                             \
        using namespace ::cuttle::dsl; /* NOLINT */                                                                     \
        using ::cuttle::dsl::blockDim;                                                                                  \
        using ::cuttle::dsl::blockIdx;                                                                                  \
        using ::cuttle::dsl::gridDim;                                                                                   \
        using ::cuttle::dsl::threadIdx;                                                                                 \
        return __VA_ARGS__;                                                                                             \
      }()))

// In a kernel's text the host's macro is already expanded when the text is taken: what it leaves is a mark that the device prelude knows.
#ifndef __shared__
#define __shared__ __attribute__((tls_model("local-dynamic"))) thread_local
#endif
