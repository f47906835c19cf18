// The block function under construction: loops over the threads of a block, with a call of a thread's code in them.
#pragma once

#include "codegen/simt_slots.h"
#include "codegen/simt_thread.h"

namespace cuttle::codegen {

/// Says that accesses of different threads are independent in `function`, for loops over its calls that name the group.
[[nodiscard]] llvm::MDNode* mark_parallel(llvm::Function& function);

/// Replaces `call`, the block function's one call of the thread function, by the code that is made at builder().
class BlockFunction {
 public:
  explicit BlockFunction(llvm::CallInst& call);

  [[nodiscard]] llvm::IRBuilder<>& builder() { return builder_; }
  /// Of any thread of the block: without what differs from thread to thread.
  [[nodiscard]] const ThreadPlace& place() const { return place_; }
  /// i64
  [[nodiscard]] llvm::Value* thread_count() const { return thread_count_; }
  [[nodiscard]] llvm::BasicBlock* new_block(const char* name);

  /// Takes scratch memory for the slots from the runtime (runtime/src/cpu_block.h).
  void take_scratch(const SlotLayout& slots);

  /// Makes ThreadPlace::uniform.
  void take_uniform(std::uint64_t bytes);

  using Each = llvm::function_ref<void(const ThreadPlace&)>;
  /// each(place) for every thread of the block, x fastest. The accesses of `parallel` are independent.
  void for_each_thread(llvm::MDNode* parallel, Each each);
  /// each(place) for the `count` threads from `first` on, in linear order.
  void for_each_lane(llvm::Value* first, llvm::Value* count, llvm::MDNode* parallel, Each each);
  /// body(i) for 0 <= i < end, of i's type; end is not 0.
  void emit_loop(llvm::Value* end, llvm::MDNode* metadata, llvm::function_ref<void(llvm::Value*)> body);

  /// A call of `code`, which has a thread body's parameters.
  llvm::Value* call(llvm::Function& code, const ThreadPlace& place);

  /// Goes on behind the replaced call, which it erases with the thread function.
  void finish();

 private:
  llvm::CallInst& call_;
  llvm::Function& function_;
  llvm::BasicBlock* rest_;
  llvm::IRBuilder<> builder_;
  ThreadPlace place_;
  llvm::Value* thread_count_;
};

}  // namespace cuttle::codegen
