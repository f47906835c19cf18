// dynamic_shared<T>(count) hands out pieces of the launch's shared memory: the bytes handed out so far become a variable of the thread.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Whether the kernel calls dynamic_shared (dsl/device/shared.h).
[[nodiscard]] bool uses_dynamic_shared(const llvm::Module& module);

/// Makes the variable in `thread`, a thread's whole code: what calls dynamic_shared has been inlined. Before SROA, which resolves it.
class DynamicSharedPass : public llvm::PassInfoMixin<DynamicSharedPass> {
 public:
  explicit DynamicSharedPass(llvm::Function& thread) : thread_(&thread) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  llvm::Function* thread_;
};

}  // namespace cuttle::codegen
