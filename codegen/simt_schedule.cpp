#include "codegen/simt_schedule.h"

#include <cstddef>

#include "codegen/simt_block.h"

namespace cuttle::codegen {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

// The number of the region at which a thread waits, one slot element a thread.
constexpr std::uint64_t number_bytes = sizeof(std::uint16_t);

// Runs the region for a thread if `condition` holds, and notes where the thread goes on, an access like those of `parallel`. The result is that
// number, or `otherwise`.
Value* run_if(BlockFunction& block, const Region& region, const ThreadPlace& place, const Slot& at, llvm::MDNode* parallel, Value* condition,
              Value* otherwise) {
  IRBuilder<>& builder = block.builder();
  BasicBlock* before = builder.GetInsertBlock();
  BasicBlock* run = block.new_block("run");
  BasicBlock* join = block.new_block("join");
  builder.CreateCondBr(condition, run, join);
  builder.SetInsertPoint(run);
  Value* result = block.call(*region.function, place);
  auto* note = builder.CreateStore(builder.CreateTrunc(result, builder.getInt16Ty()), slot_address(builder, place, at));
  note->setMetadata(llvm::LLVMContext::MD_access_group, parallel);
  BasicBlock* ran = builder.GetInsertBlock();
  builder.CreateBr(join);
  builder.SetInsertPoint(join);
  auto* number = builder.CreatePHI(builder.getInt32Ty(), 2);
  number->addIncoming(result, ran);
  number->addIncoming(otherwise, before);
  return number;
}

// The first thread that waits at region r: there is one.
Value* first_thread_at(BlockFunction& block, const Slot& at, unsigned r) {
  IRBuilder<>& builder = block.builder();
  BasicBlock* before = builder.GetInsertBlock();
  BasicBlock* search = block.new_block("search");
  BasicBlock* found = block.new_block("found");
  builder.CreateBr(search);
  builder.SetInsertPoint(search);
  auto* thread = builder.CreatePHI(builder.getInt64Ty(), 2);
  thread->addIncoming(builder.getInt64(0), before);
  ThreadPlace place = block.place();
  place.linear = thread;
  Value* number = builder.CreateLoad(builder.getInt16Ty(), slot_address(builder, place, at));
  thread->addIncoming(builder.CreateAdd(thread, builder.getInt64(1)), search);
  builder.CreateCondBr(builder.CreateICmpEQ(number, builder.getInt16(static_cast<std::uint16_t>(r))), found, search);
  builder.SetInsertPoint(found);
  return thread;
}

// Uniform values as `thread` left them.
void load_uniform(BlockFunction& block, const Regions& regions, Value* thread) {
  IRBuilder<>& builder = block.builder();
  ThreadPlace place = block.place();
  place.linear = thread;
  for (const UniformValue& value : regions.uniform) {
    Value* kept = builder.CreateLoad(value.type, slot_address(builder, place, value.slot));
    builder.CreateStore(kept, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), place.uniform, value.offset));
  }
}

void call_checker(BlockFunction& block, llvm::StringRef name, llvm::ArrayRef<Value*> arguments) {
  IRBuilder<>& builder = block.builder();
  llvm::SmallVector<llvm::Type*> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  builder.CreateCall(module.getOrInsertFunction(name, llvm::FunctionType::get(builder.getVoidTy(), types, false)), arguments);
}

// Under checks: all threads have stopped, each where its note says, and those that wait for the block go on.
void check_barrier(BlockFunction& block, const Regions& regions, const Slot& at) {
  if (regions.sites.empty()) return;
  IRBuilder<>& builder = block.builder();
  auto* table = llvm::ConstantArray::get(llvm::ArrayType::get(builder.getPtrTy(), regions.sites.size()), regions.sites);
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  auto* sites = new llvm::GlobalVariable(module, table->getType(), true, llvm::GlobalValue::PrivateLinkage, table, "cuttle.sites");
  call_checker(block, "cuttle_check_barrier",
               {slot_begin(builder, block.place(), at), block.thread_count(), sites, builder.getInt32(regions.exit())});
}

}  // namespace

void run_threads(llvm::CallInst& call, ThreadBody& body) {
  BlockFunction block(call);
  block.for_each_thread(mark_parallel(body.function()), [&](const ThreadPlace& place) { block.call(body.function(), place); });
  block.finish();
}

void run_regions(llvm::CallInst& call, const Regions& regions, SlotLayout& slots) {
  // Where threads may part, each notes where it goes on, and those that wait in front of another region, or have ended, sit out.
  const bool part = regions.threads_part;
  Slot at{};
  if (part) at = slots.add(number_bytes);
  BlockFunction block(call);
  IRBuilder<>& builder = block.builder();
  block.take_scratch(slots);
  block.take_uniform(regions.uniform.size() * max_uniform_bytes);

  // The lowest region at which a thread waits is the next to run; threads that have ended wait at the highest number.
  llvm::AllocaInst* next = builder.CreateAlloca(builder.getInt32Ty());
  builder.CreateStore(builder.getInt32(0), next);
  BasicBlock* dispatch = block.new_block("dispatch");
  BasicBlock* done = block.new_block("done");
  builder.CreateBr(dispatch);
  builder.SetInsertPoint(dispatch);
  llvm::SwitchInst* choice = builder.CreateSwitch(builder.CreateLoad(builder.getInt32Ty(), next), done, regions.exit());

  for (unsigned r = 0; r < regions.exit(); ++r) {
    const Region& region = regions.list[r];
    BasicBlock* start = block.new_block("region");
    choice->addCase(builder.getInt32(r), start);
    builder.SetInsertPoint(start);
    builder.CreateStore(builder.getInt32(regions.exit()), next);
    if (r >= regions.numbers.first_block_barrier) check_barrier(block, regions, at);
    if (r > 0) load_uniform(block, regions, part ? first_thread_at(block, at, r) : builder.getInt64(0));
    llvm::MDNode* parallel = mark_parallel(*region.function);
    block.for_each_thread(parallel, [&](const ThreadPlace& place) {
      Value* number = nullptr;
      if (!part) {
        number = block.call(*region.function, place);
      } else if (r == 0) {
        number = run_if(block, region, place, at, parallel, builder.getTrue(), builder.getInt32(0));
      } else {
        auto* note = builder.CreateLoad(builder.getInt16Ty(), slot_address(builder, place, at));
        note->setMetadata(llvm::LLVMContext::MD_access_group, parallel);
        Value* noted = builder.CreateZExt(note, builder.getInt32Ty());
        number = run_if(block, region, place, at, parallel, builder.CreateICmpEQ(noted, builder.getInt32(r)), noted);
      }
      Value* lowest = builder.CreateLoad(builder.getInt32Ty(), next);
      builder.CreateStore(builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, lowest, number), next);
    });
    builder.CreateBr(dispatch);
  }
  builder.SetInsertPoint(done);
  block.finish();
}

void run_warps(llvm::CallInst& call, const Regions& regions, SlotLayout& slots) {
  const Slot at = slots.add(number_bytes);
  BlockFunction block(call);
  IRBuilder<>& builder = block.builder();
  block.take_scratch(slots);
  const ThreadPlace& place = block.place();

  llvm::Type* i32 = builder.getInt32Ty();
  auto* numbers = llvm::ConstantStruct::getAnon({builder.getInt32(regions.numbers.first_warp_barrier),
                                                 builder.getInt32(regions.numbers.first_block_barrier), builder.getInt32(regions.numbers.exit)});
  auto* numbers_variable = new llvm::GlobalVariable(*call.getModule(), numbers->getType(), true, llvm::GlobalValue::InternalLinkage, numbers);
  llvm::FunctionCallee schedule = call.getModule()->getOrInsertFunction("cuttle_cpu_schedule_warp", i32, builder.getPtrTy(), builder.getPtrTy(),
                                                                        builder.getPtrTy(), i32, builder.getPtrTy());

  // All threads start in front of region 0.
  Value* at_begin = slot_begin(builder, place, at);
  Value* masks_begin = slot_begin(builder, place, regions.masks);
  builder.CreateMemSet(at_begin, builder.getInt8(0), builder.CreateMul(place.threads, builder.getInt64(number_bytes)), llvm::Align(64));
  llvm::AllocaInst* alive = builder.CreateAlloca(builder.getInt1Ty());
  Value* warps = builder.CreateLShr(builder.CreateAdd(block.thread_count(), builder.getInt64(31)), 5);

  // A phase ends when every lane of every warp has reached a barrier of the block, or has ended.
  BasicBlock* phase = block.new_block("phase");
  BasicBlock* done = block.new_block("done");
  builder.CreateBr(phase);
  builder.SetInsertPoint(phase);
  builder.CreateStore(builder.getFalse(), alive);
  block.emit_loop(warps, nullptr, [&](Value* warp) {
    Value* first = builder.CreateShl(warp, 5, "", true, true);
    Value* count = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, builder.getInt64(32), builder.CreateSub(block.thread_count(), first));
    ThreadPlace any_lane = place;
    any_lane.linear = first;
    Value* state = warp_address(builder, any_lane, warp_states_offset, sizeof(WarpState));
    const auto member = [&](Value* of, std::size_t offset) { return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), of, offset); };
    builder.CreateStore(builder.getInt32(~0u), member(state, offsetof(WarpState, fresh)));
    Value* warp_at = builder.CreateInBoundsGEP(builder.getInt16Ty(), at_begin, first);
    Value* warp_masks = builder.CreateInBoundsGEP(i32, masks_begin, first);

    BasicBlock* step = block.new_block("step");
    BasicBlock* parked = block.new_block("parked");
    builder.CreateBr(step);
    builder.SetInsertPoint(step);
    Value* chosen = builder.CreateCall(schedule, {state, warp_at, warp_masks, builder.CreateTrunc(count, i32), numbers_variable});
    Value* released = builder.CreateLoad(i32, member(state, offsetof(WarpState, released)));
    llvm::SwitchInst* choice = builder.CreateSwitch(chosen, parked, regions.exit());
    for (unsigned r = 0; r < regions.exit(); ++r) {
      const Region& region = regions.list[r];
      BasicBlock* start = block.new_block("region");
      choice->addCase(builder.getInt32(r), start);
      builder.SetInsertPoint(start);
      const bool is_behind_warp_barrier = r >= regions.numbers.first_warp_barrier && r < regions.numbers.first_block_barrier;
      if (!regions.sites.empty() && is_behind_warp_barrier)
        call_checker(block, "cuttle_check_warp_barrier",
                     {builder.CreateTrunc(warp, i32), builder.CreateLoad(i32, member(state, offsetof(WarpState, met)))});
      llvm::MDNode* parallel = mark_parallel(*region.function);
      block.for_each_lane(first, count, parallel, [&](const ThreadPlace& lane) {
        Value* number = builder.CreateTrunc(builder.CreateSub(lane.linear, first), i32);
        Value* runs = builder.CreateTrunc(builder.CreateLShr(released, number), builder.getInt1Ty());
        run_if(block, region, lane, at, parallel, runs, builder.getInt32(0));
      });
      builder.CreateBr(step);
    }
    builder.SetInsertPoint(parked);
    Value* ended = builder.CreateICmpEQ(chosen, builder.getInt32(regions.exit()));
    builder.CreateStore(builder.CreateOr(builder.CreateLoad(builder.getInt1Ty(), alive), builder.CreateNot(ended)), alive);
  });
  BasicBlock* again = block.new_block("again");
  builder.CreateCondBr(builder.CreateLoad(builder.getInt1Ty(), alive), again, done);
  builder.SetInsertPoint(again);
  check_barrier(block, regions, at);
  builder.CreateBr(phase);
  builder.SetInsertPoint(done);
  block.finish();
}

}  // namespace cuttle::codegen
