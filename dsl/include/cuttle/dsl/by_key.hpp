// What Thrust has beyond <algorithm>, for one thread of a kernel: algorithms whose keys carry values along, gather and scatter, and iterators over
// what is not stored. Read by both compilers.
#pragma once

#include "sorting.hpp"

#ifndef CUTTLE_DEVICE_PRELUDE
#include <iterator>
#include <utility>
#endif

#include "hide_macros.hpp"

namespace cuttle::detail {

// std's function objects stand in <functional>, which no host need include for this.
struct ByLess {
  template <class A, class B>
  constexpr bool operator()(const A& a, const B& b) const {
    return a < b;
  }
};
struct ByEqual {
  template <class A, class B>
  constexpr bool operator()(const A& a, const B& b) const {
    return a == b;
  }
};
struct BySum {
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const {
    return a + b;
  }
};

template <class Iterator>
using value_of = typename std::iterator_traits<Iterator>::value_type;

template <class A, class B>
void exchange_at(A a, B b, std::ptrdiff_t i, std::ptrdiff_t j) {
  auto key = a[i];
  a[i] = a[j];
  a[j] = key;
  auto value = b[i];
  b[i] = b[j];
  b[j] = value;
}

/// An output of keys and one of values, filled together.
template <class Keys, class Values>
struct KeyedOutput {
  Keys keys;
  Values values;

  template <class K, class V>
  void put(const K& key, const V& value) {
    *keys++ = key;
    *values++ = value;
  }
  /// Copies what is left of an input.
  template <class K, class V>
  void put_rest(K key, K end, V value) {
    for (; key != end; ++key, ++value) put(*key, *value);
  }
  std::pair<Keys, Values> ends() const { return {keys, values}; }
};

}  // namespace cuttle::detail

namespace cuttle::dsl {

/// Sorts the keys, and the values with them.
template <class Keys, class Values, class Compare = detail::ByLess>
void sort_by_key(Keys first, Keys last, Values values, const Compare& compare = {}) {
  detail::heap_sort(
      last - first, [&](std::ptrdiff_t i, std::ptrdiff_t j) { return compare(first[i], first[j]); },
      [&](std::ptrdiff_t i, std::ptrdiff_t j) { detail::exchange_at(first, values, i, j); });
}
template <class Keys, class Values, class Compare = detail::ByLess>
void stable_sort_by_key(Keys first, Keys last, Values values, const Compare& compare = {}) {
  detail::merge_sort(
      last - first, [&](std::ptrdiff_t i, std::ptrdiff_t j) { return compare(first[i], first[j]); },
      [&](std::ptrdiff_t i, std::ptrdiff_t j) { detail::exchange_at(first, values, i, j); });
}

/// Scans each run of equal keys for itself. The output may be the input.
template <class Keys, class Values, class Out, class Equal = detail::ByEqual, class Op = detail::BySum>
Out inclusive_scan_by_key(Keys first, Keys last, Values values, Out out, const Equal& equal = {}, const Op& op = {}) {
  if (first == last) return out;
  auto sum = *values;
  *out++ = sum;
  for (Keys before = first++; first != last; before = first++) {
    ++values;
    sum = equal(*before, *first) ? static_cast<decltype(sum)>(op(sum, *values)) : static_cast<decltype(sum)>(*values);
    *out++ = sum;
  }
  return out;
}
template <class Keys, class Values, class Out, class T, class Equal = detail::ByEqual, class Op = detail::BySum>
Out exclusive_scan_by_key(Keys first, Keys last, Values values, Out out, T init, const Equal& equal = {}, const Op& op = {}) {
  T sum = init;
  for (Keys before = first; first != last; before = first++, ++values) {
    if (!equal(*before, *first)) sum = init;
    const T next = static_cast<T>(op(sum, *values));  // read before out is written, which may be the same place
    *out++ = sum;
    sum = next;
  }
  return out;
}
template <class Keys, class Values, class Out>
Out exclusive_scan_by_key(Keys first, Keys last, Values values, Out out) {
  return exclusive_scan_by_key(first, last, values, out, detail::value_of<Values>());
}

/// One key and one combined value for each run of equal keys; the ends of both outputs.
template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal = detail::ByEqual, class Op = detail::BySum>
std::pair<KeysOut, ValuesOut> reduce_by_key(Keys first, Keys last, Values values, KeysOut keys_out, ValuesOut values_out, const Equal& equal = {},
                                            const Op& op = {}) {
  while (first != last) {
    const auto key = *first;
    auto sum = *values;
    for (++first, ++values; first != last && equal(key, *first); ++first, ++values) sum = static_cast<decltype(sum)>(op(sum, *values));
    *keys_out++ = key;
    *values_out++ = sum;
  }
  return {keys_out, values_out};
}

/// Keeps the first of each run of equal keys, and its value; the ends of what is kept.
template <class Keys, class Values, class Equal = detail::ByEqual>
std::pair<Keys, Values> unique_by_key(Keys first, Keys last, Values values, const Equal& equal = {}) {
  if (first == last) return {first, values};
  detail::KeyedOutput<Keys, Values> out{first, values};
  Keys kept = first;
  out.put(*first, *values);
  for (++first, ++values; first != last; ++first, ++values) {
    if (equal(*kept, *first)) continue;
    kept = out.keys;
    out.put(*first, *values);
  }
  return out.ends();
}

// Sets of keys in order, as std::set_union and its kin have them; the values go with their keys. The ends of both outputs.
template <class K1, class K2, class V1, class V2, class KOut, class VOut, class Compare = detail::ByLess>
std::pair<KOut, VOut> set_union_by_key(K1 key1, K1 end1, K2 key2, K2 end2, V1 value1, V2 value2, KOut keys, VOut values,
                                       const Compare& compare = {}) {
  detail::KeyedOutput<KOut, VOut> out{keys, values};
  while (key1 != end1 && key2 != end2) {
    if (compare(*key2, *key1)) {
      out.put(*key2, *value2), ++key2, ++value2;
    } else {
      if (!compare(*key1, *key2)) ++key2, ++value2;
      out.put(*key1, *value1), ++key1, ++value1;
    }
  }
  out.put_rest(key1, end1, value1);
  out.put_rest(key2, end2, value2);
  return out.ends();
}
template <class K1, class K2, class V1, class KOut, class VOut, class Compare = detail::ByLess>
std::pair<KOut, VOut> set_intersection_by_key(K1 key1, K1 end1, K2 key2, K2 end2, V1 value1, KOut keys, VOut values, const Compare& compare = {}) {
  detail::KeyedOutput<KOut, VOut> out{keys, values};
  while (key1 != end1 && key2 != end2) {
    if (compare(*key2, *key1)) {
      ++key2;
    } else {
      if (!compare(*key1, *key2)) out.put(*key1, *value1), ++key2;
      ++key1, ++value1;
    }
  }
  return out.ends();
}
template <class K1, class K2, class V1, class V2, class KOut, class VOut, class Compare = detail::ByLess>
std::pair<KOut, VOut> set_difference_by_key(K1 key1, K1 end1, K2 key2, K2 end2, V1 value1, V2, KOut keys, VOut values, const Compare& compare = {}) {
  detail::KeyedOutput<KOut, VOut> out{keys, values};
  while (key1 != end1 && key2 != end2) {
    if (compare(*key2, *key1)) {
      ++key2;
    } else {
      compare(*key1, *key2) ? out.put(*key1, *value1) : static_cast<void>(++key2);
      ++key1, ++value1;
    }
  }
  out.put_rest(key1, end1, value1);
  return out.ends();
}
template <class K1, class K2, class V1, class V2, class KOut, class VOut, class Compare = detail::ByLess>
std::pair<KOut, VOut> set_symmetric_difference_by_key(K1 key1, K1 end1, K2 key2, K2 end2, V1 value1, V2 value2, KOut keys, VOut values,
                                                      const Compare& compare = {}) {
  detail::KeyedOutput<KOut, VOut> out{keys, values};
  while (key1 != end1 && key2 != end2) {
    const bool only_2 = compare(*key2, *key1), only_1 = compare(*key1, *key2);
    if (only_1) out.put(*key1, *value1);
    if (only_2) out.put(*key2, *value2);
    if (!only_2) ++key1, ++value1;
    if (!only_1) ++key2, ++value2;
  }
  out.put_rest(key1, end1, value1);
  out.put_rest(key2, end2, value2);
  return out.ends();
}

/// out[i] = source[map[i]], and out[map[i]] = source[i].
template <class Map, class Source, class Out>
Out gather(Map first, Map last, Source source, Out out) {
  for (; first != last; ++first) *out++ = source[*first];
  return out;
}
template <class Source, class Map, class Out>
void scatter(Source first, Source last, Map map, Out out) {
  for (; first != last; ++first, ++map) out[*map] = *first;
}

/// init, init + step, init + 2 * step ...
template <class Out, class T = detail::value_of<Out>>
void sequence(Out first, Out last, T init = T(), T step = T(1)) {
  for (; first != last; ++first, init = static_cast<T>(init + step)) *first = init;
}

/// An iterator whose element i is function(i).
template <class T, class Function>
class FunctionIterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = T;
  using reference = T;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  FunctionIterator(Function function, std::ptrdiff_t at) : function_(function), at_(at) {}

  T operator*() const { return function_(at_); }
  T operator[](std::ptrdiff_t i) const { return function_(at_ + i); }
  FunctionIterator& operator++() { return *this += 1; }
  FunctionIterator operator++(int) {
    FunctionIterator old = *this;
    ++at_;
    return old;
  }
  FunctionIterator& operator--() { return *this += -1; }
  FunctionIterator& operator+=(std::ptrdiff_t by) {
    at_ += by;
    return *this;
  }
  friend FunctionIterator operator+(FunctionIterator it, std::ptrdiff_t by) { return it += by; }
  friend FunctionIterator operator-(FunctionIterator it, std::ptrdiff_t by) { return it += -by; }
  friend std::ptrdiff_t operator-(const FunctionIterator& a, const FunctionIterator& b) { return a.at_ - b.at_; }
  friend bool operator==(const FunctionIterator& a, const FunctionIterator& b) { return a.at_ == b.at_; }
  friend bool operator<(const FunctionIterator& a, const FunctionIterator& b) { return a.at_ < b.at_; }

 private:
  Function function_;
  std::ptrdiff_t at_;
};

template <class T>
struct ConstantFunction {
  T value;
  T operator()(std::ptrdiff_t) const { return value; }
};
template <class T>
struct CountingFunction {
  T first;
  T operator()(std::ptrdiff_t i) const { return static_cast<T>(first + static_cast<T>(i)); }
};

template <class T>
FunctionIterator<T, ConstantFunction<T>> make_constant_iterator(T value) {
  return {{value}, 0};
}
template <class T>
FunctionIterator<T, CountingFunction<T>> make_counting_iterator(T first) {
  return {{first}, 0};
}

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
