// The host compiler's layout of a kernel's classes against Clang's: arguments are copied byte by byte.
#pragma once

#include <span>

#include "codegen/clang.h"
#include "codegen/compiler.h"
#include "codegen/diagnostics.h"

namespace cuttle::codegen {

/// Reports the first member of a class among the parameters' types, or of the elements that they show, that lies elsewhere on the host. `kernel` is
/// the function with these parameters.
void check_layouts(const clang::FunctionDecl& kernel, std::span<const cuttle_parameter> parameters, DiagnosticCollector& diagnostics);

}  // namespace cuttle::codegen
