#include "codegen/tune_invariants.h"

namespace cuttle::codegen {
namespace {

// A loop that keeps this many sums besides its own values still runs with full occupancy.
constexpr std::size_t max_kept = 16;

bool is_add(const llvm::Value& value) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction && instruction->getOpcode() == llvm::Instruction::Add;
}

llvm::BinaryOperator* only_user_that_adds(llvm::Instruction& instruction) {
  return instruction.hasOneUse() && is_add(*instruction.user_back()) ? llvm::cast<llvm::BinaryOperator>(instruction.user_back()) : nullptr;
}

// invariant + constant, used by one sum in the loop.
struct Kept {
  llvm::BinaryOperator* sum;
  llvm::BinaryOperator* user;
};

llvm::SmallVector<Kept> kept_through(const llvm::Loop& loop) {
  llvm::SmallVector<Kept> result;
  for (llvm::Instruction& instruction : *loop.getLoopPreheader()) {
    if (!is_add(instruction) || !instruction.getType()->isIntegerTy(32) || !llvm::isa<llvm::ConstantInt>(instruction.getOperand(1))) continue;
    llvm::BinaryOperator* user = only_user_that_adds(instruction);
    if (user && loop.contains(user)) result.push_back({llvm::cast<llvm::BinaryOperator>(&instruction), user});
  }
  return result;
}

// (kept + a) + b  ->  ((a + b) + invariant) + constant
void recompute(const Kept& kept) {
  llvm::Value* const other = kept.user->getOperand(kept.user->getOperand(0) == kept.sum ? 1 : 0);
  llvm::BinaryOperator* root = kept.user;
  while (llvm::BinaryOperator* next = only_user_that_adds(*root)) {
    if (next->getParent() != root->getParent()) break;
    next->dropPoisonGeneratingFlags();  // they held for the sum in its old order
    root = next;
  }
  llvm::IRBuilder<> builder(root->getParent(), std::next(root->getIterator()));
  llvm::Value* invariant = kept.sum->getOperand(0);
  const auto* product = llvm::dyn_cast<llvm::BinaryOperator>(invariant);
  if (product && product->getOpcode() == llvm::Instruction::Mul && product->getParent() == kept.sum->getParent()) {
    invariant = builder.Insert(product->clone());
  }
  llvm::Value* const start = root == kept.user ? other : root;
  llvm::Value* const partial = builder.CreateAdd(start, invariant);
  llvm::Value* const total = builder.CreateAdd(partial, kept.sum->getOperand(1));
  root->replaceUsesWithIf(total, [&](const llvm::Use& use) { return use.getUser() != partial; });
  if (root != kept.user) kept.user->replaceAllUsesWith(other);
  kept.user->eraseFromParent();
  kept.sum->eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses RecomputeInvariants::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->getLoopPreheader()) continue;
    const auto kept = kept_through(*loop);
    if (kept.size() <= max_kept) continue;
    for (const Kept& each : kept) recompute(each);
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace cuttle::codegen
