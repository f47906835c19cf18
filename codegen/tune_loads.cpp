#include "codegen/tune_loads.h"

namespace cuttle::codegen {
namespace {

// Each load moved keeps a register alive through the slow code.
constexpr unsigned max_moved_loads = 16;
// A load with its address arithmetic.
constexpr std::size_t max_moved_chain = 16;

// Whether ptxas makes a branch of it.
bool expands_to_branch(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FRem:
      return true;
    case llvm::Instruction::FDiv:
      return !llvm::isa<llvm::Constant>(instruction.getOperand(1));
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem:
      return instruction.getType()->getScalarSizeInBits() > 32 && !llvm::isa<llvm::Constant>(instruction.getOperand(1));
    default:
      break;
  }
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee) return false;
  const llvm::StringRef name = callee->getName();
  return name.starts_with("llvm.sqrt") || name.starts_with("llvm.nvvm.sqrt") || name.starts_with("llvm.nvvm.div") ||
         name.starts_with("llvm.nvvm.rcp.rn");
}

bool may_move(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple();
  return !llvm::isa<llvm::PHINode>(instruction) && !llvm::isa<llvm::CallBase>(instruction) && !instruction.mayReadOrWriteMemory() &&
         !instruction.isTerminator() && !expands_to_branch(instruction);
}

// The load and what it needs that comes after `slow`, in order; nothing where that cannot move.
llvm::SmallVector<llvm::Instruction*> chain_after(llvm::Instruction& slow, llvm::LoadInst& load) {
  llvm::SmallVector<llvm::Instruction*> chain{&load};
  for (std::size_t i = 0; i < chain.size(); ++i) {
    for (const llvm::Use& use : chain[i]->operands()) {
      auto* operand = llvm::dyn_cast<llvm::Instruction>(use.get());
      if (!operand || operand->getParent() != slow.getParent() || operand->comesBefore(&slow) || llvm::is_contained(chain, operand)) continue;
      if (operand == &slow || !may_move(*operand) || chain.size() == max_moved_chain) return {};
      chain.push_back(operand);
    }
  }
  llvm::sort(chain, [](const llvm::Instruction* a, const llvm::Instruction* b) { return a->comesBefore(b); });
  return chain;
}

// Whether a load after it may also be before it: it neither writes, nor ends the thread, nor waits for others.
bool lets_loads_pass(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return !instruction.mayWriteToMemory() && !(call && call->isConvergent()) && llvm::isGuaranteedToTransferExecutionToSuccessor(&instruction);
}

bool move_loads_up(llvm::BasicBlock& block) {
  llvm::Instruction* slow = nullptr;
  unsigned moved = 0;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
    if (!lets_loads_pass(instruction)) {
      slow = nullptr;
    } else if (expands_to_branch(instruction)) {
      if (!slow) slow = &instruction;
    } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && slow && load->isSimple() && moved < max_moved_loads) {
      const auto chain = chain_after(*slow, *load);
      for (llvm::Instruction* link : chain) link->moveBefore(slow->getIterator());
      moved += !chain.empty();
    }
  }
  return moved > 0;
}

// Whether it is a dozen instructions that ptxas schedules with those around them.
bool is_short_division(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem:
      return instruction.getType()->isIntegerTy(32) && !llvm::isa<llvm::Constant>(instruction.getOperand(1));
    default:
      return false;
  }
}

// The short division of the same block that the load's address waits for.
llvm::Instruction* awaited_division(llvm::LoadInst& load) {
  llvm::SmallVector<llvm::Instruction*> chain{&load};
  for (std::size_t i = 0; i < chain.size(); ++i) {
    for (const llvm::Use& use : chain[i]->operands()) {
      auto* operand = llvm::dyn_cast<llvm::Instruction>(use.get());
      if (!operand || operand->getParent() != load.getParent() || llvm::isa<llvm::PHINode>(operand) || llvm::is_contained(chain, operand)) continue;
      if (is_short_division(*operand)) return operand;
      if (chain.size() == max_moved_chain) return nullptr;
      chain.push_back(operand);
    }
  }
  return nullptr;
}

llvm::Instruction* first_user_in_block(llvm::Instruction& instruction) {
  llvm::Instruction* first = instruction.getParent()->getTerminator();
  for (llvm::User* user : instruction.users()) {
    auto* candidate = llvm::cast<llvm::Instruction>(user);
    if (candidate->getParent() != instruction.getParent() || llvm::isa<llvm::PHINode>(candidate)) continue;
    if (candidate->comesBefore(first)) first = candidate;
  }
  return first;
}

bool move_ready_loads_after(llvm::LoadInst& waiting) {
  const llvm::Instruction* division = awaited_division(waiting);
  if (!division) return false;
  bool changed = false;
  auto place = std::next(waiting.getReverseIterator());
  while (place != waiting.getParent()->rend()) {
    llvm::Instruction& earlier = *place++;
    if (!lets_loads_pass(earlier)) break;
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&earlier);
    if (!load || !load->isSimple() || !load->comesBefore(division) || !waiting.comesBefore(first_user_in_block(*load))) continue;
    load->moveAfter(&waiting);
    changed = true;
  }
  return changed;
}

llvm::PreservedAnalyses preserving_control_flow(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace

llvm::PreservedAnalyses ReadyLoadsLast::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::LoadInst*> loads;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isSimple()) loads.push_back(load);
  }
  bool changed = false;
  for (llvm::LoadInst* load : loads) changed |= move_ready_loads_after(*load);
  return preserving_control_flow(changed);
}

llvm::PreservedAnalyses LoadsFirst::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : function) changed |= move_loads_up(block);
  return preserving_control_flow(changed);
}

llvm::PreservedAnalyses SlowArithmeticLate::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    // From the end, so that a slow operand of a slow operation follows it down.
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (!expands_to_branch(instruction) || instruction.mayReadOrWriteMemory()) continue;
      llvm::Instruction* user = first_user_in_block(instruction);
      if (user == instruction.getNextNode()) continue;
      instruction.moveBefore(user->getIterator());
      changed = true;
    }
  }
  return preserving_control_flow(changed);
}

}  // namespace cuttle::codegen
