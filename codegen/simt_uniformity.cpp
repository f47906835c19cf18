#include "codegen/simt_uniformity.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/UniformityAnalysis.h>

namespace cuttle::codegen {
namespace {

// x86 has no divergence of its own: this tells the analysis where a block's threads differ.
class ThreadDivergence final : public llvm::TargetTransformInfoImplBase {
 public:
  explicit ThreadDivergence(const ThreadBody& body) : TargetTransformInfoImplBase(body.function().getDataLayout()), place_(body.place()) {}

  bool hasBranchDivergence(const llvm::Function*) const override { return true; }

  llvm::InstructionUniformity getInstructionUniformity(const llvm::Value* value) const override {
    using enum llvm::InstructionUniformity;
    if (value == place_.linear || llvm::is_contained(place_.index[thread_index], value)) return NeverUniform;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return Default;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) return ThreadBody::reads_argument(*load) ? Default : NeverUniform;
    return instruction->mayReadOrWriteMemory() || llvm::isa<llvm::AllocaInst>(instruction) ? NeverUniform : Default;
  }

 private:
  ThreadPlace place_;
};

}  // namespace

struct Uniformity::Analysis {
  explicit Analysis(const ThreadBody& body) : dominators(body.function()), target(std::make_unique<ThreadDivergence>(body)) {
    cycles.compute(body.function());
    information = llvm::UniformityInfo(dominators, cycles, &target);  // asks the cycles for their function
    information.compute();
  }

  llvm::DominatorTree dominators;
  llvm::CycleInfo cycles;
  llvm::TargetTransformInfo target;
  llvm::UniformityInfo information;
};

Uniformity::Uniformity(const ThreadBody& body) : analysis_(std::make_unique<Analysis>(body)) {}
Uniformity::~Uniformity() = default;

bool Uniformity::is_uniform(const llvm::Instruction& value) const {
  return !analysis_->information.isDivergent(&value) &&
         llvm::none_of(value.uses(), [&](const llvm::Use& use) { return analysis_->information.isDivergentUse(use); });
}

bool Uniformity::parts_threads(const llvm::BasicBlock& block) const { return analysis_->information.hasDivergentTerminator(block); }

}  // namespace cuttle::codegen
