// Loads before slow arithmetic.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// ptxas expands a precise division or square root into a branch with a slow-path call, and moves no load up across it: the loads of a
/// block are issued before the first of them, so that their latencies overlap. Place: OptimizerLastEP.
struct LoadsFirst : llvm::PassInfoMixin<LoadsFirst> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace cuttle::codegen
