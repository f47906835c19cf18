// <iterator> for kernels: what algorithms ask of an iterator.
#pragma once

namespace std {

struct input_iterator_tag {};
struct output_iterator_tag {};
struct forward_iterator_tag : input_iterator_tag {};
struct bidirectional_iterator_tag : forward_iterator_tag {};
struct random_access_iterator_tag : bidirectional_iterator_tag {};
struct contiguous_iterator_tag : random_access_iterator_tag {};

template <class Iterator>
struct iterator_traits {
  using difference_type = typename Iterator::difference_type;
  using value_type = typename Iterator::value_type;
  using reference = typename Iterator::reference;
  using pointer = typename Iterator::pointer;
  using iterator_category = typename Iterator::iterator_category;
};
template <class T>
struct iterator_traits<T*> {
  using difference_type = ptrdiff_t;
  using value_type = remove_cv_t<T>;
  using reference = T&;
  using pointer = T*;
  using iterator_category = random_access_iterator_tag;
};

// Every iterator of a kernel is one of random access.
template <class Iterator>
constexpr ptrdiff_t distance(Iterator first, Iterator last) {
  return last - first;
}
template <class Iterator, class Distance>
constexpr void advance(Iterator& it, Distance by) {
  it += by;
}
template <class Iterator>
constexpr Iterator next(Iterator it, ptrdiff_t by = 1) {
  return it + by;
}
template <class Iterator>
constexpr Iterator prev(Iterator it, ptrdiff_t by = 1) {
  return it - by;
}

template <class T, size_t N>
constexpr T* begin(T (&array)[N]) {
  return array;
}
template <class T, size_t N>
constexpr T* end(T (&array)[N]) {
  return array + N;
}
template <class T, size_t N>
constexpr size_t size(const T (&)[N]) {
  return N;
}
template <class Range>
constexpr auto begin(const Range& range) -> decltype(range.begin()) {
  return range.begin();
}
template <class Range>
constexpr auto begin(Range& range) -> decltype(range.begin()) {
  return range.begin();
}
template <class Range>
constexpr auto end(const Range& range) -> decltype(range.end()) {
  return range.end();
}
template <class Range>
constexpr auto end(Range& range) -> decltype(range.end()) {
  return range.end();
}
template <class Range>
constexpr auto size(const Range& range) -> decltype(range.size()) {
  return range.size();
}

}  // namespace std
