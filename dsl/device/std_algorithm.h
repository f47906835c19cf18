// <algorithm> and <numeric> for one thread of a kernel, on pointers, shared arrays and the iterators of views: no recursion and no memory of their
// own. A program includes the standard headers for its own compiler, as ever.
#pragma once

#include "../include/cuttle/dsl/sorting.hpp"

namespace std {

template <class It, class F>
constexpr F for_each(It first, It last, F function) {
  for (; first != last; ++first) function(*first);
  return function;
}

// ---- search -------------------------------------------------------------------------------------------------------------------------

template <class It, class Predicate>
constexpr It find_if(It first, It last, Predicate predicate) {
  while (first != last && !predicate(*first)) ++first;
  return first;
}
template <class It, class Predicate>
constexpr It find_if_not(It first, It last, Predicate predicate) {
  while (first != last && predicate(*first)) ++first;
  return first;
}
template <class It, class T>
constexpr It find(It first, It last, const T& value) {
  return std::find_if(first, last, [&](const auto& element) { return element == value; });
}
template <class It, class Predicate>
constexpr bool all_of(It first, It last, Predicate predicate) {
  return std::find_if_not(first, last, predicate) == last;
}
template <class It, class Predicate>
constexpr bool any_of(It first, It last, Predicate predicate) {
  return std::find_if(first, last, predicate) != last;
}
template <class It, class Predicate>
constexpr bool none_of(It first, It last, Predicate predicate) {
  return std::find_if(first, last, predicate) == last;
}
template <class It, class Predicate>
constexpr ptrdiff_t count_if(It first, It last, Predicate predicate) {
  ptrdiff_t count = 0;
  for (; first != last; ++first) count += predicate(*first) ? 1 : 0;
  return count;
}
template <class It, class T>
constexpr ptrdiff_t count(It first, It last, const T& value) {
  return std::count_if(first, last, [&](const auto& element) { return element == value; });
}
template <class It, class Equal = equal_to<>>
constexpr It adjacent_find(It first, It last, Equal equal = {}) {
  if (first == last) return last;
  for (It before = first; ++first != last; before = first) {
    if (equal(*before, *first)) return before;
  }
  return last;
}
template <class A, class B, class Equal = equal_to<>>
constexpr pair<A, B> mismatch(A first, A last, B other, Equal equal = {}) {
  for (; first != last && equal(*first, *other); ++first, ++other) {
  }
  return {first, other};
}
template <class A, class B, class Equal = equal_to<>>
constexpr bool equal(A first, A last, B other, Equal same = {}) {
  for (; first != last; ++first, ++other) {
    if (!same(*first, *other)) return false;
  }
  return true;
}
template <class A, class B, class Compare = less<>>
constexpr bool lexicographical_compare(A first, A last, B other, B other_last, Compare compare = {}) {
  for (; first != last && other != other_last; ++first, ++other) {
    if (compare(*first, *other)) return true;
    if (compare(*other, *first)) return false;
  }
  return first == last && other != other_last;
}
template <class A, class B, class Equal = equal_to<>>
constexpr A search(A first, A last, B pattern, B pattern_last, Equal equal = {}) {
  for (;; ++first) {
    A at = first;
    for (B wanted = pattern;; ++at, ++wanted) {
      if (wanted == pattern_last) return first;
      if (at == last) return last;
      if (!equal(*at, *wanted)) break;
    }
  }
}
template <class It, class Compare = less<>>
constexpr It min_element(It first, It last, Compare compare = {}) {
  It least = first;
  for (; first != last; ++first) {
    if (compare(*first, *least)) least = first;
  }
  return least;
}
template <class It, class Compare = less<>>
constexpr It max_element(It first, It last, Compare compare = {}) {
  It greatest = first;
  for (; first != last; ++first) {
    if (compare(*greatest, *first)) greatest = first;
  }
  return greatest;
}

// ---- search in order ----------------------------------------------------------------------------------------------------------------

template <class It, class Predicate>
constexpr It partition_point(It first, It last, Predicate predicate) {
  for (ptrdiff_t count = last - first; count > 0;) {
    const ptrdiff_t half = count / 2;
    if (predicate(first[half])) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}
template <class It, class T, class Compare = less<>>
constexpr It lower_bound(It first, It last, const T& value, Compare compare = {}) {
  return std::partition_point(first, last, [&](const auto& element) { return compare(element, value); });
}
template <class It, class T, class Compare = less<>>
constexpr It upper_bound(It first, It last, const T& value, Compare compare = {}) {
  return std::partition_point(first, last, [&](const auto& element) { return !compare(value, element); });
}
template <class It, class T, class Compare = less<>>
constexpr pair<It, It> equal_range(It first, It last, const T& value, Compare compare = {}) {
  return {std::lower_bound(first, last, value, compare), std::upper_bound(first, last, value, compare)};
}
template <class It, class T, class Compare = less<>>
constexpr bool binary_search(It first, It last, const T& value, Compare compare = {}) {
  first = std::lower_bound(first, last, value, compare);
  return first != last && !compare(value, *first);
}

// ---- copy and edit ------------------------------------------------------------------------------------------------------------------

template <class It, class Out>
constexpr Out copy(It first, It last, Out out) {
  for (; first != last; ++first, ++out) *out = *first;
  return out;
}
template <class It, class Size, class Out>
constexpr Out copy_n(It first, Size count, Out out) {
  return std::copy(first, first + count, out);
}
template <class It, class Out>
constexpr Out copy_backward(It first, It last, Out out_last) {
  while (first != last) *--out_last = *--last;
  return out_last;
}
template <class It, class Out, class Predicate>
constexpr Out copy_if(It first, It last, Out out, Predicate predicate) {
  for (; first != last; ++first) {
    if (predicate(*first)) *out++ = *first;
  }
  return out;
}
template <class It, class Out, class F>
constexpr Out transform(It first, It last, Out out, F function) {
  for (; first != last; ++first, ++out) *out = function(*first);
  return out;
}
template <class A, class B, class Out, class F>
constexpr Out transform(A first, A last, B other, Out out, F function) {
  for (; first != last; ++first, ++other, ++out) *out = function(*first, *other);
  return out;
}
template <class It, class T>
constexpr void fill(It first, It last, const T& value) {
  for (; first != last; ++first) *first = value;
}
template <class It, class Size, class T>
constexpr It fill_n(It first, Size count, const T& value) {
  for (; count > 0; --count, ++first) *first = value;
  return first;
}
template <class It, class F>
constexpr void generate(It first, It last, F function) {
  for (; first != last; ++first) *first = function();
}
template <class It, class Predicate, class T>
constexpr void replace_if(It first, It last, Predicate predicate, const T& value) {
  for (; first != last; ++first) {
    if (predicate(*first)) *first = value;
  }
}
template <class It, class T>
constexpr void replace(It first, It last, const T& old_value, const T& value) {
  std::replace_if(first, last, [&](const auto& element) { return element == old_value; }, value);
}
template <class It, class Out, class Predicate, class T>
constexpr Out replace_copy_if(It first, It last, Out out, Predicate predicate, const T& value) {
  for (; first != last; ++first, ++out) *out = predicate(*first) ? value : static_cast<T>(*first);
  return out;
}
template <class It, class Out, class T>
constexpr Out replace_copy(It first, It last, Out out, const T& old_value, const T& value) {
  return std::replace_copy_if(first, last, out, [&](const auto& element) { return element == old_value; }, value);
}
template <class It, class Out, class Predicate>
constexpr Out remove_copy_if(It first, It last, Out out, Predicate predicate) {
  return std::copy_if(first, last, out, [&](const auto& element) { return !predicate(element); });
}
template <class It, class Out, class T>
constexpr Out remove_copy(It first, It last, Out out, const T& value) {
  return std::copy_if(first, last, out, [&](const auto& element) { return !(element == value); });
}
template <class It, class Predicate>
constexpr It remove_if(It first, It last, Predicate predicate) {
  return std::remove_copy_if(first, last, first, predicate);
}
template <class It, class T>
constexpr It remove(It first, It last, const T& value) {
  return std::remove_copy(first, last, first, T(value));  // a copy: value may be an element
}
template <class It, class Out, class Equal = equal_to<>>
constexpr Out unique_copy(It first, It last, Out out, Equal equal = {}) {
  if (first == last) return out;
  auto kept = *first;
  *out++ = kept;
  while (++first != last) {
    if (equal(kept, *first)) continue;
    kept = *first;
    *out++ = kept;
  }
  return out;
}
template <class It, class Equal = equal_to<>>
constexpr It unique(It first, It last, Equal equal = {}) {
  return std::unique_copy(first, last, first, equal);
}
template <class A, class B>
constexpr void iter_swap(A a, B b) {
  auto old = *a;
  *a = *b;
  *b = old;
}
template <class A, class B>
constexpr B swap_ranges(A first, A last, B other) {
  for (; first != last; ++first, ++other) std::iter_swap(first, other);
  return other;
}
template <class It>
constexpr void reverse(It first, It last) {
  while (first < last && first < --last) std::iter_swap(first++, last);
}
template <class It, class Out>
constexpr Out reverse_copy(It first, It last, Out out) {
  while (first != last) *out++ = *--last;
  return out;
}
template <class It>
constexpr It rotate(It first, It middle, It last) {
  cuttle::detail::rotate_by_exchange(0, middle - first, last - first, [&](ptrdiff_t i, ptrdiff_t j) { std::iter_swap(first + i, first + j); });
  return first + (last - middle);
}
template <class It, class Predicate>
constexpr It partition(It first, It last, Predicate predicate) {
  It out = first;
  for (; first != last; ++first) {
    if (predicate(*first)) std::iter_swap(first, out++);
  }
  return out;
}

// ---- sort ---------------------------------------------------------------------------------------------------------------------------

template <class It, class Compare = less<>>
constexpr void sort(It first, It last, Compare compare = {}) {
  cuttle::detail::heap_sort(
      last - first, [&](ptrdiff_t i, ptrdiff_t j) { return compare(first[i], first[j]); },
      [&](ptrdiff_t i, ptrdiff_t j) { std::iter_swap(first + i, first + j); });
}
template <class It, class Compare = less<>>
constexpr void stable_sort(It first, It last, Compare compare = {}) {
  cuttle::detail::merge_sort(
      last - first, [&](ptrdiff_t i, ptrdiff_t j) { return compare(first[i], first[j]); },
      [&](ptrdiff_t i, ptrdiff_t j) { std::iter_swap(first + i, first + j); });
}
template <class It, class Compare = less<>>
constexpr void nth_element(It first, It, It last, Compare compare = {}) {
  std::sort(first, last, compare);
}
template <class It, class Compare = less<>>
constexpr It is_sorted_until(It first, It last, Compare compare = {}) {
  if (first == last) return last;
  for (It before = first; ++first != last; before = first) {
    if (compare(*first, *before)) return first;
  }
  return last;
}
template <class It, class Compare = less<>>
constexpr bool is_sorted(It first, It last, Compare compare = {}) {
  return std::is_sorted_until(first, last, compare) == last;
}

// ---- sets: sequences in order --------------------------------------------------------------------------------------------------------

template <class A, class B, class Out, class Compare = less<>>
constexpr Out merge(A first, A last, B other, B other_last, Out out, Compare compare = {}) {
  while (first != last && other != other_last) *out++ = compare(*other, *first) ? *other++ : *first++;
  return std::copy(other, other_last, std::copy(first, last, out));
}
template <class A, class B, class Compare = less<>>
constexpr bool includes(A first, A last, B other, B other_last, Compare compare = {}) {
  for (; other != other_last; ++first) {
    if (first == last || compare(*other, *first)) return false;
    if (!compare(*first, *other)) ++other;
  }
  return true;
}
template <class A, class B, class Out, class Compare = less<>>
constexpr Out set_union(A first, A last, B other, B other_last, Out out, Compare compare = {}) {
  while (first != last && other != other_last) {
    if (compare(*other, *first)) {
      *out++ = *other++;
    } else {
      if (!compare(*first, *other)) ++other;
      *out++ = *first++;
    }
  }
  return std::copy(other, other_last, std::copy(first, last, out));
}
template <class A, class B, class Out, class Compare = less<>>
constexpr Out set_intersection(A first, A last, B other, B other_last, Out out, Compare compare = {}) {
  while (first != last && other != other_last) {
    if (compare(*other, *first)) {
      ++other;
    } else {
      if (!compare(*first, *other)) *out++ = *first, ++other;
      ++first;
    }
  }
  return out;
}
template <class A, class B, class Out, class Compare = less<>>
constexpr Out set_difference(A first, A last, B other, B other_last, Out out, Compare compare = {}) {
  while (first != last && other != other_last) {
    if (compare(*other, *first)) {
      ++other;
    } else {
      if (compare(*first, *other)) {
        *out++ = *first;
      } else {
        ++other;
      }
      ++first;
    }
  }
  return std::copy(first, last, out);
}
template <class A, class B, class Out, class Compare = less<>>
constexpr Out set_symmetric_difference(A first, A last, B other, B other_last, Out out, Compare compare = {}) {
  while (first != last && other != other_last) {
    const bool only_there = compare(*other, *first), only_here = compare(*first, *other);
    if (only_here) *out++ = *first;
    if (only_there) *out++ = *other;
    if (!only_there) ++first;
    if (!only_here) ++other;
  }
  return std::copy(other, other_last, std::copy(first, last, out));
}

// ---- <numeric> ----------------------------------------------------------------------------------------------------------------------

template <class It, class T>
constexpr void iota(It first, It last, T value) {
  for (; first != last; ++first, ++value) *first = value;
}
template <class It, class T, class Op = plus<>>
constexpr T accumulate(It first, It last, T sum, Op op = {}) {
  for (; first != last; ++first) sum = static_cast<T>(op(sum, *first));
  return sum;
}
template <class It, class T, class Op = plus<>>
constexpr T reduce(It first, It last, T init, Op op = {}) {
  return std::accumulate(first, last, init, op);
}
template <class It>
constexpr auto reduce(It first, It last) {
  return std::accumulate(first, last, typename iterator_traits<It>::value_type());
}
template <class A, class B, class T, class Sum = plus<>, class Product = multiplies<>>
constexpr T inner_product(A first, A last, B other, T sum, Sum add = {}, Product product = {}) {
  for (; first != last; ++first, ++other) sum = static_cast<T>(add(sum, product(*first, *other)));
  return sum;
}
template <class A, class B, class T>
constexpr T transform_reduce(A first, A last, B other, T init) {
  return std::inner_product(first, last, other, init);
}
template <class It, class T, class Op, class F>
constexpr T transform_reduce(It first, It last, T sum, Op op, F function) {
  for (; first != last; ++first) sum = static_cast<T>(op(sum, function(*first)));
  return sum;
}
template <class It, class Out, class Op = plus<>>
constexpr Out inclusive_scan(It first, It last, Out out, Op op = {}) {
  if (first == last) return out;
  auto sum = *first;
  for (*out++ = sum; ++first != last;) *out++ = sum = static_cast<decltype(sum)>(op(sum, *first));
  return out;
}
template <class It, class Out, class Op, class T>
constexpr Out inclusive_scan(It first, It last, Out out, Op op, T sum) {
  for (; first != last; ++first) *out++ = sum = static_cast<T>(op(sum, *first));
  return out;
}
template <class It, class Out, class Op = plus<>>
constexpr Out partial_sum(It first, It last, Out out, Op op = {}) {
  return std::inclusive_scan(first, last, out, op);
}
template <class It, class Out, class T, class Op = plus<>>
constexpr Out exclusive_scan(It first, It last, Out out, T sum, Op op = {}) {
  for (; first != last; ++first) {
    const T next = static_cast<T>(op(sum, *first));  // read before out is written, which may be the same place
    *out++ = sum;
    sum = next;
  }
  return out;
}
template <class It, class Out, class Op = minus<>>
constexpr Out adjacent_difference(It first, It last, Out out, Op op = {}) {
  if (first == last) return out;
  auto before = *first;
  for (*out++ = before; ++first != last;) {
    const auto value = *first;
    *out++ = op(value, before);
    before = value;
  }
  return out;
}

}  // namespace std
