#include "codegen/libdevice.h"

#include <cstdlib>
#include <vector>

namespace cuttle::codegen {
namespace {

std::vector<std::string> candidate_paths() {
  if (const char* path = std::getenv("CUTTLE_LIBDEVICE"); path && *path) return {path};
  std::vector<std::string> paths;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* root = std::getenv(variable); root && *root) paths.push_back(std::string(root) + "/nvvm/libdevice/libdevice.10.bc");
  }
  paths.emplace_back("/usr/local/cuda/nvvm/libdevice/libdevice.10.bc");
  paths.emplace_back("/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc");
  return paths;
}

struct Bitcode {
  std::unique_ptr<llvm::MemoryBuffer> buffer;  // null where there is none
  std::string searched;
};

// Read once a process, and kept: it is 470 KB, and every kernel with a math function needs it.
const Bitcode& bitcode() {
  static const Bitcode* found = [] {
    auto* result = new Bitcode;
    for (const std::string& path : candidate_paths()) {
      if (auto file = llvm::MemoryBuffer::getFile(path)) {
        result->buffer = std::move(*file);
        break;
      }
      result->searched += (result->searched.empty() ? "" : ", ") + path;
    }
    return result;
  }();
  return *found;
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

std::optional<std::string> link_libdevice(llvm::Module& module, const cuttle_target& target) {
  if (target.fast_math) use_fast_functions(module);
  const auto needed = first_missing(module);
  if (!needed) return std::nullopt;
  const Bitcode& library = bitcode();
  if (!library.buffer) {
    return "the kernel uses a math function (" + needed->substr(5) +
           ") that needs NVIDIA's libdevice.10.bc, which was not found in: " + library.searched + ". Set CUTTLE_LIBDEVICE to its path.";
  }
  auto libdevice = llvm::getOwningLazyBitcodeModule(llvm::MemoryBuffer::getMemBuffer(library.buffer->getMemBufferRef(), false), module.getContext());
  if (!libdevice) return "libdevice cannot be read: " + llvm::toString(libdevice.takeError());
  (*libdevice)->setDataLayout(module.getDataLayout());
  (*libdevice)->setTargetTriple(module.getTargetTriple());
  if (llvm::Linker::linkModules(module, std::move(*libdevice), llvm::Linker::LinkOnlyNeeded)) return "libdevice could not be linked";
  answer_reflect(module, target);
  if (const auto still = first_missing(module)) return "libdevice has no function " + *still;
  return std::nullopt;
}

}  // namespace cuttle::codegen
