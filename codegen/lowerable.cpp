#include "codegen/lowerable.h"

#include "codegen/compiler.h"

namespace cuttle::codegen {
namespace {

bool is_wide(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getNumElements() > max_vector_lanes;
}

bool has_wide_vector(const llvm::Instruction& instruction) {
  return is_wide(instruction.getType()) || llvm::any_of(instruction.operands(), [](const llvm::Use& use) { return is_wide(use->getType()); });
}

// Whether an assembly text has a directive: a word that begins with a dot at the beginning of a statement. Labels (.Lname) are none.
bool has_directive(llvm::StringRef text) {
  bool at_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ';' || c == '\n' || c == ':') {
      at_start = true;
    } else if (c == '.' && at_start && i + 1 < text.size() && text[i + 1] != 'L') {
      return true;
    } else if (c != ' ' && c != '\t') {
      at_start = false;
    }
  }
  return false;
}

}  // namespace

std::optional<std::string> why_not_lowerable(const llvm::Module& module, uint32_t backend) {
  if (!module.getModuleInlineAsm().empty()) return "the kernel has assembly outside of every function; it can stand in a function only.";
  if (!module.alias_empty() || !module.ifunc_empty()) return "the kernel has an alias of a function or variable, which there is not on a device.";
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isThreadLocal()) return "the kernel has a thread_local variable; a local variable of the kernel is every thread's own.";
  }
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (has_wide_vector(instruction)) {
        return "the kernel has a vector of more than " + std::to_string(max_vector_lanes) + " lanes; use an array.";
      }
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const auto* assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      // An assembler runs in this process for the CPU: .incbin reads files, .rept and .fill make code without end.
      if (backend == CUTTLE_BACKEND_CPU && assembly && has_directive(assembly->getAsmString())) {
        return "the kernel's inline assembly has an assembler directive, which the CPU device does not take; instructions only.";
      }
    }
  }
  return std::nullopt;
}

}  // namespace cuttle::codegen
