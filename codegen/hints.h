// What to write instead: the hint for each of the mistakes that people make most in kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/assemble.h"
#include "codegen/compiler.h"
#include "codegen/diagnostics.h"

namespace cuttle::codegen {

/// Gives `diagnostic`, an error that is at its place in the user's file, a hint, and takes a wrong "did you mean" away. `notes` are Clang's own
/// on it.
void add_hint(Diagnostic& diagnostic, const std::vector<Diagnostic>& notes, const Unit& unit, const cuttle_compile_request& request);

/// Whether Clang's message of that number says that a name is not declared.
[[nodiscard]] bool is_unknown_name(unsigned id);

/// About a name that other dialects or the host's library have; empty where there is nothing particular to say.
[[nodiscard]] std::string name_hint(std::string_view name);

/// Takes a wrong "did you mean" away.
void drop_suggestion(Diagnostic& diagnostic);

/// What explain() makes of Clang's ways to say that an element of a view<const T> is const.
inline constexpr const char* read_only_message = "cannot write to an element of a view that is read-only";

/// What dsl/include/cuttle/dsl/loops.hpp says of a loop over something else.
inline constexpr const char* loop_message = "a loop's bounds and step must be integers";

// Hints for what Clang refuses in one place and the checks of restrictions.h in another.
inline constexpr const char* no_exceptions_hint = "write an error code through a view, and look at it on the host after the launch";
inline constexpr const char* by_type_hint = "decide by the type when the kernel is compiled: if constexpr (std::is_same_v<T, U>)";
inline constexpr const char* constant_length_hint =
    "give it a constant length, captured by CUTTLE_KERNEL_WITH if need be; or use dynamic_shared<T>(count)";

/// The words in quotes in a message of Clang: "use of undeclared identifier 'RADIUS'". Empty where there are fewer.
[[nodiscard]] std::string quoted_word(const std::string& message, std::size_t index = 0);

}  // namespace cuttle::codegen
