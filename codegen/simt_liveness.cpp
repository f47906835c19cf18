#include "codegen/simt_liveness.h"

namespace cuttle::codegen {

std::vector<llvm::SmallVector<llvm::Instruction*>> live_at(llvm::Function& function, llvm::ArrayRef<llvm::BasicBlock*> blocks) {
  llvm::DenseMap<llvm::BasicBlock*, std::size_t> number;
  for (std::size_t i = 0; i < blocks.size(); ++i) number[blocks[i]] = i;
  std::vector<llvm::SmallVector<llvm::Instruction*>> live(blocks.size());

  llvm::SmallPtrSet<llvm::BasicBlock*, 16> visited;
  llvm::SmallVector<llvm::BasicBlock*> pending;
  for (llvm::Instruction& value : llvm::instructions(function)) {
    // From each use upwards to the definition, which in SSA form dominates it. A phi uses its operand at the end of the edge's block.
    llvm::BasicBlock* definition = value.getParent();
    visited.clear();
    for (const llvm::Use& use : value.uses()) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock* block = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (block != definition) pending.push_back(block);
    }
    while (!pending.empty()) {
      llvm::BasicBlock* block = pending.pop_back_val();
      if (!visited.insert(block).second) continue;
      if (const auto found = number.find(block); found != number.end()) live[found->second].push_back(&value);
      for (llvm::BasicBlock* before : llvm::predecessors(block)) {
        if (before != definition) pending.push_back(before);
      }
    }
  }
  return live;
}

}  // namespace cuttle::codegen
