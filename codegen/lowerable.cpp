#include "codegen/lowerable.h"

#include "codegen/compiler.h"

namespace cuttle::codegen {
namespace {

bool is_wide_vector(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getNumElements() > max_vector_lanes;
}

bool is_wide_integer(const llvm::Type* type) { return type->isIntegerTy() && type->getIntegerBitWidth() > max_integer_bits; }

template <class Predicate>
bool has_type(const llvm::Instruction& instruction, Predicate is) {
  return is(instruction.getType()) || llvm::any_of(instruction.operands(), [is](const llvm::Use& use) { return is(use->getType()); });
}

// The size of functions with everything inlined that they call. A double, since it can pass every integer.
class InlinedSizes {
 public:
  double of(const llvm::Function& function) {
    const auto [entry, is_new] = sizes_.try_emplace(&function, 0.0);  // 0 while it is being measured: recursion is not inlined
    if (!is_new) return entry->second;
    double size = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      size += callee && !callee->isDeclaration() ? of(*callee) : 1;
    }
    return sizes_[&function] = size;
  }

 private:
  llvm::DenseMap<const llvm::Function*, double> sizes_;
};

}  // namespace

std::optional<std::string> why_not_lowerable(const llvm::Module& module, uint32_t backend) {
  if (!module.getModuleInlineAsm().empty()) return "the kernel has assembly outside of every function; it can stand in a function only.";
  if (!module.alias_empty() || !module.ifunc_empty()) return "the kernel has an alias of a function or variable, which there is not on a device.";
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isThreadLocal()) return "the kernel has a thread_local variable; a local variable of the kernel is every thread's own.";
  }
  InlinedSizes sizes;
  for (const llvm::Function& function : module) {
    if (backend == CUTTLE_BACKEND_CPU && sizes.of(function) > max_inlined_instructions) {
      return "the kernel's functions call each other so often that, inlined, they are more than " +
             std::to_string(static_cast<int>(max_inlined_instructions)) + " instructions; use a loop.";
    }
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (has_type(instruction, is_wide_vector)) {
        return "the kernel has a vector of more than " + std::to_string(max_vector_lanes) + " lanes; use an array.";
      }
      if (has_type(instruction, is_wide_integer)) {
        return "the kernel has an integer of more than " + std::to_string(max_integer_bits) + " bits; use an array of words.";
      }
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (backend == CUTTLE_BACKEND_CPU && call && call->isInlineAsm()) return assembly_on_cpu;
    }
  }
  return std::nullopt;
}

}  // namespace cuttle::codegen
