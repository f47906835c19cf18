// What a kernel's range-for runs over: a thread's share of a grid, and ranges of integers. Read by both compilers.
#pragma once

#ifndef CUTTLE_DEVICE_PRELUDE
#include <cstdint>
#include <type_traits>

#include "constant.hpp"
#include "index.hpp"

extern "C" void cuttle_unroll(unsigned count);
#endif

#include "hide_macros.hpp"

namespace cuttle::detail {

template <class I>
constexpr void require_loop_integer() {
  static_assert(std::is_integral_v<I> && !std::is_same_v<I, bool> && sizeof(I) <= 8, "a loop's bounds and step must be integers");
}

/// The arithmetic of a loop: unsigned, which wraps where C++ leaves the overflow of signed integers undefined.
template <class I>
using Modular = std::conditional_t<sizeof(I) <= 4, std::uint32_t, std::uint64_t>;

template <class A, class B>
constexpr auto loop_integer(A a, B b) {
  require_loop_integer<A>();
  require_loop_integer<B>();
  using Common = std::remove_cvref_t<decltype(false ? a : b)>;
  return std::conditional_t<std::is_unsigned_v<Common> && !(std::is_unsigned_v<A> && std::is_unsigned_v<B>), std::int64_t, Common>{};
}
/// The type in which values of A and of B are what they are: int64 where one is signed and C++ would take the other's sign.
template <class A, class B>
using LoopInteger = decltype(loop_integer(plain(A()), plain(B())));

/// The end of every loop: the iterator knows.
struct LoopEnd {};

/// first, first + 1, ... before `end`, which is not before first.
template <class I>
class UnitRange {
 public:
  constexpr UnitRange(I first, I end) : first_(first), end_(end) {}

  struct Iterator {
    I i;
    constexpr I operator*() const { return i; }
    constexpr Iterator& operator++() {
      i = static_cast<I>(i + 1);
      return *this;
    }
    constexpr bool operator!=(Iterator other) const { return i != other.i; }
  };
  [[nodiscard]] constexpr Iterator begin() const { return {first_}; }
  [[nodiscard]] constexpr Iterator end() const { return {end_}; }

 private:
  I first_, end_;
};

/// start, start + step, ... before `stop`, in either direction. Rounds are counted, since start + step may be past the end of the type.
template <class I>
class StepRange {
  using M = Modular<I>;

 public:
  template <class Step>
  constexpr StepRange(I start, I stop, Step step) : first_(static_cast<M>(start)), step_(static_cast<M>(step)) {
    using Wide = Modular<std::conditional_t<(sizeof(Step) > sizeof(I)), Step, I>>;
    const bool is_up = step > 0;
    const Wide size = is_up ? static_cast<Wide>(step) : Wide{0} - static_cast<Wide>(step);
    if (step == 0 || (is_up ? start >= stop : start <= stop)) return;
    const M distance = is_up ? static_cast<M>(stop) - first_ : first_ - static_cast<M>(stop);
    count_ = static_cast<M>((distance - Wide{1}) / size + 1);
  }

  struct Iterator {
    M first, step, round;
    constexpr I operator*() const { return static_cast<I>(first + round * step); }
    constexpr Iterator& operator++() {
      ++round;
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const { return round != other.round; }
  };
  [[nodiscard]] constexpr Iterator begin() const { return {first_, step_, 0}; }
  [[nodiscard]] constexpr Iterator end() const { return {first_, step_, count_}; }

 private:
  M first_, step_, count_ = 0;
};

/// What counts a thread's share of 0, 1, ..., n - 1: unsigned, and so wide that no sum is past its end.
template <class I>
using Counter = std::conditional_t<sizeof(I) < 4 || std::is_same_v<I, std::int32_t>, std::uint32_t, std::uint64_t>;

/// first, first + step, ... before n.
template <class I>
class ShareRange {
  using C = Counter<I>;

 public:
  ShareRange(C first, C step, I n) : first_{first, step, n > 0 ? static_cast<C>(n) : C{0}} {}

  struct Iterator {
    C i, step, n;
    I operator*() const { return static_cast<I>(i); }
    Iterator& operator++() {
      i += step;
      return *this;
    }
    bool operator!=(LoopEnd) const { return i < n; }
  };
  [[nodiscard]] Iterator begin() const { return first_; }
  [[nodiscard]] LoopEnd end() const { return {}; }

 private:
  Iterator first_;
};

}  // namespace cuttle::detail

namespace cuttle::dsl {

/// Places in a grid of two or three dimensions: `auto [x, y] = grid<2>();`.
template <class X, class Y>
struct index_xy {
  X x;
  Y y;
};
template <class X, class Y, class Z>
struct index_xyz {
  X x;
  Y y;
  Z z;
};

}  // namespace cuttle::dsl

namespace cuttle::detail {

template <class X, class Y>
constexpr dsl::index_xy<X, Y> place(X x, Y y) {
  return {x, y};
}
template <class X, class Y, class Z>
constexpr dsl::index_xyz<X, Y, Z> place(X x, dsl::index_xy<Y, Z> yz) {
  return {x, yz.x, yz.y};
}

/// All of Inner for each of Outer: one loop, in which LLVM makes selects of the turn to the next row.
template <class Inner, class Outer>
class NestedRange {
 public:
  constexpr NestedRange(Inner inner, Outer outer) : inner_(inner), outer_(outer) {}

  struct Iterator {
    typename Inner::Iterator first, inner;
    typename Outer::Iterator outer;

    constexpr auto operator*() const { return place(*inner, *outer); }
    constexpr Iterator& operator++() {
      ++inner;
      if (!(inner != LoopEnd())) {
        inner = first;
        ++outer;
      }
      return *this;
    }
    constexpr bool operator!=(LoopEnd) const { return first != LoopEnd() && outer != LoopEnd(); }
  };
  [[nodiscard]] constexpr Iterator begin() const { return {inner_.begin(), inner_.begin(), outer_.begin()}; }
  [[nodiscard]] constexpr LoopEnd end() const { return {}; }

 private:
  Inner inner_;
  Outer outer_;
};

/// A range whose loop is to be unrolled, `count` times or, with 0, in full: code generation reads the mark in the loop's increment
/// (codegen/loop_hints.h).
template <unsigned count, class Range>
class UnrolledRange {
 public:
  constexpr explicit UnrolledRange(Range range) : range_(range) {}

  struct Iterator : Range::Iterator {
    constexpr Iterator& operator++() {
      cuttle_unroll(count);
      Range::Iterator::operator++();
      return *this;
    }
  };
  [[nodiscard]] constexpr Iterator begin() const { return {range_.begin()}; }
  [[nodiscard]] constexpr auto end() const { return range_.end(); }

 private:
  Range range_;
};

/// This thread's place along one dimension, and the threads of the grid along it.
#define CUTTLE_ALONG(d)                                                                                             \
  template <class I>                                                                                                \
  I thread_##d() {                                                                                                  \
    return static_cast<I>(dsl::blockIdx.d) * static_cast<I>(dsl::blockDim.d) + static_cast<I>(dsl::threadIdx.d);    \
  }                                                                                                                 \
  template <class I>                                                                                                \
  I threads_##d() {                                                                                                 \
    return static_cast<I>(dsl::gridDim.d) * static_cast<I>(dsl::blockDim.d);                                        \
  }                                                                                                                 \
  template <class I>                                                                                                \
  auto share_##d(I n) {                                                                                             \
    require_loop_integer<I>();                                                                                      \
    return ShareRange<I>(thread_##d<Counter<I>>(), threads_##d<Counter<I>>(), n);                                   \
  }
CUTTLE_ALONG(x)
CUTTLE_ALONG(y)
CUTTLE_ALONG(z)
#undef CUTTLE_ALONG

}  // namespace cuttle::detail

namespace cuttle::dsl {

/// This thread's place in the whole grid: `auto i = grid<1>();`, `auto [x, y] = grid<2>();`. Of type unsigned, unless another is named:
/// `grid<1, std::int64_t>()` for more than 2^32 threads.
template <int N, class I = unsigned>
auto grid() {
  static_assert(N >= 1 && N <= 3, "a grid has one to three dimensions");
  detail::require_loop_integer<I>();
  if constexpr (N == 1) {
    return detail::thread_x<I>();
  } else if constexpr (N == 2) {
    return index_xy<I, I>{detail::thread_x<I>(), detail::thread_y<I>()};
  } else {
    return index_xyz<I, I, I>{detail::thread_x<I>(), detail::thread_y<I>(), detail::thread_z<I>()};
  }
}

/// The threads of the whole grid along each dimension, as grid() has them.
template <int N, class I = unsigned>
auto gridsize() {
  static_assert(N >= 1 && N <= 3, "a grid has one to three dimensions");
  detail::require_loop_integer<I>();
  if constexpr (N == 1) {
    return detail::threads_x<I>();
  } else if constexpr (N == 2) {
    return index_xy<I, I>{detail::threads_x<I>(), detail::threads_y<I>()};
  } else {
    return index_xyz<I, I, I>{detail::threads_x<I>(), detail::threads_y<I>(), detail::threads_z<I>()};
  }
}

/// This thread's share of 0, 1, ..., n - 1: `for (auto i : grid_stride(n))`. The grid may be of any size; each number is one thread's. i has
/// the type of n, whose every value is right. With an n of int or shorter the grid must have at most 2^31 threads.
template <class I>
auto grid_stride(I n) {
  return detail::share_x(detail::plain(n));
}
/// This thread's share of a plane, `for (auto [x, y] : grid_stride(columns, rows))`, or of a volume.
template <class X, class Y>
auto grid_stride(X nx, Y ny) {
  return detail::NestedRange(detail::share_x(detail::plain(nx)), detail::share_y(detail::plain(ny)));
}
template <class X, class Y, class Z>
auto grid_stride(X nx, Y ny, Z nz) {
  return detail::NestedRange(detail::share_x(detail::plain(nx)),
                             detail::NestedRange(detail::share_y(detail::plain(ny)), detail::share_z(detail::plain(nz))));
}

/// 0, 1, ..., stop - 1.
template <class Stop>
constexpr auto range(Stop stop) {
  const auto end = detail::plain(stop);
  using I = std::remove_cv_t<decltype(end)>;
  detail::require_loop_integer<I>();
  return detail::UnitRange<I>(0, end > 0 ? end : I{0});
}
/// start, start + 1, ..., stop - 1. Where only one of the two is signed, and C++ would make the other's sign of it, numbers are of 64 bits.
template <class Start, class Stop>
constexpr auto range(Start start, Stop stop) {
  using I = detail::LoopInteger<Start, Stop>;
  const I first = static_cast<I>(detail::plain(start)), end = static_cast<I>(detail::plain(stop));
  return detail::UnitRange<I>(first, first < end ? end : first);
}
/// start, start + step, ... before stop, which a negative step comes to from above; no number where the step is 0.
template <class Start, class Stop, class Step>
constexpr auto range(Start start, Stop stop, Step step) {
  using I = detail::LoopInteger<Start, Stop>;
  const auto by = detail::plain(step);
  detail::require_loop_integer<std::remove_cv_t<decltype(by)>>();
  return detail::StepRange<I>(static_cast<I>(detail::plain(start)), static_cast<I>(detail::plain(stop)), by);
}

/// Unrolls the loop over a range, as #pragma unroll does: `for (auto i : unroll(range(8)))`, `for (auto i : unroll<4>(range(n)))`.
template <unsigned count = 0, class Range>
constexpr auto unroll(Range range) {
  return detail::UnrolledRange<count, Range>(range);
}

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
