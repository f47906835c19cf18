// Operations that C++ leaves undefined, with a GPU's results: for the CPU device, so that both devices agree and none ends the process.
// docs/semantics.md has the list.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Guards shifts by the width or more, integer division by zero, and conversions of floating-point values that do not fit. Runs before
/// InstCombine, which may take what is undefined for impossible.
class GpuResultsPass : public llvm::PassInfoMixin<GpuResultsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace cuttle::codegen
