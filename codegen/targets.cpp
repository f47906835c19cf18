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

void set_option(const char* name, const char* value) {
  llvm::cl::Option* option = llvm::cl::getRegisteredOptions().lookup(name);
  if (!option || option->addOccurrence(0, name, value)) throw std::logic_error(std::string("this LLVM has no option -") + name);
}

// What LLVM lets be said only by options of the whole process. Set once, before the first target machine.
void set_options() {
  // Shared, constant and local addresses in 32-bit registers, of which the clang flag -fcuda-short-ptr (cc1_flags.txt) is the other half.
  set_option("nvptx-short-ptr", "true");
  // Loop strength reduction counts instructions before registers: NVPTX has no address of two registers, and without this two arrays share
  // one offset, to which each access adds its base. On the CPU that is the target's own choice.
  set_option("lsr-insns-cost", "true");
  // How far the elimination of dead stores looks, each step an alias query: a third of the defaults leaves the PTX of 82 kernels as it was.
  set_option("dse-memoryssa-scanlimit", "50");
  set_option("dse-memoryssa-walklimit", "30");
  // Conversions between 128-bit integers and floating-point numbers become code of their own: NVPTX knows no library to call for them.
  set_option("expand-fp-convert-bits", "64");
  // Code that belongs to no line counts as the line before it: gdb stops a step where there is no line, in the middle of a kernel's loop.
  set_option("use-unknown-locations", "Disable");
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
