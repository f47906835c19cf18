// The math names that a kernel may use without a prefix, declared for the host: those of <cmath>, which is too large to include, and CUDA's.
#pragma once

#include <cstdlib>
#include <type_traits>

#include "math_names.hpp"

#include "hide_macros.hpp"

namespace cuttle::dsl {

using std::abs;

/// double for integers, as <cmath> has it.
template <class T>
using Promoted = std::conditional_t<std::is_integral_v<T>, double, T>;
template <class A, class B, class C = A>
using Promoted3 = std::common_type_t<Promoted<A>, Promoted<B>, Promoted<C>>;

// Templates that any other function of the name is preferred to (the empty pack makes them less specialised than std's own templates), so that a
// call stays unambiguous where the program includes <cmath> and says `using namespace std`. sinf and its kind take one type, as C's do.
#define CUTTLE_DECLARE(name)           \
  template <class T, class... Nothing> \
  Promoted<T> name(T x, Nothing...);   \
  template <class = void>              \
  float name##f(float x);
CUTTLE_CMATH_UNARY(CUTTLE_DECLARE)
CUTTLE_CMATH_UNARY_BUILTIN(CUTTLE_DECLARE)
#undef CUTTLE_DECLARE
#define CUTTLE_DECLARE(name)                    \
  template <class A, class B, class... Nothing> \
  Promoted3<A, B> name(A x, B y, Nothing...);   \
  template <class = void>                       \
  float name##f(float x, float y);
CUTTLE_CMATH_BINARY(CUTTLE_DECLARE)
CUTTLE_CMATH_BINARY_BUILTIN(CUTTLE_DECLARE)
#undef CUTTLE_DECLARE
// The rest of <cmath>.
#define CUTTLE_SAME(T) Promoted<T>
#define CUTTLE_INT(T) int
#define CUTTLE_LONG(T) long
#define CUTTLE_LONG_LONG(T) long long
#define CUTTLE_VALUE(T) T x
#define CUTTLE_EXPONENT(T) T x, int exponent
#define CUTTLE_LONG_EXPONENT(T) T x, long exponent
#define CUTTLE_TO_EXPONENT(T) T x, int* exponent
#define CUTTLE_TO_WHOLE(T) T x, T* whole
#define CUTTLE_TO_QUOTIENT(T) T x, T y, int* quotient
#define CUTTLE_DECLARE(result, name, parameters) \
  template <class T, class... Nothing>           \
  result(T) name(parameters(T), Nothing...);     \
  template <class = void>                        \
  result(float) name##f(parameters(float));
CUTTLE_DECLARE(CUTTLE_SAME, frexp, CUTTLE_TO_EXPONENT)
CUTTLE_DECLARE(CUTTLE_SAME, ldexp, CUTTLE_EXPONENT)
CUTTLE_DECLARE(CUTTLE_SAME, modf, CUTTLE_TO_WHOLE)
CUTTLE_DECLARE(CUTTLE_SAME, remquo, CUTTLE_TO_QUOTIENT)
CUTTLE_DECLARE(CUTTLE_SAME, scalbn, CUTTLE_EXPONENT)
CUTTLE_DECLARE(CUTTLE_SAME, scalbln, CUTTLE_LONG_EXPONENT)
CUTTLE_DECLARE(CUTTLE_INT, ilogb, CUTTLE_VALUE)
CUTTLE_DECLARE(CUTTLE_LONG, lrint, CUTTLE_VALUE)
CUTTLE_DECLARE(CUTTLE_LONG, lround, CUTTLE_VALUE)
CUTTLE_DECLARE(CUTTLE_LONG_LONG, llrint, CUTTLE_VALUE)
CUTTLE_DECLARE(CUTTLE_LONG_LONG, llround, CUTTLE_VALUE)
#undef CUTTLE_DECLARE
#undef CUTTLE_SAME
#undef CUTTLE_INT
#undef CUTTLE_LONG
#undef CUTTLE_LONG_LONG
#undef CUTTLE_VALUE
#undef CUTTLE_EXPONENT
#undef CUTTLE_LONG_EXPONENT
#undef CUTTLE_TO_EXPONENT
#undef CUTTLE_TO_WHOLE
#undef CUTTLE_TO_QUOTIENT
template <class A, class B, class C, class... Nothing>
Promoted3<A, B, C> fma(A x, B y, C z, Nothing...);
template <class = void>
float fmaf(float x, float y, float z);
template <class... Nothing>
double nan(const char*, Nothing...);
template <class = void>
float nanf(const char*);

#define CUTTLE_DECLARE(name)           \
  template <class T, class... Nothing> \
  bool name(T x, Nothing...);
CUTTLE_DECLARE(isfinite)
CUTTLE_DECLARE(isinf)
CUTTLE_DECLARE(isnan)
CUTTLE_DECLARE(isnormal)
CUTTLE_DECLARE(signbit)
#undef CUTTLE_DECLARE
#define CUTTLE_DECLARE(name)                    \
  template <class A, class B, class... Nothing> \
  bool name(A x, B y, Nothing...);
CUTTLE_DECLARE(isgreater)
CUTTLE_DECLARE(isgreaterequal)
CUTTLE_DECLARE(isless)
CUTTLE_DECLARE(islessequal)
CUTTLE_DECLARE(islessgreater)
CUTTLE_DECLARE(isunordered)
#undef CUTTLE_DECLARE

// All are templates: where libc has a function of the name (glibc declares __expf and, newer ones, sinpi) its own is the better match, and
// a call stays unambiguous.
#define CUTTLE_DECLARE(name)                 \
  template <class T>                         \
  Promoted<T> name(T x);                     \
  template <class = void>                    \
  float name##f(float x);
CUTTLE_CUDA_UNARY_LIBM(CUTTLE_DECLARE)
CUTTLE_CUDA_UNARY(CUTTLE_DECLARE)
#undef CUTTLE_DECLARE

#define CUTTLE_DECLARE(T, suffix)                                                                              \
  template <class = void>                                                                                      \
  T rhypot##suffix(T x, T y); /* 1 / sqrt(x^2 + y^2) */                                                        \
  template <class = void>                                                                                      \
  void sincos##suffix(T x, T* s, T* c);                                                                        \
  template <class = void>                                                                                      \
  void sincospi##suffix(T x, T* s, T* c);                                                                      \
  template <class = void>                                                                                      \
  T jn##suffix(int n, T x);                                                                                    \
  template <class = void>                                                                                      \
  T yn##suffix(int n, T x);                                                                                    \
  template <class = void>                                                                                      \
  T fdivide##suffix(T x, T y);                                                                                 \
  template <class = void>                                                                                      \
  T norm3d##suffix(T x, T y, T z);                                                                             \
  template <class = void>                                                                                      \
  T norm4d##suffix(T x, T y, T z, T w);                                                                        \
  template <class = void>                                                                                      \
  T rnorm3d##suffix(T x, T y, T z);                                                                            \
  template <class = void>                                                                                      \
  T rnorm4d##suffix(T x, T y, T z, T w);                                                                       \
  template <class = void>                                                                                      \
  T norm##suffix(int count, const T* x); /* the Euclidean length of `count` coordinates, and its reciprocal */ \
  template <class = void>                                                                                      \
  T rnorm##suffix(int count, const T* x);
CUTTLE_DECLARE(double, )
CUTTLE_DECLARE(float, f)
#undef CUTTLE_DECLARE
template <class = void>
float rhypot(float x, float y);
template <class = void>
void sincos(float x, float* s, float* c);
template <class = void>
void sincospi(float x, float* s, float* c);

#define CUTTLE_DECLARE(name) \
  template <class = void>    \
  float __##name(float x);
CUTTLE_FAST_UNARY(CUTTLE_DECLARE)
CUTTLE_DECLARE(tanhf)
CUTTLE_DECLARE(saturatef)  // x in [0, 1]; 0 for NaN
CUTTLE_DECLARE(frsqrt_rn)
#undef CUTTLE_DECLARE
template <class = void>
float __powf(float x, float y);
template <class = void>
float __fdividef(float x, float y);
template <class = void>
void __sincosf(float x, float* s, float* c);

#define CUTTLE_PARAMETERS_1(T) (T x)
#define CUTTLE_PARAMETERS_2(T) (T x, T y)
#define CUTTLE_PARAMETERS_3(T) (T x, T y, T z)
#define CUTTLE_DECLARE_MODES(T, name, count)      \
  T name##_rn CUTTLE_PARAMETERS_##count(T);       \
  T name##_rz CUTTLE_PARAMETERS_##count(T);       \
  T name##_ru CUTTLE_PARAMETERS_##count(T);       \
  T name##_rd CUTTLE_PARAMETERS_##count(T);
#define CUTTLE_DECLARE(name, count) CUTTLE_DECLARE_MODES(float, name, count)
CUTTLE_ROUNDED_FLOAT(CUTTLE_DECLARE)
#undef CUTTLE_DECLARE
#define CUTTLE_DECLARE(name, count) CUTTLE_DECLARE_MODES(double, name, count)
CUTTLE_ROUNDED_DOUBLE(CUTTLE_DECLARE)
#undef CUTTLE_DECLARE
#undef CUTTLE_DECLARE_MODES
#undef CUTTLE_PARAMETERS_1
#undef CUTTLE_PARAMETERS_2
#undef CUTTLE_PARAMETERS_3
#define CUTTLE_DECLARE(from, From, to, To) \
  To __##from##2##to##_rn(From x);         \
  To __##from##2##to##_rz(From x);         \
  To __##from##2##to##_ru(From x);         \
  To __##from##2##to##_rd(From x);
CUTTLE_CONVERSIONS_TO_INTEGER(CUTTLE_DECLARE)
CUTTLE_CONVERSIONS_TO_FLOATING(CUTTLE_DECLARE)
#undef CUTTLE_DECLARE
double __int2double_rn(int x);
double __uint2double_rn(unsigned x);

unsigned umin(unsigned a, unsigned b);
unsigned umax(unsigned a, unsigned b);
long long llmin(long long a, long long b);
long long llmax(long long a, long long b);
unsigned long long ullmin(unsigned long long a, unsigned long long b);
unsigned long long ullmax(unsigned long long a, unsigned long long b);

// For arguments of two types, which std::min and std::max do not take. Less specialised than those, so that `using namespace std` changes nothing.
template <class A, class B>
std::common_type_t<A, B> min(A a, B b);
template <class A, class B>
std::common_type_t<A, B> max(A a, B b);
template <class A, class B, class C>
std::common_type_t<A, B, C> clamp(A value, B low, C high);
template <class A, class B>
void swap(A& a, B& b);

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
