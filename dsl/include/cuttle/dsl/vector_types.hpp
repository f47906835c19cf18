// Short vectors: vec<T, N> and CUDA's names for them, char2 to double4, with constructors and element-wise operators. Read by both compilers.
#pragma once

#ifndef CUTTLE_DEVICE_PRELUDE
#include <cstddef>
#include <type_traits>
#endif

#include "hide_macros.hpp"

namespace cuttle {

namespace detail {

/// CUDA's alignment: two or four elements lie in one access of up to 16 bytes.
template <class T, int N>
inline constexpr std::size_t vector_alignment = N == 3 || N == 1 ? alignof(T) : (sizeof(T) * N < 16 ? sizeof(T) * N : 16);

}  // namespace detail

/// N elements of type T, named x, y, z and w: float4 is vec<float, 4>. An aggregate: `float4 v = {1, 2, 3, 4}`, `float4 zero = {}`.
template <class T, int N>
struct vec;

template <class T>
struct vec<T, 1> {
  T x;
};
template <class T>
struct alignas(detail::vector_alignment<T, 2>) vec<T, 2> {
  T x, y;
};
template <class T>
struct vec<T, 3> {
  T x, y, z;
};
template <class T>
struct alignas(detail::vector_alignment<T, 4>) vec<T, 4> {
  T x, y, z, w;
};

namespace detail {

/// The vector of f(element) over the elements of one, or of two vectors.
template <class F, class T, int N, class... V>
constexpr auto map_elements(const F& f, const vec<T, N>& a, const V&... b) {
  using R = decltype(f(a.x, b.x...));
  if constexpr (N == 1) {
    return vec<R, N>{f(a.x, b.x...)};
  } else if constexpr (N == 2) {
    return vec<R, N>{f(a.x, b.x...), f(a.y, b.y...)};
  } else if constexpr (N == 3) {
    return vec<R, N>{f(a.x, b.x...), f(a.y, b.y...), f(a.z, b.z...)};
  } else {
    return vec<R, N>{f(a.x, b.x...), f(a.y, b.y...), f(a.z, b.z...), f(a.w, b.w...)};
  }
}

}  // namespace detail

// Element-wise operators keep the element type, as the compound assignments of scalars do: char4 + char4 is a char4. A scalar operand is used
// for every element.
#define CUTTLE_VECTOR_OPERATOR(op)                                                                            \
  template <class T, int N>                                                                                   \
  constexpr vec<T, N> operator op(const vec<T, N>& a, const vec<T, N>& b) {                                   \
    return detail::map_elements([](T x, T y) { return static_cast<T>(x op y); }, a, b);                       \
  }                                                                                                           \
  template <class T, int N>                                                                                   \
  constexpr vec<T, N> operator op(const vec<T, N>& a, std::type_identity_t<T> b) {                                    \
    return detail::map_elements([b](T x) { return static_cast<T>(x op b); }, a);                              \
  }                                                                                                           \
  template <class T, int N>                                                                                   \
  constexpr vec<T, N> operator op(std::type_identity_t<T> a, const vec<T, N>& b) {                                    \
    return detail::map_elements([a](T y) { return static_cast<T>(a op y); }, b);                              \
  }                                                                                                           \
  template <class T, int N>                                                                                   \
  constexpr vec<T, N>& operator op##=(vec<T, N>& a, const vec<T, N>& b) {                                     \
    return a = a op b;                                                                                        \
  }                                                                                                           \
  template <class T, int N>                                                                                   \
  constexpr vec<T, N>& operator op##=(vec<T, N>& a, std::type_identity_t<T> b) {                                      \
    return a = a op b;                                                                                        \
  }
CUTTLE_VECTOR_OPERATOR(+)
CUTTLE_VECTOR_OPERATOR(-)
CUTTLE_VECTOR_OPERATOR(*)
CUTTLE_VECTOR_OPERATOR(/)
CUTTLE_VECTOR_OPERATOR(%)
CUTTLE_VECTOR_OPERATOR(&)
CUTTLE_VECTOR_OPERATOR(|)
CUTTLE_VECTOR_OPERATOR(^)
CUTTLE_VECTOR_OPERATOR(<<)
CUTTLE_VECTOR_OPERATOR(>>)
#undef CUTTLE_VECTOR_OPERATOR

template <class T, int N>
constexpr vec<T, N> operator-(const vec<T, N>& a) {
  return detail::map_elements([](T x) { return static_cast<T>(-x); }, a);
}
template <class T, int N>
constexpr vec<T, N> operator+(const vec<T, N>& a) {
  return a;
}
template <class T, int N>
constexpr vec<T, N> operator~(const vec<T, N>& a) {
  return detail::map_elements([](T x) { return static_cast<T>(~x); }, a);
}

/// Equal in every element.
template <class T, int N>
constexpr bool operator==(const vec<T, N>& a, const vec<T, N>& b) {
  const auto equal = detail::map_elements([](T x, T y) { return x == y; }, a, b);
  if constexpr (N == 1) {
    return equal.x;
  } else if constexpr (N == 2) {
    return equal.x && equal.y;
  } else if constexpr (N == 3) {
    return equal.x && equal.y && equal.z;
  } else {
    return equal.x && equal.y && equal.z && equal.w;
  }
}

// CUDA's names: X(name, element type). Also for capture.hpp, which takes the names one by one.
#define CUTTLE_VECTOR_FAMILIES(X)                                                                                                          \
  X(char, signed char) X(uchar, unsigned char) X(short, short) X(ushort, unsigned short) X(int, int) X(uint, unsigned) X(long, long)       \
      X(ulong, unsigned long) X(longlong, long long) X(ulonglong, unsigned long long) X(float, float) X(double, double)

// Where CUDA's own header came first its types are the ones that kernels name, so that a program's float4 is one type. Some of them (long4,
// double4) are deprecated in CUDA 13.
#ifdef __VECTOR_TYPES_H__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define CUTTLE_VECTOR_FAMILY(name, T) \
  using ::name##1;                    \
  using ::name##2;                    \
  using ::name##3;                    \
  using ::name##4;
#else
#define CUTTLE_VECTOR_FAMILY(name, T) \
  using name##1 = vec<T, 1>;          \
  using name##2 = vec<T, 2>;          \
  using name##3 = vec<T, 3>;          \
  using name##4 = vec<T, 4>;
#endif
CUTTLE_VECTOR_FAMILIES(CUTTLE_VECTOR_FAMILY)
#undef CUTTLE_VECTOR_FAMILY

#ifdef __VECTOR_FUNCTIONS_H__
#define CUTTLE_VECTOR_FAMILY(name, T) \
  using ::make_##name##1;             \
  using ::make_##name##2;             \
  using ::make_##name##3;             \
  using ::make_##name##4;
#else
#define CUTTLE_VECTOR_FAMILY(name, T)                                              \
  constexpr name##1 make_##name##1(T x) { return {x}; }                            \
  constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                    \
  constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }            \
  constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#endif
CUTTLE_VECTOR_FAMILIES(CUTTLE_VECTOR_FAMILY)
#undef CUTTLE_VECTOR_FAMILY

namespace dsl {
using cuttle::vec;
#define CUTTLE_VECTOR_FAMILY(name, T) \
  using cuttle::name##1;              \
  using cuttle::name##2;              \
  using cuttle::name##3;              \
  using cuttle::name##4;              \
  using cuttle::make_##name##1;       \
  using cuttle::make_##name##2;       \
  using cuttle::make_##name##3;       \
  using cuttle::make_##name##4;
CUTTLE_VECTOR_FAMILIES(CUTTLE_VECTOR_FAMILY)
#undef CUTTLE_VECTOR_FAMILY

#ifdef __VECTOR_TYPES_H__
// What the host compiler needs to parse arithmetic on CUDA's types; a kernel's are vec, with the operators above.
template <class V>
inline constexpr bool is_cuda_vector = false;
#define CUTTLE_VECTOR_FAMILY(name, T)                    \
  template <>                                            \
  inline constexpr bool is_cuda_vector<::name##1> = true; \
  template <>                                            \
  inline constexpr bool is_cuda_vector<::name##2> = true; \
  template <>                                            \
  inline constexpr bool is_cuda_vector<::name##3> = true; \
  template <>                                            \
  inline constexpr bool is_cuda_vector<::name##4> = true;
CUTTLE_VECTOR_FAMILIES(CUTTLE_VECTOR_FAMILY)
#undef CUTTLE_VECTOR_FAMILY
#define CUTTLE_VECTOR_OPERATOR(op)                                                                    \
  template <class A, class B, class V = std::conditional_t<is_cuda_vector<A>, A, B>>                  \
    requires is_cuda_vector<V>                                                                        \
  V operator op(const A& a, const B& b);                                                              \
  template <class A, class B>                                                                         \
    requires is_cuda_vector<A>                                                                        \
  A& operator op##=(A& a, const B& b);
CUTTLE_VECTOR_OPERATOR(+)
CUTTLE_VECTOR_OPERATOR(-)
CUTTLE_VECTOR_OPERATOR(*)
CUTTLE_VECTOR_OPERATOR(/)
CUTTLE_VECTOR_OPERATOR(%)
CUTTLE_VECTOR_OPERATOR(&)
CUTTLE_VECTOR_OPERATOR(|)
CUTTLE_VECTOR_OPERATOR(^)
CUTTLE_VECTOR_OPERATOR(<<)
CUTTLE_VECTOR_OPERATOR(>>)
#undef CUTTLE_VECTOR_OPERATOR
template <class V>
  requires is_cuda_vector<V>
V operator-(const V& a);
template <class V>
  requires is_cuda_vector<V>
V operator~(const V& a);
template <class V>
  requires is_cuda_vector<V>
bool operator==(const V& a, const V& b);
#pragma GCC diagnostic pop
#endif

}  // namespace dsl

}  // namespace cuttle

#include "restore_macros.hpp"
