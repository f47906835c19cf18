// The first instructions of a kernel, which every thread waits for.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Reads the block's size before its index. In `blockIdx.x * blockDim.x + threadIdx.x`, as C++ evaluates it, the index comes first, and ptxas
/// puts it in a uniform register (S2UR) and the size in a vector one (LDC); the other way round, which is nvcc's, the size becomes a constant
/// operand and the index a plain S2R. Place: the end of OptimizerLastEP.
struct ReadBlockSizeFirst : llvm::PassInfoMixin<ReadBlockSizeFirst> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace cuttle::codegen
