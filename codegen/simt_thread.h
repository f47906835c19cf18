// One thread's code with everything that it reads of its place in the block as parameters: what the SIMT lowering runs over a block.
#pragma once

#include <array>

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// The index functions that the prelude declares (dsl/device/cpu.h), each taking the dimension.
enum Index : unsigned { thread_index, block_index, block_dim, grid_dim, index_count };

/// The values of one thread's parameters beyond the kernel's own, in the order in which ThreadBody has them.
struct ThreadPlace {
  std::array<std::array<llvm::Value*, 3>, index_count> index{};
  llvm::Value* linear = nullptr;   // i64: x fastest
  llvm::Value* threads = nullptr;  // i64: of the block, rounded up to 64
  llvm::Value* shared = nullptr;   // static, then dynamic shared memory
  llvm::Value* scratch = nullptr;  // what the lowering keeps for the block (simt_slots.h)
  llvm::Value* uniform = nullptr;  // what it keeps once for all threads (Regions::uniform)
};

/// Gives `thread` its own copies of arguments that the ABI passes in the caller's memory, so that SROA sees them. Before inlining.
void localize_arguments(llvm::Function& thread);

/// A copy of the thread function that takes a ThreadPlace after its own arguments and returns an i32, which is 0.
class ThreadBody {
 public:
  ThreadBody(llvm::Module& module, llvm::Function& thread);

  [[nodiscard]] llvm::Function& function() const { return *body_; }
  [[nodiscard]] const ThreadPlace& place() const { return place_; }
  [[nodiscard]] std::size_t static_shared_bytes() const { return static_shared_bytes_; }

  /// Whether a load reads an argument, which no thread writes: it gives the same value wherever it stands.
  [[nodiscard]] static bool reads_argument(const llvm::LoadInst& load);

 private:
  void replace_markers();
  void replace_shared_variables();
  void replace_variable(llvm::GlobalVariable& variable, std::size_t offset);

  llvm::Module& module_;
  llvm::Function* body_ = nullptr;
  ThreadPlace place_;
  std::size_t static_shared_bytes_ = 0;
};

/// The arguments of a call of the body (or of a region made of it): the kernel's, then the place.
[[nodiscard]] llvm::SmallVector<llvm::Value*> body_arguments(llvm::ArrayRef<llvm::Value*> kernel_arguments, const ThreadPlace& place);

}  // namespace cuttle::codegen
