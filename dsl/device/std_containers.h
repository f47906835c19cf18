// std::array, pair, tuple, optional and the helpers of <utility> and <functional>, laid out as the host's array is.
#pragma once

namespace std {

template <class T, T... values>
struct integer_sequence {
  using value_type = T;
  static constexpr size_t size() noexcept { return sizeof...(values); }
};
template <size_t... values>
using index_sequence = integer_sequence<size_t, values...>;
template <class T, T count>
using make_integer_sequence = __make_integer_seq<integer_sequence, T, count>;
template <size_t count>
using make_index_sequence = make_integer_sequence<size_t, count>;
template <class... T>
using index_sequence_for = make_index_sequence<sizeof...(T)>;

template <class T, class U = T>
constexpr T exchange(T& object, U&& value) {
  T old = static_cast<T&&>(object);
  object = static_cast<U&&>(value);
  return old;
}
template <class T>
constexpr const T& as_const(T& value) noexcept {
  return value;
}
template <class T>
constexpr T* addressof(T& value) noexcept {
  return __builtin_addressof(value);
}

// ---- <functional> --------------------------------------------------------------------------------------------------------------
#define CUTTLE_FUNCTION_OBJECT(name, R, expression)                     \
  template <class T = void>                                             \
  struct name {                                                         \
    constexpr R operator()(const T& a, const T& b) const { return expression; } \
  };                                                                    \
  template <>                                                           \
  struct name<void> {                                                   \
    using is_transparent = void;                                        \
    template <class A, class B>                                         \
    constexpr auto operator()(const A& a, const B& b) const {           \
      return expression;                                                \
    }                                                                   \
  };
CUTTLE_FUNCTION_OBJECT(plus, T, a + b)
CUTTLE_FUNCTION_OBJECT(minus, T, a - b)
CUTTLE_FUNCTION_OBJECT(multiplies, T, a* b)
CUTTLE_FUNCTION_OBJECT(divides, T, a / b)
CUTTLE_FUNCTION_OBJECT(modulus, T, a % b)
CUTTLE_FUNCTION_OBJECT(bit_and, T, a& b)
CUTTLE_FUNCTION_OBJECT(bit_or, T, a | b)
CUTTLE_FUNCTION_OBJECT(bit_xor, T, a ^ b)
CUTTLE_FUNCTION_OBJECT(equal_to, bool, a == b)
CUTTLE_FUNCTION_OBJECT(not_equal_to, bool, a != b)
CUTTLE_FUNCTION_OBJECT(less, bool, a < b)
CUTTLE_FUNCTION_OBJECT(less_equal, bool, a <= b)
CUTTLE_FUNCTION_OBJECT(greater, bool, a > b)
CUTTLE_FUNCTION_OBJECT(greater_equal, bool, a >= b)
CUTTLE_FUNCTION_OBJECT(logical_and, bool, a&& b)
CUTTLE_FUNCTION_OBJECT(logical_or, bool, a || b)
#undef CUTTLE_FUNCTION_OBJECT
struct identity {
  template <class T>
  constexpr T&& operator()(T&& value) const noexcept {
    return static_cast<T&&>(value);
  }
};

// ---- tuple-like types ----------------------------------------------------------------------------------------------------------
template <class T>
struct tuple_size;
template <class T>
  requires requires { tuple_size<T>::value; }
struct tuple_size<const T> : tuple_size<T> {};
template <class T>
inline constexpr size_t tuple_size_v = tuple_size<T>::value;
template <size_t i, class T>
struct tuple_element;
template <size_t i, class T>
struct tuple_element<i, const T> {
  using type = const typename tuple_element<i, T>::type;
};
template <size_t i, class T>
using tuple_element_t = typename tuple_element<i, T>::type;

template <class T, size_t N>
struct array {
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using const_pointer = const T*;
  using iterator = T*;
  using const_iterator = const T*;

  constexpr T& operator[](size_t i) { return elements[i]; }
  constexpr const T& operator[](size_t i) const { return elements[i]; }
  constexpr T& front() { return elements[0]; }
  constexpr const T& front() const { return elements[0]; }
  constexpr T& back() { return elements[N - 1]; }
  constexpr const T& back() const { return elements[N - 1]; }
  constexpr T* data() { return elements; }
  constexpr const T* data() const { return elements; }
  constexpr T* begin() { return elements; }
  constexpr const T* begin() const { return elements; }
  constexpr const T* cbegin() const { return elements; }
  constexpr T* end() { return elements + N; }
  constexpr const T* end() const { return elements + N; }
  constexpr const T* cend() const { return elements + N; }
  static constexpr size_t size() { return N; }
  static constexpr size_t max_size() { return N; }
  static constexpr bool empty() { return false; }
  constexpr void fill(const T& value) {
    for (T& element : elements) element = value;
  }
  constexpr void swap(array& other) {
    for (size_t i = 0; i < N; ++i) std::swap(elements[i], other.elements[i]);
  }
  friend constexpr bool operator==(const array& a, const array& b) {
    for (size_t i = 0; i < N; ++i) {
      if (!(a.elements[i] == b.elements[i])) return false;
    }
    return true;
  }
  friend constexpr bool operator<(const array& a, const array& b) {
    for (size_t i = 0; i < N; ++i) {
      if (a.elements[i] < b.elements[i]) return true;
      if (b.elements[i] < a.elements[i]) return false;
    }
    return false;
  }

  T elements[N];
};
template <class T>
struct array<T, 0> {
  using value_type = T;
  constexpr T* begin() const { return nullptr; }
  constexpr T* end() const { return nullptr; }
  constexpr T* data() const { return nullptr; }
  static constexpr size_t size() { return 0; }
  static constexpr bool empty() { return true; }
};
template <class T, class... U>
array(T, U...) -> array<T, 1 + sizeof...(U)>;
template <class T, size_t N>
struct tuple_size<array<T, N>> : integral_constant<size_t, N> {};
template <size_t i, class T, size_t N>
struct tuple_element<i, array<T, N>> {
  using type = T;
};
template <size_t i, class T, size_t N>
constexpr T& get(array<T, N>& a) {
  return a[i];
}
template <size_t i, class T, size_t N>
constexpr const T& get(const array<T, N>& a) {
  return a[i];
}

template <size_t i, class T, size_t N>
constexpr T&& get(array<T, N>&& a) {
  return static_cast<T&&>(a[i]);
}

template <class A, class B>
struct pair {
  using first_type = A;
  using second_type = B;

  friend constexpr bool operator==(const pair& a, const pair& b) { return a.first == b.first && a.second == b.second; }
  friend constexpr bool operator<(const pair& a, const pair& b) { return a.first < b.first || (!(b.first < a.first) && a.second < b.second); }

  A first;
  B second;
};
template <class A, class B>
pair(A, B) -> pair<A, B>;
template <class A, class B>
constexpr pair<decay_t<A>, decay_t<B>> make_pair(A&& a, B&& b) {
  return {static_cast<A&&>(a), static_cast<B&&>(b)};
}
template <class A, class B>
struct tuple_size<pair<A, B>> : integral_constant<size_t, 2> {};
template <class A, class B>
struct tuple_element<0, pair<A, B>> {
  using type = A;
};
template <class A, class B>
struct tuple_element<1, pair<A, B>> {
  using type = B;
};
template <size_t i, class A, class B>
constexpr auto& get(pair<A, B>& p) {
  if constexpr (i == 0) {
    return p.first;
  } else {
    return p.second;
  }
}
template <size_t i, class A, class B>
constexpr const auto& get(const pair<A, B>& p) {
  if constexpr (i == 0) {
    return p.first;
  } else {
    return p.second;
  }
}

template <size_t i, class A, class B>
constexpr auto&& get(pair<A, B>&& p) {
  return static_cast<tuple_element_t<i, pair<A, B>>&&>(get<i>(p));
}

namespace detail {

template <size_t i, class T>
struct tuple_leaf {
  T value;
};
template <class Indices, class... T>
struct tuple_leaves;
template <size_t... i, class... T>
struct tuple_leaves<index_sequence<i...>, T...> : tuple_leaf<i, T>... {};

template <size_t i, class T>
constexpr T& leaf(tuple_leaf<i, T>& l) {
  return l.value;
}
template <size_t i, class T>
constexpr const T& leaf(const tuple_leaf<i, T>& l) {
  return l.value;
}

}  // namespace detail

template <class... T>
class tuple : public detail::tuple_leaves<index_sequence_for<T...>, T...> {
  using Leaves = detail::tuple_leaves<index_sequence_for<T...>, T...>;

 public:
  constexpr tuple() = default;
  template <class... U>
    requires(sizeof...(U) == sizeof...(T) && sizeof...(T) > 0)
  constexpr tuple(U&&... values) : Leaves{{static_cast<U&&>(values)}...} {}  // NOLINT(google-explicit-constructor): as std::tuple
  template <class... U>
    requires(sizeof...(U) == sizeof...(T))
  constexpr tuple& operator=(const tuple<U...>& other) {
    assign(other, index_sequence_for<T...>());
    return *this;
  }
  constexpr tuple(const tuple&) = default;
  constexpr tuple(tuple& other) : tuple(static_cast<const tuple&>(other)) {}
  constexpr tuple& operator=(const tuple& other) {
    assign(other, index_sequence_for<T...>());
    return *this;
  }

 private:
  template <class Other, size_t... i>
  constexpr void assign(const Other& other, index_sequence<i...>) {
    ((detail::leaf<i>(*this) = detail::leaf<i>(other)), ...);
  }
};
template <class... T>
tuple(T...) -> tuple<T...>;
template <class... T>
struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <size_t i, class... T>
struct tuple_element<i, tuple<T...>> {
  using type = __type_pack_element<i, T...>;
};
template <size_t i, class... T>
constexpr auto& get(tuple<T...>& t) {
  return detail::leaf<i>(t);
}
template <size_t i, class... T>
constexpr const auto& get(const tuple<T...>& t) {
  return detail::leaf<i>(t);
}
template <size_t i, class... T>
constexpr auto&& get(tuple<T...>&& t) {
  return static_cast<tuple_element_t<i, tuple<T...>>&&>(get<i>(t));
}
template <class... T>
constexpr tuple<decay_t<T>...> make_tuple(T&&... values) {
  return {static_cast<T&&>(values)...};
}
template <class... T>
constexpr tuple<T&...> tie(T&... values) {
  return {values...};
}
template <class... T>
constexpr bool operator==(const tuple<T...>& a, const tuple<T...>& b) {
  return [&]<size_t... i>(index_sequence<i...>) { return ((get<i>(a) == get<i>(b)) && ...); }(index_sequence_for<T...>());
}
template <class F, class Tuple>
constexpr decltype(auto) apply(F&& f, Tuple&& t) {
  return [&]<size_t... i>(index_sequence<i...>) -> decltype(auto) {
    return f(get<i>(t)...);
  }(make_index_sequence<tuple_size_v<remove_cvref_t<Tuple>>>());
}

// ---- optional ------------------------------------------------------------------------------------------------------------------
struct nullopt_t {
  explicit constexpr nullopt_t(int) {}
};
inline constexpr nullopt_t nullopt{0};

/// A value or none. value() of an empty one is undefined in a kernel: there are no exceptions.
template <class T>
class optional {
 public:
  using value_type = T;

  constexpr optional() = default;
  constexpr optional(nullopt_t) {}                                   // NOLINT(google-explicit-constructor): as std::optional
  constexpr optional(const T& value) : value_(value), has_(true) {}  // NOLINT(google-explicit-constructor)

  constexpr bool has_value() const { return has_; }
  constexpr explicit operator bool() const { return has_; }
  constexpr T& operator*() { return value_; }
  constexpr const T& operator*() const { return value_; }
  constexpr T* operator->() { return &value_; }
  constexpr const T* operator->() const { return &value_; }
  constexpr T& value() { return value_; }
  constexpr const T& value() const { return value_; }
  template <class U>
  constexpr T value_or(U&& other) const {
    return has_ ? value_ : static_cast<T>(static_cast<U&&>(other));
  }
  constexpr void reset() { has_ = false; }
  template <class... Args>
  constexpr T& emplace(Args&&... args) {
    value_ = T{static_cast<Args&&>(args)...};
    has_ = true;
    return value_;
  }
  friend constexpr bool operator==(const optional& a, const optional& b) { return a.has_ == b.has_ && (!a.has_ || a.value_ == b.value_); }
  friend constexpr bool operator==(const optional& a, nullopt_t) { return !a.has_; }

 private:
  T value_{};
  bool has_ = false;
};
template <class T>
optional(T) -> optional<T>;
template <class T>
constexpr optional<decay_t<T>> make_optional(T&& value) {
  return optional<decay_t<T>>(static_cast<T&&>(value));
}

}  // namespace std
