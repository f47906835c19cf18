// Barriers in shared memory, for pipeline.hpp: mbarrier's instructions from sm_80 on. Before, and on the CPU device, whose threads cannot wait at one
// place while others run behind another, all threads of the block take part, and the wait is the block's barrier.
#pragma once

namespace cuttle::detail {

inline unsigned block_threads() { return dsl::blockDim.x * dsl::blockDim.y * dsl::blockDim.z; }

inline void require_whole_block(unsigned threads) {
  if (threads != block_threads()) {
    device::assert_failed("a cuda::barrier of all threads of the block (others need a GPU from sm_80 on)", __FILE__, __LINE__);
  }
}

#ifdef CUTTLE_BACKEND_PTX
inline bool has_mbarrier() { return __nvvm_reflect("__CUDA_ARCH") >= 800; }
inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(reinterpret_cast<size_t>((__attribute__((address_space(3))) const void*)pointer));
}

inline void init_barrier(unsigned long long* barrier, unsigned threads) {
  if (has_mbarrier()) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(threads) : "memory");
  } else {
    require_whole_block(threads);
  }
}
inline unsigned long long arrive_at_barrier(unsigned long long* barrier) {
  unsigned long long token = 0;
  if (has_mbarrier()) asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(shared_address(barrier)) : "memory");
  return token;
}
inline void drop_from_barrier(unsigned long long* barrier) {
  unsigned long long token;
  if (has_mbarrier()) asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(shared_address(barrier)) : "memory");
}
inline void wait_at_barrier(unsigned long long* barrier, unsigned long long token) {
  if (has_mbarrier()) {
    unsigned is_complete = 0;
    while (is_complete == 0) {
      asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                   : "=r"(is_complete)
                   : "r"(shared_address(barrier)), "l"(token)
                   : "memory");
    }
  } else {
    __syncthreads();
  }
}
#else
inline void init_barrier(unsigned long long*, unsigned threads) { require_whole_block(threads); }
inline unsigned long long arrive_at_barrier(unsigned long long*) { return 0; }
inline void drop_from_barrier(unsigned long long*) {}
inline void wait_at_barrier(unsigned long long*, unsigned long long) { dsl::__syncthreads(); }
#endif

/// The instruction takes constants. With fewer batches left open than may be, nothing is missed.
inline void wait_for_copies_but(unsigned newest) {
  switch (newest) {
    case 0:
      return wait_for_copies<0>();
    case 1:
      return wait_for_copies<1>();
    case 2:
      return wait_for_copies<2>();
    default:
      return wait_for_copies<3>();
  }
}

}  // namespace cuttle::detail
