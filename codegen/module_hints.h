// What to write instead of what a CUDA source for nvcc has and a module cannot: host code, textures, and the libraries of the toolkit.
#pragma once

#include <vector>

#include "codegen/diagnostics.h"

namespace cuttle::codegen {

/// Gives each error about a name or a header that a module does not have its hint.
void add_module_hints(std::vector<Diagnostic>& diagnostics);

}  // namespace cuttle::codegen
