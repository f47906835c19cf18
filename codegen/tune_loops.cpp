#include "codegen/tune_loops.h"

namespace cuttle::codegen {
namespace {

// Limits in instructions of the unrolled loop, found over 63 kernels (docs/pipeline.md): more brings nothing, and costs code
// generation time, which grows faster than the block.
constexpr unsigned max_full_trips = 64;
constexpr std::uint64_t max_full_size = 512;
constexpr std::uint64_t max_full_size_with_local_array = 5000;
constexpr unsigned max_runtime_count = 4;
constexpr unsigned max_arithmetic_count = 8;  // where nothing is loaded, all that unrolling saves is the counter and the jump
constexpr unsigned max_runtime_size = 160;
constexpr unsigned max_constant_count = 8;  // of a long constant loop, which needs no remainder: as many as nvcc
constexpr unsigned max_constant_size = 256;

struct Body {
  unsigned instructions = 0;
  bool calls = false;
  bool converges = false;
  bool uses_memory = false;
  bool uses_local_array = false;
};

Body measure(const llvm::Loop& loop) {
  Body body;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      if (llvm::isa<llvm::PHINode, llvm::AddrSpaceCastInst>(instruction) || instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd()) {
        continue;
      }
      ++body.instructions;
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        body.converges |= call->isConvergent();
        body.calls |= !llvm::isa<llvm::IntrinsicInst>(call);
      }
      body.uses_memory |= instruction.mayReadOrWriteMemory();
      if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
        body.uses_local_array |= llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
      }
    }
  }
  return body;
}

bool has_unroll_attribute(const llvm::Loop& loop) {
  const llvm::MDNode* id = loop.getLoopID();
  return id && llvm::any_of(llvm::drop_begin(id->operands()), [](const llvm::MDOperand& operand) {
           const auto* attribute = llvm::dyn_cast<llvm::MDNode>(operand);
           const auto* name = attribute && attribute->getNumOperands() > 0 ? llvm::dyn_cast<llvm::MDString>(attribute->getOperand(0)) : nullptr;
           return name && name->getString().starts_with("llvm.loop.unroll.");
         });
}

void add_attribute(llvm::Loop& loop, const char* name, llvm::ArrayRef<llvm::Metadata*> values = {}) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  llvm::SmallVector<llvm::Metadata*> attribute{llvm::MDString::get(context, name)};
  attribute.append(values.begin(), values.end());
  llvm::SmallVector<llvm::Metadata*> operands{nullptr};  // the first is the loop's identity: itself
  if (const llvm::MDNode* old = loop.getLoopID()) operands.append(old->op_begin() + 1, old->op_end());
  operands.push_back(llvm::MDNode::get(context, attribute));
  llvm::MDNode* id = llvm::MDNode::getDistinct(context, operands);
  id->replaceOperandWith(0, id);
  loop.setLoopID(id);
}

// Unrolled with a remainder loop, a 64-bit induction variable of unknown step makes loop strength reduction keep one pointer a copy:
// eight additions where one was (saxpy with a 64-bit index: 0.90).
bool has_wide_variable_step(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  return llvm::any_of(loop.getHeader()->phis(), [&](llvm::PHINode& phi) {
    if (!phi.getType()->isIntegerTy(64)) return false;
    const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi));
    return recurrence && recurrence->getLoop() == &loop && !llvm::isa<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution));
  });
}

unsigned runtime_count(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!loop.isInnermost() || !loop.getExitingBlock() || has_unroll_attribute(loop)) return 1;
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (trips != 0 && trips <= max_full_trips) return 1;  // the full unroller has decided
  if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop))) return 1;
  const Body body = measure(loop);
  if (body.calls || body.converges || has_wide_variable_step(loop, evolution)) return 1;
  if (trips != 0) {
    unsigned count = max_constant_count;
    while (count > 1 && (body.instructions * count > max_constant_size || trips % count != 0)) count /= 2;
    return count;
  }
  unsigned count = body.uses_memory ? max_runtime_count : max_arithmetic_count;
  while (count > 1 && body.instructions * count > max_runtime_size) count /= 2;
  return count;
}

}  // namespace

llvm::PreservedAnalyses FullUnrollHint::run(llvm::Loop& loop, llvm::LoopAnalysisManager&, llvm::LoopStandardAnalysisResults& analyses,
                                            llvm::LPMUpdater&) {
  const unsigned trips = analyses.SE.getSmallConstantTripCount(&loop);
  if (trips == 0 || trips > max_full_trips || has_unroll_attribute(loop)) return llvm::PreservedAnalyses::all();
  const Body body = measure(loop);
  const std::uint64_t limit = body.uses_local_array ? max_full_size_with_local_array : max_full_size;
  if (std::uint64_t{body.instructions} * trips <= limit) add_attribute(loop, "llvm.loop.unroll.full");
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses RuntimeUnrollHint::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  llvm::LLVMContext& context = function.getContext();
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    const unsigned count = runtime_count(*loop, evolution);
    if (count == 1) continue;
    add_attribute(*loop, "llvm.loop.unroll.count", llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), count)));
    // Attributes of the unrolled loop: without any, LLVM marks it as done, which becomes .pragma "nounroll", and ptxas obeys.
    add_attribute(*loop, "llvm.loop.unroll.followup_unrolled", llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.mustprogress")));
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace cuttle::codegen
