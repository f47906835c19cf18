// Synchronisation on the CPU device, for sync.h. Between two barriers the threads of a block run one after the other.
#pragma once

namespace cuttle::device {

inline void barrier() { cuttle_cpu_barrier(); }

/// A barrier that counts the threads whose predicate holds. Each thread takes its own contribution back after all have read the sum, which
/// leaves the counter right even where some threads already add to the next one.
inline int barrier_count(bool predicate) {
  volatile int* counter = cuttle_cpu_block_counter();
  *counter = *counter + predicate;
  cuttle_cpu_barrier();
  const int count = *counter;
  cuttle_cpu_barrier();
  *counter = *counter - predicate;
  return count;
}

inline bool barrier_and(bool predicate) { return barrier_count(!predicate) == 0; }
inline bool barrier_or(bool predicate) { return barrier_count(predicate) != 0; }

inline void fence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void fence_device() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void fence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

}  // namespace cuttle::device
