// Runs a kernel that was compiled with checks, and answers its calls (codegen/check.h): one launch at a time on the calling thread, block after
// block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codegen/compiler.h"
#include "cuttle/dsl/signature.hpp"
#include "device_state.h"
#include "kernel_failure.h"

namespace cuttle::detail {

struct CheckedKernel {
  const std::string& title;  // entry and signature
  cuttle_block_function function;
  std::size_t static_shared_bytes;
};

/// Runs every block of the grid, or those up to the first mistake, which is thrown as a CheckError, or the first other failure, which is returned.
/// `shared` is for the shared memory of one block.
[[nodiscard]] std::optional<KernelFailure> run_checked(const CheckedKernel& kernel, const Geometry& geometry, const Signature& signature,
                                                       const void* const* arguments, unsigned char* shared);

/// The functions that checked code calls, by name; null for every other name.
[[nodiscard]] const void* checker_symbol(std::string_view name);

}  // namespace cuttle::detail
