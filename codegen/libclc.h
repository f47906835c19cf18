// libclc, LLVM's OpenCL library, in libdevice's place: for machines without the CUDA toolkit.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "codegen/llvm.h"
#include "codegen/lowered.h"

namespace cuttle::codegen {

/// Whether the bitcode is libclc's: its functions have OpenCL's mangled names (_Z3sinf).
[[nodiscard]] bool is_libclc(const llvm::Module& library);

/// Makes the module's libdevice functions (__nv_sinf) libclc's: by name, or by a body where OpenCL splits them otherwise, and CUDA's fast ones
/// (__nv_fast_sinf) the GPU's instructions. Then links what they need. A sentence about the first function that libclc has nothing for, if any.
[[nodiscard]] std::optional<std::string> link_libclc(llvm::Module& module, std::unique_ptr<llvm::Module> library, const LoweringRequest& request);

}  // namespace cuttle::codegen
