// Under checks: what a shuffle took from a lane that takes no part in it. Sums over part of a warp compute many such values that nobody looks at:
// they are followed through the thread's computations and further shuffles, and reported where one goes to memory.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Instruments the CPU device's `thread`, into which all is inlined. What a thread keeps in an array of its own is lost from sight.
void follow_lane_values(llvm::Function& thread);

}  // namespace cuttle::codegen
