#include "codegen/targets.h"

#include <stdexcept>

#include "codegen/llvm.h"

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
void LLVMInitializeX86AsmParser();
}

namespace cuttle::codegen {
namespace {

// Shared, constant and local addresses in 32-bit registers, of which the clang flag -fcuda-short-ptr (cc1_flags.txt) is the other half.
// LLVM has no other way to say it than this option of the whole process, so it is set once, before the first target machine.
void use_short_pointers() {
  llvm::cl::Option* option = llvm::cl::getRegisteredOptions().lookup("nvptx-short-ptr");
  if (!option || option->addOccurrence(0, "nvptx-short-ptr", "true")) throw std::logic_error("this LLVM has no option -nvptx-short-ptr");
}

}  // namespace

void initialise_targets() {
  static const bool initialised = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    use_short_pointers();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();  // inline assembly, and its errors
    return true;
  }();
  (void)initialised;
}

}  // namespace cuttle::codegen
