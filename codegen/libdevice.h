// NVIDIA's device math library as bitcode, or libclc in its place: linked and told to be precise.
#pragma once

#include <optional>
#include <string>

#include "codegen/llvm.h"
#include "codegen/lowered.h"

namespace cuttle::codegen {

/// Links what `module` uses of libdevice (`__nv_*`) into it, before any optimisation, so that it is inlined with the kernel.
/// Nothing is read where nothing is used. A sentence that says where was looked, if there is no libdevice.
struct LibdeviceResult {
  bool is_used = false;
  std::optional<std::string> error;
};
[[nodiscard]] LibdeviceResult link_libdevice(llvm::Module& module, const LoweringRequest& request);

}  // namespace cuttle::codegen
