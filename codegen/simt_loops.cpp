#include "codegen/simt_loops.h"

#include <algorithm>
#include <vector>

#include <llvm/IR/Dominators.h>

#include "codegen/simt_regions.h"
#include "codegen/simt_uniformity.h"

namespace cuttle::codegen {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Loop;
using llvm::Value;

// Each stop costs a copy of the code that follows it.
constexpr std::size_t max_stops = 16;

class LoopSteps {
 public:
  explicit LoopSteps(ThreadBody& body) : body_(body), function_(body.function()), uniformity_(body), dominators_(function_), loops_(dominators_) {
    for (const Wait& wait : waits_of(function_)) waiting_.insert(wait.call->getParent());
  }

  void run() {
    llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (BasicBlock* block : order) position_.try_emplace(block, position_.size());
    choose_among(std::vector<Loop*>(loops_.begin(), loops_.end()));
    if (stops_.size() > max_stops) return;
    for (Loop* loop : stepped_) split_inductions(*loop);
    llvm::FunctionCallee step = function_.getParent()->getOrInsertFunction("cuttle_cpu_step", llvm::Type::getVoidTy(function_.getContext()),
                                                                           llvm::Type::getInt32Ty(function_.getContext()));
    unsigned number = 0;
    for (BasicBlock* block : stops_) {
      IRBuilder<> builder(block, block->getFirstInsertionPt());
      builder.CreateCall(step, {builder.getInt32(number++)});
    }
  }

 private:
  // Inner loops before the loops around them, and otherwise in the order of the text: the schedule runs the lowest number first, so that all
  // threads have left a loop before any goes on behind it or enters it again. Values that are uniform in a loop rest on that.
  void choose_among(std::vector<Loop*> loops) {
    std::sort(loops.begin(), loops.end(), [&](Loop* a, Loop* b) { return position_[a->getHeader()] < position_[b->getHeader()]; });
    for (Loop* loop : loops) choose(*loop);
  }

  void choose(Loop& loop) {
    choose_among(loop.getSubLoops());
    if (llvm::any_of(loop.blocks(), [&](BasicBlock* block) { return waiting_.contains(block); })) return;
    stepped_.push_back(&loop);
    stops_.insert(loop.getHeader());
    // What follows the loop is a region of its own where it waits or loops again: else each round would carry its code along.
    llvm::SmallVector<BasicBlock*> exits;
    loop.getUniqueExitBlocks(exits);
    for (BasicBlock* exit : exits) {
      if (goes_on(*exit) && !loops_.isLoopHeader(exit)) stops_.insert(exit);
    }
  }

  bool goes_on(BasicBlock& from) {
    llvm::SmallPtrSet<BasicBlock*, 16> visited;
    llvm::SmallVector<BasicBlock*> pending{&from};
    while (!pending.empty()) {
      BasicBlock* block = pending.pop_back_val();
      if (!visited.insert(block).second) continue;
      if (waiting_.contains(block) || loops_.getLoopFor(block)) return true;
      pending.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    return false;
  }

  // A counter that starts differently in each thread and moves by the same step, as that of a grid-stride loop: the start, which is computed
  // again in each round, plus what is the same in every thread. Threads next to each other then access memory next to each other.
  void split_inductions(Loop& loop) {
    BasicBlock* before = loop.getLoopPredecessor();
    BasicBlock* latch = loop.getLoopLatch();
    if (!before || !latch) return;
    llvm::SmallVector<llvm::PHINode*> counters;
    for (llvm::PHINode& phi : loop.getHeader()->phis()) counters.push_back(&phi);
    for (llvm::PHINode* counter : counters) {
      auto* next = llvm::dyn_cast<llvm::BinaryOperator>(counter->getIncomingValueForBlock(latch));
      Value* start = counter->getIncomingValueForBlock(before);
      if (!next || next->getOpcode() != llvm::Instruction::Add || is_uniform(*start)) continue;
      Value* step = next->getOperand(0) == counter ? next->getOperand(1) : next->getOperand(1) == counter ? next->getOperand(0) : nullptr;
      if (!step || !is_uniform_in(loop, *step)) continue;
      auto* moved = llvm::PHINode::Create(counter->getType(), 2, "", counter->getIterator());
      IRBuilder<> at_end(next);
      moved->addIncoming(llvm::ConstantInt::get(counter->getType(), 0), before);
      moved->addIncoming(at_end.CreateAdd(moved, step), latch);
      IRBuilder<> at_head(loop.getHeader(), loop.getHeader()->getFirstInsertionPt());
      Value* sum = at_head.CreateAdd(start, moved);
      counter->replaceAllUsesWith(sum);
      counter->eraseFromParent();
    }
  }

  bool is_uniform(const Value& value) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value)) return uniformity_.is_uniform(*instruction);
    return &value != body_.place().linear && !llvm::is_contained(body_.place().index[thread_index], &value);
  }

  bool is_uniform_in(const Loop& loop, const Value& value) { return loop.isLoopInvariant(&value) && is_uniform(value); }

  ThreadBody& body_;
  llvm::Function& function_;
  Uniformity uniformity_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::SmallPtrSet<BasicBlock*, 8> waiting_;
  llvm::SmallVector<Loop*> stepped_;
  llvm::SetVector<BasicBlock*> stops_;
  llvm::DenseMap<BasicBlock*, std::size_t> position_;  // in the order of the text
};

}  // namespace

void step_through_loops(ThreadBody& body) { LoopSteps(body).run(); }

}  // namespace cuttle::codegen
