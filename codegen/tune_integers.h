// Integer widths and rotations.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// InstCombine narrows pixel arithmetic ((r * 77 + g * 150 + b * 29) >> 8) to i16, of which the machine has no multiply-add: trees that
/// cannot wrap go back to i32. Place: OptimizerLastEP.
struct Widen16Bit : llvm::PassInfoMixin<Widen16Bit> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

/// `b + (x << 7 | x >> 25)` back from `(x >> 25) + b + (x << 7)`, which Reassociate makes of it: a rotation and its sum are one instruction
/// (LEA.HI), the parts are three. Place: OptimizerLastEP, before EarlyCSE, which removes the parts.
struct RestoreRotations : llvm::PassInfoMixin<RestoreRotations> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace cuttle::codegen
