// What a launch knows of its views, said in LLVM's terms: without it every store may change what every load reads.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Accesses through different views are given scopes that do not alias (disjoint_views), and data pointers their alignment (aligned_views). Place:
/// PeepholeEP, since the views are only recognised once the lambda is inlined and its copies of them are gone, and loop passes are to see it.
struct StateFacts : llvm::PassInfoMixin<StateFacts> {
  StateFacts(std::uint32_t facts, llvm::ArrayRef<unsigned> views) : facts_(facts), views_(views) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);

 private:
  std::uint32_t facts_;
  llvm::SmallVector<unsigned> views_;  // which parameters they are
};

/// Of disjoint views, those that the kernel only loads from are read as memory that does not change: ld.global.nc, which ptxas moves over stores.
/// Place: OptimizerLastEP; earlier, loads would rise out of loops whose barriers kept them there.
struct ReadOnlyViews : llvm::PassInfoMixin<ReadOnlyViews> {
  explicit ReadOnlyViews(llvm::ArrayRef<unsigned> views) : views_(views) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);

 private:
  llvm::SmallVector<unsigned> views_;
};

}  // namespace cuttle::codegen
