#include "codegen/simt_regions.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include "codegen/check.h"
#include "codegen/simt_liveness.h"
#include "codegen/simt_uniformity.h"
#include "codegen/simt_variables.h"

namespace cuttle::codegen {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

// A value is computed again rather than kept where that takes no more than this many instructions.
constexpr unsigned max_recomputed = 8;

// A barrier alone in a block, and the empty block behind it in which a thread resumes.
struct Boundary {
  BasicBlock* wait;
  BasicBlock* resume;
};

class Splitter {
 public:
  Splitter(ThreadBody& body, SlotLayout& slots, bool check)
      : thread_(body), body_(body.function()), place_(body.place()), slots_(slots), check_(check) {
    llvm::MDBuilder metadata(body_.getContext());
    auto* domain = metadata.createAnonymousAliasScopeDomain("slots");
    slot_scope_ = llvm::MDNode::get(body_.getContext(), {metadata.createAnonymousAliasScope(domain, "slots")});
  }

  Regions split() {
    keep_arrays();
    isolate_barriers();
    const Uniformity uniformity(thread_);
    regions_.threads_part = check_ || threads_may_part(uniformity);
    keep_values(uniformity);
    mark_aliasing();
    make_resumable();
    return make_regions();
  }

 private:
  // What a thread has on its stack must outlive its regions: it moves to the thread's slot.
  void keep_arrays() {
    llvm::SmallVector<llvm::AllocaInst*> arrays;
    for (Instruction& instruction : llvm::instructions(body_)) {
      if (auto* array = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) arrays.push_back(array);
    }
    for (llvm::AllocaInst* array : arrays) {
      for (llvm::User* user : llvm::make_early_inc_range(array->users())) {
        auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        if (marker && marker->isLifetimeStartOrEnd()) marker->eraseFromParent();
      }
      const std::uint64_t bytes = llvm::alignTo(body_.getDataLayout().getTypeAllocSize(array->getAllocatedType()), array->getAlign());
      IRBuilder<> builder(array);
      array->replaceAllUsesWith(slot_address(builder, place_, slots_.add(bytes)));
      array->eraseFromParent();
    }
  }

  void isolate_barriers() {
    const std::vector<Wait> waits = waits_of(body_);
    const auto first = [&](WaitKind kind) {  // region 0 starts the thread, region i + 1 stands behind wait i
      const auto found = std::find_if(waits.begin(), waits.end(), [&](const Wait& wait) { return wait.kind >= kind; });
      return static_cast<unsigned>(found - waits.begin()) + 1;
    };
    regions_.first_wait = first(WaitKind::converge);
    regions_.numbers = {first(WaitKind::warp), first(WaitKind::block), static_cast<unsigned>(waits.size()) + 1};
    if (regions_.has_warp_barriers()) regions_.masks = slots_.add(sizeof(std::uint32_t));
    for (const auto& [call, kind] : waits) {
      if (check_) regions_.sites.push_back(check_site(*body_.getParent(), call->getDebugLoc(), CheckSite::barrier));
      BasicBlock* wait = call->getParent()->splitBasicBlock(call->getIterator(), "wait");
      BasicBlock* resume = wait->splitBasicBlock(std::next(call->getIterator()), "resume");
      BasicBlock* resumed = resume->splitBasicBlock(resume->begin(), "resumed");
      if (kind == WaitKind::warp) {
        IRBuilder<> builder(call);
        builder.CreateStore(call->getArgOperand(0), slot_address(builder, place_, regions_.masks));
      }
      if (kind == WaitKind::warp || kind == WaitKind::converge) {
        IRBuilder<> builder(&*resumed->begin());
        Value* state = warp_address(builder, place_, warp_states_offset + offsetof(WarpState, joined), sizeof(WarpState));
        call->replaceAllUsesWith(builder.CreateLoad(builder.getInt32Ty(), state));
      }
      call->eraseFromParent();
      boundaries_.push_back({wait, resume});
    }
  }

  // A branch at which threads part matters where its ways lead to different barriers, or one to a barrier and one to the end.
  bool threads_may_part(const Uniformity& uniformity) {
    llvm::SmallPtrSet<const BasicBlock*, 16> waits;
    for (const Boundary& boundary : boundaries_) waits.insert(boundary.wait);
    for (BasicBlock& block : body_) {
      if (!uniformity.parts_threads(block)) continue;
      llvm::SmallPtrSet<const BasicBlock*, 16> visited;
      llvm::SmallVector<const BasicBlock*> pending(llvm::successors(&block));
      const BasicBlock* end = nullptr;  // returns are one end: the code is at most one return after SimplifyCFG, and any two lead to the exit
      while (!pending.empty()) {
        const BasicBlock* at = pending.pop_back_val();
        if (!visited.insert(at).second) continue;
        if (!waits.contains(at) && !llvm::isa<llvm::ReturnInst>(at->getTerminator())) {
          pending.append(llvm::succ_begin(at), llvm::succ_end(at));
          continue;
        }
        if (end && end != at) return true;
        end = at;
      }
    }
    return false;
  }

  // Every value that is needed after a barrier: computed again there, or stored before the barrier and loaded behind it.
  void keep_values(const Uniformity& uniformity) {
    std::vector<BasicBlock*> resumes;
    for (const Boundary& boundary : boundaries_) resumes.push_back(boundary.resume);
    const auto live = live_at(body_, resumes);
    const llvm::DominatorTree dominators(body_);
    std::vector<llvm::SmallVector<llvm::DbgVariableRecord*>> variables;
    for (const Boundary& boundary : boundaries_) variables.push_back(variables_at(*boundary.wait, dominators));
    values_behind_.resize(boundaries_.size());

    llvm::MapVector<Instruction*, llvm::SmallVector<std::size_t>> needed;
    for (std::size_t i = 0; i < live.size(); ++i) {
      for (Instruction* value : live[i]) needed[value].push_back(i);
    }
    // Before any of them changes: the analysis knows the code as it is.
    llvm::SmallPtrSet<const Instruction*, 16> uniform;
    for (const auto& [value, where] : needed) {
      // Warps reach a region one after the other, and may hold different values in it.
      const bool small = !value->getType()->isVectorTy() && value->getType()->isSingleValueType();
      if (small && !regions_.has_warp_barriers() && uniformity.is_uniform(*value)) uniform.insert(value);
    }
    // So are values that are computed again: once uses change, what they are computed from has phis in it.
    llvm::DenseMap<Instruction*, llvm::SmallVector<Value*>> recomputed;
    for (const auto& [value, where] : needed) {
      if (!can_recompute(*value)) continue;
      for (const std::size_t i : where) {
        IRBuilder<> behind(boundaries_[i].resume->getTerminator());
        recomputed[value].push_back(recompute(*value, behind));
      }
    }
    for (const auto& [value, where] : needed) keep_value(*value, where, recomputed.lookup(value), uniform.contains(value));
    for (std::size_t i = 0; i < boundaries_.size(); ++i) show_variables(*boundaries_[i].resume, variables[i], values_behind_[i]);
    for (const auto& [store, slot] : stores_) {
      if (reload_slot(store->getValueOperand()) == slot) store->eraseFromParent();  // it is there already
    }
  }

  // `recomputed` has the value anew for each of the boundaries `where`, or nothing.
  void keep_value(Instruction& value, llvm::ArrayRef<std::size_t> where, llvm::ArrayRef<Value*> recomputed, bool is_uniform) {
    const bool again = !recomputed.empty();
    std::optional<Slot> slot;
    llvm::Type* type = value.getType();
    llvm::Type* stored_type = type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
    if (!again) slot = slots_.add(body_.getDataLayout().getTypeAllocSize(stored_type));
    if (!again && is_uniform) regions_.uniform.push_back({stored_type, *slot, max_uniform_bytes * regions_.uniform.size()});

    // Its uses as they are now: what is made below uses it rightly.
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : value.uses()) uses.push_back(&use);

    llvm::SmallVector<llvm::PHINode*> phis;
    llvm::SSAUpdater updater(&phis);
    updater.Initialize(type, "");
    updater.AddAvailableValue(value.getParent(), &value);
    const auto add = [&](std::size_t boundary, Value* anew) {
      updater.AddAvailableValue(boundaries_[boundary].resume, anew);
      values_behind_[boundary][&value] = anew;
    };
    for (std::size_t n = 0; n < where.size(); ++n) {
      const Boundary& boundary = boundaries_[where[n]];
      if (again) {
        add(where[n], recomputed[n]);
        continue;
      }
      IRBuilder<> behind(boundary.resume->getTerminator());
      IRBuilder<> before(boundary.wait->getTerminator());
      Value* address = slot_address(before, place_, *slot);
      Value* kept = stored_type == type ? &value : before.CreateZExt(&value, stored_type);
      auto* store = before.CreateStore(kept, address);
      store->setMetadata(llvm::LLVMContext::MD_alias_scope, slot_scope_);
      stores_.emplace_back(store, slot->number);
      uses.push_back(stored_type == type ? &store->getOperandUse(0) : &llvm::cast<Instruction>(kept)->getOperandUse(0));

      Value* kept_at = is_uniform ? behind.CreateConstInBoundsGEP1_64(behind.getInt8Ty(), place_.uniform, regions_.uniform.back().offset)
                                  : slot_address(behind, place_, *slot);
      auto* load = behind.CreateLoad(stored_type, kept_at);
      load->setMetadata(llvm::LLVMContext::MD_alias_scope, slot_scope_);
      reloads_[load] = slot->number;
      add(where[n], stored_type == type ? static_cast<Value*>(load) : behind.CreateTrunc(load, type));
    }
    for (llvm::Use* use : uses) {
      auto* user = llvm::cast<Instruction>(use->getUser());
      if (user->getParent() == value.getParent() && !llvm::isa<llvm::PHINode>(user)) continue;
      updater.RewriteUse(*use);
    }
  }

  // The slot that `stored` was loaded from, or none.
  std::optional<std::uint64_t> reload_slot(Value* stored) const {
    if (auto* widened = llvm::dyn_cast<llvm::ZExtInst>(stored)) {
      if (auto* narrowed = llvm::dyn_cast<llvm::TruncInst>(widened->getOperand(0))) stored = narrowed->getOperand(0);
    }
    const auto found = reloads_.find(stored);
    return found == reloads_.end() ? std::nullopt : std::optional(found->second);
  }

  // Whether arguments and constants alone give the value, by a few instructions that no memory and no other thread changes.
  static bool can_recompute(Value& value) {
    unsigned budget = max_recomputed;
    return can_recompute(value, budget);
  }
  static bool can_recompute(Value& value, unsigned& budget) {
    if (llvm::isa<llvm::Argument>(value) || llvm::isa<llvm::Constant>(value)) return true;
    auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction || budget == 0) return false;
    --budget;
    const bool cheap = llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::BinaryOperator, llvm::CmpInst, llvm::SelectInst>(instruction) &&
                       !instruction->isIntDivRem() && instruction->getOpcode() != Instruction::FDiv && instruction->getOpcode() != Instruction::FRem;
    auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
    if (!cheap && !(load && ThreadBody::reads_argument(*load))) return false;
    return llvm::all_of(instruction->operands(), [&](Value* operand) { return can_recompute(*operand, budget); });
  }

  static Value* recompute(Value& value, IRBuilder<>& builder) {
    auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction) return &value;
    llvm::SmallVector<Value*> operands;
    for (Value* operand : instruction->operands()) operands.push_back(recompute(*operand, builder));
    Instruction* copy = builder.Insert(instruction->clone());
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
    return copy;
  }

  // Nothing that the kernel itself reads or writes is a slot of a value.
  void mark_aliasing() {
    for (Instruction& instruction : llvm::instructions(body_)) {
      if (!llvm::getLoadStorePointerOperand(&instruction) || instruction.hasMetadata(llvm::LLVMContext::MD_alias_scope)) continue;
      instruction.setMetadata(llvm::LLVMContext::MD_noalias, slot_scope_);
    }
  }

  // A further parameter says where to start; a barrier returns the number of the region behind it, the end the number after all.
  void make_resumable() {
    llvm::LLVMContext& context = body_.getContext();
    auto* number = llvm::Type::getInt32Ty(context);
    for (BasicBlock& block : body_) {
      if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        end->setOperand(0, llvm::ConstantInt::get(number, boundaries_.size() + 1));
      }
    }
    for (std::size_t i = 0; i < boundaries_.size(); ++i) {
      BasicBlock* wait = boundaries_[i].wait;
      wait->getTerminator()->eraseFromParent();
      IRBuilder<>(wait).CreateRet(llvm::ConstantInt::get(number, i + 1));
    }
  }

  // One clone for each place to start at, with what it cannot reach removed.
  Regions make_regions() {
    for (std::size_t i = 0; i <= boundaries_.size(); ++i) {
      llvm::ValueToValueMapTy map;
      llvm::Function* region = llvm::CloneFunction(&body_, map);
      region->setName("cuttle_region_" + std::to_string(i));
      if (i > 0) {
        auto* start = BasicBlock::Create(body_.getContext(), "start", region, &region->getEntryBlock());
        IRBuilder<>(start).CreateBr(llvm::cast<BasicBlock>(map[boundaries_[i - 1].resume]));
      }
      llvm::EliminateUnreachableBlocks(*region);
      regions_.list.push_back({region});
    }
    body_.eraseFromParent();
    return std::move(regions_);
  }

  ThreadBody& thread_;
  llvm::Function& body_;
  const ThreadPlace place_;
  SlotLayout& slots_;
  const bool check_;
  Regions regions_;
  llvm::MDNode* slot_scope_;
  std::vector<Boundary> boundaries_;
  std::vector<llvm::DenseMap<const Value*, Value*>> values_behind_;  // of each boundary: what is kept, and what it is there
  std::vector<std::pair<llvm::StoreInst*, std::uint64_t>> stores_;
  llvm::DenseMap<Value*, std::uint64_t> reloads_;
};

}  // namespace

Regions split_into_regions(ThreadBody& body, SlotLayout& slots, bool check) { return Splitter(body, slots, check).split(); }

std::vector<Wait> waits_of(llvm::Function& function) {
  constexpr std::pair<const char*, WaitKind> markers[] = {{"cuttle_cpu_step", WaitKind::step},
                                                          {"cuttle_cpu_converge", WaitKind::converge},
                                                          {"cuttle_cpu_warp_barrier", WaitKind::warp},
                                                          {"cuttle_cpu_barrier", WaitKind::block}};
  std::vector<Wait> waits;
  for (const auto& [name, kind] : markers) {
    const llvm::Function* marker = function.getParent()->getFunction(name);
    if (!marker) continue;
    for (Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->getCalledFunction() == marker) waits.push_back({call, kind});
    }
    if (kind == WaitKind::step) {
      const auto number = [](const Wait& wait) { return llvm::cast<llvm::ConstantInt>(wait.call->getArgOperand(0))->getZExtValue(); };
      std::sort(waits.begin(), waits.end(), [&](const Wait& a, const Wait& b) { return number(a) < number(b); });
    }
  }
  return waits;
}

}  // namespace cuttle::codegen
