// Host containers as kernel arguments: in(vec), out(vec), inout(vec). The copies are done for the caller.
#pragma once

#include <span>
#include <type_traits>
#include <utility>

#include "array.hpp"

#include "cuttle/dsl/hide_macros.hpp"

namespace cuttle {

enum class Transfer { in, out, inout };

/// Contiguous host data that a launch copies to the device before the kernel, from it after, or both. The launch then waits for the copy back.
template <class T, Transfer Direction>
struct HostArgument {
  std::span<T> data;
};

/// `k[{...}](in(x), n, out(y))`, with any contiguous container. The kernel sees view<const T> of an in, view<T> of the others.
template <class Container>
[[nodiscard]] auto in(const Container& host) {
  const std::span data(host);
  return HostArgument<std::add_const_t<typename decltype(data)::element_type>, Transfer::in>{data};
}
template <class Container>
[[nodiscard]] auto out(Container& host) {
  const std::span data(host);
  return HostArgument<typename decltype(data)::element_type, Transfer::out>{data};
}
template <class Container>
[[nodiscard]] auto inout(Container& host) {
  const std::span data(host);
  return HostArgument<typename decltype(data)::element_type, Transfer::inout>{data};
}

namespace detail {

template <class T>
inline constexpr bool is_host_argument = false;
template <class T, Transfer Direction>
inline constexpr bool is_host_argument<HostArgument<T, Direction>> = true;

/// Any other argument, handed on as it is.
template <class T>
struct Staged {
  T&& value;
  [[nodiscard]] T&& argument() { return static_cast<T&&>(value); }
  void finish() {}
};

/// The array that stands for a host container during a launch.
template <class T, Transfer Direction>
struct StagedArray {
  using Element = std::remove_const_t<T>;
  using Reference = std::conditional_t<Direction == Transfer::in, const Array<Element>&, Array<Element>&>;

  std::span<T> host;
  Array<Element> array;

  explicit StagedArray(std::span<T> data) : host(data), array(data.size()) {
    if constexpr (Direction != Transfer::out) array.copy_from(host);
  }
  [[nodiscard]] Reference argument() { return array; }
  void finish() {
    if constexpr (Direction != Transfer::in) array.copy_to(host);
  }
};

template <class T>
Staged<T> stage(T&& value) {
  return {std::forward<T>(value)};
}
template <class T, Transfer Direction>
StagedArray<T, Direction> stage(HostArgument<T, Direction> argument) {
  return StagedArray<T, Direction>(argument.data);
}

/// Calls `launch` with arrays in place of host containers, and copies back.
template <class Launch, class... S>
void launch_staged(const Launch& launch, S&&... staged) {
  launch(staged.argument()...);
  (staged.finish(), ...);
}

}  // namespace detail

}  // namespace cuttle

#include "cuttle/dsl/restore_macros.hpp"
