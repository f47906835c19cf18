// How a kernel is launched: grid, block and what goes with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "stream.hpp"

#include "cuttle/dsl/hide_macros.hpp"

namespace cuttle {

/// One to three extents, of any integer type: `10`, `{16, 16}`. A value out of range stays out of range, and the launch refuses it.
struct Dim {
  std::int64_t x, y = 1, z = 1;

  template <class X>
    requires std::is_integral_v<X>
  constexpr Dim(X x_) : x(widen(x_)) {}  // NOLINT(google-explicit-constructor): {.grid = 10}
  template <class X, class Y>
    requires(std::is_integral_v<X> && std::is_integral_v<Y>)
  constexpr Dim(X x_, Y y_) : x(widen(x_)), y(widen(y_)) {}
  template <class X, class Y, class Z>
    requires(std::is_integral_v<X> && std::is_integral_v<Y> && std::is_integral_v<Z>)
  constexpr Dim(X x_, Y y_, Z z_) : x(widen(x_)), y(widen(y_)), z(widen(z_)) {}

 private:
  template <class I>
  static constexpr std::int64_t widen(I value) {
    if constexpr (std::is_unsigned_v<I> && sizeof(I) == 8) {
      constexpr I largest = std::numeric_limits<std::int64_t>::max();
      return static_cast<std::int64_t>(value > largest ? largest : value);
    } else {
      return static_cast<std::int64_t>(value);
    }
  }
};

/// A block size that is known when the program is written: `block<256>`, `block<16, 16>`.
template <std::uint32_t X, std::uint32_t Y = 1, std::uint32_t Z = 1>
struct StaticBlock {};
template <std::uint32_t X, std::uint32_t Y = 1, std::uint32_t Z = 1>
inline constexpr StaticBlock<X, Y, Z> block{};

/// The threads of a block: any Dim, or block<256>, for which the kernel is compiled with launch bounds of that many threads.
struct Block : Dim {
  bool is_static = false;

  using Dim::Dim;
  constexpr Block(const Dim& dim) : Dim(dim) {}  // NOLINT(google-explicit-constructor): {.block = dim}
  template <std::uint32_t X, std::uint32_t Y, std::uint32_t Z>
  constexpr Block(StaticBlock<X, Y, Z>) : Dim(X, Y, Z), is_static(true) {}  // NOLINT(google-explicit-constructor)
};

/// What stands in the brackets of a launch: `k[{.grid = 10, .block = 256}](x, n, y)`, or `k[{10, 256}](x, n, y)`.
struct Launch {
  Dim grid = 1;              ///< blocks
  Block block;               ///< threads of a block; must be given
  std::size_t shared = 0;    ///< bytes of dynamic shared memory
  StreamRef stream = {};     ///< a Stream, whose device it runs on; the thread's current one unless given
  Dim cluster = 1;           ///< blocks of a cluster, which run together and see each other's shared memory; sm_90 and later
  bool cooperative = false;  ///< all blocks run at once, so that the grid can synchronise; a grid that does not fit is refused
  bool overlap = false;      ///< may start before the kernel that precedes it in the stream has ended (programmatic dependent launch, sm_90
                             ///< and later): the kernel waits for it by itself, where it needs its results
};

/// A launch of at least `count` threads, in blocks of a given size: `k[threads(n, 256)](x, n)`, `k[threads({width, height}, {16, 16})](image)`.
[[nodiscard]] constexpr Launch threads(const Dim& count, const Block& block) {
  // What is no count and what is no block is left for the launch to refuse.
  const auto blocks = [](std::int64_t n, std::int64_t size) { return n < 0 || size < 1 ? n : n / size + (n % size != 0); };
  return {.grid = {blocks(count.x, block.x), blocks(count.y, block.y), blocks(count.z, block.z)}, .block = block};
}

}  // namespace cuttle

#include "cuttle/dsl/restore_macros.hpp"
