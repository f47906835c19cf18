// Leaves out of code generation what costs a kernel far more time than it saves.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Sets the gate of the module's context, which the back end's passes ask, where the module has a very long basic block.
void leave_out_quadratic_passes(llvm::Module& module);

/// Sets the gate of a module that becomes code for a CPU.
void leave_out_strength_reduction(llvm::Module& module);

}  // namespace cuttle::codegen
