// Loads a CPU kernel's relocatable object into the process, without LLVM: a process that finds its kernels in the cache links nothing large.
#pragma once

#include <string>
#include <string_view>

#include "codegen/compiler.h"

namespace cuttle::detail {

/// The function `entry` of the object, which stays loaded until the process ends. Knows what codegen/cpu.cpp makes (ELF for x86-64, position
/// independent, small code model) and calls of the functions in cpu_symbols.h. Throws InternalError on anything else.
[[nodiscard]] cuttle_block_function load_object(std::string_view object, const std::string& entry);

}  // namespace cuttle::detail
