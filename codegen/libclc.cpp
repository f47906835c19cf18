#include "codegen/libclc.h"

namespace cuttle::codegen {
namespace {

constexpr llvm::StringRef prefix = "__nv_";

// libdevice's name without prefix and the f of float. OpenCL's own fast functions are no use (native_exp is an intrinsic that NVPTX cannot lower):
// the precise ones stand for them.
std::string plain_name(const llvm::Function& function) {
  llvm::StringRef name = function.getName().drop_front(prefix.size());
  if (llvm::any_of(function.getFunctionType()->params(), [](const llvm::Type* type) { return type->isFloatTy(); })) name.consume_back("f");
  name.consume_front("fast_");
  return name.str();
}

// The Itanium ABI's letters of the parameters. A pointer is to the function's own type, or to the int that frexp and remquo write.
std::string opencl_name(llvm::StringRef name, const llvm::FunctionType& type) {
  std::string mangled = "_Z" + std::to_string(name.size()) + name.str();
  const char* pointer = name == "frexp" || name == "remquo" ? "Pi" : type.getParamType(0)->isFloatTy() ? "Pf" : "Pd";
  for (const llvm::Type* parameter : type.params()) {
    mangled += parameter->isPointerTy() ? pointer : parameter->isIntegerTy() ? "i" : parameter->isFloatTy() ? "f" : "d";
  }
  return mangled;
}

// A declaration in the module of libclc's function of that name and type; null where it has none.
llvm::Function* find(llvm::StringRef name, llvm::FunctionType* type, llvm::Module& module, const llvm::Module& library) {
  const std::string mangled = opencl_name(name, *type);
  const llvm::Function* function = library.getFunction(mangled);
  if (!function || function->getFunctionType() != type) return nullptr;
  return llvm::cast<llvm::Function>(module.getOrInsertFunction(mangled, type).getCallee());
}

// Gives a libdevice function a body of what OpenCL has instead, or returns false and leaves it as it is.
bool write_body(llvm::Function& function, llvm::StringRef name, const llvm::Module& library) {
  llvm::Module& module = *function.getParent();
  llvm::Type* type = function.getArg(0)->getType();
  llvm::Type* pointer = llvm::PointerType::get(module.getContext(), 0);
  const auto declared = [&](llvm::StringRef callee, llvm::ArrayRef<llvm::Type*> parameters) {
    return find(callee, llvm::FunctionType::get(type, parameters, false), module, library);
  };
  llvm::SmallVector<llvm::Function*> parts;
  if (name == "sincos") parts = {declared("sincos", {type, pointer})};
  if (name == "sincospi") parts = {declared("sinpi", {type}), declared("cospi", {type})};
  if (name == "rcbrt") parts = {declared("cbrt", {type})};
  if (name == "rhypot") parts = {declared("hypot", {type, type})};
  if (name != "fdivide" && (parts.empty() || llvm::is_contained(parts, nullptr))) return false;

  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &function));
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::Value* x = function.getArg(0);
  if (name == "sincos") {
    builder.CreateStore(builder.CreateCall(parts[0], {x, function.getArg(2)}), function.getArg(1));
    builder.CreateRetVoid();
  } else if (name == "sincospi") {
    builder.CreateStore(builder.CreateCall(parts[0], {x}), function.getArg(1));
    builder.CreateStore(builder.CreateCall(parts[1], {x}), function.getArg(2));
    builder.CreateRetVoid();
  } else if (name == "fdivide") {
    builder.CreateRet(builder.CreateFDiv(x, function.getArg(1)));
  } else {  // the reciprocal of one of all arguments
    llvm::SmallVector<llvm::Value*> arguments;
    for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
    builder.CreateRet(builder.CreateFDiv(llvm::ConstantFP::get(type, 1.0), builder.CreateCall(parts[0], arguments)));
  }
  return true;
}

}  // namespace

bool is_libclc(const llvm::Module& library) { return library.getFunction("_Z3sinf") && !library.getFunction("__nv_sinf"); }

OwnNamesAside::OwnNamesAside(llvm::Module& module, const llvm::Module& library) : module_(module) {
  for (llvm::GlobalValue& value : module.global_values()) {
    if (!value.isDeclaration() && value.hasName() && library.getNamedValue(value.getName())) renamed_.emplace_back(&value, value.getName().str());
  }
  for (auto& [value, name] : renamed_) value->setName("cuttle_own_" + name);
}

OwnNamesAside::~OwnNamesAside() {
  for (auto& [value, name] : renamed_) {
    if (llvm::GlobalValue* taken = module_.getNamedValue(name)) taken->setName("libclc_" + name);
    value->setName(name);
  }
}

std::optional<std::string> use_libclc(llvm::Module& module, const llvm::Module& library) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.use_empty() || !function.getName().starts_with(prefix)) continue;
    const std::string name = plain_name(function);
    if (llvm::Function* same = find(name, function.getFunctionType(), module, library)) {
      function.replaceAllUsesWith(same);
    } else if (!write_body(function, name, library)) {
      return name;
    }
  }
  return std::nullopt;
}

}  // namespace cuttle::codegen
