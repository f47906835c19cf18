#include "codegen/redux.h"

namespace cuttle::codegen {
namespace {

constexpr struct {
  const char* function;
  llvm::Intrinsic::ID instruction;
} reductions[] = {
    {"cuttle_reduce_add", llvm::Intrinsic::nvvm_redux_sync_add},   {"cuttle_reduce_min", llvm::Intrinsic::nvvm_redux_sync_min},
    {"cuttle_reduce_max", llvm::Intrinsic::nvvm_redux_sync_max},   {"cuttle_reduce_umin", llvm::Intrinsic::nvvm_redux_sync_umin},
    {"cuttle_reduce_umax", llvm::Intrinsic::nvvm_redux_sync_umax}, {"cuttle_reduce_and", llvm::Intrinsic::nvvm_redux_sync_and},
    {"cuttle_reduce_or", llvm::Intrinsic::nvvm_redux_sync_or},     {"cuttle_reduce_xor", llvm::Intrinsic::nvvm_redux_sync_xor},
};

}  // namespace

void use_redux(llvm::Module& module, const cuttle_target& target) {
  if (target.sm < 80) return;
  for (const auto& reduction : reductions) {
    llvm::Function* function = module.getFunction(reduction.function);
    if (!function || function->isDeclaration()) continue;
    function->deleteBody();
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", function));
    llvm::Value* mask = function->getArg(0);
    llvm::Value* value = function->getArg(1);
    builder.CreateRet(builder.CreateIntrinsic(reduction.instruction, {}, {value, mask}));
  }
}

}  // namespace cuttle::codegen
