// Address arithmetic: LLVM's middle end leaves address spaces, offsets and extensions in forms that NVPTX cannot fold into an access.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// `__restrict__` on the lambda's parameters becomes the kernel's own promise: inlined, it would only be scoped metadata, and NVPTX reads
/// through the read-only path (ld.global.nc) what the kernel's own parameters promise. Place: PipelineEarlySimplificationEP.
struct HoistRestrict : llvm::PassInfoMixin<HoistRestrict> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

/// `zext nneg i32` in an address back to the sext that InstCombine made it of: mul.wide.s32 does extension and scale in one.
/// Place: OptimizerLastEP, before SeparateConstOffsetFromGEP.
struct SignExtendIndices : llvm::PassInfoMixin<SignExtendIndices> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

/// Equal address arithmetic in sibling blocks is computed once, in their common dominator, inside the same loop: guarded neighbours of a
/// stencil share a base and differ by a constant. Place: OptimizerLastEP, after SeparateConstOffsetFromGEP and EarlyCSE.
struct ShareAddressArithmetic : llvm::PassInfoMixin<ShareAddressArithmetic> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace cuttle::codegen
