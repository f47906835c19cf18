// From what Clang reports to what the author of a kernel wants to read: his own places and words, no internals, a hint.
#pragma once

#include <vector>

#include "codegen/assemble.h"
#include "codegen/compiler.h"
#include "codegen/diagnostics.h"

namespace cuttle::codegen {

/// `raw` in Clang's order. Errors inside the prelude or in generated code move to the line of the kernel that led there; what follows from an
/// earlier error, and notes about templates and overloads of the prelude, are left out.
[[nodiscard]] std::vector<Diagnostic> explain(std::vector<Diagnostic> raw, const Unit& unit, const cuttle_compile_request& request);

}  // namespace cuttle::codegen
