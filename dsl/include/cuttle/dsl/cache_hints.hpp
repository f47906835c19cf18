// Loads and stores that say how long the caches should keep a value, as the host compiler sees them: never called (see warp.hpp).
#pragma once

#include <type_traits>

#include "hide_macros.hpp"

namespace cuttle::dsl {

// For every trivially copyable T; on a GPU one instruction for each 16, 8, 4, 2 or 1 bytes, by T's alignment. The address is in global memory.
// On the CPU device they are loads and stores.
#define CUTTLE_HINTED_LOAD(name)                       \
  template <class T>                                   \
  T name([[maybe_unused]] const T* address) {          \
    __builtin_unreachable();                           \
  }
#define CUTTLE_HINTED_STORE(name)                                               \
  template <class T>                                                            \
  void name([[maybe_unused]] T* address, [[maybe_unused]] std::type_identity_t<T> value) {         \
    __builtin_unreachable();                                                    \
  }
CUTTLE_HINTED_LOAD(__ldg)    ///< Through the read-only path: nobody writes there while the kernel runs.
CUTTLE_HINTED_LOAD(__ldca)   ///< Kept at all levels.
CUTTLE_HINTED_LOAD(__ldcg)   ///< Kept in L2 only.
CUTTLE_HINTED_LOAD(__ldcs)   ///< Read once: evicted first.
CUTTLE_HINTED_LOAD(__ldlu)   ///< Read for the last time.
CUTTLE_HINTED_LOAD(__ldcv)   ///< Never served from a cache.
CUTTLE_HINTED_STORE(__stwb)  ///< Kept at all levels that are coherent.
CUTTLE_HINTED_STORE(__stcg)  ///< Kept in L2 only.
CUTTLE_HINTED_STORE(__stcs)  ///< Written once: evicted first.
CUTTLE_HINTED_STORE(__stwt)  ///< Written through to memory.
#undef CUTTLE_HINTED_LOAD
#undef CUTTLE_HINTED_STORE

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
