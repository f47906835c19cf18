// The part of the standard library that views and kernels need, without a system header.
#pragma once

using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long;
using intptr_t = long;
using uintptr_t = unsigned long;

namespace std {

using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intptr_t;
using ::ptrdiff_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
using nullptr_t = decltype(nullptr);

template <class T, T v>
struct integral_constant {
  static constexpr T value = v;
  using value_type = T;
  constexpr operator T() const { return v; }
  constexpr T operator()() const { return v; }
};
template <bool b>
using bool_constant = integral_constant<bool, b>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <bool b, class T, class F>
struct conditional {
  using type = T;
};
template <class T, class F>
struct conditional<false, T, F> {
  using type = F;
};
template <bool b, class T, class F>
using conditional_t = typename conditional<b, T, F>::type;

template <bool b, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  using type = T;
};
template <bool b, class T = void>
using enable_if_t = typename enable_if<b, T>::type;

template <class T>
using remove_cv_t = __remove_cv(T);
template <class T>
using remove_reference_t = __remove_reference_t(T);
template <class T>
using remove_cvref_t = __remove_cvref(T);
template <class T>
using make_unsigned_t = __make_unsigned(T);
template <class T>
using make_signed_t = __make_signed(T);
template <class T>
using decay_t = __decay(T);
template <class T>
using underlying_type_t = __underlying_type(T);
template <class T>
struct remove_cv {
  using type = __remove_cv(T);
};
template <class T>
struct remove_reference {
  using type = __remove_reference_t(T);
};

template <class T, class... Rest>
struct common_type;
template <class T>
struct common_type<T> {
  using type = decay_t<T>;
};
template <class A, class B>
struct common_type<A, B> {
  using type = decay_t<decltype(false ? *static_cast<A*>(nullptr) : *static_cast<B*>(nullptr))>;
};
template <class A, class B, class... Rest>
  requires(sizeof...(Rest) > 0)
struct common_type<A, B, Rest...> : common_type<typename common_type<A, B>::type, Rest...> {};
template <class... T>
using common_type_t = typename common_type<T...>::type;

template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_identity_t = typename type_identity<T>::type;

template <class A, class B>
inline constexpr bool is_same_v = __is_same(A, B);
template <class T>
inline constexpr bool is_integral_v = __is_integral(T);
template <class T>
inline constexpr bool is_floating_point_v = __is_floating_point(T);
template <class T>
inline constexpr bool is_arithmetic_v = __is_arithmetic(T);
template <class T>
inline constexpr bool is_signed_v = __is_signed(T);
template <class T>
inline constexpr bool is_unsigned_v = __is_unsigned(T);
template <class T>
inline constexpr bool is_enum_v = __is_enum(T);
template <class T>
inline constexpr bool is_pointer_v = __is_pointer(T);
template <class T>
inline constexpr bool is_const_v = __is_const(T);
template <class T>
inline constexpr bool is_void_v = __is_void(T);

template <class A, class B>
struct is_same : bool_constant<__is_same(A, B)> {};
template <class T>
struct is_integral : bool_constant<__is_integral(T)> {};
template <class T>
struct is_floating_point : bool_constant<__is_floating_point(T)> {};
template <class T>
struct is_arithmetic : bool_constant<__is_arithmetic(T)> {};
template <class T>
struct is_signed : bool_constant<__is_signed(T)> {};
template <class T>
struct is_unsigned : bool_constant<__is_unsigned(T)> {};
template <class T>
struct is_enum : bool_constant<__is_enum(T)> {};

template <class T>
constexpr remove_reference_t<T>&& move(T&& value) noexcept {
  return static_cast<remove_reference_t<T>&&>(value);
}
template <class T>
constexpr T&& forward(remove_reference_t<T>& value) noexcept {
  return static_cast<T&&>(value);
}

/// What `{a, b}` is where an object is to be made of it: the compiler knows these two members.
template <class T>
class initializer_list {
 public:
  using value_type = T;
  using const_iterator = const T*;
  constexpr initializer_list() = default;
  [[nodiscard]] constexpr size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr const T* begin() const noexcept { return data_; }
  [[nodiscard]] constexpr const T* end() const noexcept { return data_ + size_; }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

template <class T>
constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
constexpr T min(initializer_list<T> values) {
  T least = *values.begin();
  for (const T& value : values) least = std::min(least, value);
  return least;
}
template <class T>
constexpr T max(initializer_list<T> values) {
  T most = *values.begin();
  for (const T& value : values) most = std::max(most, value);
  return most;
}
template <class T>
constexpr const T& clamp(const T& value, const T& low, const T& high) {
  return value < low ? low : high < value ? high : value;
}
template <class T>
constexpr void swap(T& a, T& b) noexcept {
  T old = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(old);
}

}  // namespace std

namespace cuttle::detail {

/// The representation of a captured struct (runtime/src/kernel_source.cpp).
template <size_t N>
struct Bytes {
  unsigned char value[N];
};

}  // namespace cuttle::detail
