#include "codegen/tune_prologue.h"

namespace cuttle::codegen {
namespace {

bool reads_block_size(const llvm::Instruction& instruction) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!intrinsic) return false;
  switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z:
      return true;
    default:
      return false;
  }
}

}  // namespace

llvm::PreservedAnalyses ReadBlockSizeFirst::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::SmallVector<llvm::Instruction*> reads;
  for (llvm::Instruction& instruction : entry) {
    if (reads_block_size(instruction)) reads.push_back(&instruction);
  }
  if (reads.empty()) return llvm::PreservedAnalyses::all();
  for (llvm::Instruction* read : reads) read->moveBefore(entry.getFirstNonPHIOrDbgOrAlloca());
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace cuttle::codegen
