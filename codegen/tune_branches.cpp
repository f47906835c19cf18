#include "codegen/tune_branches.h"

namespace cuttle::codegen {
namespace {

constexpr unsigned max_cases = 4;
constexpr std::size_t max_case_size = 12;
constexpr unsigned max_folded_size = 8;

llvm::PreservedAnalyses preserved(bool changed) { return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all(); }

// ---- UndoSmallSwitches ---------------------------------------------------------------------------------------------------------

struct Case {
  llvm::ConstantInt* value;
  llvm::BasicBlock* block;
};

// A short block that only this case enters and that goes on to the default's block.
bool is_short_detour(llvm::BasicBlock& block, llvm::BasicBlock& from, llvm::BasicBlock& to) {
  return &block != &to && block.getSinglePredecessor() == &from && block.getSingleSuccessor() == &to && !llvm::isa<llvm::PHINode>(block.front()) &&
         block.size() <= max_case_size && llvm::none_of(block, [](const llvm::Instruction& instruction) {
           const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
           return call && (call->isConvergent() || !llvm::isa<llvm::IntrinsicInst>(call));
         });
}

std::optional<llvm::SmallVector<Case>> cases_of(llvm::SwitchInst& instruction) {
  if (instruction.getNumCases() == 0 || instruction.getNumCases() > max_cases) return std::nullopt;
  llvm::SmallVector<Case> cases;
  for (const auto& each : instruction.cases()) {
    // getSinglePredecessor() counts edges, so that a block of two cases is none.
    if (!is_short_detour(*each.getCaseSuccessor(), *instruction.getParent(), *instruction.getDefaultDest())) return std::nullopt;
    cases.push_back({each.getCaseValue(), each.getCaseSuccessor()});
  }
  return cases;
}

void make_row_of_ifs(llvm::SwitchInst& instruction, llvm::ArrayRef<Case> cases) {
  llvm::BasicBlock* const start = instruction.getParent();
  llvm::BasicBlock* const end = instruction.getDefaultDest();
  llvm::Value* const condition = instruction.getCondition();
  instruction.eraseFromParent();

  llvm::BasicBlock* test = start;
  for (const Case& each : cases) {
    const bool is_last = &each == &cases.back();
    llvm::BasicBlock* next = is_last ? end : llvm::BasicBlock::Create(start->getContext(), "", start->getParent(), end);
    llvm::IRBuilder<> builder(test);
    builder.CreateCondBr(builder.CreateICmpEQ(condition, each.value), each.block, next);
    each.block->getTerminator()->setSuccessor(0, next);
    // What `end` merges is merged step by step: past this if, a value is the case's own or what it was before.
    for (llvm::PHINode& phi : end->phis()) {
      if (is_last) {
        phi.replaceIncomingBlockWith(start, test);
        continue;
      }
      llvm::Value* before = phi.getIncomingValueForBlock(start);
      llvm::Value* own = phi.removeIncomingValue(each.block, /*DeletePHIIfEmpty=*/false);
      if (own == before) continue;
      llvm::PHINode* merged = llvm::PHINode::Create(phi.getType(), 2, "", next->begin());
      merged->addIncoming(before, test);
      merged->addIncoming(own, each.block);
      phi.setIncomingValueForBlock(start, merged);
    }
    test = next;
  }
}

// ---- FoldCheapAnd --------------------------------------------------------------------------------------------------------------

// Parameters are in constant memory: a load of one is as cheap as a register. Not an element of one at an index that the first condition
// may be there to check.
bool loads_parameter(const llvm::Instruction& instruction) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (!load || !load->isSimple() || !llvm::isSafeToSpeculativelyExecute(load)) return false;
  const auto* argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load->getPointerOperand()));
  return argument && argument->hasByValAttr();
}

bool is_cheap(const llvm::Instruction& instruction) {
  if (loads_parameter(instruction)) return true;
  if (llvm::isa<llvm::LoadInst>(instruction) || instruction.getOpcode() == llvm::Instruction::FDiv ||
      instruction.getOpcode() == llvm::Instruction::FRem) {
    return false;
  }
  if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction)) return false;
  return llvm::isSafeToSpeculativelyExecute(&instruction);
}

bool is_cheap(const llvm::BasicBlock& block) {
  unsigned size = 0;
  for (const llvm::Instruction& instruction : block) {
    if (instruction.isTerminator() || instruction.isDebugOrPseudoInst()) continue;
    if (llvm::isa<llvm::PHINode>(instruction) || !is_cheap(instruction)) return false;
    if (!llvm::isa<llvm::CastInst>(instruction)) ++size;
  }
  return size <= max_folded_size;
}

llvm::BranchInst* conditional_branch(llvm::BasicBlock& block) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  return branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1) ? branch : nullptr;
}

// first: br a, second, out.  second: cheap; br b, on, out.   ->   first: cheap; br (a && b), on, out.
bool fold_into_predecessor(llvm::BasicBlock& second) {
  llvm::BasicBlock* first = second.getSinglePredecessor();
  llvm::BranchInst* inner = conditional_branch(second);
  llvm::BranchInst* outer = first && first != &second ? conditional_branch(*first) : nullptr;
  if (!inner || !outer) return false;

  const unsigned enters_second = outer->getSuccessor(0) == &second ? 0 : 1;
  llvm::BasicBlock* const out = outer->getSuccessor(1 - enters_second);
  if (inner->getSuccessor(0) != out && inner->getSuccessor(1) != out) return false;
  const unsigned goes_on = inner->getSuccessor(0) == out ? 1 : 0;
  llvm::BasicBlock* const on = inner->getSuccessor(goes_on);
  if (on == &second || out == &second || !is_cheap(second)) return false;
  for (llvm::PHINode& phi : out->phis()) {
    if (phi.getIncomingValueForBlock(first) != phi.getIncomingValueForBlock(&second)) return false;
  }

  while (&second.front() != inner) {
    llvm::Instruction& instruction = second.front();
    instruction.moveBefore(outer->getIterator());
    instruction.dropUBImplyingAttrsAndMetadata();  // they held under the first condition
  }
  llvm::IRBuilder<> builder(outer);
  llvm::Value* a = enters_second == 0 ? outer->getCondition() : builder.CreateNot(outer->getCondition());
  llvm::Value* b = goes_on == 0 ? inner->getCondition() : builder.CreateNot(inner->getCondition());
  llvm::BranchInst* both = builder.CreateCondBr(builder.CreateLogicalAnd(a, b), on, out);
  llvm::MDNode* loop = inner->getMetadata(llvm::LLVMContext::MD_loop);
  both->setMetadata(llvm::LLVMContext::MD_loop, loop ? loop : outer->getMetadata(llvm::LLVMContext::MD_loop));
  out->removePredecessor(&second, /*KeepOneInputPHIs=*/true);
  on->replacePhiUsesWith(&second, first);
  outer->eraseFromParent();
  second.eraseFromParent();
  return true;
}

}  // namespace

llvm::PreservedAnalyses UndoSmallSwitches::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) {
    auto* instruction = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
    if (!instruction) continue;
    if (const auto cases = cases_of(*instruction)) {
      make_row_of_ifs(*instruction, *cases);
      changed = true;
    }
  }
  return preserved(changed);
}

llvm::PreservedAnalyses FoldCheapAnd::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) changed |= fold_into_predecessor(block);
  return preserved(changed);
}

llvm::PreservedAnalyses TakeBackEdges::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    llvm::BranchInst* branch = conditional_branch(block);
    if (!branch) continue;
    if (!dominators.dominates(branch->getSuccessor(1), &block) || dominators.dominates(branch->getSuccessor(0), &block)) continue;
    if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(branch->getCondition()); compare && compare->hasOneUse()) {
      compare->setPredicate(compare->getInversePredicate());
    } else {
      llvm::IRBuilder<> builder(branch);
      branch->setCondition(builder.CreateNot(branch->getCondition()));
    }
    branch->swapSuccessors();
    changed = true;
  }
  return preserved(changed);
}

}  // namespace cuttle::codegen
