#include "warp_scheduler.h"

#include <algorithm>
#include <bit>

namespace cuttle::detail {
namespace {

struct Lanes {
  const std::uint16_t* at;
  const std::uint32_t* masks;
  std::uint32_t count;

  [[nodiscard]] std::uint32_t at_region(std::uint32_t region) const {
    std::uint32_t set = 0;
    for (std::uint32_t i = 0; i < count; ++i) set |= static_cast<std::uint32_t>(at[i] == region) << i;
    return set;
  }

  // Those of `set` that wait only for lanes of `arrived`.
  [[nodiscard]] std::uint32_t satisfied(std::uint32_t set, std::uint32_t arrived) const {
    std::uint32_t ready = 0;
    for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      if ((masks[i] & ~arrived) == 0) ready |= std::uint32_t{1} << i;
    }
    return ready;
  }

  // The lowest region of [from, to) at which a lane waits, or `to`.
  [[nodiscard]] std::uint32_t lowest(std::uint32_t from, std::uint32_t to) const {
    std::uint32_t least = to;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (at[i] >= from && at[i] < least) least = at[i];
    }
    return least;
  }
};

}  // namespace

std::uint32_t schedule_warp(WarpState* warp, const std::uint16_t* at, const std::uint32_t* masks, std::uint32_t count, const RegionNumbers* numbers) {
  const Lanes lanes{at, masks, count};
  const std::uint32_t returned = lanes.at_region(numbers->exit);
  const std::uint32_t absent = count == 32 ? 0 : ~std::uint32_t{0} << count;
  const auto release = [&](std::uint32_t region, std::uint32_t set) {
    warp->released = set;
    return region;
  };

  // First what the block's barrier, or its start, has let through.
  warp->fresh &= ~(returned | absent);
  if (warp->fresh != 0) {
    const std::uint32_t region = at[std::countr_zero(warp->fresh)];
    const std::uint32_t set = lanes.at_region(region) & warp->fresh;
    warp->fresh &= ~set;
    return release(region, set);
  }

  // Then a warp barrier that every lane of its mask has reached, or has ended before.
  for (std::uint32_t region = lanes.lowest(numbers->first_warp_barrier, numbers->first_block_barrier); region < numbers->first_block_barrier;
       region = lanes.lowest(region + 1, numbers->first_block_barrier)) {
    const std::uint32_t set = lanes.at_region(region);
    if (const std::uint32_t ready = lanes.satisfied(set, set | returned | absent)) return release(region, ready);
  }

  // Then a converge point: nobody else can join any more. And where lanes wait for each other at different barriers, which CUDA leaves
  // undefined, the warp goes on rather than hang.
  const std::uint32_t region = lanes.lowest(0, numbers->first_block_barrier);
  if (region < numbers->first_block_barrier) return release(region, lanes.at_region(region));
  return (returned | absent) == ~std::uint32_t{0} ? numbers->exit : numbers->exit + 1;
}

}  // namespace cuttle::detail
