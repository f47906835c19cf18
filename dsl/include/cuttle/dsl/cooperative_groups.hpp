// CUDA's cooperative groups, under its own names: blocks, tiles of a warp, the lanes that run together, the grid and clusters. Read by both
// compilers; the host's parses kernels with it and calls nothing.
#pragma once

#include "vector_types.hpp"

#ifndef CUTTLE_DEVICE_PRELUDE
#include <cstdint>

#include "shared.hpp"
#include "sync.hpp"
#include "warp.hpp"

namespace cuttle::detail {

// dsl/device/grid.h.
void grid_barrier();
bool grid_can_wait();
unsigned cluster_block_rank();
unsigned cluster_block_count();
unsigned cluster_block_x();
unsigned cluster_block_y();
unsigned cluster_block_z();
unsigned cluster_dim_x();
unsigned cluster_dim_y();
unsigned cluster_dim_z();
void cluster_arrive();
void cluster_wait();
void* cluster_shared(void* address, unsigned rank);
template <int bytes>
void copy_in_background(void* shared, const void* global);
void close_copies();
template <int newer>
void wait_for_copies();

}  // namespace cuttle::detail
#endif

#include "hide_macros.hpp"

// The body of a template that a kernel calls with a type of its own: such templates g++ compiles on the host too, where nothing that they call is
// defined.
#ifdef CUTTLE_DEVICE_PRELUDE
#define CUTTLE_ON_DEVICE(...) __VA_ARGS__
#else
#define CUTTLE_ON_DEVICE(...)          \
  if constexpr (::cuttle::detail::never) { \
    __VA_ARGS__                        \
  } else {                             \
    __builtin_unreachable();           \
  }
#endif

namespace cuttle::detail {

#ifndef CUTTLE_DEVICE_PRELUDE
inline constexpr bool never = false;
#endif

/// A value as words of 32 bits.
template <class T>
struct Words {
  static_assert(__is_trivially_copyable(T), "threads exchange bytes: the type must be trivially copyable");
  static constexpr unsigned count = (sizeof(T) + 3) / 4;
  unsigned word[count];
};

/// One word a thread of the largest block, through which the threads of a block exchange values.
inline unsigned* block_exchange() { return dsl::shared<unsigned, 1024>(); }

/// The lane of the mask's set bit number `rank`, from 0.
inline unsigned nth_lane(unsigned mask, unsigned rank) {
  for (unsigned i = 0; i < rank; ++i) mask &= mask - 1;
  return static_cast<unsigned>(__builtin_ctz(mask));
}

/// The bits of the mask's lanes, next to each other.
inline unsigned packed_lanes(unsigned bits, unsigned mask) {
  unsigned packed = 0;
  for (unsigned rank = 0; mask != 0; mask &= mask - 1, ++rank) packed |= (bits >> __builtin_ctz(mask) & 1u) << rank;
  return packed;
}

}  // namespace cuttle::detail

namespace cuttle::dsl::cooperative_groups {

/// The threads of a block. Ranks count x fastest, then y, then z.
class thread_block {
 public:
  static void sync() { __syncthreads(); }
  static unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
  static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned size() { return num_threads(); }
  static uint3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  static uint3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
  static uint3 dim_threads() { return {blockDim.x, blockDim.y, blockDim.z}; }
  static uint3 group_dim() { return dim_threads(); }

  /// The value of the thread with that rank, through 4 KB of shared memory. CUDA has it for tiles only.
  template <class T>
  static T shfl(T value, unsigned rank) {
    CUTTLE_ON_DEVICE(cuttle::detail::Words<T> words{}; unsigned* exchange = cuttle::detail::block_exchange();
                     __builtin_memcpy(&words, &value, sizeof(T)); for (unsigned i = 0; i < words.count; ++i) {
                       exchange[thread_rank()] = words.word[i];
                       sync();
                       words.word[i] = exchange[rank];
                       sync();
                     } __builtin_memcpy(static_cast<void*>(&value), &words, sizeof(T));
                     return value;)
  }
};

/// All threads of the grid. A kernel that calls sync() is launched with all blocks at once, by itself; more blocks than the device holds are a
/// LaunchError.
class grid_group {
 public:
  static void sync() { cuttle::detail::grid_barrier(); }
  static bool is_valid() { return cuttle::detail::grid_can_wait(); }
  static unsigned long long block_rank() { return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  static unsigned long long num_blocks() { return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z; }
  static unsigned long long thread_rank() { return block_rank() * thread_block::num_threads() + thread_block::thread_rank(); }
  static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  static unsigned long long size() { return num_threads(); }
  static uint3 block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  static uint3 dim_blocks() { return {gridDim.x, gridDim.y, gridDim.z}; }
  static uint3 group_dim() { return dim_blocks(); }
};

/// The blocks of a cluster (.cluster of the launch; sm_90 and later, and the CPU device), which see each other's shared memory.
class cluster_group {
 public:
  static void sync() {
    cuttle::detail::cluster_arrive();
    cuttle::detail::cluster_wait();
  }
  static unsigned block_rank() { return cuttle::detail::cluster_block_rank(); }
  static unsigned num_blocks() { return cuttle::detail::cluster_block_count(); }
  static unsigned thread_rank() { return block_rank() * thread_block::num_threads() + thread_block::thread_rank(); }
  static unsigned num_threads() { return num_blocks() * thread_block::num_threads(); }
  static unsigned size() { return num_threads(); }
  static uint3 block_index() { return {cuttle::detail::cluster_block_x(), cuttle::detail::cluster_block_y(), cuttle::detail::cluster_block_z()}; }
  static uint3 dim_blocks() { return {cuttle::detail::cluster_dim_x(), cuttle::detail::cluster_dim_y(), cuttle::detail::cluster_dim_z()}; }

  /// The same variable in the shared memory of the block with that rank.
  template <class T>
  static T* map_shared_rank(T* variable, unsigned rank) {
    return static_cast<T*>(cuttle::detail::cluster_shared(variable, rank));
  }
};

/// `size` neighbouring threads of a warp, a power of two up to 32. The last tile of a block may have fewer.
template <unsigned tile_size>
class thread_block_tile {
  static_assert(tile_size != 0 && tile_size <= 32 && (tile_size & (tile_size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  static void sync() { __syncwarp(mask()); }
  static unsigned thread_rank() { return laneid() % tile_size; }
  static constexpr unsigned num_threads() { return tile_size; }
  static constexpr unsigned size() { return tile_size; }
  static unsigned meta_group_rank() { return thread_block::thread_rank() / tile_size; }
  static unsigned meta_group_size() { return (thread_block::num_threads() + tile_size - 1) / tile_size; }

  template <class T>
  static T shfl(T value, unsigned rank) {
    CUTTLE_ON_DEVICE(return __shfl_sync(mask(), value, static_cast<int>(rank), static_cast<int>(tile_size));)
  }
  template <class T>
  static T shfl_up(T value, unsigned delta) {
    CUTTLE_ON_DEVICE(return __shfl_up_sync(mask(), value, delta, static_cast<int>(tile_size));)
  }
  template <class T>
  static T shfl_down(T value, unsigned delta) {
    CUTTLE_ON_DEVICE(return __shfl_down_sync(mask(), value, delta, static_cast<int>(tile_size));)
  }
  template <class T>
  static T shfl_xor(T value, unsigned lane_mask) {
    CUTTLE_ON_DEVICE(return __shfl_xor_sync(mask(), value, static_cast<int>(lane_mask), static_cast<int>(tile_size));)
  }
  static int any(int predicate) { return __any_sync(mask(), predicate); }
  static int all(int predicate) { return __all_sync(mask(), predicate); }
  static unsigned ballot(int predicate) { return own(__ballot_sync(mask(), predicate)); }
  template <class T>
  static unsigned match_any(T value) {
    CUTTLE_ON_DEVICE(return own(__match_any_sync(mask(), value));)
  }
  template <class T>
  static unsigned match_all(T value, int& same) {
    CUTTLE_ON_DEVICE(return own(__match_all_sync(mask(), value, &same));)
  }

  /// How many threads of it there are.
  static unsigned present() {
    const unsigned left = thread_block::num_threads() - meta_group_rank() * tile_size;
    return left < tile_size ? left : tile_size;
  }
  static unsigned mask() { return all_bits << first(); }

 private:
  static constexpr unsigned all_bits = 0xffffffffu >> (32 - tile_size);
  static unsigned first() { return laneid() / tile_size * tile_size; }
  static unsigned own(unsigned lanes) { return lanes >> first() & all_bits; }
};

/// Lanes of a warp, numbered without gaps: those that run together, or that a partition chose.
class coalesced_group {
 public:
  explicit coalesced_group(unsigned mask) : mask_(mask) {}

  void sync() const { __syncwarp(mask_); }
  unsigned thread_rank() const { return static_cast<unsigned>(__builtin_popcount(mask_ & lanemask_lt())); }
  unsigned num_threads() const { return static_cast<unsigned>(__builtin_popcount(mask_)); }
  unsigned size() const { return num_threads(); }

  template <class T>
  T shfl(T value, unsigned rank) const {
    CUTTLE_ON_DEVICE(return __shfl_sync(mask_, value, static_cast<int>(cuttle::detail::nth_lane(mask_, rank)));)
  }
  template <class T>
  T shfl_up(T value, unsigned delta) const {
    CUTTLE_ON_DEVICE(return shfl(value, delta > thread_rank() ? thread_rank() : thread_rank() - delta);)
  }
  template <class T>
  T shfl_down(T value, unsigned delta) const {
    CUTTLE_ON_DEVICE(return shfl(value, delta >= num_threads() - thread_rank() ? thread_rank() : thread_rank() + delta);)
  }
  int any(int predicate) const { return __any_sync(mask_, predicate); }
  int all(int predicate) const { return __all_sync(mask_, predicate); }
  unsigned ballot(int predicate) const { return cuttle::detail::packed_lanes(__ballot_sync(mask_, predicate), mask_); }
  template <class T>
  unsigned match_any(T value) const {
    CUTTLE_ON_DEVICE(return cuttle::detail::packed_lanes(__match_any_sync(mask_, value), mask_);)
  }
  template <class T>
  unsigned match_all(T value, int& same) const {
    CUTTLE_ON_DEVICE(return cuttle::detail::packed_lanes(__match_all_sync(mask_, value, &same), mask_);)
  }

  unsigned present() const { return num_threads(); }
  unsigned mask() const { return mask_; }

 private:
  unsigned mask_;
};

inline thread_block this_thread_block() { return {}; }
inline grid_group this_grid() { return {}; }
inline cluster_group this_cluster() { return {}; }
/// The lanes that make this call together: see __activemask.
inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned tile_size>
thread_block_tile<tile_size> tiled_partition(const thread_block&) {
  return {};
}
template <unsigned tile_size, unsigned parent_size>
thread_block_tile<tile_size> tiled_partition(const thread_block_tile<parent_size>&) {
  static_assert(tile_size <= parent_size, "a tile is no larger than what it is a part of");
  return {};
}

/// The threads of the group with the same predicate, or the same label, as this one.
template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned yes = __ballot_sync(group.mask(), predicate);
  return coalesced_group(predicate ? yes : group.mask() & ~yes);
}
template <class Group, class Label>
coalesced_group labeled_partition(const Group& group, Label label) {
  CUTTLE_ON_DEVICE(return coalesced_group(__match_any_sync(group.mask(), label));)
}

template <class Group>
void sync(const Group& group) {
  group.sync();
}

}  // namespace cuttle::dsl::cooperative_groups

namespace cuttle::detail {

template <int width, class Group>
void copy_by(const Group& group, unsigned char* to, const unsigned char* from, std::size_t bytes) {
  const std::size_t whole = bytes / width * width, rank = group.thread_rank(), threads = group.num_threads();
  for (std::size_t i = rank * width; i < whole; i += threads * width) copy_in_background<width>(to + i, from + i);
  for (std::size_t i = whole + rank; i < bytes; i += threads) to[i] = from[i];
}

// In as large pieces as both addresses allow.
template <class Group, class T, class U>
void copy_to_shared(const Group& group, T* to, const U* from, std::size_t bytes) {
  CUTTLE_ON_DEVICE(
      auto* target = reinterpret_cast<unsigned char*>(to); const auto* source = reinterpret_cast<const unsigned char*>(from);
      const auto low_bits = reinterpret_cast<std::uintptr_t>(target) | reinterpret_cast<std::uintptr_t>(source); if (low_bits % 16 == 0) {
        copy_by<16>(group, target, source, bytes);
      } else if (low_bits % 4 == 0) { copy_by<4>(group, target, source, bytes); } else {
        for (std::size_t i = group.thread_rank(); i < bytes; i += group.num_threads()) target[i] = source[i];
      })
}

}  // namespace cuttle::detail

namespace cuttle::dsl::cooperative_groups {

/// Copies bytes to shared memory, shared among the group's threads; each call is a batch. From sm_80 on it goes on while the threads do other work
/// where both addresses are multiples of 4 or, better, 16. wait or wait_prior must come before the copy is read.
template <class Group, class T, class U>
void memcpy_async(const Group& group, T* to, const U* from, std::size_t bytes) {
  CUTTLE_ON_DEVICE(cuttle::detail::copy_to_shared(group, to, from, bytes); cuttle::detail::close_copies();)
}

/// Waits until all copies, or all but the `newest` last batches, of all threads of the group have arrived.
template <class Group>
void wait(const Group& group) {
  cuttle::detail::wait_for_copies<0>();
  group.sync();
}
template <int newest, class Group>
void wait_prior(const Group& group) {
  cuttle::detail::wait_for_copies<newest>();
  group.sync();
}

}  // namespace cuttle::dsl::cooperative_groups

namespace cuttle::dsl {

namespace cg = cooperative_groups;

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
