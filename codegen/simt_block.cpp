#include "codegen/simt_block.h"

#include <cstddef>

#include <llvm/Analysis/ValueTracking.h>

#include "codegen/compiler.h"

namespace cuttle::codegen {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

constexpr std::array<std::size_t, index_count> context_offsets = {
    0, offsetof(cuttle_block_context, block_index), offsetof(cuttle_block_context, block_dim), offsetof(cuttle_block_context, grid_dim)};

llvm::MDNode* loop_metadata(llvm::LLVMContext& context, llvm::MDNode* group) {
  const auto node = [&](llvm::StringRef name, llvm::Metadata* value = nullptr) {
    llvm::SmallVector<llvm::Metadata*, 2> operands{llvm::MDString::get(context, name)};
    if (value) operands.push_back(value);
    return llvm::MDNode::get(context, operands);
  };
  llvm::MDNode* id = llvm::MDNode::getDistinct(context, {nullptr, node("llvm.loop.parallel_accesses", group), node("llvm.loop.mustprogress")});
  id->replaceOperandWith(0, id);
  return id;
}

}  // namespace

// Threads of a block do not wait for each other within a region, so that accesses of different threads are independent: that lets the
// vectoriser through. A thread's own stack is reused by the next thread and must stay out (896 of 1024 results were wrong).
llvm::MDNode* mark_parallel(llvm::Function& function) {
  llvm::MDNode* group = llvm::MDNode::getDistinct(function.getContext(), {});
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!instruction.mayReadOrWriteMemory() || instruction.isVolatile()) continue;
    llvm::SmallVector<const Value*, 2> pointers;
    if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
      pointers.push_back(pointer);
    } else if (auto* intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      pointers.push_back(intrinsic->getRawDest());
      if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(intrinsic)) pointers.push_back(transfer->getRawSource());
    } else {
      continue;
    }
    const bool own = llvm::any_of(pointers, [](const Value* pointer) {
      llvm::SmallVector<const Value*, 4> objects;
      llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
      return llvm::any_of(objects, [](const Value* object) { return llvm::isa<llvm::AllocaInst>(object); });
    });
    if (!own) instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
  }
  return group;
}

BlockFunction::BlockFunction(llvm::CallInst& call)
    : call_(call),
      function_(*call.getFunction()),
      rest_(call.getParent()->splitBasicBlock(call.getIterator())),
      builder_(rest_->getSinglePredecessor()) {
  builder_.GetInsertBlock()->getTerminator()->eraseFromParent();
  Value* context = function_.getArg(0);
  const auto load = [&](std::size_t offset, llvm::Type* type) {
    Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), context, offset);
    return builder_.CreateAlignedLoad(type, address, llvm::Align(type->isPointerTy() ? 8 : 4));
  };
  for (unsigned kind = block_index; kind < index_count; ++kind) {
    for (unsigned d = 0; d < 3; ++d) place_.index[kind][d] = load(context_offsets[kind] + 4 * d, builder_.getInt32Ty());
  }
  place_.shared = load(offsetof(cuttle_block_context, shared), builder_.getPtrTy());
  const auto& dim = place_.index[block_dim];
  Value* area = builder_.CreateMul(dim[0], dim[1], "", true, true);
  thread_count_ = builder_.CreateZExt(builder_.CreateMul(area, dim[2], "", true, true), builder_.getInt64Ty());
  place_.threads = builder_.CreateAnd(builder_.CreateAdd(thread_count_, builder_.getInt64(63)), builder_.getInt64(~std::uint64_t{63}));
  place_.scratch = place_.uniform = llvm::PoisonValue::get(builder_.getPtrTy());
}

BasicBlock* BlockFunction::new_block(const char* name) { return BasicBlock::Create(function_.getContext(), name, &function_); }

void BlockFunction::take_scratch(const SlotLayout& slots) {
  llvm::FunctionCallee scratch = function_.getParent()->getOrInsertFunction("cuttle_cpu_scratch", builder_.getPtrTy(), builder_.getInt64Ty());
  place_.scratch = builder_.CreateCall(scratch, {slots.total_bytes(builder_, place_.threads)});
  Value* counter = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), place_.scratch, block_counter_offset);
  builder_.CreateAlignedStore(builder_.getInt32(0), counter, llvm::Align(4));
}

void BlockFunction::take_uniform(std::uint64_t bytes) {
  auto* memory = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), bytes));
  memory->setAlignment(llvm::Align(max_uniform_bytes));
  place_.uniform = memory;
}

void BlockFunction::for_each_thread(llvm::MDNode* parallel, Each each) {
  ThreadPlace place = place_;
  const auto& dim = place.index[block_dim];
  emit_loop(dim[2], nullptr, [&](Value* z) {
    emit_loop(dim[1], nullptr, [&](Value* y) {
      Value* row = builder_.CreateAdd(builder_.CreateMul(z, dim[1], "", true, true), y, "", true, true);
      Value* first = builder_.CreateZExt(builder_.CreateMul(row, dim[0], "", true, true), builder_.getInt64Ty());
      emit_loop(dim[0], loop_metadata(function_.getContext(), parallel), [&](Value* x) {
        place.index[thread_index] = {x, y, z};
        place.linear = builder_.CreateAdd(first, builder_.CreateZExt(x, builder_.getInt64Ty()), "", true, true);
        each(place);
      });
    });
  });
}

void BlockFunction::for_each_lane(Value* first, Value* count, llvm::MDNode* parallel, Each each) {
  ThreadPlace place = place_;
  const auto& dim = place.index[block_dim];
  // In a block of one dimension neighbouring lanes have neighbouring x: LLVM makes a loop of its own for that case.
  Value* is_line = builder_.CreateICmpEQ(builder_.CreateMul(dim[1], dim[2], "", true, true), builder_.getInt32(1));
  emit_loop(count, loop_metadata(function_.getContext(), parallel), [&](Value* lane) {
    place.linear = builder_.CreateAdd(first, lane, "", true, true);
    Value* linear = builder_.CreateTrunc(place.linear, builder_.getInt32Ty());
    Value* row = builder_.CreateUDiv(linear, dim[0]);
    Value* x = builder_.CreateSelect(is_line, linear, builder_.CreateURem(linear, dim[0]));
    place.index[thread_index] = {x, builder_.CreateURem(row, dim[1]), builder_.CreateUDiv(row, dim[1])};
    each(place);
  });
}

void BlockFunction::emit_loop(Value* end, llvm::MDNode* metadata, llvm::function_ref<void(Value*)> body) {
  BasicBlock* before = builder_.GetInsertBlock();
  BasicBlock* header = new_block("threads");
  BasicBlock* after = new_block("threads.done");
  builder_.CreateBr(header);
  builder_.SetInsertPoint(header);
  auto* i = builder_.CreatePHI(end->getType(), 2);
  i->addIncoming(llvm::ConstantInt::get(end->getType(), 0), before);
  body(i);
  Value* next = builder_.CreateAdd(i, llvm::ConstantInt::get(end->getType(), 1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  auto* branch = builder_.CreateCondBr(builder_.CreateICmpULT(next, end), header, after);
  if (metadata) branch->setMetadata(llvm::LLVMContext::MD_loop, metadata);
  i->addIncoming(next, builder_.GetInsertBlock());
  builder_.SetInsertPoint(after);
}

Value* BlockFunction::call(llvm::Function& code, const ThreadPlace& place) {
  llvm::SmallVector<Value*> kernel_arguments(call_.args());
  return builder_.CreateCall(&code, body_arguments(kernel_arguments, place));
}

void BlockFunction::finish() {
  builder_.CreateBr(rest_);
  llvm::Function* thread = call_.getCalledFunction();
  call_.eraseFromParent();
  thread->eraseFromParent();
}

}  // namespace cuttle::codegen
