#include "codegen/tune_invariants.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Transforms/Utils/Local.h>

namespace cuttle::codegen {
namespace {

// A loop that keeps this many of them besides its own values still runs with full occupancy. MD5 has twelve.
constexpr std::size_t max_kept = 8;

// An invariant that one instruction computes, and a sum in the loop that it is part of.
struct Kept {
  llvm::BinaryOperator* value;
  llvm::BinaryOperator* user;
};

// x * constant or x + constant in 32 bits
llvm::BinaryOperator* as_cheap(llvm::Value* value) {
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  const bool is_cheap = operation && (operation->getOpcode() == llvm::Instruction::Add || operation->getOpcode() == llvm::Instruction::Mul) &&
                        operation->getType()->isIntegerTy(32) && llvm::isa<llvm::ConstantInt>(operation->getOperand(1));
  return is_cheap ? operation : nullptr;
}

llvm::BinaryOperator* as_sum(llvm::User* user) {
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(user);
  return operation && operation->getOpcode() == llvm::Instruction::Add && operation->getOperand(0) != operation->getOperand(1) ? operation : nullptr;
}

// In front of the loop or further up, where LICM found the block that would go round it.
llvm::SmallSetVector<llvm::BinaryOperator*, 16> cheap_invariants(const llvm::Loop& loop) {
  llvm::SmallSetVector<llvm::BinaryOperator*, 16> result;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      for (llvm::Value* operand : instruction.operands()) {
        llvm::BinaryOperator* value = as_cheap(operand);
        if (value && !loop.contains(value)) result.insert(value);
      }
    }
  }
  return result;
}

llvm::SmallVector<Kept> kept_through(const llvm::Loop& loop) {
  llvm::SmallVector<Kept> result;
  std::size_t values = 0;
  for (llvm::BinaryOperator* value : cheap_invariants(loop)) {
    const std::size_t before = result.size();
    for (llvm::User* user : value->users()) {
      if (!loop.contains(llvm::cast<llvm::Instruction>(user))) continue;
      llvm::BinaryOperator* sum = as_sum(user);
      if (!sum) {  // in a register whatever is done to the others
        result.truncate(before);
        break;
      }
      result.push_back({value, sum});
    }
    values += result.size() > before;
  }
  if (values <= max_kept) result.clear();
  return result;
}

// ((x * 9 + K) + a) + b  ->  ((a + b) + x * 9) + K
void recompute(const Kept& kept) {
  kept.user->setOperand(kept.user->getOperand(0) == kept.value ? 0 : 1, llvm::ConstantInt::get(kept.value->getType(), 0));
  llvm::BinaryOperator* root = kept.user;
  for (;;) {
    root->dropPoisonGeneratingFlags();  // they held for the sum in its old order
    llvm::BinaryOperator* next = root->hasOneUse() ? as_sum(root->user_back()) : nullptr;
    if (!next || next->getParent() != root->getParent()) break;
    root = next;
  }
  llvm::IRBuilder<> builder(root->getParent(), std::next(root->getIterator()));
  const bool adds_constant = kept.value->getOpcode() == llvm::Instruction::Add;
  llvm::Value* rest = adds_constant ? kept.value->getOperand(0) : kept.value;
  const llvm::BinaryOperator* product = as_cheap(rest);
  if (product && product->getParent() == kept.value->getParent()) rest = builder.Insert(product->clone());
  llvm::Value* const partial = builder.CreateAdd(root, rest);
  llvm::Value* const total = adds_constant ? builder.CreateAdd(partial, kept.value->getOperand(1)) : partial;
  root->replaceUsesWithIf(total, [&](const llvm::Use& use) { return use.getUser() != partial; });
}

// What nothing uses any more; NVPTX's own GVN would find it again, and use it.
void erase_unused(llvm::ArrayRef<Kept> kept) {
  llvm::SmallVector<llvm::WeakTrackingVH> values;
  for (const Kept& each : kept) values.emplace_back(each.value);
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(values);
}

}  // namespace

llvm::PreservedAnalyses RecomputeInvariants::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    const auto kept = kept_through(*loop);
    if (kept.empty()) continue;
    for (const Kept& each : kept) recompute(each);
    erase_unused(kept);
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace cuttle::codegen
