// Warp operations under CUDA's names, for values of any trivially copyable type, and the clocks.
#pragma once

#ifdef CUTTLE_BACKEND_PTX
#include "ptx_warp.h"
#else
#include "cpu_warp.h"
#endif

namespace cuttle::device {

/// Moves a value word by word. The words are unrolled here: an index that the compiler must find out would keep them in memory.
template <class Index, Index... i>
struct Indices {};
template <class T, class Move, size_t... i>
T move_words(T value, Move move, Indices<size_t, i...>) {
  static_assert(__is_trivially_copyable(T), "a warp operation moves bytes: the type must be trivially copyable");
  using Word = typename ShuffleWord<sizeof(T)>::type;
  Word words[sizeof...(i)] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  ((words[i] = move(words[i])), ...);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
template <class T, class Move>
T move_words(T value, Move move) {
  constexpr size_t word = sizeof(typename ShuffleWord<sizeof(T)>::type);
  return move_words(value, move, __make_integer_seq<Indices, size_t, (sizeof(T) + word - 1) / word>());
}

}  // namespace cuttle::device

namespace cuttle::dsl {

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = warpSize) {
  return device::move_words(value, [=](auto word) { return device::shuffle(mask, word, source, width); });
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  return device::move_words(value, [=](auto word) { return device::shuffle_up(mask, word, delta, width); });
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  return device::move_words(value, [=](auto word) { return device::shuffle_down(mask, word, delta, width); });
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize) {
  return device::move_words(value, [=](auto word) { return device::shuffle_xor(mask, word, lane_mask, width); });
}

inline void __syncwarp(unsigned mask = 0xffffffff) { device::warp_barrier(mask); }
inline unsigned __activemask() { return device::active_lanes(); }
inline unsigned __ballot_sync(unsigned mask, int predicate) { return device::ballot(mask, predicate != 0); }
inline int __any_sync(unsigned mask, int predicate) { return device::any(mask, predicate != 0); }
inline int __all_sync(unsigned mask, int predicate) { return device::all(mask, predicate != 0); }

template <class T>
unsigned __match_any_sync(unsigned mask, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "__match_any_sync compares values of 4 or 8 bytes");
  return device::match_any(mask, value);
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* same) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "__match_all_sync compares values of 4 or 8 bytes");
  return device::match_all(mask, value, same);
}

// From sm_80 on codegen/redux.cpp puts a GPU's one instruction in the place of each: this header serves every architecture.
#define CUTTLE_REDUCE(name, operation, type, expression)                                                  \
  extern "C" inline type cuttle_reduce_##operation(unsigned mask, type value) {                           \
    return device::reduce(mask, value, [](type a, type b) -> type { return expression; });                \
  }                                                                                                       \
  inline type name(unsigned mask, type value) { return cuttle_reduce_##operation(mask, value); }
CUTTLE_REDUCE(__reduce_add_sync, add, unsigned, a + b)
CUTTLE_REDUCE(__reduce_min_sync, min, int, b < a ? b : a)
CUTTLE_REDUCE(__reduce_min_sync, umin, unsigned, b < a ? b : a)
CUTTLE_REDUCE(__reduce_max_sync, max, int, a < b ? b : a)
CUTTLE_REDUCE(__reduce_max_sync, umax, unsigned, a < b ? b : a)
CUTTLE_REDUCE(__reduce_and_sync, and, unsigned, a& b)
CUTTLE_REDUCE(__reduce_or_sync, or, unsigned, a | b)
CUTTLE_REDUCE(__reduce_xor_sync, xor, unsigned, a ^ b)
#undef CUTTLE_REDUCE
inline int __reduce_add_sync(unsigned mask, int value) { return static_cast<int>(cuttle_reduce_add(mask, static_cast<unsigned>(value))); }

inline unsigned laneid() { return device::lane(); }
inline unsigned lanemask_eq() { return 1u << device::lane(); }
inline unsigned lanemask_lt() { return lanemask_eq() - 1; }
inline unsigned lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline unsigned lanemask_gt() { return ~lanemask_le(); }
inline unsigned lanemask_ge() { return ~lanemask_lt(); }

inline long long clock64() { return device::clock_ticks(); }
inline unsigned long long globaltimer() { return device::nanoseconds(); }
inline void __nanosleep(unsigned duration) { device::sleep(duration); }

}  // namespace cuttle::dsl
