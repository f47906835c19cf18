#include "codegen/check_lanes.h"

#include "codegen/check.h"

namespace cuttle::codegen {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

// cuttle_check_lane(value, source, lanes), where the prelude's shuffles have it (dsl/device/cpu_warp.h); its result is `value`.
constexpr const char* marker_name = "cuttle_check_lane";

const Value* object_of(const Value* pointer) { return llvm::getUnderlyingObject(pointer, 0); }

bool is_lane_memory(const Value* pointer) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(object_of(pointer));
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == "cuttle_cpu_warp_memory";
}

// Gives each value that comes from a shuffle a doubt beside it: 0, or the number by which the checker knows the shuffle (runtime/src/lane_values.h).
class Follower {
 public:
  Follower(llvm::Function& thread, llvm::Function& marker) : module_(*thread.getParent()), thread_(thread), marker_(marker) {}

  void run() {
    find_values();
    // In this order the doubts of a value's operands are there before it, but for phis.
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&thread_)) {
      for (Instruction& instruction : *block) {
        if (values_.contains(&instruction)) doubts_[&instruction] = make_doubt(instruction);
      }
    }
    for (Instruction* value : values_) {
      if (auto* merge = llvm::dyn_cast<llvm::PHINode>(value)) complete(*merge);
    }
    for (Instruction* place : sinks_) report(*place);
    keep_doubts_of_lanes();
  }

 private:
  bool starts_here(const Instruction& instruction) const {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call && call->getCalledFunction() == &marker_;
  }

  void find_values() {
    for (llvm::User* user : marker_.users()) {
      auto* call = llvm::cast<Instruction>(user);
      if (call->getFunction() == &thread_) values_.insert(call);
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
      for (llvm::User* user : values_[i]->users()) {
        auto* instruction = llvm::cast<Instruction>(user);
        if (computes(*instruction)) {
          values_.insert(instruction);
        } else if (is_sink(*instruction, *values_[i])) {
          sinks_.insert(instruction);
        }
      }
    }
  }

  static bool computes(const Instruction& instruction) {
    if (instruction.getType()->isVoidTy() || instruction.isTerminator()) return false;
    return !instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::AllocaInst>(instruction);
  }

  // A branch is none: where the greatest of a warp's values is sought, all lanes compare.
  bool is_sink(const Instruction& instruction, const Value& value) const {
    if (instruction.isTerminator() || starts_here(instruction)) return false;
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      return intrinsic->mayWriteToMemory() && !intrinsic->isAssumeLikeIntrinsic();
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store || store->getPointerOperand() == &value) return true;
    return !is_lane_memory(store->getPointerOperand()) && !llvm::isa<llvm::AllocaInst>(object_of(store->getPointerOperand()));
  }

  Value* doubt_of(const Value* value) {
    const auto found = doubts_.find(value);
    return found == doubts_.end() ? llvm::ConstantInt::get(type(), 0) : found->second;
  }

  Value* make_doubt(Instruction& value) {
    if (auto* merge = llvm::dyn_cast<llvm::PHINode>(&value)) return IRBuilder<>(merge).CreatePHI(type(), merge->getNumIncomingValues());
    IRBuilder<> builder(value.getNextNode());
    if (starts_here(value)) return start(llvm::cast<llvm::CallInst>(value), builder);
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&value); choice && !choice->getCondition()->getType()->isVectorTy()) {
      Value* chosen = builder.CreateSelect(choice->getCondition(), doubt_of(choice->getTrueValue()), doubt_of(choice->getFalseValue()));
      return join(builder, doubt_of(choice->getCondition()), chosen);
    }
    Value* doubt = builder.getInt32(0);
    for (const Value* operand : value.operands()) doubt = join(builder, doubt, doubt_of(operand));
    return doubt;
  }

  static Value* join(IRBuilder<>& builder, Value* a, Value* b) {
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(a); known && known->isZero()) return b;
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(b); known && known->isZero()) return a;
    return builder.CreateSelect(builder.CreateIsNull(a), b, a);
  }

  // The other lane's own doubt lies where its value does.
  Value* start(llvm::CallInst& taken, IRBuilder<>& builder) {
    const Value* given = taken.getArgOperand(0);
    if (const auto* widened = llvm::dyn_cast<llvm::ZExtInst>(given)) given = widened->getOperand(0);
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(given);
    Value* address = load ? const_cast<Value*>(load->getPointerOperand()) : llvm::ConstantPointerNull::get(builder.getPtrTy());
    return call(builder, type(), "cuttle_check_take_lane",
                {check_site(module_, taken.getDebugLoc(), 0), thread(builder), taken.getArgOperand(1), taken.getArgOperand(2), address});
  }

  void complete(llvm::PHINode& merge) {
    const auto found = doubts_.find(&merge);
    if (found == doubts_.end()) return;  // unreachable
    auto* doubts = llvm::cast<llvm::PHINode>(found->second);
    for (unsigned i = 0; i < merge.getNumIncomingValues(); ++i) doubts->addIncoming(doubt_of(merge.getIncomingValue(i)), merge.getIncomingBlock(i));
  }

  void report(Instruction& place) {
    IRBuilder<> builder(&place);
    Value* doubt = builder.getInt32(0);
    for (const Value* operand : place.operands()) doubt = join(builder, doubt, doubt_of(operand));
    call(builder, builder.getVoidTy(), "cuttle_check_lane_value", {doubt});
  }

  void keep_doubts_of_lanes() {
    llvm::SmallVector<llvm::StoreInst*> stores;
    for (Instruction& instruction : llvm::instructions(thread_)) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store && is_lane_memory(store->getPointerOperand())) stores.push_back(store);
    }
    for (llvm::StoreInst* store : stores) {
      IRBuilder<> builder(store);
      call(builder, builder.getVoidTy(), "cuttle_check_give_lane", {store->getPointerOperand(), doubt_of(store->getValueOperand())});
    }
  }

  Value* thread(IRBuilder<>& builder) { return call(builder, builder.getInt32Ty(), "cuttle_cpu_linear_thread", {}); }

  Value* call(IRBuilder<>& builder, llvm::Type* result, llvm::StringRef name, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<llvm::Type*> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    return builder.CreateCall(module_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)), arguments);
  }

  llvm::Type* type() const { return llvm::Type::getInt32Ty(module_.getContext()); }

  llvm::Module& module_;
  llvm::Function& thread_;
  llvm::Function& marker_;
  llvm::SetVector<Instruction*> values_, sinks_;
  llvm::DenseMap<const Value*, Value*> doubts_;
};

}  // namespace

void follow_lane_values(llvm::Function& thread) {
  llvm::Function* marker = thread.getParent()->getFunction(marker_name);
  if (!marker) return;
  Follower(thread, *marker).run();
  for (llvm::User* user : llvm::make_early_inc_range(marker->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
  }
}

}  // namespace cuttle::codegen
