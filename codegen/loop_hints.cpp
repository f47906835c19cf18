#include "codegen/loop_hints.h"

namespace cuttle::codegen {
namespace {

// The properties that a loop has, if any, and one more. The first operand of a loop's node is the node itself.
llvm::MDNode* with_unrolling(llvm::LLVMContext& context, const llvm::MDNode* loop, std::uint64_t count) {
  llvm::SmallVector<llvm::Metadata*> properties{nullptr};
  if (loop) properties.append(std::next(loop->op_begin()), loop->op_end());
  if (count == 0) {
    properties.push_back(llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.enable")));
  } else {
    auto* number = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), count));
    properties.push_back(llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.unroll.count"), number}));
  }
  llvm::MDNode* node = llvm::MDNode::getDistinct(context, properties);
  node->replaceOperandWith(0, node);
  return node;
}

}  // namespace

void apply_unroll_marks(llvm::Module& module) {
  llvm::Function* mark = module.getFunction("cuttle_unroll");
  if (!mark) return;
  for (llvm::User* user : llvm::make_early_inc_range(mark->users())) {
    auto* marking = llvm::cast<llvm::CallInst>(user);
    const std::uint64_t count = llvm::cast<llvm::ConstantInt>(marking->getArgOperand(0))->getZExtValue();
    for (llvm::User* increment : marking->getFunction()->users()) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(increment);
      llvm::Instruction* back = call ? call->getParent()->getTerminator() : nullptr;
      if (!back) continue;
      const llvm::MDNode* loop = back->getMetadata(llvm::LLVMContext::MD_loop);
      back->setMetadata(llvm::LLVMContext::MD_loop, with_unrolling(module.getContext(), loop, count));
    }
    marking->eraseFromParent();
  }
  mark->eraseFromParent();
}

}  // namespace cuttle::codegen
