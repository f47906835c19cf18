#include "codegen/tune_addresses.h"

#include <map>
#include <vector>

namespace cuttle::codegen {
namespace {

bool is_address_arithmetic(const llvm::Instruction& instruction) {
  if (!instruction.getType()->isIntOrPtrTy()) return false;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
    case llvm::Instruction::Or:
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::GetElementPtr:
      return true;
    default:
      return false;
  }
}

// Equal keys compute equal values.
std::vector<const void*> key_of(const llvm::Instruction& instruction) {
  std::vector<const void*> key{reinterpret_cast<const void*>(std::uintptr_t{instruction.getOpcode()}), instruction.getType()};
  if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) key.push_back(gep->getSourceElementType());
  key.insert(key.end(), instruction.value_op_begin(), instruction.value_op_end());
  return key;
}

// Moves `earlier` to where both it and `later` can use it. False where that is in another loop (it would run more often, or keep a
// register alive through one), or its operands are not there yet.
bool move_to_common_dominator(llvm::Instruction& earlier, llvm::Instruction& later, const llvm::LoopInfo& loops,
                              const llvm::DominatorTree& dominators) {
  llvm::BasicBlock* home = dominators.findNearestCommonDominator(earlier.getParent(), later.getParent());
  const llvm::Loop* loop = loops.getLoopFor(home);
  if (loop != loops.getLoopFor(earlier.getParent()) || loop != loops.getLoopFor(later.getParent())) return false;
  llvm::Instruction* end = home->getTerminator();
  for (const llvm::Use& operand : earlier.operands()) {
    if (!dominators.dominates(operand.get(), end)) return false;
  }
  earlier.moveBefore(end->getIterator());
  return true;
}

}  // namespace

llvm::PreservedAnalyses HoistRestrict::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (function.getCallingConv() != llvm::CallingConv::PTX_Kernel) return llvm::PreservedAnalyses::all();
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration()) continue;
    for (const llvm::Argument& parameter : callee->args()) {
      auto* own = llvm::dyn_cast<llvm::Argument>(call->getArgOperand(parameter.getArgNo()));
      // Used only here: the callee's promise then covers all that the kernel does with the pointer.
      if (own && own->hasOneUse() && own->getType()->isPointerTy() && !own->hasByValAttr() && parameter.hasNoAliasAttr()) {
        own->addAttr(llvm::Attribute::NoAlias);
      }
    }
  }
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses SignExtendIndices::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* extension = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
    if (!extension || !extension->hasNonNeg() || !extension->getType()->isIntegerTy(64)) continue;
    if (llvm::none_of(extension->users(), [](const llvm::User* user) { return llvm::isa<llvm::GetElementPtrInst>(user); })) continue;
    auto* sign_extension = new llvm::SExtInst(extension->getOperand(0), extension->getType(), "", extension->getIterator());
    extension->replaceAllUsesWith(sign_extension);
    extension->eraseFromParent();
  }
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

llvm::PreservedAnalyses ShareAddressArithmetic::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  std::map<std::vector<const void*>, llvm::Instruction*> known;
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
      if (!is_address_arithmetic(instruction)) continue;
      const auto [entry, is_new] = known.try_emplace(key_of(instruction), &instruction);
      if (is_new) continue;
      llvm::Instruction* earlier = entry->second;
      if (!dominators.dominates(earlier, &instruction) && !move_to_common_dominator(*earlier, instruction, loops, dominators)) {
        entry->second = &instruction;
        continue;
      }
      earlier->andIRFlags(&instruction);
      instruction.replaceAllUsesWith(earlier);
      instruction.eraseFromParent();
    }
  }
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace cuttle::codegen
