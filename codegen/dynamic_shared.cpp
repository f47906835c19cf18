#include "codegen/dynamic_shared.h"

namespace cuttle::codegen {
namespace {

constexpr const char* marker_name = "cuttle_dynamic_shared_top";

}  // namespace

bool uses_dynamic_shared(const llvm::Module& module) { return module.getFunction(marker_name) != nullptr; }

llvm::PreservedAnalyses DynamicSharedPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::Function* marker = module.getFunction(marker_name);
  if (!marker) return llvm::PreservedAnalyses::all();
  llvm::IRBuilder<> builder(&*thread_->getEntryBlock().getFirstInsertionPt());
  llvm::Type* type = builder.getInt64Ty();
  llvm::Value* top = builder.CreateAlloca(type, module.getDataLayout().getAllocaAddrSpace());
  builder.CreateStore(llvm::ConstantInt::get(type, 0), top);
  for (llvm::User* user : llvm::make_early_inc_range(marker->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getFunction() != thread_) continue;
    call->replaceAllUsesWith(top);
    call->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace cuttle::codegen
