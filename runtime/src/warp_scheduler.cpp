#include "warp_scheduler.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

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

  // Lanes that wait at barriers of regions in [from, to) for the same lanes, all of which are there or in `gone`; 0 where there are none. From sm_70
  // on a warp's barrier is its mask, wherever in the code the lanes come to it.
  [[nodiscard]] std::uint32_t met(std::uint32_t from, std::uint32_t to, std::uint32_t gone) const {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (at[i] < from || at[i] >= to) continue;
      std::uint32_t set = 0;
      for (std::uint32_t j = i; j < count; ++j) set |= static_cast<std::uint32_t>(at[j] >= from && at[j] < to && masks[j] == masks[i]) << j;
      if ((masks[i] & ~(set | gone)) == 0) return set;
    }
    return 0;
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

// The usual case, that all lanes wait at one place, for each other: none needs to be looked at alone.
std::optional<std::uint32_t> schedule_together(WarpState& warp, const Lanes& lanes, const RegionNumbers& numbers) {
  const auto all_equal = [&](const auto* elements) { return std::memcmp(elements, elements + 1, (lanes.count - 1) * sizeof(*elements)) == 0; };
  if (!all_equal(lanes.at)) return std::nullopt;
  const std::uint32_t region = lanes.at[0];
  if (region == numbers.exit) return region;
  const std::uint32_t present = lanes.count == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << lanes.count) - 1;
  const bool start = (warp.fresh & present) == present;  // at the thread's beginning or behind the block's barrier
  if (!start && (warp.fresh & present) != 0) return std::nullopt;
  const bool at_warp_barrier = region >= numbers.first_warp_barrier && region < numbers.first_block_barrier;
  if (!start && at_warp_barrier && !(all_equal(lanes.masks) && (lanes.masks[0] & present) == present)) return std::nullopt;
  if (!start && region >= numbers.first_block_barrier) return numbers.exit + 1;
  warp.fresh = 0;
  warp.released = warp.joined = warp.met = present;
  return region;
}

}  // namespace

std::uint32_t schedule_warp(WarpState* warp, const std::uint16_t* at, const std::uint32_t* masks, std::uint32_t count, const RegionNumbers* numbers) {
  const Lanes lanes{at, masks, count};
  if (const std::optional<std::uint32_t> region = schedule_together(*warp, lanes, *numbers)) return *region;
  const std::uint32_t returned = lanes.at_region(numbers->exit);
  const std::uint32_t absent = count == 32 ? 0 : ~std::uint32_t{0} << count;
  const auto release = [&](std::uint32_t region, std::uint32_t set) {
    warp->released = warp->joined = warp->met = set;
    return region;
  };
  const auto release_fresh = [&](std::uint32_t met) {
    const std::uint32_t region = at[std::countr_zero(warp->fresh)];
    warp->released = lanes.at_region(region) & warp->fresh;
    warp->fresh &= ~warp->released;
    warp->met = met;
    return region;
  };

  // First what the block's barrier, or its start, has let through, or a warp's barrier at several places.
  warp->fresh &= ~(returned | absent);
  if (warp->fresh != 0) return release_fresh(0);

  // Then a warp barrier that every lane of its mask has reached, or has ended before.
  for (std::uint32_t region = lanes.lowest(numbers->first_warp_barrier, numbers->first_block_barrier); region < numbers->first_block_barrier;
       region = lanes.lowest(region + 1, numbers->first_block_barrier)) {
    const std::uint32_t set = lanes.at_region(region);
    if (const std::uint32_t ready = lanes.satisfied(set, set | returned | absent)) return release(region, ready);
  }

  if (const std::uint32_t met = lanes.met(numbers->first_warp_barrier, numbers->first_block_barrier, returned | absent)) {
    warp->fresh = warp->joined = met;
    return release_fresh(met);
  }

  // Then a converge point: nobody else can join any more. And where lanes wait for each other at different barriers, which CUDA leaves
  // undefined, the warp goes on rather than hang.
  const std::uint32_t region = lanes.lowest(0, numbers->first_block_barrier);
  if (region < numbers->first_block_barrier) return release(region, lanes.at_region(region));
  return (returned | absent) == ~std::uint32_t{0} ? numbers->exit : numbers->exit + 1;
}

}  // namespace cuttle::detail
