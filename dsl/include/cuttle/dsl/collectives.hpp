// Reductions, scans, sorting and broadcasts across the threads of a warp, a block or any other cooperative group, of one value a thread: for every
// trivially copyable type, with any operation. Read by both compilers.
//
// Values are combined in the order of ranks and always in the same pairs, so that a result has the same bits in every thread, every run and on
// both devices; operations need to be associative and no more. All threads of the group must make the call.
#pragma once

#include "cooperative_groups.hpp"

#include "hide_macros.hpp"

namespace cuttle::dsl::cooperative_groups {

#define CUTTLE_OPERATION(name, expression)                    \
  template <class T>                                          \
  struct name {                                               \
    T operator()(const T& a, const T& b) const { return static_cast<T>(expression); } \
  };
CUTTLE_OPERATION(plus, a + b)
CUTTLE_OPERATION(less, b < a ? b : a)
CUTTLE_OPERATION(greater, a < b ? b : a)
CUTTLE_OPERATION(bit_and, a& b)
CUTTLE_OPERATION(bit_or, a | b)
CUTTLE_OPERATION(bit_xor, a ^ b)
#undef CUTTLE_OPERATION

}  // namespace cuttle::dsl::cooperative_groups

namespace cuttle::detail {

/// A T in shared memory, which can hold no type with a constructor.
template <class T>
struct alignas(T) SharedValue {
  unsigned char bytes[sizeof(T)];
};

/// One value a warp of the largest block.
template <class T>
SharedValue<T>* warp_values() {
  return dsl::shared<SharedValue<T>, 32>();
}

using Block = dsl::cooperative_groups::thread_block;
using Warp = dsl::cooperative_groups::thread_block_tile<32>;

inline unsigned present(const Block&) { return Block::num_threads(); }
template <class Group>
unsigned present(const Group& group) {
  return group.present();
}

/// The values of the ranks [rank, rank + 2 * distance) from those of both halves, doubling; valid where rank is a multiple of 2 * distance.
template <class Group, class T, class Op>
T reduce_lanes(const Group& group, T value, const Op& op) {
  const unsigned rank = group.thread_rank(), count = group.present();
  for (unsigned distance = 1; distance < group.num_threads(); distance *= 2) {
    const T other = group.shfl_down(value, distance);
    if (rank % (2 * distance) == 0 && rank + distance < count) value = op(value, other);
  }
  return group.shfl(value, 0);
}

/// What combines the values of ranks up to and with this one.
template <class Group, class T, class Op>
T scan_lanes(const Group& group, T value, const Op& op) {
  const unsigned rank = group.thread_rank();
  for (unsigned distance = 1; distance < group.num_threads(); distance *= 2) {
    const T other = group.shfl_up(value, distance);
    if (rank >= distance) value = op(other, value);
  }
  return value;
}

/// Keeps one value of each warp for all threads of the block to read; release_warp_values() before the next ones.
template <class T>
SharedValue<T>* gather_warp_values(const T& value, bool is_the_warps) {
  SharedValue<T>* values = warp_values<T>();
  if (is_the_warps) __builtin_memcpy(&values[Block::thread_rank() / 32], &value, sizeof(T));
  Block::sync();
  return values;
}

template <class T, class Op>
T combine(const SharedValue<T>* values, unsigned count, const Op& op) {
  T result = __builtin_bit_cast(T, values[0]);
  for (unsigned i = 1; i < count; ++i) result = op(result, __builtin_bit_cast(T, values[i]));
  return result;
}

template <class T, class Op>
T reduce_group(const Block&, T value, const Op& op) {
  const T of_warp = reduce_lanes(Warp(), value, op);
  const SharedValue<T>* values = gather_warp_values(of_warp, Warp::thread_rank() == 0);
  const T result = combine<T>(values, Warp::meta_group_size(), op);
  Block::sync();
  return result;
}
template <class Group, class T, class Op>
T reduce_group(const Group& group, T value, const Op& op) {
  return reduce_lanes(group, value, op);
}

template <class T, class Op>
T scan_group(const Block&, T value, const Op& op) {
  T result = scan_lanes(Warp(), value, op);
  const unsigned warp = Warp::meta_group_rank();
  const SharedValue<T>* values = gather_warp_values(result, Warp::thread_rank() + 1 == Warp::present());
  if (warp > 0) result = op(combine<T>(values, warp, op), result);
  Block::sync();
  return result;
}
template <class Group, class T, class Op>
T scan_group(const Group& group, T value, const Op& op) {
  return scan_lanes(group, value, op);
}

/// The value of the thread before this one; `first` for the first.
template <class T>
T from_before(const Block& block, T value, T first) {
  const unsigned rank = block.thread_rank();
  const T before = block.shfl(value, rank == 0 ? 0 : rank - 1);
  return rank == 0 ? first : before;
}
template <class Group, class T>
T from_before(const Group& group, T value, T first) {
  const T before = group.shfl_up(value, 1);
  return group.thread_rank() == 0 ? first : before;
}

template <class T>
struct Ranked {
  T value;
  unsigned from;  // the rank that it came from: equal values stay in their order
};

}  // namespace cuttle::detail

namespace cuttle::dsl::cooperative_groups {

/// What combines the values of all threads, in every one of them.
template <class Group, class T, class Op = plus<T>>
T reduce(const Group& group, T value, const Op& op = {}) {
  CUTTLE_ON_DEVICE(return cuttle::detail::reduce_group(group, value, op);)
}

/// What combines the values of the threads of lower rank and this one.
template <class Group, class T, class Op = plus<T>>
T inclusive_scan(const Group& group, T value, const Op& op = {}) {
  CUTTLE_ON_DEVICE(return cuttle::detail::scan_group(group, value, op);)
}

/// What combines the values of the threads of lower rank; T() in the first.
template <class Group, class T, class Op = plus<T>>
T exclusive_scan(const Group& group, T value, const Op& op = {}) {
  CUTTLE_ON_DEVICE(return cuttle::detail::from_before(group, cuttle::detail::scan_group(group, value, op), T());)
}
/// The same after `first`.
template <class Group, class T, class Op>
T exclusive_scan(const Group& group, T value, const Op& op, T first) {
  CUTTLE_ON_DEVICE(const T before = cuttle::detail::from_before(group, cuttle::detail::scan_group(group, value, op), first);
                   return group.thread_rank() == 0 ? first : op(first, before);)
}

/// The value that comes at this thread's rank when they are in order; equal ones keep theirs.
template <class Group, class T, class Compare>
T sort(const Group& group, T value, const Compare& compare) {
  CUTTLE_ON_DEVICE(
      using Item = cuttle::detail::Ranked<T>; const unsigned rank = group.thread_rank(), count = cuttle::detail::present(group);
      const auto comes_first = [&](const Item& a,
                                   const Item& b) { return compare(a.value, b.value) || (!compare(b.value, a.value) && a.from < b.from); };
      Item own{value, rank};
      // A bitonic network whose comparisons all point the same way: places behind the last thread hold what comes last, and never change.
      for (unsigned size = 2; size / 2 < count; size *= 2) {
        for (unsigned step = size; step > 1; step /= 2) {
          const unsigned partner = rank ^ (step == size ? size - 1 : step / 2);
          const Item other = group.shfl(own, partner < count ? partner : rank);
          if (partner < count && (rank < partner) == comes_first(other, own)) own = other;
        }
      } return own.value;)
}
template <class Group, class T>
T sort(const Group& group, T value) {
  return cooperative_groups::sort(group, value, [](const T& a, const T& b) { return a < b; });
}

/// The value of the thread of that rank, in every one.
template <class Group, class T>
T broadcast(const Group& group, T value, unsigned rank) {
  return group.shfl(value, rank);
}

}  // namespace cuttle::dsl::cooperative_groups

namespace cuttle::dsl {

// The same for the warp and the block that the thread is in: warp_reduce(value, op) ... block_broadcast(value, rank).
#define CUTTLE_COLLECTIVES(scope, Group)                                                          \
  template <class T, class Op = cooperative_groups::plus<T>>                                      \
  T scope##_reduce(T value, const Op& op = {}) {                                                  \
    return cooperative_groups::reduce(Group(), value, op);                                        \
  }                                                                                               \
  template <class T, class Op = cooperative_groups::plus<T>>                                      \
  T scope##_inclusive_scan(T value, const Op& op = {}) {                                          \
    return cooperative_groups::inclusive_scan(Group(), value, op);                                \
  }                                                                                               \
  template <class T, class Op = cooperative_groups::plus<T>>                                      \
  T scope##_exclusive_scan(T value, const Op& op = {}) {                                          \
    return cooperative_groups::exclusive_scan(Group(), value, op);                                \
  }                                                                                               \
  template <class T, class Op>                                                                    \
  T scope##_exclusive_scan(T value, const Op& op, T first) {                                      \
    return cooperative_groups::exclusive_scan(Group(), value, op, first);                         \
  }                                                                                               \
  template <class T>                                                                              \
  T scope##_sort(T value) {                                                                       \
    return cooperative_groups::sort(Group(), value);                                              \
  }                                                                                               \
  template <class T, class Compare>                                                               \
  T scope##_sort(T value, const Compare& compare) {                                               \
    return cooperative_groups::sort(Group(), value, compare);                                     \
  }                                                                                               \
  template <class T>                                                                              \
  T scope##_broadcast(T value, unsigned rank) {                                                   \
    return cooperative_groups::broadcast(Group(), value, rank);                                   \
  }
CUTTLE_COLLECTIVES(warp, cuttle::detail::Warp)
CUTTLE_COLLECTIVES(block, cuttle::detail::Block)
#undef CUTTLE_COLLECTIVES

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
