// The launch's shared memory. dynamic_shared<T>(count) hands out pieces of it: the bytes handed out so far become a variable of the thread.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Whether the kernel calls dynamic_shared (dsl/device/shared.h).
[[nodiscard]] bool uses_dynamic_shared(const llvm::Module& module);

/// Whether it is what dynamic_shared calls to say how many bytes it needs.
[[nodiscard]] bool says_dynamic_shared_needs(const llvm::Function& function);

/// Makes the variable in `thread`, a thread's whole code: what calls dynamic_shared has been inlined. Adds to `least` how many bytes each thread asks
/// for on every way through the kernel: 1 where the count is known only when it runs. With `keep_needs` the calls that say so stay, for checks.
class DynamicSharedPass : public llvm::PassInfoMixin<DynamicSharedPass> {
 public:
  DynamicSharedPass(llvm::Function& thread, std::size_t& least, bool keep_needs = false)
      : thread_(&thread), least_(&least), keep_needs_(keep_needs) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  llvm::Function* thread_;
  std::size_t* least_;
  bool keep_needs_;
};

/// How many bytes of arrays `extern __shared__ T name[]` each thread of the optimised kernel reads or writes on every way through it, at least.
[[nodiscard]] std::size_t least_dynamic_shared(llvm::Function& thread);

}  // namespace cuttle::codegen
