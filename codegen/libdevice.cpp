#include "codegen/libdevice.h"

#include <map>
#include <mutex>

#include "codegen/libclc.h"

namespace cuttle::codegen {
namespace {

// Read once a process, and kept: it is 470 KB, and every kernel with a math function needs it.
llvm::Expected<llvm::MemoryBufferRef> bitcode(const std::string& path) {
  static std::mutex mutex;
  static auto* files = new std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>>;
  const std::lock_guard lock(mutex);
  std::unique_ptr<llvm::MemoryBuffer>& file = (*files)[path];
  if (!file) {
    auto read = llvm::MemoryBuffer::getFile(path);
    if (!read) return llvm::errorCodeToError(read.getError());
    file = std::move(*read);
  }
  return file->getMemBufferRef();
}

std::optional<std::string> first_missing(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (function.isDeclaration() && function.getName().starts_with("__nv_") && !function.use_empty()) return function.getName().str();
  }
  return std::nullopt;
}

// With fast math nvcc calls these in place of the precise functions (CUDA C++ Programming Guide, "Intrinsic Functions").
void use_fast_functions(llvm::Module& module) {
  for (const char* name : {"sinf", "cosf", "tanf", "expf", "exp10f", "logf", "log2f", "log10f", "powf", "sincosf"}) {
    if (llvm::Function* precise = module.getFunction(std::string("__nv_") + name)) {
      const std::string fast = std::string("__nv_fast_") + name;
      precise->replaceAllUsesWith(module.getOrInsertFunction(fast, precise->getFunctionType()).getCallee());
      precise->eraseFromParent();
    }
  }
}

// libdevice asks by __nvvm_reflect("name") what the compiler was told. LLVM's own pass answers 0 to what it does not know, which
// here means approximate square roots and divisions: nvcc's default is precise, and so is ours.
void answer_reflect(llvm::Module& module, const cuttle_target& target) {
  llvm::Function* reflect = module.getFunction("__nvvm_reflect");
  if (!reflect) return;
  for (llvm::User* user : llvm::make_early_inc_range(reflect->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call) continue;
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(call->getArgOperand(0)->stripPointerCasts());
    const auto* name = global && global->hasInitializer() ? llvm::dyn_cast<llvm::ConstantDataArray>(global->getInitializer()) : nullptr;
    if (!name) continue;
    const llvm::StringRef question = name->getAsCString();
    if (question == "__CUDA_PREC_SQRT" || question == "__CUDA_PREC_DIV") {
      call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), target.fast_math ? 0 : 1));
      call->eraseFromParent();
    }
  }
}

}  // namespace

LibdeviceResult link_libdevice(llvm::Module& module, const LoweringRequest& request) {
  LibdeviceResult result;
  if (request.target.fast_math) use_fast_functions(module);
  const auto needed = first_missing(module);
  if (!needed) return result;
  result.is_used = true;
  if (request.libdevice.empty()) {
    result.error = "the kernel uses a math function (" + needed->substr(5) +
                   ") that needs NVIDIA's libdevice.10.bc, which was not found in: " + request.libdevice_searched +
                   ". Set CUTTLE_LIBDEVICE to its path, or install libclc-22, which has the most common functions.";
    return result;
  }
  const auto cannot_be_read = [&](llvm::Error error) {
    result.error = "libdevice (" + request.libdevice + ") cannot be read: " + llvm::toString(std::move(error));
    return result;
  };
  auto buffer = bitcode(request.libdevice);
  if (!buffer) return cannot_be_read(buffer.takeError());
  auto libdevice = llvm::getOwningLazyBitcodeModule(llvm::MemoryBuffer::getMemBuffer(*buffer, false), module.getContext(),
                                                    /*ShouldLazyLoadMetadata=*/true);
  if (!libdevice) return cannot_be_read(libdevice.takeError());
  (*libdevice)->setDataLayout(module.getDataLayout());
  (*libdevice)->setTargetTriple(module.getTargetTriple());
  if (is_libclc(**libdevice)) {
    result.error = link_libclc(module, std::move(*libdevice), request);
    return result;
  }
  if (llvm::Linker::linkModules(module, std::move(*libdevice), llvm::Linker::LinkOnlyNeeded)) {
    result.error = "libdevice could not be linked";
    return result;
  }
  answer_reflect(module, request.target);
  if (const auto still = first_missing(module)) result.error = "libdevice has no function " + *still;
  return result;
}

}  // namespace cuttle::codegen
