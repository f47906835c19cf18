// The order of loads, slow arithmetic and all else in a block.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// ptxas expands a precise division or square root into a branch with a slow-path call, and moves no load up across it: the loads of a
/// block are issued before the first of them, so that their latencies overlap. Place: OptimizerLastEP.
struct LoadsFirst : llvm::PassInfoMixin<LoadsFirst> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

/// The branch of a precise division or square root also parts the arithmetic before it from the arithmetic after it, and neither part hides the
/// other's latency: such an operation goes down to where its result is first used. Place: OptimizerLastEP, after LoadsFirst.
struct SlowArithmeticLate : llvm::PassInfoMixin<SlowArithmeticLate> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

/// ptxas issues a load ahead of the dozen instructions of a 32-bit division only where it is written after a load that waits for that division;
/// written before it, both are issued together, at the end. Loads that are ready go behind those that wait. Place: OptimizerLastEP, after LoadsFirst.
struct ReadyLoadsLast : llvm::PassInfoMixin<ReadyLoadsLast> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace cuttle::codegen
