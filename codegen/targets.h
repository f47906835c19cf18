// LLVM's two code generators, made known to it.
#pragma once

namespace cuttle::codegen {

/// Registers NVPTX and x86, and sets the options that LLVM has for the whole process only. Before anything else of a compilation: Clang looks
/// a target up as well, and one that another thread was still registering has crashed it.
void initialise_targets();

}  // namespace cuttle::codegen
