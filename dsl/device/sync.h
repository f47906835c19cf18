// Barriers of a block and memory fences, under CUDA's names.
#pragma once

#ifdef CUTTLE_BACKEND_PTX
#include "ptx_sync.h"
#else
#include "cpu_sync.h"
#endif

namespace cuttle::dsl {

#ifndef CUTTLE_BACKEND_PTX
inline void __syncthreads() { device::barrier(); }  // Clang has its own for a GPU
#endif
inline int __syncthreads_count(int predicate) { return device::barrier_count(predicate != 0); }
inline int __syncthreads_and(int predicate) { return device::barrier_and(predicate != 0); }
inline int __syncthreads_or(int predicate) { return device::barrier_or(predicate != 0); }

inline void __threadfence_block() { device::fence_block(); }
inline void __threadfence() { device::fence_device(); }
inline void __threadfence_system() { device::fence_system(); }

}  // namespace cuttle::dsl
