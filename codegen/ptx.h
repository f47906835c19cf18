// The PTX back end: link, tune, optimise, lower.
#pragma once

#include "codegen/lowered.h"

namespace cuttle::codegen {

[[nodiscard]] Lowered lower_to_ptx(llvm::Module& module, const LoweringRequest& request, cuttle_stage_times& times);

}  // namespace cuttle::codegen
