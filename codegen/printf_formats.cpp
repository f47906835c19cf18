#include "codegen/printf_formats.h"

#include <string>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>

namespace cuttle::codegen {
namespace {

std::string rewritten(llvm::StringRef format) {
  std::string out;
  bool in_conversion = false;
  for (const char c : format) {
    if (in_conversion && (c == 'z' || c == 'j' || c == 't')) {
      out += "ll";
      continue;
    }
    // A conversion ends with its letter, or is a percent sign.
    if (in_conversion) {
      in_conversion = !llvm::isAlpha(c) && c != '%';
      if (c == 'h' || c == 'l') in_conversion = true;
    } else {
      in_conversion = c == '%';
    }
    out += c;
  }
  return out;
}

}  // namespace

void rewrite_printf_formats(llvm::Module& module) {
  llvm::Function* vprintf = module.getFunction("vprintf");
  if (!vprintf) return;
  for (llvm::User* user : vprintf->users()) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    llvm::StringRef format;
    if (!call || !llvm::getConstantStringInfo(call->getArgOperand(0), format)) continue;
    const std::string text = rewritten(format);
    if (text == format) continue;
    llvm::IRBuilder<> builder(call);
    call->setArgOperand(0, builder.CreatePointerBitCastOrAddrSpaceCast(builder.CreateGlobalString(text), call->getArgOperand(0)->getType()));
  }
}

}  // namespace cuttle::codegen
