// NVIDIA's device math library as bitcode: found, linked and told to be precise.
#pragma once

#include <optional>
#include <string>

#include "codegen/compiler.h"
#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Links what `module` uses of libdevice (`__nv_*`) into it, before any optimisation, so that it is inlined with the kernel.
/// Nothing is read where nothing is used. A sentence that says where was looked, if there is no libdevice.
[[nodiscard]] std::optional<std::string> link_libdevice(llvm::Module& module, const cuttle_target& target);

}  // namespace cuttle::codegen
