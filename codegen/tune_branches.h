// The shape of branches: what ptxas predicates, and what it turns into divergent jumps, depends on how LLVM writes them.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// `if (t == 0) ...; if (t == 31) ...;` back from the switch that SimplifyCFG makes of it: a switch serialises in SASS, a row of short
/// ifs is predicated. Place: OptimizerLastEP, after the last SimplifyCFG.
struct UndoSmallSwitches : llvm::PassInfoMixin<UndoSmallSwitches> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

/// `a && b` with a cheap b as one branch: both sides cost less than a second divergent jump. Place: PeepholeEP.
struct FoldCheapAnd : llvm::PassInfoMixin<FoldCheapAnd> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

/// Makes the back edge of a loop the taken side of its branch, as nvcc does: ptxas lays out and schedules the loop as written.
/// Place: the end of OptimizerLastEP.
struct TakeBackEdges : llvm::PassInfoMixin<TakeBackEdges> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace cuttle::codegen
