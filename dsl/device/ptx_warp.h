// Warp operations of a GPU, for warp.h: 32 bits at a time.
#pragma once

namespace cuttle::device {

inline unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }
inline unsigned active_lanes() { return __nvvm_activemask(); }
inline void warp_barrier(unsigned mask) { __nvvm_bar_warp_sync(mask); }

inline unsigned ballot(unsigned mask, bool predicate) { return __nvvm_vote_ballot_sync(mask, predicate); }
inline bool any(unsigned mask, bool predicate) { return __nvvm_vote_any_sync(mask, predicate); }
inline bool all(unsigned mask, bool predicate) { return __nvvm_vote_all_sync(mask, predicate); }

/// What a shuffle moves at once, for a value of the given size.
template <size_t bytes>
struct ShuffleWord {
  using type = unsigned;
};

// The last operand of shfl.sync: the segment's mask in bits 8 to 12, the clamp in bits 0 to 4.
inline unsigned shuffle_bounds(int width, unsigned clamp) { return static_cast<unsigned>(32 - width) << 8 | clamp; }
inline unsigned shuffle(unsigned mask, unsigned word, int source, int width) {
  return __nvvm_shfl_sync_idx_i32(mask, word, source, shuffle_bounds(width, 31));
}
inline unsigned shuffle_up(unsigned mask, unsigned word, unsigned delta, int width) {
  return __nvvm_shfl_sync_up_i32(mask, word, delta, shuffle_bounds(width, 0));
}
inline unsigned shuffle_down(unsigned mask, unsigned word, unsigned delta, int width) {
  return __nvvm_shfl_sync_down_i32(mask, word, delta, shuffle_bounds(width, 31));
}
inline unsigned shuffle_xor(unsigned mask, unsigned word, int lane_mask, int width) {
  return __nvvm_shfl_sync_bfly_i32(mask, word, lane_mask, shuffle_bounds(width, 31));
}

template <class T>
unsigned match_any(unsigned mask, T value) {
  if constexpr (sizeof(T) == 8) {
    return __nvvm_match_any_sync_i64(mask, __builtin_bit_cast(unsigned long long, value));
  } else {
    return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(unsigned, value));
  }
}
template <class T>
unsigned match_all(unsigned mask, T value, int* same) {
  if constexpr (sizeof(T) == 8) {
    return __nvvm_match_all_sync_i64p(mask, __builtin_bit_cast(unsigned long long, value), same);
  } else {
    return __nvvm_match_all_sync_i32p(mask, __builtin_bit_cast(unsigned, value), same);
  }
}

/// Folds the values of the mask's lanes, lane by lane.
template <class T, class Fold>
T reduce(unsigned mask, T value, Fold fold) {
  T result = value;
  for (unsigned others = mask & ~(1u << lane()), i = 0; i < 32; ++i) {
    const T other = static_cast<T>(shuffle(mask, static_cast<unsigned>(value), static_cast<int>(i), 32));
    if (others >> i & 1) result = fold(result, other);
  }
  return result;
}

inline long long clock_ticks() { return __nvvm_read_ptx_sreg_clock64(); }
inline unsigned long long nanoseconds() { return __nvvm_read_ptx_sreg_globaltimer(); }
inline void sleep(unsigned duration) { __nvvm_nanosleep(duration); }

}  // namespace cuttle::device
