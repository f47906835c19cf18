// Reductions of a warp's 32-bit integers as one instruction, redux.sync, on GPUs that have it.
#pragma once

#include "codegen/compiler.h"
#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Gives the prelude's cuttle_reduce_* (dsl/device/warp.h), which shuffle, a body of one instruction where the target has it: from sm_80 on.
void use_redux(llvm::Module& module, const cuttle_target& target);

}  // namespace cuttle::codegen
