#include "codegen/hoist_divisions.h"

#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace cuttle::codegen {
namespace {

using llvm::IRBuilder;
using llvm::Value;

// A division by a constant that cannot trap has left the loop long ago.
bool may_trap(const llvm::BinaryOperator& division) { return !llvm::isSafeToSpeculativelyExecute(&division); }

bool move_operands_before(llvm::BinaryOperator& division, const llvm::Loop& loop, llvm::Instruction* place) {
  bool changed = false;
  return llvm::all_of(division.operands(), [&](Value* operand) { return loop.makeLoopInvariant(operand, changed, place); });
}

// In front of the loop the division may be one that no thread asks for: there it divides by 1 where it would trap. Where a thread does ask, it
// would have trapped for that thread too.
void move_before(llvm::BinaryOperator& division, llvm::Instruction* place) {
  IRBuilder<> builder(place);
  llvm::Type* type = division.getType();
  Value* divisor = builder.CreateFreeze(division.getOperand(1));
  Value* traps = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  if (division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem) {
    Value* dividend = builder.CreateFreeze(division.getOperand(0));
    division.setOperand(0, dividend);
    const llvm::APInt least = llvm::APInt::getSignedMinValue(type->getScalarSizeInBits());
    Value* overflows = builder.CreateAnd(builder.CreateICmpEQ(dividend, llvm::ConstantInt::get(type, least)),
                                         builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)));
    traps = builder.CreateOr(traps, overflows);
  }
  division.setOperand(1, builder.CreateSelect(traps, llvm::ConstantInt::get(type, 1), divisor));
  division.moveBefore(place->getIterator());
  division.dropUBImplyingAttrsAndMetadata();
}

void hoist_from(llvm::Loop& loop, const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution) {
  llvm::BasicBlock* before = loop.getLoopPreheader();
  llvm::SmallVector<llvm::BinaryOperator*> divisions;
  llvm::LoopBlocksRPO order(&loop);
  order.perform(&loops);
  for (llvm::BasicBlock* block : order) {
    for (llvm::Instruction& instruction : *block) {
      auto* division = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
      if (division && division->isIntDivRem() && may_trap(*division)) divisions.push_back(division);
    }
  }
  for (llvm::BinaryOperator* division : divisions) {  // one may be an operand of a later one
    if (before && move_operands_before(*division, loop, before->getTerminator())) {
      move_before(*division, before->getTerminator());
    } else if (evolution.isLoopInvariant(evolution.getSCEV(division), &loop)) {
      IRBuilder<> builder(division->getNextNode());  // behind a freeze the vectoriser sees no value that all lanes share
      auto* frozen = llvm::cast<llvm::Instruction>(builder.CreateFreeze(division));
      division->replaceUsesWithIf(frozen, [&](const llvm::Use& use) { return use.getUser() != frozen; });
    }
  }
}

}  // namespace

llvm::PreservedAnalyses HoistDivisionsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return llvm::PreservedAnalyses::all();
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (loop->isInnermost()) hoist_from(*loop, loops, evolution);
  }
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace cuttle::codegen
