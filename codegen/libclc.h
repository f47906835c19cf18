// libclc, LLVM's OpenCL library, in libdevice's place: for machines without the CUDA toolkit.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Whether the bitcode is libclc's: its functions have OpenCL's mangled names (_Z3sinf).
[[nodiscard]] bool is_libclc(const llvm::Module& library);

/// Gives the module's own definitions other names while libclc is linked to it, where libclc has one of the same name: a kernel's sin(float) is a C++
/// function, and as such called _Z3sinf too.
class OwnNamesAside {
 public:
  OwnNamesAside(llvm::Module& module, const llvm::Module& library);
  ~OwnNamesAside();
  OwnNamesAside(const OwnNamesAside&) = delete;
  OwnNamesAside& operator=(const OwnNamesAside&) = delete;

 private:
  llvm::Module& module_;
  llvm::SmallVector<std::pair<llvm::GlobalValue*, std::string>, 0> renamed_;
};

/// Makes the module's libdevice functions (__nv_sinf) calls of libclc's: of the same function where there is one, or by a body where OpenCL splits
/// them otherwise. The name of the first that libclc has nothing for, if any.
[[nodiscard]] std::optional<std::string> use_libclc(llvm::Module& module, const llvm::Module& library);

}  // namespace cuttle::codegen
