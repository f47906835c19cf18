#include "codegen/simt.h"

#include <array>
#include <cstddef>

#include <llvm/Analysis/ValueTracking.h>

#include "codegen/compiler.h"

namespace cuttle::codegen {
namespace {

using llvm::IRBuilder;
using llvm::Value;

// The index functions that the prelude declares (dsl/device/cpu.h), each taking the dimension.
enum Index : unsigned { thread_index, block_index, block_dim, grid_dim, index_count };
constexpr std::array<const char*, index_count> index_functions = {"cuttle_cpu_thread_index", "cuttle_cpu_block_index", "cuttle_cpu_block_dim",
                                                                  "cuttle_cpu_grid_dim"};
constexpr std::array<std::size_t, index_count> context_offsets = {
    0, offsetof(cuttle_block_context, block_index), offsetof(cuttle_block_context, block_dim), offsetof(cuttle_block_context, grid_dim)};

using IndexValues = std::array<std::array<Value*, 3>, index_count>;

Value* load_context(IRBuilder<>& builder, Value* context, std::size_t offset, llvm::Type* type) {
  Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), context, offset);
  return builder.CreateAlignedLoad(type, address, llvm::Align(type->isPointerTy() ? 8 : 4));
}

// The thread function with the indices and the shared memory as further parameters, in place of calls and globals.
class ThreadBody {
 public:
  ThreadBody(llvm::Module& module, llvm::Function& thread) : module_(module), original_parameters_(thread.arg_size()) {
    llvm::LLVMContext& context = module.getContext();
    std::vector<llvm::Type*> types;
    for (const llvm::Argument& argument : thread.args()) types.push_back(argument.getType());
    types.insert(types.end(), 3 * index_count, llvm::Type::getInt32Ty(context));
    types.push_back(llvm::PointerType::get(context, 0));
    body_ = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false), llvm::GlobalValue::InternalLinkage,
                                   "cuttle_thread_body", module);
    llvm::ValueToValueMapTy map;
    for (llvm::Argument& argument : thread.args()) map[&argument] = body_->getArg(argument.getArgNo());
    llvm::SmallVector<llvm::ReturnInst*> returns;
    llvm::CloneFunctionInto(body_, &thread, map, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
    body_->addFnAttr(llvm::Attribute::AlwaysInline);
    body_->removeFnAttr(llvm::Attribute::NoInline);
    body_->removeFnAttr(llvm::Attribute::Convergent);
  }

  [[nodiscard]] llvm::Function& function() const { return *body_; }

  void replace_indices() {
    for (unsigned kind = 0; kind < index_count; ++kind) {
      llvm::Function* declared = module_.getFunction(index_functions[kind]);
      if (!declared) continue;
      for (llvm::User* user : llvm::make_early_inc_range(declared->users())) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(user);
        if (!call || call->getFunction() != body_) continue;
        const auto dimension = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getZExtValue();
        call->replaceAllUsesWith(body_->getArg(original_parameters_ + 3 * kind + dimension));
        call->eraseFromParent();
      }
    }
  }

  // Shared variables are the writable globals that Clang left without a value: static ones undefined, dynamic ones declared.
  std::size_t replace_shared_variables() {
    llvm::SmallVector<llvm::GlobalVariable*> variables;
    llvm::SmallVector<llvm::Constant*> constants;
    for (llvm::GlobalVariable& global : module_.globals()) {
      const bool shared = !global.isConstant() && (!global.hasInitializer() || llvm::isa<llvm::UndefValue>(global.getInitializer()));
      if (shared && !global.getName().starts_with("llvm.")) variables.push_back(&global), constants.push_back(&global);
    }
    llvm::convertUsersOfConstantsToInstructions(constants);
    const llvm::DataLayout& layout = module_.getDataLayout();
    std::size_t bytes = 0;
    for (llvm::GlobalVariable* variable : variables) {
      if (!variable->hasInitializer()) continue;
      bytes = llvm::alignTo(bytes, std::max(llvm::Align(16), variable->getAlign().valueOrOne()));
      replace_variable(*variable, bytes);
      bytes += layout.getTypeAllocSize(variable->getValueType());
    }
    bytes = llvm::alignTo(bytes, 128);  // dynamic shared memory starts here, aligned for every vector type
    for (llvm::GlobalVariable* variable : variables) {
      if (!variable->hasInitializer()) replace_variable(*variable, bytes);
    }
    return bytes;
  }

  // Threads of a block do not wait for each other between barriers, so that accesses of different iterations are independent: that lets
  // the vectoriser through. A thread's own stack is reused by the next iteration and must stay out (896 of 1024 results were wrong).
  void mark_parallel(llvm::MDNode* group) {
    for (llvm::Instruction& instruction : llvm::instructions(*body_)) {
      if (!instruction.mayReadOrWriteMemory()) continue;
      llvm::SmallVector<const Value*, 2> pointers;
      if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
        pointers.push_back(pointer);
      } else if (auto* intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
        pointers.push_back(intrinsic->getRawDest());
        if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(intrinsic)) pointers.push_back(transfer->getRawSource());
      } else {
        continue;
      }
      const bool own = llvm::any_of(pointers, [](const Value* pointer) {
        llvm::SmallVector<const Value*, 4> objects;
        llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
        return llvm::any_of(objects, [](const Value* object) { return llvm::isa<llvm::AllocaInst>(object); });
      });
      if (!own) instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
    }
  }

 private:
  void replace_variable(llvm::GlobalVariable& variable, std::size_t offset) {
    Value* shared = body_->getArg(static_cast<unsigned>(body_->arg_size() - 1));
    for (llvm::Use& use : llvm::make_early_inc_range(variable.uses())) {
      auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (!user || user->getFunction() != body_) continue;
      auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
      use.set(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), shared, offset));
    }
  }

  llvm::Module& module_;
  unsigned original_parameters_;
  llvm::Function* body_;
};

llvm::MDNode* loop_metadata(llvm::LLVMContext& context, llvm::MDNode* group) {
  const auto node = [&](llvm::StringRef name, llvm::Metadata* value = nullptr) {
    llvm::SmallVector<llvm::Metadata*, 2> operands{llvm::MDString::get(context, name)};
    if (value) operands.push_back(value);
    return llvm::MDNode::get(context, operands);
  };
  llvm::MDNode* id = llvm::MDNode::getDistinct(context, {nullptr, node("llvm.loop.parallel_accesses", group), node("llvm.loop.mustprogress")});
  id->replaceOperandWith(0, id);
  return id;
}

// for (i = 0; i < end; ++i) body(i), at the builder, which is left behind the loop.
template <class Body>
void emit_loop(IRBuilder<>& builder, Value* end, llvm::MDNode* metadata, const Body& body) {
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  llvm::LLVMContext& context = builder.getContext();
  llvm::BasicBlock* before = builder.GetInsertBlock();
  auto* header = llvm::BasicBlock::Create(context, "threads", function);
  auto* after = llvm::BasicBlock::Create(context, "threads.done", function);
  builder.CreateBr(header);  // a block has at least one thread in each dimension
  builder.SetInsertPoint(header);
  auto* i = builder.CreatePHI(builder.getInt32Ty(), 2);
  i->addIncoming(builder.getInt32(0), before);
  body(i);
  Value* next = builder.CreateAdd(i, builder.getInt32(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  auto* branch = builder.CreateCondBr(builder.CreateICmpULT(next, end), header, after);
  if (metadata) branch->setMetadata(llvm::LLVMContext::MD_loop, metadata);
  i->addIncoming(next, builder.GetInsertBlock());
  builder.SetInsertPoint(after);
}

bool calls(llvm::Module& module, llvm::StringRef name) {
  const llvm::Function* function = module.getFunction(name);
  return function && !function->use_empty();
}

}  // namespace

SimtResult lower_simt(llvm::Module& module, llvm::Function& entry, llvm::Function& thread) {
  SimtResult result;
  if (calls(module, "cuttle_cpu_barrier")) {
    result.user_error = "__syncthreads() is not implemented on the CPU device yet";
    return result;
  }
  ThreadBody body(module, thread);
  body.replace_indices();
  result.static_shared_bytes = body.replace_shared_variables();
  llvm::MDNode* group = llvm::MDNode::getDistinct(module.getContext(), {});
  body.mark_parallel(group);

  // The one call of the thread function becomes loops around calls of the body.
  auto* call = llvm::cast<llvm::CallInst>(*thread.user_begin());
  llvm::BasicBlock* rest = call->getParent()->splitBasicBlock(call->getIterator());
  IRBuilder<> builder(rest->getSinglePredecessor()->getTerminator());
  Value* context = entry.getArg(0);
  IndexValues indices{};
  for (unsigned kind = block_index; kind < index_count; ++kind) {
    for (unsigned d = 0; d < 3; ++d) indices[kind][d] = load_context(builder, context, context_offsets[kind] + 4 * d, builder.getInt32Ty());
  }
  Value* shared = load_context(builder, context, offsetof(cuttle_block_context, shared), builder.getPtrTy());
  llvm::Instruction* to_rest = rest->getSinglePredecessor()->getTerminator();
  to_rest->eraseFromParent();
  builder.SetInsertPoint(&entry.back() == rest ? rest->getPrevNode() : rest->getPrevNode());

  const auto& dim = indices[block_dim];
  emit_loop(builder, dim[2], nullptr, [&](Value* z) {
    emit_loop(builder, dim[1], nullptr, [&](Value* y) {
      emit_loop(builder, dim[0], loop_metadata(module.getContext(), group), [&](Value* x) {
        indices[thread_index] = {x, y, z};
        llvm::SmallVector<Value*> arguments(call->args());
        for (const auto& triple : indices) arguments.append(triple.begin(), triple.end());
        arguments.push_back(shared);
        auto* each = builder.CreateCall(&body.function(), arguments);
        for (unsigned i = 0; i < call->arg_size(); ++i) {
          for (const llvm::Attribute attribute : call->getAttributes().getParamAttrs(i)) each->addParamAttr(i, attribute);
        }
      });
    });
  });
  builder.CreateBr(rest);
  call->eraseFromParent();
  thread.eraseFromParent();
  return result;
}

}  // namespace cuttle::codegen
