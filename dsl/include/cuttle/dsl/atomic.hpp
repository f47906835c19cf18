// Atomic operations, as the host compiler sees them. Beside them kernels have std::atomic_ref, from <atomic> here.
#pragma once

#include <atomic>
#include <type_traits>

#include "hide_macros.hpp"

namespace cuttle::dsl {

// CUDA's names: each returns the old value and orders nothing else. T is an integer of 8 to 64 bits, float, double, half or bfloat16 where the
// operation makes sense for it; Inc and Dec take unsigned integers. _block and _system widen or narrow who sees one step.
#define CUTTLE_ATOMIC(name)                                        \
  template <class T>                                               \
  T name(T* address, std::type_identity_t<T> value);               \
  template <class T>                                               \
  T name##_block(T* address, std::type_identity_t<T> value);       \
  template <class T>                                               \
  T name##_system(T* address, std::type_identity_t<T> value);
CUTTLE_ATOMIC(atomicAdd)
CUTTLE_ATOMIC(atomicSub)
CUTTLE_ATOMIC(atomicExch)
CUTTLE_ATOMIC(atomicMin)
CUTTLE_ATOMIC(atomicMax)
CUTTLE_ATOMIC(atomicInc)
CUTTLE_ATOMIC(atomicDec)
CUTTLE_ATOMIC(atomicAnd)
CUTTLE_ATOMIC(atomicOr)
CUTTLE_ATOMIC(atomicXor)
#undef CUTTLE_ATOMIC

template <class T>
T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value);
template <class T>
T atomicCAS_block(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value);
template <class T>
T atomicCAS_system(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value);

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
