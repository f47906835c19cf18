// Shared memory as an expression, as the host compiler sees it: never called (see warp.hpp). __shared__ variables are in capture.hpp.
#pragma once

#include <cstddef>

#include "hide_macros.hpp"

namespace cuttle::dsl {

/// An array in the block's shared memory, uninitialised: `auto& tile = shared<float, 16, 16>();`. Each place in the text has memory of its own,
/// as each __shared__ variable has.
template <class T, std::size_t n, class Place = decltype([] {})>
T (&shared())
[n] { __builtin_unreachable(); } template <class T, std::size_t n, std::size_t m, class Place = decltype([] {})>
T (&shared())
[n][m] { __builtin_unreachable(); } template <class T, std::size_t n, std::size_t m, std::size_t k, class Place = decltype([] {})>
T (&shared())
[n][m][k] { __builtin_unreachable(); }

/// The next `count` elements of the dynamic shared memory that the launch gives (.shared = bytes), aligned for T: consecutive calls never
/// overlap. Every thread of the block must make the same calls in the same order. Beside an `extern __shared__` array, which begins where the
/// first call does, it is of no use.
template <class T>
T* dynamic_shared([[maybe_unused]] std::size_t count) {
  __builtin_unreachable();
}

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
