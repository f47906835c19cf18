// The text of a CompileError: what a person wants to read first, at most a screenful.
#pragma once

#include <string>
#include <vector>

#include "cuttle/error.hpp"

namespace cuttle::detail {

[[nodiscard]] std::string compile_error_text(const std::vector<Diagnostic>& diagnostics, const std::string& signature);

}  // namespace cuttle::detail
