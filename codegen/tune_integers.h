// Integer widths.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// InstCombine narrows pixel arithmetic ((r * 77 + g * 150 + b * 29) >> 8) to i16, of which the machine has no multiply-add: trees that
/// cannot wrap go back to i32. Place: OptimizerLastEP.
struct Widen16Bit : llvm::PassInfoMixin<Widen16Bit> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace cuttle::codegen
