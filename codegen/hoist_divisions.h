// Integer divisions of what is the same in every round of a loop, out of the loop, before LLVM's vectoriser sees them.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// LLVM 22 vectorises `if (c[i]) y[i] = x[m % n]` wrongly: it computes the remainder once for all lanes, but only where the first lane's condition
/// holds, and the others read at an address of poison. LICM leaves such a division in the loop, since its divisor may be 0 where the condition
/// does not hold. After this pass no division is left in an innermost loop that the vectoriser could take for one value of all lanes. Runs at the
/// vectoriser's start.
class HoistDivisionsPass : public llvm::PassInfoMixin<HoistDivisionsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace cuttle::codegen
