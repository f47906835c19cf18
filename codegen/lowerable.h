// What Clang accepts and LLVM cannot lower, or would not in bounded time or with what is in the module alone: found in the IR, before it is tried.
#pragma once

#include <optional>
#include <string>

#include "codegen/llvm.h"

namespace cuttle::codegen {

// LLVM splits wider vectors lane by lane, in time that grows with the square of their width. AVX-512 has 64 lanes of bytes.
inline constexpr unsigned max_vector_lanes = 256;

// LLVM expands arithmetic on wider ones word by word, again in quadratic time. Clang has this limit as a flag, which its x86 target does not heed.
inline constexpr unsigned max_integer_bits = 1'024;

// Instructions of a kernel with every call of its functions inlined, as the CPU device does it: functions that call two others twice each double
// with every level.
inline constexpr double max_inlined_instructions = 500'000;

/// Of any assembly: it would be x86's, run in the host's process, and a GPU could not.
inline constexpr const char* assembly_on_cpu = "the kernel has inline assembly, which is PTX and runs on a GPU; the CPU device takes C++ only.";

/// A sentence that says what of `module` cannot be lowered for the back end (CUTTLE_BACKEND_*), or nothing.
[[nodiscard]] std::optional<std::string> why_not_lowerable(const llvm::Module& module, uint32_t backend);

}  // namespace cuttle::codegen
