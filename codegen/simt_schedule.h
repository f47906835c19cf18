// The order in which a block's threads run: all of a thread at once, or region by region, for the block or for each warp.
#pragma once

#include "codegen/simt_regions.h"
#include "codegen/simt_thread.h"

namespace cuttle::codegen {

/// Makes `call`, the block function's one call of the thread function, a run of `body` by every thread of the block.
void run_threads(llvm::CallInst& call, ThreadBody& body);

/// The same for a body that was split into regions: no thread passes a barrier before all have reached one or have ended.
void run_regions(llvm::CallInst& call, const Regions& regions, SlotLayout& slots);

/// The same where there are warp barriers: each warp runs up to the block's barrier before the next one does.
void run_warps(llvm::CallInst& call, const Regions& regions, SlotLayout& slots);

}  // namespace cuttle::codegen
