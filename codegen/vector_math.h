// Vector math for the CPU device: sin, exp, pow and their kin from glibc's libmvec, a host vector of results at a time. They are accurate to 4 units
// in the last place, as CUDA's are, where glibc's scalar functions are to 1.
//
// All lanes of all loops get their result from one function, that for the host's widest vectors: in narrower vectors, in the rest of a loop and in
// scalar code too. What a thread computes does not depend on where in its block it stands.
#pragma once

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// What LLVM's vectorisers may call in `module`: stand-ins that no library has, for call_vector_math() to replace. Nothing where the module calls no
/// such function, or the host has none.
[[nodiscard]] std::optional<llvm::TargetLibraryInfoImpl> vector_math_library(const llvm::Module& module);

/// Makes every call that has a function of the host's, scalar, intrinsic or stand-in, a call of that. After optimising.
void call_vector_math(llvm::Module& module);

}  // namespace cuttle::codegen
