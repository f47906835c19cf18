#include "codegen/vector_math.h"

#include <dlfcn.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "codegen/host_cpu.h"

namespace cuttle::codegen {
namespace {

using llvm::Value;

// libmvec's functions of one and of two arguments; the first five came with glibc 2.22, the others with 2.35. LLVM's own table (VecFuncs.def) lacks
// those for AVX-512.
constexpr const char* unary_names[] = {"sin", "cos",  "exp",   "log",  "acos",  "acosh", "asin",  "asinh", "atan", "atanh", "cbrt", "cosh",
                                       "erf", "erfc", "exp10", "exp2", "expm1", "log10", "log1p", "log2",  "sinh", "tan",   "tanh"};
constexpr const char* binary_names[] = {"pow", "atan2", "hypot"};

struct HostFunction {
  std::string name;    // "_ZGVeN16v_expf"
  unsigned lanes;      // 16
  unsigned arguments;  // 1
};

// The host's widest vectors, in bytes, and the letter that x86-64's vector ABI has for them.
struct HostVectors {
  unsigned bytes;
  char letter;
};

HostVectors host_vectors() {
  const auto has = [](const char* feature) { return llvm::is_contained(host_cpu().features, feature); };
  if (has("+avx512f")) return {64, 'e'};
  if (has("+avx2")) return {32, 'd'};
  return {16, 'b'};
}

// What a vectoriser may call for `lanes` lanes of a scalar function: no such function exists.
std::string stand_in(llvm::StringRef scalar, unsigned lanes) { return "cuttle." + scalar.str() + "." + std::to_string(lanes); }

struct Tables {
  std::map<std::string, HostFunction, std::less<>> functions;  // by every name that code calls them by: "expf", "llvm.exp.f32", stand-ins
  std::vector<std::unique_ptr<std::string>> texts;
  std::vector<llvm::VecDesc> descriptions;

  llvm::StringRef keep(std::string text) { return *texts.emplace_back(std::make_unique<std::string>(std::move(text))); }

  void add(void* library, llvm::StringRef name, bool is_float, unsigned arguments) {
    const HostVectors vectors = host_vectors();
    const unsigned lanes = vectors.bytes / (is_float ? 4 : 8);
    const std::string scalar = name.str() + (is_float ? "f" : "");
    const std::string intrinsic = "llvm." + name.str() + (is_float ? ".f32" : ".f64");
    const std::string parameters(arguments, 'v');
    const HostFunction function{std::string("_ZGV") + vectors.letter + "N" + std::to_string(lanes) + parameters + "_" + scalar, lanes, arguments};
    if (!dlsym(library, function.name.c_str())) return;
    for (const std::string& called : {scalar, intrinsic}) {
      functions.emplace(called, function);
      for (unsigned some = 2; some <= lanes; some *= 2) {
        functions.emplace(stand_in(called, some), function);
        descriptions.emplace_back(keep(called), keep(stand_in(called, some)), llvm::ElementCount::getFixed(some), /*Masked=*/false,
                                  keep("_ZGV_LLVM_N" + std::to_string(some) + parameters), std::nullopt);
      }
    }
  }
};

const Tables& tables() {
  static const Tables* made = [] {
    auto* all = new Tables;
    void* library = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL);  // absent where the C library is not glibc
    if (!library) return all;
    for (const bool is_float : {true, false}) {
      for (const char* name : unary_names) all->add(library, name, is_float, 1);
      for (const char* name : binary_names) all->add(library, name, is_float, 2);
    }
    return all;
  }();
  return *made;
}

// The host's function for what `called` is: a name of the table, or an intrinsic that LLVM widened by itself (llvm.exp.v8f32).
const HostFunction* host_function(const llvm::Function& called) {
  if (!called.isDeclaration()) return nullptr;
  std::string name = called.getName().str();
  if (called.isIntrinsic() && called.getReturnType()->isVectorTy()) {
    name = llvm::Intrinsic::getBaseName(called.getIntrinsicID()).str() + (called.getReturnType()->getScalarType()->isFloatTy() ? ".f32" : ".f64");
  }
  const auto found = tables().functions.find(name);
  return found == tables().functions.end() ? nullptr : &found->second;
}

// `argument` as vectors of `lanes` lanes. Lanes without a value of their own repeat one, so that none takes a slow path for a value that nobody gave.
Value* host_vector(llvm::IRBuilder<>& builder, Value* argument, unsigned first, unsigned lanes) {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(argument->getType());
  if (!type) return builder.CreateVectorSplat(lanes, argument);
  const unsigned rest = type->getNumElements() - first;
  llvm::SmallVector<int> mask;
  for (unsigned i = 0; i < lanes; ++i) mask.push_back(static_cast<int>(first + i % rest));
  return builder.CreateShuffleVector(argument, mask);
}

void call_host(llvm::CallInst& call, const HostFunction& function) {
  llvm::IRBuilder<> builder(&call);
  builder.setFastMathFlags(call.getFastMathFlags());
  llvm::Type* type = call.getType();
  auto* host_type = llvm::FixedVectorType::get(type->getScalarType(), function.lanes);
  const llvm::SmallVector<llvm::Type*> parameters(function.arguments, host_type);
  llvm::FunctionCallee host = call.getModule()->getOrInsertFunction(function.name, llvm::FunctionType::get(host_type, parameters, false));
  const unsigned count = type->isVectorTy() ? llvm::cast<llvm::FixedVectorType>(type)->getNumElements() : 1;
  llvm::SmallVector<Value*> parts;
  for (unsigned first = 0; first < count; first += function.lanes) {
    llvm::SmallVector<Value*> arguments;
    for (Value* argument : call.args()) arguments.push_back(host_vector(builder, argument, first, function.lanes));
    llvm::CallInst* part = builder.CreateCall(host, arguments);
    part->setDoesNotAccessMemory();
    part->setDoesNotThrow();
    parts.push_back(part);
  }
  Value* result = llvm::concatenateVectors(builder, parts);
  if (!type->isVectorTy()) {
    result = builder.CreateExtractElement(result, std::uint64_t{0});
  } else if (result->getType() != type) {
    llvm::SmallVector<int> mask;
    for (unsigned i = 0; i < count; ++i) mask.push_back(static_cast<int>(i));
    result = builder.CreateShuffleVector(result, mask);
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace

std::optional<llvm::TargetLibraryInfoImpl> vector_math_library(const llvm::Module& module) {
  if (llvm::none_of(module, host_function)) return std::nullopt;
  llvm::TargetLibraryInfoImpl library(module.getTargetTriple());
  library.addVectorizableFunctions(tables().descriptions);
  return library;
}

void call_vector_math(llvm::Module& module) {
  llvm::removeFromUsedLists(module, [](llvm::Constant* used) {  // where LLVM keeps the stand-ins
    const auto* function = llvm::dyn_cast<llvm::Function>(used);
    return function && host_function(*function);
  });
  for (llvm::Function& called : llvm::make_early_inc_range(module)) {
    const HostFunction* function = host_function(called);
    if (!function) continue;
    for (llvm::User* user : llvm::make_early_inc_range(called.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call && call->getCalledFunction() == &called) call_host(*call, *function);
    }
    if (called.use_empty()) called.eraseFromParent();
  }
}

}  // namespace cuttle::codegen
