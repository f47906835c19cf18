// SIMT lowering for the CPU device: the block function's one call of the thread function becomes the run of a whole block.
#pragma once

#include <string>

#include "codegen/llvm.h"

namespace cuttle::codegen {

struct SimtResult {
  std::size_t static_shared_bytes = 0;
  std::size_t least_shared_bytes = 0;  // that a launch has to give (dynamic_shared.h)
  std::string user_error;
};

/// `thread` is called once, by the block function, void(BlockContext*), and has everything inlined but the marker functions of
/// dsl/device/cpu.h. Afterwards the block function runs every thread of its block, and `thread` is gone.
/// With `check`, the runtime's checker is told of every barrier; with `split_loops`, each round of a loop is a loop over the threads (simt_loops.h).
[[nodiscard]] SimtResult lower_simt(llvm::Function& thread, bool check, bool split_loops);

}  // namespace cuttle::codegen
