// The host compiler's layout of a kernel's classes against Clang's: arguments and captured values are copied byte by byte.
#pragma once

#include <span>

#include "codegen/clang.h"
#include "codegen/compiler.h"
#include "codegen/diagnostics.h"

namespace cuttle::codegen {

/// What the host says of the types of a kernel's parameters, and of its captured values in the order of their declarations.
struct HostTypes {
  std::span<const cuttle_parameter> parameters, captures;
};

/// Reports the first member of a class among these types, or of the elements that they show, that lies elsewhere on the host. `kernel` is the
/// function with these parameters, beside which the captured values are declared.
void check_layouts(const clang::FunctionDecl& kernel, const HostTypes& host, DiagnosticCollector& diagnostics);

}  // namespace cuttle::codegen
