// Loop invariants against registers.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// `a + f + (x * 9 + K)` in an unrolled body: LICM reassociates such sums and keeps every `x * 9 + K`, or `x * 9`, in a register through the loop.
/// Where they are more than a loop should keep, each is computed again where it is used, in the order in which ptxas makes a
/// multiply-add of most of it.
/// Place: the end of OptimizerLastEP.
struct RecomputeInvariants : llvm::PassInfoMixin<RecomputeInvariants> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace cuttle::codegen
