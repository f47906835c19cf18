// Clang: from the assembled unit to LLVM IR.
#pragma once

#include <memory>
#include <string>

#include "codegen/assemble.h"
#include "codegen/clang.h"
#include "codegen/compiler.h"
#include "codegen/diagnostics.h"

namespace cuttle::codegen {

/// Parses and checks `unit` for `target`. Null where it has errors, which `diagnostics` then holds.
[[nodiscard]] std::unique_ptr<llvm::Module> parse(const Unit& unit, const cuttle_target& target, llvm::LLVMContext& context,
                                                  DiagnosticCollector& diagnostics);

}  // namespace cuttle::codegen
