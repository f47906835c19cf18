#include "codegen/simt_thread.h"

#include <llvm/Analysis/ValueTracking.h>

#include "codegen/simt_slots.h"
#include "codegen/simt_variables.h"

namespace cuttle::codegen {
namespace {

using llvm::IRBuilder;
using llvm::Value;

constexpr std::array<const char*, index_count> index_functions = {"cuttle_cpu_thread_index", "cuttle_cpu_block_index", "cuttle_cpu_block_dim",
                                                                  "cuttle_cpu_grid_dim"};

// On parameters that were passed by value in memory: the block function's copy, which nobody writes.
constexpr const char* read_only_copy = "cuttle-read-only-copy";

// Calls `replace(call)` for every call of a marker function in `body`, and erases the call.
template <class Replace>
void replace_calls(llvm::Module& module, llvm::Function& body, llvm::StringRef name, const Replace& replace) {
  llvm::Function* marker = module.getFunction(name);
  if (!marker) return;
  for (llvm::User* user : llvm::make_early_inc_range(marker->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getFunction() != &body) continue;
    call->replaceAllUsesWith(replace(*call));
    call->eraseFromParent();
  }
}

}  // namespace

void localize_arguments(llvm::Function& thread) {
  IRBuilder<> builder(&*thread.getEntryBlock().getFirstInsertionPt());
  auto* call = llvm::cast<llvm::CallInst>(*thread.user_begin());
  for (llvm::Argument& argument : thread.args()) {
    if (!argument.hasByValAttr()) continue;
    llvm::Type* type = argument.getParamByValType();
    const llvm::Align align = argument.getParamAlign().valueOrOne();
    auto* copy = builder.CreateAlloca(type);
    copy->setAlignment(align);
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, align, &argument, align, thread.getDataLayout().getTypeAllocSize(type));
    argument.removeAttr(llvm::Attribute::ByVal);
    call->removeParamAttr(argument.getArgNo(), llvm::Attribute::ByVal);
    thread.addParamAttr(argument.getArgNo(), llvm::Attribute::get(thread.getContext(), read_only_copy));
  }
}

ThreadBody::ThreadBody(llvm::Module& module, llvm::Function& thread) : module_(module) {
  llvm::LLVMContext& context = module.getContext();
  std::vector<llvm::Type*> types;
  for (const llvm::Argument& argument : thread.args()) types.push_back(argument.getType());
  const auto first = static_cast<unsigned>(types.size());
  types.insert(types.end(), 3 * index_count, llvm::Type::getInt32Ty(context));
  types.insert(types.end(), 2, llvm::Type::getInt64Ty(context));
  types.insert(types.end(), 3, llvm::PointerType::get(context, 0));
  body_ = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getInt32Ty(context), types, false), llvm::GlobalValue::InternalLinkage,
                                 "cuttle_thread_body", module);
  llvm::ValueToValueMapTy map;
  for (llvm::Argument& argument : thread.args()) map[&argument] = body_->getArg(argument.getArgNo());
  llvm::SmallVector<llvm::ReturnInst*> returns;
  llvm::CloneFunctionInto(body_, &thread, map, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
  for (llvm::ReturnInst* end : returns) {
    IRBuilder<>(end).CreateRet(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 0));
    end->eraseFromParent();
  }
  body_->addFnAttr(llvm::Attribute::AlwaysInline);
  body_->removeFnAttr(llvm::Attribute::NoInline);
  body_->removeFnAttr(llvm::Attribute::Convergent);

  unsigned next = first;
  for (auto& triple : place_.index) {
    for (Value*& value : triple) value = body_->getArg(next++);
  }
  place_.linear = body_->getArg(next++);
  place_.threads = body_->getArg(next++);
  place_.shared = body_->getArg(next++);
  place_.scratch = body_->getArg(next++);
  place_.uniform = body_->getArg(next++);
  replace_markers();
  replace_shared_variables();
}

void ThreadBody::replace_markers() {
  for (unsigned kind = 0; kind < index_count; ++kind) {
    replace_calls(module_, *body_, index_functions[kind],
                  [&](llvm::CallInst& call) { return place_.index[kind][llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue()]; });
  }
  replace_calls(module_, *body_, "cuttle_cpu_linear_thread",
                [&](llvm::CallInst& call) { return IRBuilder<>(&call).CreateTrunc(place_.linear, call.getType()); });
  replace_calls(module_, *body_, "cuttle_cpu_block_counter", [&](llvm::CallInst& call) {
    return IRBuilder<>(&call).CreateConstInBoundsGEP1_64(llvm::Type::getInt8Ty(module_.getContext()), place_.scratch, block_counter_offset);
  });
  replace_calls(module_, *body_, "cuttle_cpu_warp_memory", [&](llvm::CallInst& call) {
    IRBuilder<> builder(&call);
    return warp_address(builder, place_, warp_memory_offset, warp_memory_bytes);
  });
}

// Shared variables are the writable globals that Clang left without a value: static ones undefined, dynamic ones declared.
void ThreadBody::replace_shared_variables() {
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
  static_shared_bytes_ = llvm::alignTo(bytes, 128);  // dynamic shared memory starts here, aligned for every vector type
  for (llvm::GlobalVariable* variable : variables) {
    if (!variable->hasInitializer()) replace_variable(*variable, static_shared_bytes_);
  }
}

void ThreadBody::replace_variable(llvm::GlobalVariable& variable, std::size_t offset) {
  show_shared_variable(*body_, variable, *place_.shared, offset);
  variable.eraseMetadata(llvm::LLVMContext::MD_dbg);
  for (llvm::Use& use : llvm::make_early_inc_range(variable.uses())) {
    auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!user || user->getFunction() != body_) continue;
    auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
    use.set(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), place_.shared, offset));
  }
}

bool ThreadBody::reads_argument(const llvm::LoadInst& load) {
  const auto* argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load.getPointerOperand()));
  return argument && argument->getParent()->getAttributes().hasParamAttr(argument->getArgNo(), read_only_copy);
}

llvm::SmallVector<Value*> body_arguments(llvm::ArrayRef<Value*> kernel_arguments, const ThreadPlace& place) {
  llvm::SmallVector<Value*> arguments(kernel_arguments);
  for (const auto& triple : place.index) arguments.append(triple.begin(), triple.end());
  arguments.append({place.linear, place.threads, place.shared, place.scratch, place.uniform});
  return arguments;
}

}  // namespace cuttle::codegen
