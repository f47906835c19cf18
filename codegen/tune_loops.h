// Unroll hints. LLVM's unroller has no costs for NVPTX, and what it leaves rolled ptxas often cannot unroll any more.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Unrolls short constant loops in full, and much longer ones where the body indexes a local array: only then does the array live in
/// registers. Loops with an unroll pragma are left alone. Place: LateLoopOptimizationsEP, right before LoopFullUnroll.
struct FullUnrollHint : llvm::PassInfoMixin<FullUnrollHint> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&, llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater&);
};

/// Unrolls innermost loops of a computable run-time trip count by 4 or 2, so that several loads are in flight at once; by 8 where there are none.
/// Long constant loops by up to 8, as nvcc does: loads of neighbours in shared memory become one of 16 bytes.
/// Place: VectorizerStartEP, before the late LoopUnroll.
struct RuntimeUnrollHint : llvm::PassInfoMixin<RuntimeUnrollHint> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace cuttle::codegen
