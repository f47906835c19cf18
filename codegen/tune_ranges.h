// What is known of the size of floating-point values.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Decides comparisons with a constant that the value's origin decides: `cosf(6.28f * u)` with u = integer * 2^-32 never reaches the limit of
/// cosf's fast path, and the slow path, with its local array, goes. LLVM knows ranges of integers only. Place: PeepholeEP.
struct DecideBoundedCompares : llvm::PassInfoMixin<DecideBoundedCompares> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace cuttle::codegen
