// Limits on a kernel's text that are checked before Clang sees it, where Clang itself would overflow its stack or run for ever.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cuttle::codegen {

// A left-leaning expression costs about 1 KB of stack a term in Clang's code generation; 100,000 tokens stay well under the 256 MB
// of the compiler thread (rescue.h). Real kernels are far smaller: the largest of the LULESH port has about 6,000.
inline constexpr std::size_t max_tokens = 100'000;
inline constexpr std::size_t max_nesting = 200;

// Template instantiations in one compilation: at about 20 us each, the limit is reached within seconds.
inline constexpr unsigned max_instantiations = 50'000;

/// A sentence that says which limit `kernel` breaks, or nothing.
[[nodiscard]] std::optional<std::string> broken_limit(std::string_view kernel);

}  // namespace cuttle::codegen
