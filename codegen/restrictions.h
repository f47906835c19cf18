// The restricted language: what Clang accepts in device code and no device can do, refused before code is generated.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "codegen/clang.h"
#include "codegen/compiler.h"
#include "codegen/diagnostics.h"

namespace cuttle::codegen {

/// Walks over the code that the kernel reaches, as instantiated, and reports through the compiler's own diagnostics, with hints in `diagnostics`.
/// `kernel` is the function that calls the user's lambda, with `parameters`, whose classes must be laid out as on the host (layouts.h).
[[nodiscard]] std::unique_ptr<clang::ASTConsumer> check_restrictions(std::string kernel, std::span<const cuttle_parameter> parameters,
                                                                     DiagnosticCollector& diagnostics);

}  // namespace cuttle::codegen
