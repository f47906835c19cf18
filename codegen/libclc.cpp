#include "codegen/libclc.h"

#include <numbers>
#include <utility>

namespace cuttle::codegen {
namespace {

constexpr llvm::StringRef prefix = "__nv_";

// libdevice's name without prefix and the f of float.
std::string plain_name(const llvm::Function& function) {
  llvm::StringRef name = function.getName().drop_front(prefix.size());
  if (llvm::any_of(function.getFunctionType()->params(), [](const llvm::Type* type) { return type->isFloatTy(); })) name.consume_back("f");
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

llvm::BasicBlock* begin_body(llvm::Function& function) {
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  return llvm::BasicBlock::Create(function.getContext(), "", &function);
}

// A body of what OpenCL has instead, or false, and the function is as it was.
bool write_body(llvm::Function& function, llvm::StringRef name, const llvm::Module& library) {
  llvm::Module& module = *function.getParent();
  llvm::Type* type = function.getArg(0)->getType();
  llvm::Type* pointer = llvm::PointerType::get(module.getContext(), 0);
  const auto found = [&](llvm::StringRef callee, llvm::ArrayRef<llvm::Type*> parameters) {
    return find(callee, llvm::FunctionType::get(type, parameters, false), module, library);
  };
  llvm::SmallVector<llvm::Function*> parts;
  if (name == "sincos") parts = {found("sincos", {type, pointer})};
  if (name == "sincospi") parts = {found("sinpi", {type}), found("cospi", {type})};
  if (name == "rcbrt") parts = {found("cbrt", {type})};
  if (name == "rhypot") parts = {found("hypot", {type, type})};
  if (parts.empty() || llvm::is_contained(parts, nullptr)) return false;

  llvm::IRBuilder<> builder(begin_body(function));
  llvm::Value* x = function.getArg(0);
  if (name == "sincos") {
    builder.CreateStore(builder.CreateCall(parts[0], {x, function.getArg(2)}), function.getArg(1));
    builder.CreateRetVoid();
  } else if (name == "sincospi") {
    builder.CreateStore(builder.CreateCall(parts[0], {x}), function.getArg(1));
    builder.CreateStore(builder.CreateCall(parts[1], {x}), function.getArg(2));
    builder.CreateRetVoid();
  } else {  // the reciprocal of one of all arguments
    llvm::SmallVector<llvm::Value*> arguments;
    for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
    builder.CreateRet(builder.CreateFDiv(llvm::ConstantFP::get(type, 1.0), builder.CreateCall(parts[0], arguments)));
  }
  return true;
}

// What libdevice's fast functions are too: the GPU's approximate instructions, which LLVM takes where the flag says so. False for an unknown name.
bool write_fast_body(llvm::Function& function, llvm::StringRef name, const cuttle_target& target) {
  llvm::IRBuilder<> builder(function.getContext());
  llvm::FastMathFlags approximate;
  approximate.setApproxFunc();
  builder.setFastMathFlags(approximate);
  llvm::Value *x = function.getArg(0), *y = function.arg_size() > 1 ? function.getArg(1) : nullptr;
  const auto of = [&](llvm::Intrinsic::ID instruction, llvm::Value* value) { return builder.CreateUnaryIntrinsic(instruction, value); };
  const auto times = [&](llvm::Value* value, double factor) { return builder.CreateFMul(value, llvm::ConstantFP::get(x->getType(), factor)); };
  // The flag does nothing for a logarithm.
  const auto log2_of = [&](llvm::Value* value) {
    const bool flush = target.flush_denormals || target.fast_math;
    const auto instruction = flush ? llvm::Intrinsic::nvvm_lg2_approx_ftz_f : llvm::Intrinsic::nvvm_lg2_approx_f;
    return builder.CreateCall(llvm::Intrinsic::getOrInsertDeclaration(function.getParent(), instruction), {value});
  };
  using namespace llvm::Intrinsic;
  using namespace std::numbers;

  builder.SetInsertPoint(begin_body(function));
  llvm::Value* result = nullptr;
  if (name == "sin") result = of(sin, x);
  if (name == "cos") result = of(cos, x);
  if (name == "tan") result = builder.CreateFDiv(of(sin, x), of(cos, x));
  if (name == "tanh") result = of(tanh, x);
  if (name == "exp") result = of(exp2, times(x, log2e));
  if (name == "exp10") result = of(exp2, times(x, ln10 * log2e));
  if (name == "log") result = times(log2_of(x), ln2);
  if (name == "log2") result = log2_of(x);
  if (name == "log10") result = times(log2_of(x), ln2 * log10e);
  if (name == "pow") result = of(exp2, builder.CreateFMul(y, log2_of(x)));
  if (name == "fdivide") result = builder.CreateFDiv(x, y);
  if (name == "sincos") {
    builder.CreateStore(of(sin, x), y);
    builder.CreateStore(of(cos, x), function.getArg(2));
    builder.CreateRetVoid();
    return true;
  }
  if (!result) return false;
  builder.CreateRet(result);
  return true;
}

std::optional<std::string> replace_calls(llvm::Module& module, const llvm::Module& library, const cuttle_target& target) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.use_empty() || !function.getName().starts_with(prefix)) continue;
    const std::string name = plain_name(function);
    llvm::StringRef fast_name = name;
    if (fast_name.consume_front("fast_")) {
      if (!write_fast_body(function, fast_name, target)) return name;
    } else if (llvm::Function* same = find(name, function.getFunctionType(), module, library)) {
      function.replaceAllUsesWith(same);
    } else if (!write_body(function, name, library)) {
      return name;
    }
  }
  return std::nullopt;
}

// libdevice's functions say so themselves. libclc's, which are compiled for no GPU in particular, take their kernel's target and denormals with that.
void inline_always(llvm::Function& function) {
  function.setAttributes({});
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  function.addFnAttr(llvm::Attribute::NoUnwind);
}

}  // namespace

bool is_libclc(const llvm::Module& library) { return library.getFunction("_Z3sinf") && !library.getFunction("__nv_sinf"); }

std::optional<std::string> link_libclc(llvm::Module& module, std::unique_ptr<llvm::Module> library, const LoweringRequest& request) {
  // A kernel's sin(float) is a C++ function, and as such called _Z3sinf too: what it has itself stands aside for the time.
  llvm::SmallVector<std::pair<llvm::GlobalValue*, std::string>, 0> own;
  for (llvm::GlobalValue& value : module.global_values()) {
    if (!value.isDeclaration() && value.hasName() && library->getNamedValue(value.getName())) own.emplace_back(&value, value.getName().str());
  }
  for (auto& [value, name] : own) value->setName("cuttle_own_" + name);

  if (const auto lacking = replace_calls(module, *library, request.target)) {
    return "the kernel uses a math function (" + *lacking + ") that needs NVIDIA's libdevice.10.bc, for which this machine has libclc (" +
           request.libdevice + "), which lacks it. libdevice.10.bc was looked for in: " + request.libdevice_searched +
           ". Set CUTTLE_LIBDEVICE to its path.";
  }
  llvm::DenseSet<const llvm::Function*> kernels_own;
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration()) kernels_own.insert(&function);
  }
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded)) return "libclc could not be linked";

  for (llvm::Function& function : module) {
    if (!function.isDeclaration() && !kernels_own.contains(&function)) inline_always(function);
  }
  for (auto& [value, name] : own) {
    if (llvm::GlobalValue* taken = module.getNamedValue(name)) taken->setName("libclc_" + name);
    value->setName(name);
  }
  return std::nullopt;
}

}  // namespace cuttle::codegen
