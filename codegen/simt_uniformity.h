// Which values are the same in every thread of a block, and where threads may go different ways.
#pragma once

#include <memory>

#include "codegen/simt_thread.h"

namespace cuttle::codegen {

/// LLVM's uniformity analysis of a thread body, with the thread's index as the source of divergence. What was read from memory counts as
/// divergent: another thread may have written in between.
class Uniformity {
 public:
  explicit Uniformity(const ThreadBody& body);
  ~Uniformity();
  Uniformity(const Uniformity&) = delete;
  Uniformity& operator=(const Uniformity&) = delete;

  /// Whether the value is the same in all threads that reach any of its uses.
  [[nodiscard]] bool is_uniform(const llvm::Instruction& value) const;
  /// Whether threads that reach the block's end together may leave it by different edges.
  [[nodiscard]] bool parts_threads(const llvm::BasicBlock& block) const;

 private:
  struct Analysis;
  std::unique_ptr<Analysis> analysis_;
};

}  // namespace cuttle::codegen
