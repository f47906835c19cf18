// CUTTLE_CHECK=1. On the CPU device: calls of the runtime's checker (runtime/src/checker.h) before every access, division and fence of a thread. On a
// GPU: comparisons of a view's indices with its extents (dsl/device/assert.h).
#pragma once

#include "codegen/check_calls.h"
#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Instruments the CPU device's `thread`, into which all is inlined. Before any pass that reads more than the source does.
class CheckPass : public llvm::PassInfoMixin<CheckPass> {
 public:
  explicit CheckPass(llvm::Function& thread) : thread_(&thread) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  llvm::Function* thread_;
};

/// Whether it is what views under checks call.
[[nodiscard]] bool is_view_check(const llvm::Function& function);

/// Gives the GPU's checks of views, in code into which all else is inlined, the places in the kernel's source.
void place_view_checks(llvm::Module& module);

/// The CheckSite of a place, as a constant.
[[nodiscard]] llvm::Constant* check_site(llvm::Module& module, const llvm::DebugLoc& location, std::uint32_t kind, std::uint64_t variable_bytes = 0);

}  // namespace cuttle::codegen
