// The prelude as precompiled headers, one a backend, embedded into the library (prelude_pch.S).
#pragma once

#include <string_view>

#include "codegen/compiler.h"

extern "C" {
extern const char cuttle_prelude_pch_ptx[];
extern const char cuttle_prelude_pch_ptx_end[];
extern const char cuttle_prelude_pch_cpu[];
extern const char cuttle_prelude_pch_cpu_end[];
}

namespace cuttle::codegen {

[[nodiscard]] inline std::string_view prelude_pch(uint32_t backend) {
  return backend == CUTTLE_BACKEND_PTX ? std::string_view(cuttle_prelude_pch_ptx, cuttle_prelude_pch_ptx_end)
                                       : std::string_view(cuttle_prelude_pch_cpu, cuttle_prelude_pch_cpu_end);
}

}  // namespace cuttle::codegen
