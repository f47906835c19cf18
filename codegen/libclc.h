// libclc, LLVM's OpenCL library, in libdevice's place: for machines without the CUDA toolkit.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Whether the bitcode is libclc's: its functions have OpenCL's mangled names (_Z3sinf).
[[nodiscard]] bool is_libclc(const llvm::Module& library);

/// Makes the module's libdevice functions (__nv_sinf) libclc's: by name, or by a body where OpenCL splits them otherwise. The name of the first
/// that libclc has nothing for, if any.
[[nodiscard]] std::optional<std::string> use_libclc(llvm::Module& module, const llvm::Module& library);

}  // namespace cuttle::codegen
