// A failed assert: it ends the launch, and the host's next wait throws what it says (runtime/src/kernel_failure.h, CudaDevice). And CUDA's traps.
#pragma once

#ifdef CUTTLE_BACKEND_PTX
#include "failed_assert.h"

extern "C" inline __attribute__((device)) cuttle::detail::AssertHost cuttle_assert_host{};
#else
extern "C" __attribute__((device, noreturn)) void cuttle_cpu_assert_failed(const char* condition, const char* file, unsigned line, unsigned block_x,
                                                                           unsigned block_y, unsigned block_z, unsigned thread_x, unsigned thread_y,
                                                                           unsigned thread_z);
#endif

namespace cuttle::device {

#ifdef CUTTLE_BACKEND_PTX
inline void copy_text(char* to, const char* from) {
  unsigned i = 0;
  for (; i + 1 < detail::FailedAssert::max_text && from[i] != '\0'; ++i) to[i] = from[i];
  to[i] = '\0';
}

/// Lets `describe` say what failed in the record. Every thread that fails waits until it is whole: the trap of any of them ends them all.
template <class Describe>
__attribute__((noinline, cold, noreturn)) void end_launch(const char* file, unsigned line, const Describe& describe) {
  using detail::FailedAssert;
  FailedAssert& record = *cuttle_assert_host.record;
  unsigned none = FailedAssert::none;
  if (__scoped_atomic_compare_exchange_n(&record.state, &none, static_cast<unsigned>(FailedAssert::being_written), false, __ATOMIC_RELAXED,
                                         __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM)) {
    record.line = line;
    record.block[0] = dsl::blockIdx.x, record.block[1] = dsl::blockIdx.y, record.block[2] = dsl::blockIdx.z;
    record.thread[0] = dsl::threadIdx.x, record.thread[1] = dsl::threadIdx.y, record.thread[2] = dsl::threadIdx.z;
    record.kernel = cuttle_assert_host.kernel;
    describe(record);
    copy_text(record.file, file);
    fence_system();
    *const_cast<volatile unsigned*>(&record.state) = FailedAssert::complete;
    fence_system();
  }
  while (*const_cast<volatile unsigned*>(&record.state) != FailedAssert::complete) {
  }
  __builtin_trap();
}

__attribute__((noinline, cold, noreturn)) inline void assert_failed(const char* condition, const char* file, unsigned line) {
  end_launch(file, line, [condition](detail::FailedAssert& record) {
    record.dimension = detail::FailedAssert::no_dimension;
    copy_text(record.condition, condition);
  });
}

/// What an index of a view is compared with under checks (codegen/assemble.cpp).
inline void check_index(long long index, long long extent, int dimension, const char* file, unsigned line) {
  if (static_cast<unsigned long long>(index) < static_cast<unsigned long long>(extent)) return;
  end_launch(file, line, [=](detail::FailedAssert& record) { record.dimension = dimension, record.index = index, record.extent = extent; });
}
#else
__attribute__((noreturn)) inline void assert_failed(const char* condition, const char* file, unsigned line) {
  using dsl::blockIdx, dsl::threadIdx;
  cuttle_cpu_assert_failed(condition, file, line, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
}
#endif

}  // namespace cuttle::device

namespace cuttle::dsl {

[[noreturn]] inline void __trap() { __builtin_trap(); }
#ifdef CUTTLE_BACKEND_PTX
inline void __brkpt() { asm volatile("brkpt;"); }
#else
inline void __brkpt() { __builtin_debugtrap(); }
#endif

}  // namespace cuttle::dsl
