#include "codegen/gpu_results.h"

namespace cuttle::codegen {
namespace {

using llvm::IRBuilder;
using llvm::Value;

// `choice`, which has the operation as an operand, takes its place everywhere else.
void replace_by_choice(llvm::Instruction& operation, Value* choice) {
  operation.replaceUsesWithIf(choice, [choice](const llvm::Use& use) { return use.getUser() != choice; });
}

// PTX clamps the count: zeros, or copies of the sign.
void guard_shift(llvm::BinaryOperator& shift, const llvm::DataLayout& layout) {
  llvm::Type* type = shift.getType();
  const unsigned width = type->getScalarSizeInBits();
  Value* count = shift.getOperand(1);
  if (llvm::computeKnownBits(count, layout).getMaxValue().ult(width)) return;
  IRBuilder<> builder(&shift);
  if (shift.getOpcode() == llvm::Instruction::AShr) {
    shift.setOperand(1, builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, llvm::ConstantInt::get(type, width - 1)));
    return;
  }
  builder.SetInsertPoint(shift.getNextNode());
  Value* fits = builder.CreateICmpULT(count, llvm::ConstantInt::get(type, width));
  replace_by_choice(shift, builder.CreateSelect(fits, &shift, llvm::Constant::getNullValue(type)));
}

// x / 0 and x % 0 have all bits set, as ptxas' expansions leave them; MIN / -1 is MIN and MIN % -1 is 0. x86 would trap.
void guard_division(llvm::BinaryOperator& division, const llvm::DataLayout& layout) {
  llvm::Type* type = division.getType();
  Value* divisor = division.getOperand(1);
  const llvm::KnownBits bits = llvm::computeKnownBits(divisor, layout);
  const bool is_signed = division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
  const bool may_be_zero = !bits.isNonZero();
  const bool may_overflow = is_signed && !bits.Zero.getBoolValue();  // -1 has no zero bit
  if (!may_be_zero && !may_overflow) return;
  IRBuilder<> builder(&division);
  Value* is_zero = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  Value* unsafe = is_zero;
  if (may_overflow) {
    const llvm::APInt least = llvm::APInt::getSignedMinValue(type->getScalarSizeInBits());
    Value* is_least = builder.CreateICmpEQ(division.getOperand(0), llvm::ConstantInt::get(type, least));
    unsafe = builder.CreateOr(is_zero, builder.CreateAnd(is_least, builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type))));
  }
  division.setOperand(1, builder.CreateSelect(unsafe, llvm::ConstantInt::get(type, 1), divisor));
  if (!may_be_zero) return;
  builder.SetInsertPoint(division.getNextNode());
  replace_by_choice(division, builder.CreateSelect(is_zero, llvm::Constant::getAllOnesValue(type), &division));
}

// Clang writes saturating conversions under -fno-strict-float-cast-overflow, NaN to 0. NVPTX converts to 8 bits by way of 16, and NaN gives
// the top bit where source or result has 64 bits (PTX ISA, cvt).
void match_conversion(llvm::IntrinsicInst& conversion) {
  llvm::Type* type = conversion.getType();
  Value* source = conversion.getArgOperand(0);
  const unsigned width = std::max(type->getScalarSizeInBits(), 16u);
  if (!type->isIntegerTy() || width > 64) return;
  const bool nan_is_top_bit = width == 64 || source->getType()->isDoubleTy();
  if (width == type->getIntegerBitWidth() && !nan_is_top_bit) return;
  IRBuilder<> builder(conversion.getNextNode());
  llvm::Type* wide = builder.getIntNTy(width);
  Value* result = builder.CreateIntrinsic(conversion.getIntrinsicID(), {wide, source->getType()}, {source});
  if (nan_is_top_bit) {
    Value* is_nan = builder.CreateFCmpUNO(source, source);
    result = builder.CreateSelect(is_nan, llvm::ConstantInt::get(wide, llvm::APInt::getSignedMinValue(width)), result);
  }
  conversion.replaceAllUsesWith(builder.CreateTrunc(result, type));
  conversion.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses GpuResultsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::DataLayout& layout = function.getDataLayout();
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      if (binary->isShift()) guard_shift(*binary, layout);
      if (binary->isIntDivRem()) guard_division(*binary, layout);
    } else if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      const llvm::Intrinsic::ID id = intrinsic->getIntrinsicID();
      if (id == llvm::Intrinsic::fptosi_sat || id == llvm::Intrinsic::fptoui_sat) match_conversion(*intrinsic);
    }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace cuttle::codegen
