// The CPU back end: one thread's code becomes a block's, then a host object.
#pragma once

#include "codegen/lowered.h"

namespace cuttle::codegen {

[[nodiscard]] Lowered lower_to_cpu(llvm::Module& module, const LoweringRequest& request, cuttle_stage_times& times);

}  // namespace cuttle::codegen
