// SIMT lowering for the CPU device: the block function's one call of the thread function becomes the run of a whole block.
#pragma once

#include <string>

#include "codegen/llvm.h"

namespace cuttle::codegen {

struct SimtResult {
  std::size_t static_shared_bytes = 0;
  std::string user_error;
};

/// `entry` is the block function, void(BlockContext*), which calls `thread` once. `thread` has everything inlined but the index
/// functions of dsl/device/cpu.h. Afterwards `entry` runs every thread of its block.
[[nodiscard]] SimtResult lower_simt(llvm::Module& module, llvm::Function& entry, llvm::Function& thread);

}  // namespace cuttle::codegen
