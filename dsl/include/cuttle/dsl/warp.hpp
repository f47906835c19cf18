// Warp operations and clocks, as the host compiler sees them: none is ever called, and only templates have a body, which g++ asks for where T is
// a type of the kernel's own. A warp is 32 threads of a block in linear order, x
// fastest. `mask` names the lanes that take part: all of them that have not returned must make the call, with the same mask.
#pragma once

#include "index.hpp"

#include "hide_macros.hpp"

namespace cuttle::dsl {

/// The value of another lane: number `source`, `delta` lanes up or down, or the own number xor `lane_mask`. Lanes are counted within segments
/// of `width`, a power of two up to 32; a lane whose source is outside of its segment keeps its own value (source itself wraps around).
/// T is any trivially copyable type; what does not fit one register moves word by word.
template <class T>
T __shfl_sync([[maybe_unused]] unsigned mask, [[maybe_unused]] T value, [[maybe_unused]] int source, [[maybe_unused]] int width = warpSize) {
  __builtin_unreachable();
}
template <class T>
T __shfl_up_sync([[maybe_unused]] unsigned mask, [[maybe_unused]] T value, [[maybe_unused]] unsigned delta, [[maybe_unused]] int width = warpSize) {
  __builtin_unreachable();
}
template <class T>
T __shfl_down_sync([[maybe_unused]] unsigned mask, [[maybe_unused]] T value, [[maybe_unused]] unsigned delta, [[maybe_unused]] int width = warpSize) {
  __builtin_unreachable();
}
template <class T>
T __shfl_xor_sync([[maybe_unused]] unsigned mask, [[maybe_unused]] T value, [[maybe_unused]] int lane_mask, [[maybe_unused]] int width = warpSize) {
  __builtin_unreachable();
}

/// Waits for the lanes of `mask`; what they wrote to memory before is visible to each other afterwards.
void __syncwarp(unsigned mask = 0xffffffff);
/// The lanes that make this call together. Which do is not defined where threads have parted: prefer a mask that the algorithm knows.
unsigned __activemask();
/// The lanes whose predicate is not 0; whether any, or all, are.
unsigned __ballot_sync(unsigned mask, int predicate);
int __any_sync(unsigned mask, int predicate);
int __all_sync(unsigned mask, int predicate);
/// The lanes with this lane's value, bit by bit; all lanes if they have one value (*same is then 1), else 0. T has 4 or 8 bytes.
template <class T>
unsigned __match_any_sync([[maybe_unused]] unsigned mask, [[maybe_unused]] T value) {
  __builtin_unreachable();
}
template <class T>
unsigned __match_all_sync([[maybe_unused]] unsigned mask, [[maybe_unused]] T value, [[maybe_unused]] int* same) {
  __builtin_unreachable();
}
/// The sum, least, greatest or bitwise combination of the lanes' values. Sums wrap around.
int __reduce_add_sync(unsigned mask, int value);
unsigned __reduce_add_sync(unsigned mask, unsigned value);
int __reduce_min_sync(unsigned mask, int value);
unsigned __reduce_min_sync(unsigned mask, unsigned value);
int __reduce_max_sync(unsigned mask, int value);
unsigned __reduce_max_sync(unsigned mask, unsigned value);
unsigned __reduce_and_sync(unsigned mask, unsigned value);
unsigned __reduce_or_sync(unsigned mask, unsigned value);
unsigned __reduce_xor_sync(unsigned mask, unsigned value);

/// This thread's number within its warp, 0 to 31, and the masks of the lanes equal to it, below it, and so on.
unsigned laneid();
unsigned lanemask_eq();
unsigned lanemask_lt();
unsigned lanemask_le();
unsigned lanemask_gt();
unsigned lanemask_ge();

/// A counter of processor cycles; nanoseconds of a clock that all threads share; a pause of about so many nanoseconds.
long long clock64();
unsigned long long globaltimer();
void __nanosleep(unsigned nanoseconds);

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
