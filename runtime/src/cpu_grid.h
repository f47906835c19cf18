// Blocks of the CPU device that wait for each other: those of a cooperative launch, each on a thread of its own.
#pragma once

#include <thread>  // GCC 12's <barrier> needs it

#include <barrier>
#include <cstdint>

namespace cuttle::detail {

using GridBarrier = std::barrier<>;

/// While it lives, the block that runs on this thread is one of those that the barrier counts. A block that ends waits for nobody any more.
class GridMember {
 public:
  explicit GridMember(GridBarrier& barrier);
  ~GridMember();
  GridMember(const GridMember&) = delete;
  GridMember& operator=(const GridMember&) = delete;

 private:
  GridBarrier& barrier_;
};

// What compiled kernels call (dsl/device/grid.h), the former for one thread of each block. Outside of a cooperative launch there is nobody to
// wait for.
void wait_for_grid();
[[nodiscard]] std::uint32_t is_in_grid();

}  // namespace cuttle::detail
