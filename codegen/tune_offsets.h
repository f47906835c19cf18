// Addresses of N-dimensional neighbours.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// `a(z, y - 1, x)` beside `a(z, y, x)`: each offset of a view is a product of 64-bit extents, four instructions a product, and LLVM does not see
/// that two of them differ by one extent. The later address becomes the earlier one and their difference. Place: OptimizerLastEP, before
/// SeparateConstOffsetFromGEP.
struct ShareProducts : llvm::PassInfoMixin<ShareProducts> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace cuttle::codegen
