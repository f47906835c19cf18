// Synchronisation on a GPU, for sync.h.
#pragma once

namespace cuttle::device {

inline int barrier_count(bool predicate) { return __nvvm_bar0_popc(predicate); }
inline bool barrier_and(bool predicate) { return __nvvm_bar0_and(predicate) != 0; }
inline bool barrier_or(bool predicate) { return __nvvm_bar0_or(predicate) != 0; }

inline void fence_block() { __nvvm_membar_cta(); }
inline void fence_device() { __nvvm_membar_gl(); }
inline void fence_system() { __nvvm_membar_sys(); }

}  // namespace cuttle::device
