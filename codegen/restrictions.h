// The restricted language: what Clang accepts in device code and no device can do, refused before code is generated.
#pragma once

#include <memory>
#include <string>

#include "codegen/clang.h"
#include "codegen/diagnostics.h"
#include "codegen/layouts.h"

namespace cuttle::codegen {

/// Walks over the code that the kernel reaches, as instantiated, and reports through the compiler's own diagnostics, with hints in `diagnostics`.
/// `kernel` is the function that calls the user's lambda; classes must be laid out as on the `host` (layouts.h).
[[nodiscard]] std::unique_ptr<clang::ASTConsumer> check_restrictions(std::string kernel, const HostTypes& host, DiagnosticCollector& diagnostics);

}  // namespace cuttle::codegen
