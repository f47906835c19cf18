// Sorting in place by indices, without recursion and without further memory, for std::sort and its kin in kernels and for sort_by_key. Read by both
// compilers.
#pragma once

#ifndef CUTTLE_DEVICE_PRELUDE
#include <cstddef>
#endif

namespace cuttle::detail {

/// Sorts the elements 0 to count - 1, of which less(i, j) and exchange(i, j) are all that is known: a heap sort.
template <class Less, class Exchange>
void heap_sort(std::ptrdiff_t count, const Less& less, const Exchange& exchange) {
  const auto sift_down = [&](std::ptrdiff_t root, std::ptrdiff_t end) {
    for (std::ptrdiff_t child = 2 * root + 1; child < end; root = child, child = 2 * root + 1) {
      if (child + 1 < end && less(child, child + 1)) ++child;
      if (!less(root, child)) return;
      exchange(root, child);
    }
  };
  for (std::ptrdiff_t root = count / 2 - 1; root >= 0; --root) sift_down(root, count);
  for (std::ptrdiff_t end = count - 1; end > 0; --end) {
    exchange(0, end);
    sift_down(0, end);
  }
}

/// Moves the elements [middle, end) in front of [begin, middle).
template <class Exchange>
void rotate_by_exchange(std::ptrdiff_t begin, std::ptrdiff_t middle, std::ptrdiff_t end, const Exchange& exchange) {
  const auto reverse = [&](std::ptrdiff_t from, std::ptrdiff_t to) {
    while (from < --to) exchange(from++, to);
  };
  reverse(begin, middle);
  reverse(middle, end);
  reverse(begin, end);
}

/// The same, keeping equal elements in their order: merges of longer and longer runs, each by rotations.
template <class Less, class Exchange>
void merge_sort(std::ptrdiff_t count, const Less& less, const Exchange& exchange) {
  for (std::ptrdiff_t run = 1; run < count; run *= 2) {
    for (std::ptrdiff_t begin = 0; begin + run < count; begin += 2 * run) {
      std::ptrdiff_t left = begin, middle = begin + run;
      const std::ptrdiff_t end = middle + run < count ? middle + run : count;
      while (left < middle && middle < end) {
        if (!less(middle, left)) {
          ++left;
          continue;
        }
        std::ptrdiff_t right = middle + 1;
        while (right < end && less(right, left)) ++right;
        rotate_by_exchange(left, middle, right, exchange);
        left += right - middle;
        middle = right;
      }
    }
  }
}

}  // namespace cuttle::detail
