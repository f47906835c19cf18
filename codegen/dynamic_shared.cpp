#include "codegen/dynamic_shared.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>

namespace cuttle::codegen {
namespace {

constexpr const char* marker_name = "cuttle_dynamic_shared_top";
constexpr const char* needs_name = "cuttle_dynamic_shared_needs";

// A variable of the thread's own in place of the marker's calls, resolved to values.
void make_variable(llvm::Function& marker, llvm::Function& thread, llvm::FunctionAnalysisManager& analyses) {
  const llvm::Module& module = *thread.getParent();
  llvm::IRBuilder<> builder(&*thread.getEntryBlock().getFirstInsertionPt());
  llvm::Type* type = builder.getInt64Ty();
  llvm::Value* top = builder.CreateAlloca(type, module.getDataLayout().getAllocaAddrSpace());
  builder.CreateStore(llvm::ConstantInt::get(type, 0), top);
  for (llvm::User* user : llvm::make_early_inc_range(marker.users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getFunction() != &thread) continue;
    call->replaceAllUsesWith(top);
    call->eraseFromParent();
  }
  llvm::FunctionPassManager resolve;
  resolve.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  resolve.addPass(llvm::InstSimplifyPass());
  analyses.clear(thread, thread.getName());
  resolve.run(thread, analyses);
}

// Takes what the calls say, and erases them unless they are kept.
std::size_t take_needs(llvm::Function& needs, llvm::Function& thread, bool keep) {
  const llvm::PostDominatorTree ways(thread);
  std::size_t least = 0;
  for (llvm::User* user : llvm::make_early_inc_range(needs.users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getFunction() != &thread) continue;
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
    const std::size_t bytes = known ? known->getZExtValue() : 1;
    if (ways.dominates(call->getParent(), &thread.getEntryBlock())) least = std::max(least, bytes);
    if (!keep) call->eraseFromParent();
  }
  return least;
}

// The shared arrays whose length is the launch's are declared only; other memory that a kernel declares and does not define there is none.
bool is_dynamic_shared(const llvm::Value* object) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return variable && !variable->hasInitializer() && !variable->isConstant();
}

}  // namespace

bool says_dynamic_shared_needs(const llvm::Function& function) { return function.getName() == needs_name; }

bool uses_dynamic_shared(const llvm::Module& module) { return module.getFunction(marker_name) != nullptr; }

llvm::PreservedAnalyses DynamicSharedPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::Function* marker = module.getFunction(marker_name);
  if (!marker) return llvm::PreservedAnalyses::all();
  make_variable(*marker, *thread_, analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager());
  if (llvm::Function* needs = module.getFunction(needs_name)) *least_ = std::max(*least_, take_needs(*needs, *thread_, keep_needs_));
  return llvm::PreservedAnalyses::none();
}

std::size_t least_dynamic_shared(llvm::Function& thread) {
  if (llvm::none_of(thread.getParent()->globals(), [](const llvm::GlobalVariable& global) { return is_dynamic_shared(&global); })) return 0;
  const llvm::PostDominatorTree ways(thread);
  for (const llvm::Instruction& instruction : llvm::instructions(thread)) {
    const llvm::Value* pointer = llvm::getPointerOperand(&instruction);
    if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) pointer = update->getPointerOperand();
    if (!pointer || llvm::isa<llvm::GEPOperator>(instruction) || !is_dynamic_shared(llvm::getUnderlyingObject(pointer))) continue;
    if (ways.dominates(instruction.getParent(), &thread.getEntryBlock())) return 1;
  }
  return 0;
}

}  // namespace cuttle::codegen
