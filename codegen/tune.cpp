#include "codegen/tune.h"

#include <llvm/Transforms/Scalar/ConstraintElimination.h>

#include "codegen/tune_addresses.h"
#include "codegen/tune_branches.h"
#include "codegen/tune_facts.h"
#include "codegen/tune_integers.h"
#include "codegen/tune_invariants.h"
#include "codegen/tune_loads.h"
#include "codegen/tune_loops.h"
#include "codegen/tune_offsets.h"
#include "codegen/tune_prologue.h"
#include "codegen/tune_ranges.h"
#include "dsl/include/cuttle/dsl/facts.hpp"

namespace cuttle::codegen {
namespace {

constexpr unsigned shared_address_space = 3;

// A jump table becomes brx.idx, which ptxas compiles far worse than compares (a 16-way switch ran at 0.41 of nvcc's speed).
void forbid_jump_tables(llvm::Module& module) {
  for (llvm::Function& function : module) function.addFnAttr("no-jump-tables", "true");
}

// With a base aligned to 16 bytes neighbouring shared accesses merge into 64- and 128-bit ones.
void align_shared_arrays(llvm::Module& module) {
  for (llvm::GlobalVariable& global : module.globals()) {
    if (global.getAddressSpace() == shared_address_space && global.getAlign().valueOrOne() < llvm::Align(16)) {
      global.setAlignment(llvm::Align(16));
    }
  }
}

// Copies of an aligned 8- or 16-byte struct (float4) as one vector access: LLVM would split them into scalars.
void vectorise_small_copies(llvm::Module& module) {
  llvm::SmallVector<llvm::MemCpyInst*> copies;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction)) copies.push_back(copy);
    }
  }
  for (llvm::MemCpyInst* copy : copies) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    if (!length || copy->isVolatile()) continue;
    const std::uint64_t bytes = length->getZExtValue();
    if (bytes != 8 && bytes != 16) continue;
    const llvm::Align align(bytes);
    if (copy->getSourceAlign().valueOrOne() < align || copy->getDestAlign().valueOrOne() < align) continue;
    llvm::IRBuilder<> builder(copy);
    auto* type = llvm::FixedVectorType::get(builder.getInt32Ty(), static_cast<unsigned>(bytes / 4));
    builder.CreateAlignedStore(builder.CreateAlignedLoad(type, copy->getSource(), align), copy->getDest(), align);
    copy->eraseFromParent();
  }
}

// The order matters: each pass needs what the ones before it leave.
llvm::FunctionPassManager last_passes() {
  llvm::FunctionPassManager passes;
  passes.addPass(UndoSmallSwitches());
  // Known alignments do not look through the address space casts of shared arrays, and the spaces are only known once SROA has run
  // (earlier, they would keep register arrays in local memory): so alignment, spaces, and alignment again.
  passes.addPass(llvm::InferAlignmentPass());
  passes.addPass(llvm::InferAddressSpacesPass());
  passes.addPass(llvm::InferAlignmentPass());
  passes.addPass(SignExtendIndices());
  passes.addPass(Widen16Bit());
  passes.addPass(RestoreRotations());
  passes.addPass(ShareProducts());
  passes.addPass(llvm::SeparateConstOffsetFromGEPPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(ShareAddressArithmetic());
  passes.addPass(LoadsFirst());
  passes.addPass(ReadyLoadsLast());
  passes.addPass(SlowArithmeticLate());
  passes.addPass(RecomputeInvariants());
  passes.addPass(TakeBackEdges());
  passes.addPass(ReadBlockSizeFirst());
  return passes;
}

}  // namespace

void tune_before_optimising(llvm::Module& module) {
  forbid_jump_tables(module);
  align_shared_arrays(module);
  vectorise_small_copies(module);
}

void add_tuning_passes(llvm::PassBuilder& builder, std::uint32_t facts, llvm::ArrayRef<unsigned> views) {
  builder.registerPipelineEarlySimplificationEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(HoistRestrict()));
  });
  builder.registerPeepholeEPCallback([=](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
    if (facts & (detail::disjoint_views | detail::aligned_views)) passes.addPass(StateFacts(facts, views));
    passes.addPass(FoldCheapAnd());
    passes.addPass(DecideBoundedCompares());
  });
  builder.registerLateLoopOptimizationsEPCallback([](llvm::LoopPassManager& passes, llvm::OptimizationLevel) { passes.addPass(FullUnrollHint()); });
  // LLVM decides compares from compares before it unrolls loops, and not again: where x < w, x - 2 < w is known.
  builder.registerScalarOptimizerLateEPCallback(
      [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(llvm::ConstraintEliminationPass()); });
  builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(RuntimeUnrollHint()); });
  builder.registerOptimizerLastEPCallback([=](llvm::ModulePassManager& passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
    if (facts & detail::disjoint_views) passes.addPass(llvm::createModuleToFunctionPassAdaptor(ReadOnlyViews(views)));
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(last_passes()));
  });
}

}  // namespace cuttle::codegen
