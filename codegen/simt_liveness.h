// Which values a thread still needs when it resumes after a barrier.
#pragma once

#include <vector>

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// For each of `blocks`, the instructions whose value is used in it or after it, and is not made anew before that use.
[[nodiscard]] std::vector<llvm::SmallVector<llvm::Instruction*>> live_at(llvm::Function& function, llvm::ArrayRef<llvm::BasicBlock*> blocks);

}  // namespace cuttle::codegen
