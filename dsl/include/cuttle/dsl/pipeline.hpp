// CUDA's cuda::barrier and cuda::pipeline for the threads of a block, and their cuda::memcpy_async. Read by both compilers.
#pragma once

#include "cooperative_groups.hpp"

#include "hide_macros.hpp"

#ifndef CUTTLE_DEVICE_PRELUDE
namespace cuttle::detail {

// dsl/device/barrier.h.
void init_barrier(unsigned long long* barrier, unsigned threads);
unsigned long long arrive_at_barrier(unsigned long long* barrier);
void drop_from_barrier(unsigned long long* barrier);
void wait_at_barrier(unsigned long long* barrier, unsigned long long token);
void wait_for_copies_but(unsigned newest);

}  // namespace cuttle::detail
#endif

namespace cuttle::detail {

/// A group of the calling thread alone.
struct OneThread {
  static unsigned thread_rank() { return 0; }
  static unsigned num_threads() { return 1; }
};

}  // namespace cuttle::detail

namespace cuttle::dsl::cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

/// A number of bytes that is a multiple of `alignment`, as both addresses are.
template <std::size_t alignment>
struct aligned_size_t {
  std::size_t value;
  constexpr explicit aligned_size_t(std::size_t bytes) : value(bytes) {}
  constexpr operator std::size_t() const { return value; }  // NOLINT(google-explicit-constructor): as in CUDA
};

/// A barrier in shared memory that some threads arrive at and some wait for. From sm_80 on any threads of the block may take part, as many as
/// init() says; before, and on the CPU device, all threads of the block do, and a wait is __syncthreads().
template <thread_scope scope>
class barrier {
  static_assert(scope == thread_scope_block, "a cuda::barrier is one of the threads of a block: cuda::barrier<cuda::thread_scope_block>");

 public:
  struct arrival_token {
    unsigned long long phase;
  };

  /// Once this thread's copies have arrived, and for `count` threads.
  [[nodiscard]] arrival_token arrive(int count = 1) {
    cuttle::detail::wait_for_copies<0>();
    for (int i = 1; i < count; ++i) cuttle::detail::arrive_at_barrier(&state_);
    return {cuttle::detail::arrive_at_barrier(&state_)};
  }
  /// Waits until all have arrived since the barrier's last phase.
  void wait(arrival_token token) { cuttle::detail::wait_at_barrier(&state_, token.phase); }
  void arrive_and_wait() { wait(arrive()); }
  /// The last arrival: the next phases wait for a thread less.
  void arrive_and_drop() {
    cuttle::detail::wait_for_copies<0>();
    cuttle::detail::drop_from_barrier(&state_);
  }

  /// By one thread, before a __syncthreads() and before any arrival.
  friend void init(barrier* b, int threads) { cuttle::detail::init_barrier(&b->state_, static_cast<unsigned>(threads)); }

 private:
  unsigned long long state_;
};

/// What the threads of a block share of a pipeline of `stages` stages; in shared memory.
template <thread_scope scope, unsigned stages>
struct pipeline_shared_state {
  static_assert(scope == thread_scope_block, "a pipeline's state is one of the threads of a block");
};

/// Batches of copies to shared memory, taken in the order in which they were committed. Every thread of the scope produces and consumes.
template <thread_scope scope>
class pipeline {
 public:
  void producer_acquire() {}
  /// Closes the batch of the copies since the last one.
  void producer_commit() {
    cuttle::detail::close_copies();
    ++pending_;
  }
  /// Waits until the oldest batch that is not released has arrived, of all threads.
  void consumer_wait() { consumer_wait_prior(pending_ > 0 ? pending_ - 1 : 0); }
  /// The oldest batch's memory may be written again.
  void consumer_release() {
    if (pending_ > 0) --pending_;
    sync();
  }
  void quit() {}

  /// Waits until all but the `newest` last batches have arrived.
  void consumer_wait_prior(unsigned newest) {
    cuttle::detail::wait_for_copies_but(newest);
    sync();
  }

 private:
  static void sync() {
    if constexpr (scope == thread_scope_block) __syncthreads();
  }

  unsigned pending_ = 0;  // batches that are committed and not released
};

/// A pipeline of the calling thread alone.
inline pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class Group, thread_scope scope, unsigned stages>
pipeline<scope> make_pipeline(const Group&, pipeline_shared_state<scope, stages>*) {
  return {};
}
/// CUDA's pipelines in which some threads only produce and others only consume.
template <class Group, thread_scope scope, unsigned stages, class Role>
pipeline<scope> make_pipeline(const Group&, pipeline_shared_state<scope, stages>*, Role) {
  static_assert(stages == 0, "a pipeline's threads all produce and consume here; for threads of two roles use a cuda::barrier for each stage");
  return {};
}
template <unsigned newest, thread_scope scope>
void pipeline_consumer_wait_prior(pipeline<scope>& pipe) {
  pipe.consumer_wait_prior(newest);
}

/// Copies bytes to shared memory, shared among the group's threads, as cooperative_groups::memcpy_async does. What the copy ends with is the
/// pipeline's batch, or the thread's arrival at the barrier.
template <class Group, class T, class U, thread_scope scope>
void memcpy_async(const Group& group, T* to, const U* from, std::size_t bytes, pipeline<scope>&) {
  CUTTLE_ON_DEVICE(cuttle::detail::copy_to_shared(group, to, from, bytes);)
}
template <class Group, class T, class U, thread_scope scope>
void memcpy_async(const Group& group, T* to, const U* from, std::size_t bytes, barrier<scope>&) {
  CUTTLE_ON_DEVICE(cuttle::detail::copy_to_shared(group, to, from, bytes); cuttle::detail::close_copies();)
}
/// By the calling thread alone.
template <class T, class U, class Synchronisation>
void memcpy_async(T* to, const U* from, std::size_t bytes, Synchronisation& synchronisation) {
  CUTTLE_ON_DEVICE(cuda::memcpy_async(cuttle::detail::OneThread{}, to, from, bytes, synchronisation);)
}

}  // namespace cuttle::dsl::cuda

#include "restore_macros.hpp"
