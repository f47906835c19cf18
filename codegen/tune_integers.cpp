#include "codegen/tune_integers.h"

namespace cuttle::codegen {
namespace {

constexpr unsigned max_tree_depth = 8;

// Whether computing `value` in 32 bits from zero-extended leaves gives its zero extension.
bool widens(const llvm::Value* value, unsigned depth = 0) {
  if (llvm::isa<llvm::ConstantInt, llvm::ZExtInst>(value)) return true;
  const auto* instruction = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (!instruction || depth > max_tree_depth) return false;
  switch (instruction->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
      if (!instruction->hasNoUnsignedWrap()) return false;
      break;
    case llvm::Instruction::LShr:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      break;
    default:
      return false;
  }
  return widens(instruction->getOperand(0), depth + 1) && widens(instruction->getOperand(1), depth + 1);
}

bool is_tree_node(const llvm::Value* value) { return llvm::isa<llvm::BinaryOperator>(value) && value->getType()->isIntegerTy(16) && widens(value); }

class Widener {
 public:
  explicit Widener(llvm::LLVMContext& context) : type_(llvm::Type::getInt32Ty(context)) {}

  llvm::Value* widen(llvm::Value* value) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) return llvm::ConstantInt::get(type_, constant->getZExtValue());
    if (llvm::Value* done = widened_.lookup(value)) return done;
    auto* instruction = llvm::cast<llvm::Instruction>(value);
    llvm::IRBuilder<> builder(instruction);
    llvm::Value* wide = nullptr;
    if (llvm::isa<llvm::ZExtInst>(instruction)) {
      wide = builder.CreateZExt(instruction->getOperand(0), type_);
    } else {
      llvm::Value* left = widen(instruction->getOperand(0));
      llvm::Value* right = widen(instruction->getOperand(1));
      wide = builder.CreateBinOp(llvm::cast<llvm::BinaryOperator>(instruction)->getOpcode(), left, right);
    }
    widened_[value] = wide;
    return wide;
  }

  // Conversions of the narrow value become conversions of the wide one; whatever else uses it gets it narrowed.
  void replace(llvm::Instruction& narrow) {
    llvm::Value* wide = widen(&narrow);
    for (llvm::User* user : llvm::make_early_inc_range(narrow.users())) {
      if (!llvm::isa<llvm::TruncInst, llvm::ZExtInst>(user)) continue;
      auto* conversion = llvm::cast<llvm::CastInst>(user);
      conversion->replaceAllUsesWith(llvm::IRBuilder<>(conversion).CreateZExtOrTrunc(wide, conversion->getType()));
      conversion->eraseFromParent();
    }
    llvm::IRBuilder<> builder(narrow.getParent(), std::next(narrow.getIterator()));
    llvm::Value* narrowed = builder.CreateTrunc(wide, narrow.getType());
    narrow.replaceUsesWithIf(narrowed, [&](const llvm::Use& use) { return use.getUser() != narrowed && !is_tree_node(use.getUser()); });
  }

 private:
  llvm::Type* type_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> widened_;
};

// ---- RestoreRotations ----------------------------------------------------------------------------------------------------------

struct Shift {
  llvm::Value* value;
  std::uint64_t by;
};

std::optional<Shift> shift_of(const llvm::Value* value, llvm::Instruction::BinaryOps direction) {
  const auto* instruction = llvm::dyn_cast<llvm::BinaryOperator>(value);
  const auto* by = instruction && instruction->getOpcode() == direction ? llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1)) : nullptr;
  return by ? std::optional(Shift{instruction->getOperand(0), by->getZExtValue()}) : std::nullopt;
}

// How far to the left `a + b` rotates.
std::optional<Shift> rotation_of(const llvm::Value* a, const llvm::Value* b) {
  auto left = shift_of(a, llvm::Instruction::Shl), right = shift_of(b, llvm::Instruction::LShr);
  if (!left || !right) {
    left = shift_of(b, llvm::Instruction::Shl);
    right = shift_of(a, llvm::Instruction::LShr);
  }
  return left && right && left->value == right->value && left->by + right->by == 32 ? left : std::nullopt;
}

// (part + other) + part  ->  rotation + other
llvm::Value* restored_rotation(llvm::BinaryOperator& sum) {
  for (const unsigned index : {0u, 1u}) {
    const auto* inner = llvm::dyn_cast<llvm::BinaryOperator>(sum.getOperand(index));
    if (!inner || inner->getOpcode() != llvm::Instruction::Add || !inner->hasOneUse()) continue;
    for (const unsigned part : {0u, 1u}) {
      const auto rotation = rotation_of(inner->getOperand(part), sum.getOperand(1 - index));
      if (!rotation) continue;
      llvm::IRBuilder<> builder(&sum);
      llvm::Value* rotated =
          builder.CreateIntrinsic(llvm::Intrinsic::fshl, {sum.getType()}, {rotation->value, rotation->value, builder.getInt32(rotation->by)});
      return builder.CreateAdd(rotated, inner->getOperand(1 - part));
    }
  }
  return nullptr;
}

}  // namespace

llvm::PreservedAnalyses RestoreRotations::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (instruction.getOpcode() != llvm::Instruction::Add || !instruction.getType()->isIntegerTy(32)) continue;
    llvm::Value* restored = restored_rotation(llvm::cast<llvm::BinaryOperator>(instruction));
    if (!restored) continue;
    instruction.replaceAllUsesWith(restored);
    instruction.eraseFromParent();
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

llvm::PreservedAnalyses Widen16Bit::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::Instruction*> roots;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!is_tree_node(&instruction)) continue;
    if (llvm::any_of(instruction.users(), [](const llvm::User* user) { return !is_tree_node(user); })) roots.push_back(&instruction);
  }
  if (roots.empty()) return llvm::PreservedAnalyses::all();
  Widener widener(function.getContext());
  for (llvm::Instruction* root : roots) widener.replace(*root);
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace cuttle::codegen
