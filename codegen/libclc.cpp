#include "codegen/libclc.h"

namespace cuttle::codegen {
namespace {

constexpr llvm::StringRef prefix = "__nv_";

// OpenCL's name where it is not CUDA's. Its fast functions are native_*, of which it has no tanh, and a pow for x > 0 alone.
llvm::StringRef renamed(llvm::StringRef name) {
  if (name == "fast_fdivide") return "native_divide";
  if (name == "fast_pow") return "pow";
  if (name == "fast_tanh") return "tanh";
  return name;
}

// The Itanium ABI's letters of the parameters. A pointer is to the function's own type, or to the int that frexp and remquo write.
std::string letters_of(const llvm::FunctionType& type, llvm::StringRef name) {
  const bool of_float = type.getParamType(0)->isFloatTy();
  std::string letters;
  for (const llvm::Type* parameter : type.params()) {
    if (parameter->isPointerTy()) {
      letters += name == "frexp" || name == "remquo" ? "Pi" : of_float ? "Pf" : "Pd";
    } else {
      letters += parameter->isIntegerTy() ? 'i' : parameter->isFloatTy() ? 'f' : 'd';
    }
  }
  return letters;
}

// A libdevice function's name without prefix and the f of float.
std::string plain_name(const llvm::Function& function) {
  llvm::StringRef name = function.getName().drop_front(prefix.size());
  const bool of_float = llvm::any_of(function.getFunctionType()->params(), [](const llvm::Type* type) { return type->isFloatTy(); });
  if (of_float) name.consume_back("f");
  return name.str();
}

std::string opencl_name(llvm::StringRef plain, const llvm::FunctionType& type) {
  std::string name = renamed(plain).str();
  if (llvm::StringRef(name).starts_with("fast_")) name.replace(0, 5, "native_");
  return "_Z" + std::to_string(name.size()) + name + letters_of(type, plain);
}

class Bodies {
 public:
  Bodies(llvm::Module& module, const llvm::Module& library) : module_(module), library_(library) {}

  // Gives the function a body of what OpenCL has instead, or returns false.
  bool write(llvm::Function& function, llvm::StringRef name) {
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_.getContext(), "", &function));
    llvm::Value* x = function.getArg(0);
    bool is_there = true;
    const auto call = [&](llvm::StringRef callee, llvm::ArrayRef<llvm::Value*> arguments) -> llvm::Value* {
      llvm::SmallVector<llvm::Type*> types;
      for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
      auto* type = llvm::FunctionType::get(x->getType(), types, false);
      const std::string mangled = opencl_name(callee, *type);
      is_there = is_there && library_.getFunction(mangled);
      return builder.CreateCall(module_.getOrInsertFunction(mangled, type), arguments);
    };
    llvm::Value* one = llvm::ConstantFP::get(x->getType(), 1.0);
    if (name == "sincos") {
      builder.CreateStore(call("sincos", {x, function.getArg(2)}), function.getArg(1));
      builder.CreateRetVoid();
    } else if (name == "sincospi") {
      builder.CreateStore(call("sinpi", {x}), function.getArg(1));
      builder.CreateStore(call("cospi", {x}), function.getArg(2));
      builder.CreateRetVoid();
    } else if (name == "rcbrt") {
      builder.CreateRet(builder.CreateFDiv(one, call("cbrt", {x})));
    } else if (name == "rhypot") {
      builder.CreateRet(builder.CreateFDiv(one, call("hypot", {x, function.getArg(1)})));
    } else {
      is_there = false;
      builder.CreateUnreachable();
    }
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    return is_there;
  }

 private:
  llvm::Module& module_;
  const llvm::Module& library_;
};

}  // namespace

bool is_libclc(const llvm::Module& library) { return library.getFunction("_Z3sinf") && !library.getFunction("__nv_sinf"); }

std::optional<std::string> use_libclc(llvm::Module& module, const llvm::Module& library) {
  Bodies bodies(module, library);
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.use_empty() || !function.getName().starts_with(prefix)) continue;
    const std::string name = plain_name(function);
    const std::string opencl = opencl_name(name, *function.getFunctionType());
    const llvm::Function* same = library.getFunction(opencl);
    if (same && same->getFunctionType() == function.getFunctionType()) {
      function.replaceAllUsesWith(module.getOrInsertFunction(opencl, function.getFunctionType()).getCallee());
    } else if (!bodies.write(function, name)) {
      return name;
    }
  }
  return std::nullopt;
}

}  // namespace cuttle::codegen
