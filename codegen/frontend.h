// Clang: from the assembled unit to LLVM IR.
#pragma once

#include <memory>
#include <string>

#include "codegen/clang.h"
#include "codegen/compiler.h"
#include "codegen/diagnostics.h"

namespace cuttle::codegen {

/// Parses `source` for `target`. Null where it has errors, which `diagnostics` then holds.
[[nodiscard]] std::unique_ptr<llvm::Module> parse(const std::string& source, const cuttle_target& target, llvm::LLVMContext& context,
                                                  DiagnosticCollector& diagnostics);

}  // namespace cuttle::codegen
