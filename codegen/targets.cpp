#include "codegen/targets.h"

#include <stdexcept>
#include <string>

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

// What LLVM lets nobody say but by an option of the whole process: set once, before the first target machine.
void set_option(const char* name) {
  llvm::cl::Option* option = llvm::cl::getRegisteredOptions().lookup(name);
  if (!option || option->addOccurrence(0, name, "true")) throw std::logic_error(std::string("this LLVM has no option -") + name);
}

void set_options() {
  // Shared, constant and local addresses in 32-bit registers, of which the clang flag -fcuda-short-ptr (cc1_flags.txt) is the other half.
  set_option("nvptx-short-ptr");
  // Loop strength reduction counts instructions before registers: NVPTX has no address of two registers, and without this two arrays share
  // one offset, to which each access adds its base. On the CPU that is the target's own choice.
  set_option("lsr-insns-cost");
}

}  // namespace

void initialise_targets() {
  static const bool initialised = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    set_options();
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
