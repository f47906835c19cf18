// threadIdx and its kin, as the host compiler sees them: declared, so that kernels parse; never defined, since no kernel runs here.
// What they are on a device is in dsl/device/.
#pragma once

namespace cuttle::dsl {

struct index3 {
  unsigned x, y, z;
};

// g++ 12 warns of those that a kernel does not use (the kernel opens them one by one, see capture.hpp).
[[maybe_unused]] extern const index3 threadIdx;  ///< This thread within its block.
[[maybe_unused]] extern const index3 blockIdx;   ///< This block within the grid.
[[maybe_unused]] extern const index3 blockDim;   ///< Threads of a block in each dimension.
[[maybe_unused]] extern const index3 gridDim;    ///< Blocks of the grid in each dimension.
[[maybe_unused]] inline constexpr int warpSize = 32;

}  // namespace cuttle::dsl
