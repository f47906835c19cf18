// Vectorising loops inside a thread's code: they become regions, so that each iteration is a loop over the block's threads.
#pragma once

#include "codegen/simt_thread.h"

namespace cuttle::codegen {

/// Marks a point at which every thread stops without waiting for any other (WaitKind::step) at the head of each loop that holds no barrier.
/// Without it the loop over threads has a loop inside, which LLVM does not vectorise.
void step_through_loops(ThreadBody& body);

}  // namespace cuttle::codegen
