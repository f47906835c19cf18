// What code on the CPU device may call: the functions that the prelude declares and those that the optimiser puts in.
#pragma once

#include <string_view>

namespace cuttle::detail {

/// The function's address, or null where kernels have none of the name.
[[nodiscard]] const void* cpu_symbol(std::string_view name);

}  // namespace cuttle::detail
