// Which lanes of a warp run next: called by compiled kernels with warp operations, between two regions.
#pragma once

#include <cstdint>

#include "codegen/warp_state.h"

namespace cuttle::detail {

/// The region to run next, for the lanes that are then in warp->released; numbers->exit where all lanes have ended, and numbers->exit + 1 where
/// none can go on before the block's next barrier. `at` has the region in front of which each lane waits, `masks` what it waits for.
std::uint32_t schedule_warp(WarpState* warp, const std::uint16_t* at, const std::uint32_t* masks, std::uint32_t lanes, const RegionNumbers* numbers);

}  // namespace cuttle::detail
