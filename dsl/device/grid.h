// Barriers across the blocks of a grid and of a cluster, and copies to shared memory that go on in the background, for cooperative_groups.hpp.
#pragma once

#ifdef CUTTLE_BACKEND_PTX
namespace cuttle::device {

/// The counter that the driver gives each cooperative launch, null in others: CUDA's own cooperative groups use the same (driver_abi.h there).
inline unsigned* grid_counter() {
  unsigned high, low;
  asm("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm("mov.u32 %0, %%envreg2;" : "=r"(low));
  const unsigned long long workspace = static_cast<unsigned long long>(high) << 32 | low;
  return workspace == 0 ? nullptr : reinterpret_cast<unsigned*>(workspace) + 1;
}

}  // namespace cuttle::device

// The compiler looks for this name: a kernel that has it is launched with all blocks at once (codegen/pipeline.cpp).
extern "C" __attribute__((noinline)) inline void cuttle_grid_barrier() {
  using namespace cuttle::dsl;
  __syncthreads();
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
    // Each block adds one and the first what is missing to the highest bit, which flips when all have come: the counter is never reset.
    unsigned* counter = cuttle::device::grid_counter();
    const bool is_first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
    const unsigned step = is_first ? 0x80000000u - (gridDim.x * gridDim.y * gridDim.z - 1) : 1;
    __threadfence();
    const unsigned old = atomicAdd(counter, step);
    while (((old ^ *const_cast<volatile unsigned*>(counter)) & 0x80000000u) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
}

namespace cuttle::detail {

inline bool grid_can_wait() { return device::grid_counter() != nullptr; }

// sm_90 and later.
#define CUTTLE_CLUSTER_REGISTER(name, text)  \
  inline unsigned name() {                   \
    unsigned value;                          \
    asm("mov.u32 %0, %%" text ";" : "=r"(value)); \
    return value;                            \
  }
CUTTLE_CLUSTER_REGISTER(cluster_block_rank, "cluster_ctarank")
CUTTLE_CLUSTER_REGISTER(cluster_block_count, "cluster_nctarank")
CUTTLE_CLUSTER_REGISTER(cluster_block_x, "cluster_ctaid.x")
CUTTLE_CLUSTER_REGISTER(cluster_block_y, "cluster_ctaid.y")
CUTTLE_CLUSTER_REGISTER(cluster_block_z, "cluster_ctaid.z")
CUTTLE_CLUSTER_REGISTER(cluster_dim_x, "cluster_nctaid.x")
CUTTLE_CLUSTER_REGISTER(cluster_dim_y, "cluster_nctaid.y")
CUTTLE_CLUSTER_REGISTER(cluster_dim_z, "cluster_nctaid.z")
#undef CUTTLE_CLUSTER_REGISTER
inline void cluster_arrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
inline void cluster_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
inline void* cluster_shared(void* address, unsigned rank) {
  void* there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(address), "r"(rank));
  return there;
}

/// Copies 4, 8 or 16 aligned bytes to shared memory: in the background from sm_80 on, which wait_for_copies waits for. What is asked of the compiler
/// here is decided once the architecture is known, after this header.
template <int bytes>
void copy_in_background(void* shared, const void* global) {
  if (__nvvm_reflect("__CUDA_ARCH") >= 800 && __nvvm_isspacep_shared(shared) && __nvvm_isspacep_global(global)) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((unsigned)(size_t)(__attribute__((address_space(3))) void*)shared),
                 "l"((const __attribute__((address_space(1))) void*)global), "n"(bytes)
                 : "memory");
  } else {
    __builtin_memcpy(__builtin_assume_aligned(shared, bytes), __builtin_assume_aligned(global, bytes), bytes);
  }
}
inline void close_copies() {
  if (__nvvm_reflect("__CUDA_ARCH") >= 800) asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int newer>
void wait_for_copies() {
  if (__nvvm_reflect("__CUDA_ARCH") >= 800) asm volatile("cp.async.wait_group %0;" ::"n"(newer) : "memory");
}

}  // namespace cuttle::detail
#else
extern "C" {
__attribute__((device)) void cuttle_cpu_wait_for_grid();
__attribute__((device)) unsigned cuttle_cpu_grid_can_wait();
__attribute__((device)) void cuttle_cpu_wait_for_cluster();
__attribute__((device)) unsigned cuttle_cpu_cluster_fact(unsigned which);
__attribute__((device)) void* cuttle_cpu_cluster_shared(void* address, unsigned rank);

inline void cuttle_grid_barrier() {
  cuttle_cpu_barrier();
  if (cuttle_cpu_linear_thread() == 0) cuttle_cpu_wait_for_grid();
  cuttle_cpu_barrier();
}
}

namespace cuttle::device {

__attribute__((noreturn)) inline void assert_failed(const char* condition, const char* file, unsigned line);

}  // namespace cuttle::device

namespace cuttle::detail {

inline bool grid_can_wait() { return cuttle_cpu_grid_can_wait() != 0; }

// runtime/src/cpu_cluster.h numbers the facts.
inline unsigned cluster_block_rank() { return cuttle_cpu_cluster_fact(0); }
inline unsigned cluster_block_count() { return cuttle_cpu_cluster_fact(1); }
inline unsigned cluster_block_x() { return cuttle_cpu_cluster_fact(2); }
inline unsigned cluster_block_y() { return cuttle_cpu_cluster_fact(3); }
inline unsigned cluster_block_z() { return cuttle_cpu_cluster_fact(4); }
inline unsigned cluster_dim_x() { return cuttle_cpu_cluster_fact(5); }
inline unsigned cluster_dim_y() { return cuttle_cpu_cluster_fact(6); }
inline unsigned cluster_dim_z() { return cuttle_cpu_cluster_fact(7); }
inline void cluster_arrive() {}
inline void cluster_wait() {
  cuttle_cpu_barrier();
  if (cuttle_cpu_linear_thread() == 0) cuttle_cpu_wait_for_cluster();
  cuttle_cpu_barrier();
}
inline void* cluster_shared(void* address, unsigned rank) {
  if (rank >= cluster_block_count()) device::assert_failed("rank < cg::this_cluster().num_blocks()", __FILE__, __LINE__);
  return cuttle_cpu_cluster_shared(address, rank);
}

template <int bytes>
void copy_in_background(void* shared, const void* global) {
  __builtin_memcpy(shared, global, bytes);
}
inline void close_copies() {}
template <int>
void wait_for_copies() {}

}  // namespace cuttle::detail
#endif

namespace cuttle::detail {

inline void grid_barrier() { cuttle_grid_barrier(); }

}  // namespace cuttle::detail
