// How messages name a kernel, and the text of a CompileError: what a person wants to read first, at most a screenful.
#pragma once

#include <string>
#include <vector>

#include "cuttle/dsl/capture.hpp"
#include "cuttle/dsl/signature.hpp"
#include "cuttle/error.hpp"

namespace cuttle::detail {

/// "copy.cpp:7"
[[nodiscard]] std::string place_in_source(const KernelText& kernel);

/// What stands above the diagnostics. `types` are the parameters' and `captured` the constants for people ("TILE = 16"), empty where there are none.
[[nodiscard]] std::string compile_error_headline(const KernelText& kernel, const std::vector<TypeName>& types, const std::string& captured);

/// Each with its place, its source line and its hint, on lines of their own; a line break comes before each.
[[nodiscard]] std::string diagnostics_text(const std::vector<Diagnostic>& diagnostics);

}  // namespace cuttle::detail
