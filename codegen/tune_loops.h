// Unroll hints. LLVM's unroller has no costs for NVPTX, and what it leaves rolled ptxas often cannot unroll any more.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Unrolls short constant loops in full, and much longer ones where the body indexes a local array: only then does the array live in
/// registers. Loops with an unroll pragma are left alone. Place: LateLoopOptimizationsEP, right before LoopFullUnroll.
struct FullUnrollHint : llvm::PassInfoMixin<FullUnrollHint> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&, llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater&);
};

/// Unrolls innermost loops of a computable run-time trip count, or of a long constant one, by 4 or 2, so that several loads are in flight at once and
/// ptxas joins those of neighbours in shared memory to 16 bytes; by 8 where there are none.
/// Place: VectorizerStartEP, before the late LoopUnroll.
struct RuntimeUnrollHint : llvm::PassInfoMixin<RuntimeUnrollHint> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace cuttle::codegen
