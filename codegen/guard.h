// Limits on a kernel's text that are checked before Clang sees it, where Clang itself would overflow its stack or run for ever.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cuttle::codegen {

// Real kernels are far smaller: the largest of the LULESH port has about 6,000 tokens.
inline constexpr std::size_t max_tokens = 100'000;
inline constexpr std::size_t max_module_tokens = 1'000'000;    // of a source with many kernels
inline constexpr std::size_t max_expanded_tokens = 4'000'000;  // of the same, with its headers and with macros expanded
inline constexpr std::size_t max_nesting = 200;

// Names, operators and opening brackets of one statement. Whatever nests without a bracket that stays open (a + b + c, - - a, a ? b : c ? d : e,
// if (a) if (b)) takes two a level; Clang spends up to 10 KB of the 256 MB stack (rescue.h) on a level and, on a long `&&` or `.f()` chain, time
// that grows with the square of its length: 5 seconds for the longest.
inline constexpr std::size_t max_statement = 8'192;

// `else if` nests once a branch; LLVM takes time that grows with the square of that chain, and of the cases of a switch.
inline constexpr std::size_t max_else_chain = 1'000;
inline constexpr std::size_t max_cases = 2'000;

// Digits of a number: LLVM's conversion of far longer ones ends in its own assertion.
inline constexpr std::size_t max_number = 1'000;

// Template instantiations in one compilation: at about 20 us each, the limit is reached within seconds.
inline constexpr unsigned max_instantiations = 50'000;

/// A sentence that says which limit the kernel's or a block's text breaks, or that it has a preprocessor directive (a macro can multiply a text
/// without end); or nothing. A header may have directives that include nothing.
[[nodiscard]] std::optional<std::string> broken_limit(std::string_view text, bool is_header = false);

/// The same for all texts of a unit, headers first, where there is a header: what its macros make of them.
[[nodiscard]] std::optional<std::string> broken_macro_limit(std::string_view texts);

/// The same for a module's source or one of its headers, where directives may stand.
[[nodiscard]] std::optional<std::string> broken_module_limit(std::string_view source);

}  // namespace cuttle::codegen
