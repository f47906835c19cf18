// Warp operations of the CPU device, for warp.h. A warp is 32 threads in linear order; its lanes run one after the other from one warp barrier
// to the next and exchange values through memory in between.
#pragma once

extern "C" {
// Waits for the lanes of `mask` that have not returned; the result is the lanes that were let through together.
__attribute__((device, convergent)) unsigned cuttle_cpu_warp_barrier(unsigned mask);
// Waits until no lane of the warp can go on without those that wait here, and returns these.
__attribute__((device, convergent)) unsigned cuttle_cpu_converge();
// 512 bytes of the warp.
__attribute__((device, const)) unsigned char* cuttle_cpu_warp_memory();
// Under checks: the value, which came from lane `source` of those in `lanes` (codegen/check_lanes.h).
__attribute__((device)) unsigned long long cuttle_check_lane(unsigned long long value, unsigned source, unsigned lanes);
__attribute__((device)) unsigned long long cuttle_cpu_nanoseconds();
__attribute__((device)) void cuttle_cpu_sleep(unsigned nanoseconds);
}

namespace cuttle::device {

inline unsigned lane() { return cuttle_cpu_linear_thread() % 32; }
inline unsigned active_lanes() { return cuttle_cpu_converge(); }
inline void warp_barrier(unsigned mask) { cuttle_cpu_warp_barrier(mask); }

/// Elements of 1, 2, 4 or 8 bytes, one a lane. Each size has a place of its own: lanes of disjoint masks may exchange different types at once.
template <class T>
T* lane_memory() {
  return reinterpret_cast<T*>(cuttle_cpu_warp_memory()) + 32;
}

/// Calls read(elements, lanes) once every lane of `mask` has given its value; `lanes` are those that did. A second barrier keeps the elements
/// until all have read them.
template <class T, class Read>
auto exchange(unsigned mask, T value, Read read) {
  T* elements = lane_memory<T>();
  elements[lane()] = value;
  const unsigned lanes = cuttle_cpu_warp_barrier(mask) & mask;
  const auto result = read(static_cast<const T*>(elements), lanes);
  cuttle_cpu_warp_barrier(mask);
  return result;
}

inline unsigned ballot(unsigned mask, bool predicate) {
  return exchange(mask, static_cast<unsigned char>(predicate), [](const unsigned char* predicates, unsigned lanes) {
    using Bytes = unsigned char __attribute__((ext_vector_type(32)));
    using Bits = bool __attribute__((ext_vector_type(32)));
    return __builtin_bit_cast(unsigned, __builtin_convertvector(*reinterpret_cast<const Bytes*>(predicates), Bits)) & lanes;
  });
}
inline bool any(unsigned mask, bool predicate) { return ballot(mask, predicate) != 0; }
inline bool all(unsigned mask, bool predicate) { return ballot(mask, !predicate) == 0; }

template <size_t bytes>
struct ShuffleWord {
  using type = unsigned long long;
};
template <>
struct ShuffleWord<4> {
  using type = unsigned;
};
template <>
struct ShuffleWord<2> {
  using type = unsigned short;
};
template <>
struct ShuffleWord<1> {
  using type = unsigned char;
};

template <class Word>
Word from_lane(unsigned mask, Word word, unsigned source) {
  return exchange(mask, word, [source](const Word* words, [[maybe_unused]] unsigned lanes) {
    if constexpr (detail::checks_views<Word*>) {
      return static_cast<Word>(cuttle_check_lane(words[source], source, lanes));
    } else {
      return words[source];
    }
  });
}

// Lanes are counted within segments of `width`; a source outside of the segment is the lane itself.
inline unsigned segment(int width) { return lane() & ~(static_cast<unsigned>(width) - 1); }
inline unsigned segment_end(int width) { return segment(width) + static_cast<unsigned>(width) - 1; }

template <class Word>
Word shuffle(unsigned mask, Word word, int source, int width) {
  return from_lane(mask, word, segment(width) | (static_cast<unsigned>(source) & (static_cast<unsigned>(width) - 1)));
}
template <class Word>
Word shuffle_up(unsigned mask, Word word, unsigned delta, int width) {
  return from_lane(mask, word, delta > lane() - segment(width) ? lane() : lane() - delta);
}
template <class Word>
Word shuffle_down(unsigned mask, Word word, unsigned delta, int width) {
  return from_lane(mask, word, delta > segment_end(width) - lane() ? lane() : lane() + delta);
}
template <class Word>
Word shuffle_xor(unsigned mask, Word word, int lane_mask, int width) {
  const unsigned source = lane() ^ static_cast<unsigned>(lane_mask);
  return from_lane(mask, word, source > segment_end(width) ? lane() : source);
}

template <class T>
unsigned match_any(unsigned mask, T value) {
  using Word = typename ShuffleWord<sizeof(T)>::type;
  const Word own = __builtin_bit_cast(Word, value);
  return exchange(mask, own, [own](const Word* words, unsigned lanes) {
    unsigned equal = 0;
    for (unsigned i = 0; i < 32; ++i) equal |= static_cast<unsigned>(words[i] == own) << i;
    return equal & lanes;
  });
}
template <class T>
unsigned match_all(unsigned mask, T value, int* same) {
  using Word = typename ShuffleWord<sizeof(T)>::type;
  const Word own = __builtin_bit_cast(Word, value);
  const unsigned result = exchange(mask, own, [own](const Word* words, unsigned lanes) {
    unsigned equal = 0;
    for (unsigned i = 0; i < 32; ++i) equal |= static_cast<unsigned>(words[i] == own) << i;
    return (equal & lanes) == lanes ? lanes : 0u;
  });
  *same = result != 0;
  return result;
}

template <class T, class Fold>
T reduce(unsigned mask, T value, Fold fold) {
  const unsigned own = lane();
  return exchange(mask, value, [=](const T* values, unsigned lanes) {
    T result = value;
    for (unsigned i = 0; i < 32; ++i) {
      if (i != own && (lanes >> i & 1)) result = fold(result, values[i]);
    }
    return result;
  });
}

inline long long clock_ticks() { return static_cast<long long>(__builtin_readcyclecounter()); }
inline unsigned long long nanoseconds() { return cuttle_cpu_nanoseconds(); }
inline void sleep(unsigned duration) { cuttle_cpu_sleep(duration); }

}  // namespace cuttle::device
