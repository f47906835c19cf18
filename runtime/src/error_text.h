// The text of a CompileError: what a person wants to read first, at most a screenful.
#pragma once

#include <string>
#include <vector>

#include "cuttle/error.hpp"

namespace cuttle::detail {

/// Each with its place and its source line, on lines of their own; a line break comes before each.
[[nodiscard]] std::string diagnostics_text(const std::vector<Diagnostic>& diagnostics);

}  // namespace cuttle::detail
