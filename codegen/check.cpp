#include "codegen/check.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "codegen/check_lanes.h"
#include "codegen/dynamic_shared.h"

namespace cuttle::codegen {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

constexpr const char* view_check = "cuttle_check_view_index";

// As codegen/CMakeLists.txt names the prelude's files.
bool is_prelude(llvm::StringRef file) { return file.starts_with("cuttle/device/"); }

// The place in the user's text: of what was inlined, the innermost that is not the prelude's.
const llvm::DILocation* user_location(const llvm::DebugLoc& location) {
  const llvm::DILocation* at = location.get();
  while (at && is_prelude(at->getFilename()) && at->getInlinedAt()) at = at->getInlinedAt();
  return at;
}

llvm::Constant* file_of(llvm::Module& module, const llvm::DILocation* at) {
  const std::string file = at ? at->getFilename().str() : std::string();
  const std::string name = "cuttle.file." + file;
  if (llvm::GlobalVariable* text = module.getNamedGlobal(name)) return text;
  llvm::Constant* letters = llvm::ConstantDataArray::getString(module.getContext(), file);
  return new llvm::GlobalVariable(module, letters->getType(), true, llvm::GlobalValue::PrivateLinkage, letters, name);
}

class Instrumenter {
 public:
  explicit Instrumenter(llvm::Function& thread) : module_(*thread.getParent()), thread_(thread) {}

  void run() {
    llvm::SmallVector<Instruction*> instructions;
    for (Instruction& instruction : llvm::instructions(thread_)) instructions.push_back(&instruction);
    for (Instruction* instruction : instructions) visit(*instruction);
  }

 private:
  void visit(Instruction& instruction) {
    using Site = CheckSite;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      access(instruction, load->getPointerOperand(), size_of(load->getType()), Site::reads | synchronisation(*load), nullptr);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (llvm::isReleaseOrStronger(store->getOrdering())) fence(instruction);
      access_elements(*store, Site::writes | synchronisation(*store));
    } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      if (llvm::isReleaseOrStronger(update->getOrdering())) fence(instruction);
      access(instruction, update->getPointerOperand(), size_of(update->getType()), Site::reads | Site::writes | Site::atomic, nullptr);
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      if (llvm::isReleaseOrStronger(exchange->getSuccessOrdering())) fence(instruction);
      access(instruction, exchange->getPointerOperand(), size_of(exchange->getNewValOperand()->getType()), Site::reads | Site::writes | Site::atomic,
             nullptr);
    } else if (auto* intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      IRBuilder<> builder(&instruction);
      Value* bytes = builder.CreateZExtOrTrunc(intrinsic->getLength(), builder.getInt64Ty());
      if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(intrinsic))
        access(instruction, transfer->getRawSource(), bytes, Site::reads, nullptr);
      access(instruction, intrinsic->getRawDest(), bytes, Site::writes, nullptr);
    } else if (llvm::isa<llvm::FenceInst>(&instruction)) {
      fence(instruction);
    } else if (instruction.isIntDivRem() && !instruction.getType()->isVectorTy()) {
      divide(instruction);
    } else if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      const llvm::Function* called = call->getCalledFunction();
      if (called && is_view_check(*called)) index(*call);
      if (called && says_dynamic_shared_needs(*called)) needs(*call);
      if (called && called->getIntrinsicID() == llvm::Intrinsic::trap) trap(*call);
    }
  }

  static std::uint32_t synchronisation(const Instruction& access) {
    if (access.isAtomic()) return CheckSite::atomic;
    return access.isVolatile() ? CheckSite::atomic | CheckSite::is_volatile : 0u;
  }

  Value* size_of(llvm::Type* type) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(type->getContext()), module_.getDataLayout().getTypeStoreSize(type).getFixedValue());
  }

  // What an address is computed from: null where there are several. The lowering's variables are none of the checker's business, and of a thread's
  // own ones only the bounds.
  struct Base {
    bool is_private;
    Value* value;
    std::uint64_t variable_bytes;
    std::uint32_t kind = 0;
  };

  Base base_of(Value* pointer) {
    llvm::SmallVector<const Value*, 4> objects;
    llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
    const auto is_private = [](const Value* object) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(object);
      const auto* constant = llvm::dyn_cast<llvm::GlobalVariable>(object);
      return llvm::isa<llvm::AllocaInst>(object) || (constant && constant->isConstant()) ||
             (call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with("cuttle_cpu_"));
    };
    if (llvm::any_of(objects, is_private)) return {true, objects.size() == 1 ? const_cast<Value*>(objects[0]) : nullptr, 0};
    if (objects.size() != 1) return {false, nullptr, 0};
    auto* base = const_cast<Value*>(objects[0]);
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
      if (!variable->hasInitializer()) return {false, nullptr, 0, CheckSite::dynamic_shared};
      return {false, base, module_.getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue()};
    }
    // A value that is computed on another way to this place is no base here.
    const auto* instruction = llvm::dyn_cast<Instruction>(base);
    return {false, instruction && llvm::isa<llvm::PHINode>(instruction) ? nullptr : base, 0};
  }

  void access(Instruction& at, Value* pointer, Value* bytes, std::uint32_t kind, Value* value) {
    const Base base = base_of(pointer);
    if (base.is_private) return access_own(at, pointer, bytes, kind, base.value);
    IRBuilder<> builder(&at);
    kind |= base.kind;
    Value* null = llvm::ConstantPointerNull::get(builder.getPtrTy());
    if (value) kind |= CheckSite::has_value;
    call(builder, "cuttle_check_access",
         {check_site(module_, at.getDebugLoc(), kind, base.variable_bytes), thread(builder), pointer, bytes, base.value ? base.value : null,
          value ? value : builder.getInt64(0)});
  }

  // An access to a variable of the thread's own, of which only the bounds can be wrong.
  void access_own(Instruction& at, Value* pointer, Value* bytes, std::uint32_t kind, Value* base) {
    auto* variable = llvm::dyn_cast_or_null<llvm::AllocaInst>(base);
    const auto size = variable ? variable->getAllocationSize(module_.getDataLayout()) : std::nullopt;
    if (!size) return;
    const llvm::DataLayout& layout = module_.getDataLayout();
    llvm::APInt offset(64, 0);
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(bytes);
    const bool is_constant = known && pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true) == variable;
    if (is_constant && offset.ule(*size) && known->getValue().ule(*size - offset.getZExtValue())) return;
    IRBuilder<> builder(&at);
    Value* end = builder.getInt64(size->getFixedValue());
    Value* begin = builder.CreateSub(builder.CreatePtrToInt(pointer, builder.getInt64Ty()), builder.CreatePtrToInt(variable, builder.getInt64Ty()));
    Value* outside = builder.CreateOr(builder.CreateICmpUGT(begin, end), builder.CreateICmpUGT(bytes, builder.CreateSub(end, begin)));
    IRBuilder<> failing(llvm::SplitBlockAndInsertIfThen(outside, at.getIterator(), /*Unreachable=*/false));
    failing.SetCurrentDebugLocation(at.getDebugLoc());
    call(failing, "cuttle_check_outside_variable",
         {check_site(module_, at.getDebugLoc(), kind, size->getFixedValue()), thread(failing), begin, bytes});
  }

  // cuttle_dynamic_shared_needs(bytes), where dynamic_shared has it.
  void needs(llvm::CallInst& marker) {
    IRBuilder<> builder(&marker);
    call(builder, "cuttle_check_dynamic_shared", {check_site(module_, marker.getDebugLoc(), 0), thread(builder), marker.getArgOperand(0)});
    marker.eraseFromParent();
  }

  // A store, each element of a vector by itself, with the bits that it writes where they fit a word.
  void access_elements(llvm::StoreInst& store, std::uint32_t kind) {
    Value* value = store.getValueOperand();
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    IRBuilder<> builder(&store);
    const std::uint64_t bits = module_.getDataLayout().getTypeSizeInBits(value->getType()->getScalarType()).getFixedValue();
    const bool fits = value->getType()->getScalarType()->isSingleValueType() && bits <= 64 && bits % 8 == 0;
    const auto word = [&](Value* element) -> Value* {
      if (element->getType()->isPointerTy()) return builder.CreatePtrToInt(element, builder.getInt64Ty());
      return builder.CreateZExt(builder.CreateBitCast(element, builder.getIntNTy(static_cast<unsigned>(bits))), builder.getInt64Ty());
    };
    if (!vector || !fits) {
      access(store, store.getPointerOperand(), size_of(value->getType()), kind, fits && !vector ? word(value) : nullptr);
      return;
    }
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), store.getPointerOperand(), i * bits / 8);
      access(store, address, builder.getInt64(bits / 8), kind, word(builder.CreateExtractElement(value, i)));
    }
  }

  void fence(Instruction& at) {
    IRBuilder<> builder(&at);
    call(builder, "cuttle_check_fence", {thread(builder)});
  }

  void divide(Instruction& division) {
    Value* dividend = division.getOperand(0);
    Value* divisor = division.getOperand(1);
    const bool is_signed = division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(divisor);
    if (constant && !constant->isZero() && !(is_signed && constant->isMinusOne())) return;
    const unsigned bits = divisor->getType()->getIntegerBitWidth();
    IRBuilder<> builder(&division);
    fail_if(builder.CreateIsNull(divisor), division, CheckSite::zero_divisor);
    if (!is_signed) return;
    IRBuilder<> behind(&division);
    Value* smallest = behind.getInt(llvm::APInt::getSignedMinValue(bits));
    Value* minus_one = llvm::ConstantInt::getAllOnesValue(divisor->getType());
    fail_if(behind.CreateAnd(behind.CreateICmpEQ(dividend, smallest), behind.CreateICmpEQ(divisor, minus_one)), division, 0);
  }

  void trap(llvm::CallInst& at) {
    IRBuilder<> builder(&at);
    call(builder, "cuttle_check_trap", {check_site(module_, at.getDebugLoc(), 0), thread(builder)});
  }

  void fail_if(Value* condition, Instruction& division, std::uint32_t kind) {
    IRBuilder<> builder(llvm::SplitBlockAndInsertIfThen(condition, division.getIterator(), /*Unreachable=*/false));
    builder.SetCurrentDebugLocation(division.getDebugLoc());
    call(builder, "cuttle_check_failed_division", {check_site(module_, division.getDebugLoc(), kind), thread(builder)});
  }

  // cuttle_check_view_index(data, index, extent, dimension, ...), where the view's code has it (dsl/include/cuttle/dsl/view.hpp).
  void index(llvm::CallInst& marker) {
    IRBuilder<> builder(&marker);
    Value* outside = builder.CreateICmpUGE(marker.getArgOperand(1), marker.getArgOperand(2));
    IRBuilder<> failing(llvm::SplitBlockAndInsertIfThen(outside, marker.getIterator(), /*Unreachable=*/false));
    failing.SetCurrentDebugLocation(marker.getDebugLoc());
    call(failing, "cuttle_check_failed_index",
         {check_site(module_, marker.getDebugLoc(), 0), thread(failing), marker.getArgOperand(0), marker.getArgOperand(1), marker.getArgOperand(2),
          marker.getArgOperand(3)});
    marker.eraseFromParent();
  }

  // The thread's number in its block, which the SIMT lowering gives (dsl/device/cpu.h).
  Value* thread(IRBuilder<>& builder) {
    llvm::FunctionCallee number = module_.getOrInsertFunction("cuttle_cpu_linear_thread", builder.getInt32Ty());
    return builder.CreateCall(number);
  }

  void call(IRBuilder<>& builder, llvm::StringRef name, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<llvm::Type*> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    builder.CreateCall(module_.getOrInsertFunction(name, llvm::FunctionType::get(builder.getVoidTy(), types, false)), arguments);
  }

  llvm::Module& module_;
  llvm::Function& thread_;
};

}  // namespace

llvm::Constant* check_site(llvm::Module& module, const llvm::DebugLoc& location, std::uint32_t kind, std::uint64_t variable_bytes) {
  const llvm::DILocation* at = user_location(location);
  IRBuilder<> builder(module.getContext());
  llvm::Constant* text = file_of(module, at);
  auto* site =
      llvm::ConstantStruct::getAnon({text, builder.getInt32(at ? at->getLine() : 0), builder.getInt32(kind), builder.getInt64(variable_bytes)});
  return new llvm::GlobalVariable(module, site->getType(), true, llvm::GlobalValue::PrivateLinkage, site, "cuttle.site");
}

bool is_view_check(const llvm::Function& function) { return function.getName() == view_check; }

void place_view_checks(llvm::Module& module) {
  llvm::Function* check = module.getFunction(view_check);
  if (!check) return;
  for (llvm::User* user : check->users()) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    const llvm::DILocation* at = user_location(call->getDebugLoc());
    call->setArgOperand(4, file_of(module, at));
    call->setArgOperand(5, IRBuilder<>(call).getInt32(at ? at->getLine() : 0));
  }
  check->removeFnAttr(llvm::Attribute::NoInline);
}

llvm::PreservedAnalyses CheckPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  follow_lane_values(*thread_);
  Instrumenter(*thread_).run();
  // Left in functions that call themselves, which know no thread: they are not checked.
  if (llvm::Function* marker = module.getFunction(view_check)) {
    for (llvm::User* user : llvm::make_early_inc_range(marker->users())) llvm::cast<Instruction>(user)->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace cuttle::codegen
