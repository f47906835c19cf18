// What CPU code with warp operations and the scheduler of its warps (runtime/src/warp_scheduler.h) tell each other.
#pragma once

#include <cstdint>

namespace cuttle {

/// Of each warp, in the block's scratch memory.
struct WarpState {
  std::uint32_t released;  // lanes that the last call of the scheduler let through together
  std::uint32_t fresh;     // lanes that may go on whatever the others do; the block sets all bits before a warp runs
  std::uint32_t joined;    // lanes that met at a warp barrier, or all that wait at a converge point: the barrier's result
  std::uint32_t met;       // those that the last call of the scheduler found to have met
};

/// The numbers of a kernel's regions: 0 starts a thread, then come those behind a converge point, behind a warp barrier, behind a block barrier,
/// then `exit`, at which a thread has ended.
struct RegionNumbers {
  std::uint32_t first_warp_barrier, first_block_barrier, exit;
};

}  // namespace cuttle
