#include "codegen/tune_ranges.h"

#include <cmath>
#include <functional>

namespace cuttle::codegen {
namespace {

constexpr unsigned max_depth = 8;

// Above every rounding of one operation, in any mode, and above what a flushed subnormal loses.
constexpr double relative_slack = 1e-3;
constexpr double absolute_slack = 1e-4;

double largest(const llvm::Type& type) { return llvm::APFloat::getLargest(type.getFltSemantics()).convertToDouble(); }

// A number that |value| never exceeds, far below the type's overflow: with one, the value is neither infinite nor NaN.
class Bounds {
 public:
  explicit Bounds(const llvm::DataLayout& layout) : layout_(layout) {}

  std::optional<double> of(const llvm::Value* value, unsigned depth = 0) const {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(value)) return of_constant(constant->getValueAPF());
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || depth == max_depth || !is_scalar(*instruction->getType())) return std::nullopt;
    const auto exact = of_result(*instruction, depth + 1);
    if (!exact) return std::nullopt;
    const double bound = *exact * (1 + relative_slack) + absolute_slack;
    return bound < largest(*instruction->getType()) / 2 ? std::optional(bound) : std::nullopt;
  }

 private:
  static bool is_scalar(const llvm::Type& type) { return type.isHalfTy() || type.isFloatTy() || type.isDoubleTy(); }

  static std::optional<double> of_constant(const llvm::APFloat& constant) {
    const bool is_known =
        constant.isFinite() && (&constant.getSemantics() == &llvm::APFloat::IEEEhalf() || &constant.getSemantics() == &llvm::APFloat::IEEEsingle() ||
                                &constant.getSemantics() == &llvm::APFloat::IEEEdouble());
    return is_known ? std::optional(std::abs(constant.convertToDouble())) : std::nullopt;
  }

  std::optional<double> of_integer(const llvm::Value& integer, bool is_signed) const {
    if (!integer.getType()->isIntegerTy()) return std::nullopt;
    const llvm::KnownBits known = llvm::computeKnownBits(&integer, layout_);
    return is_signed ? std::fmax(std::abs(known.getSignedMinValue().signedRoundToDouble()), std::abs(known.getSignedMaxValue().signedRoundToDouble()))
                     : known.getMaxValue().roundToDouble();
  }

  std::optional<double> of_result(const llvm::Instruction& instruction, unsigned depth) const {
    const auto operand = [&](unsigned index) { return of(instruction.getOperand(index), depth); };
    const auto combine = [](std::optional<double> a, std::optional<double> b, auto function) {
      return a && b ? std::optional(function(*a, *b)) : std::nullopt;
    };
    switch (instruction.getOpcode()) {
      case llvm::Instruction::UIToFP:
        return of_integer(*instruction.getOperand(0), false);
      case llvm::Instruction::SIToFP:
        return of_integer(*instruction.getOperand(0), true);
      case llvm::Instruction::FNeg:
      case llvm::Instruction::FPExt:
      case llvm::Instruction::FPTrunc:
        return operand(0);
      case llvm::Instruction::FAdd:
      case llvm::Instruction::FSub:
        return combine(operand(0), operand(1), std::plus());
      case llvm::Instruction::FMul:
        return combine(operand(0), operand(1), std::multiplies());
      case llvm::Instruction::Select:
        return combine(operand(1), operand(2), [](double a, double b) { return std::fmax(a, b); });
      case llvm::Instruction::Call:
        break;
      default:
        return std::nullopt;
    }
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!intrinsic) return std::nullopt;
    switch (intrinsic->getIntrinsicID()) {
      case llvm::Intrinsic::fabs:
      case llvm::Intrinsic::nvvm_fabs:
      case llvm::Intrinsic::nvvm_fabs_ftz:
        return operand(0);
      case llvm::Intrinsic::fma:
      case llvm::Intrinsic::fmuladd:
        return combine(combine(operand(0), operand(1), std::multiplies()), operand(2), std::plus());
      default:
        return std::nullopt;
    }
  }

  const llvm::DataLayout& layout_;
};

// What `compare` says of a value that lies on the near side of its constant; nothing where that is not known.
std::optional<bool> decide(const llvm::FCmpInst& compare, const Bounds& bounds) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(compare.getOperand(1));
  if (!constant || constant->isNaN() || constant->isZero()) return std::nullopt;
  const auto bound = bounds.of(compare.getOperand(0));
  if (!bound) return std::nullopt;
  llvm::APFloat limit = constant->getValueAPF();
  limit.clearSign();
  if (*bound >= (limit.isInfinity() ? largest(*constant->getType()) : limit.convertToDouble())) return std::nullopt;
  const bool is_less = !constant->isNegative();
  switch (compare.getPredicate()) {
    case llvm::CmpInst::FCMP_OLT:
    case llvm::CmpInst::FCMP_OLE:
    case llvm::CmpInst::FCMP_ULT:
    case llvm::CmpInst::FCMP_ULE:
      return is_less;
    case llvm::CmpInst::FCMP_OGT:
    case llvm::CmpInst::FCMP_OGE:
    case llvm::CmpInst::FCMP_UGT:
    case llvm::CmpInst::FCMP_UGE:
      return !is_less;
    case llvm::CmpInst::FCMP_OEQ:
    case llvm::CmpInst::FCMP_UEQ:
      return false;
    case llvm::CmpInst::FCMP_ONE:
    case llvm::CmpInst::FCMP_UNE:
      return true;
    default:
      return std::nullopt;
  }
}

}  // namespace

llvm::PreservedAnalyses DecideBoundedCompares::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const Bounds bounds(function.getDataLayout());
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction);
    if (!compare || compare->getType()->isVectorTy()) continue;
    const auto decided = decide(*compare, bounds);
    if (!decided) continue;
    compare->replaceAllUsesWith(llvm::ConstantInt::getBool(compare->getType(), *decided));
    compare->eraseFromParent();
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace cuttle::codegen
