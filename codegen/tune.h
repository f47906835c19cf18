// What makes LLVM's PTX as fast as nvcc's, beyond its O3 pipeline. Each measure says what it is for; docs/pipeline.md has the numbers.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Measures that need Clang's IR as it came, before any pass.
void tune_before_optimising(llvm::Module& module);

/// Measures that are passes, at the pipeline's extension points. `facts` are what is known of those parameters that are `views`.
void add_tuning_passes(llvm::PassBuilder& builder, std::uint32_t facts, llvm::ArrayRef<unsigned> views);

}  // namespace cuttle::codegen
