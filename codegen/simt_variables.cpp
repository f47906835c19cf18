#include "codegen/simt_variables.h"

#include <cstdint>

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>

namespace cuttle::codegen {

llvm::SmallVector<llvm::DbgVariableRecord*> variables_at(llvm::BasicBlock& block, const llvm::DominatorTree& dominators) {
  llvm::SmallVector<llvm::DbgVariableRecord*> found;
  if (!block.getParent()->getSubprogram()) return found;
  llvm::DenseSet<llvm::DebugVariable> seen;
  // The last record of a variable on the way here: where ways with different values meet, SROA has left one.
  for (const auto* node = dominators.getNode(&block); node; node = node->getIDom()) {
    for (llvm::Instruction& instruction : llvm::reverse(*node->getBlock())) {
      for (llvm::DbgVariableRecord& record : llvm::reverse(llvm::filterDbgVars(instruction.getDbgRecordRange()))) {
        const bool is_first = seen.insert(llvm::DebugVariable(&record)).second;
        if (is_first && !record.isKillLocation() && record.getNumVariableLocationOps() == 1) found.push_back(&record);
      }
    }
  }
  return found;
}

void show_variables(llvm::BasicBlock& block, llvm::ArrayRef<llvm::DbgVariableRecord*> variables,
                    const llvm::DenseMap<const llvm::Value*, llvm::Value*>& values) {
  for (const llvm::DbgVariableRecord* record : variables) {
    llvm::Value* location = record->getVariableLocationOp(0);
    if (llvm::isa<llvm::Instruction>(location)) location = values.lookup(location);
    if (!location) continue;
    llvm::DIExpression* expression = record->getExpression();
    constexpr std::uint64_t in_memory[] = {llvm::dwarf::DW_OP_deref};
    if (record->isDbgDeclare()) expression = llvm::DIExpression::append(expression, in_memory);
    block.insertDbgRecordBefore(
        llvm::DbgVariableRecord::createDbgVariableRecord(location, record->getVariable(), expression, record->getDebugLoc().get()),
        block.getTerminator()->getIterator());
  }
}

void show_shared_variable(llvm::Function& body, const llvm::GlobalVariable& variable, llvm::Value& base, std::size_t offset) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*> known;
  variable.getDebugInfo(known);
  if (known.empty()) return;
  const llvm::DIGlobalVariable& global = *known.front()->getVariable();
  auto* scope = llvm::dyn_cast_or_null<llvm::DILocalScope>(global.getScope());
  if (!scope) return;
  // The variable's function was inlined: where, each of its instructions knows.
  for (const llvm::Instruction& instruction : llvm::instructions(body)) {
    const llvm::DILocation* place = instruction.getDebugLoc();
    if (!place || place->getScope()->getSubprogram() != scope->getSubprogram()) continue;
    llvm::LLVMContext& context = body.getContext();
    auto* local = llvm::DILocalVariable::get(context, scope, global.getName(), global.getFile(), global.getLine(), global.getType(), 0,
                                             llvm::DINode::FlagZero, 0, nullptr);
    const std::uint64_t behind_base[] = {llvm::dwarf::DW_OP_plus_uconst, offset, llvm::dwarf::DW_OP_deref};
    auto* expression = llvm::DIExpression::get(context, behind_base);
    auto* location = llvm::DILocation::get(context, global.getLine(), 0, scope, place->getInlinedAt());
    llvm::BasicBlock& entry = body.getEntryBlock();
    entry.insertDbgRecordBefore(llvm::DbgVariableRecord::createDbgVariableRecord(&base, local, expression, location), entry.getFirstInsertionPt());
    return;
  }
}

}  // namespace cuttle::codegen
