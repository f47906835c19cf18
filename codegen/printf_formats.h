// printf formats as the driver's vprintf knows them.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// Rewrites the length modifiers of C that the driver has not (z, j and t; CUDA programming guide, "Formatted Output") as ll: on a device all of them
/// are 64 bits. Formats that are no constants stay as they are.
void rewrite_printf_formats(llvm::Module& module);

}  // namespace cuttle::codegen
