// unroll(...) around a loop's range: from a mark in the source to what LLVM knows of a loop.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Gives each loop over an unrolled range (dsl/include/cuttle/dsl/loops.hpp) the metadata of #pragma unroll, and removes the marks. On Clang's IR
/// as it came: there the increment of a range-for is a call in the block that goes back.
void apply_unroll_marks(llvm::Module& module);

}  // namespace cuttle::codegen
