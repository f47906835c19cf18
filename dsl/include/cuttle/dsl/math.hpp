// The math names that a kernel may use without a prefix, on the host: those of <cmath> as they are, and CUDA's, declared.
#pragma once

#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "math_names.hpp"

namespace cuttle::dsl {

// The overloads for float; C's names at global scope are the same functions.
#define CUTTLE_USING(name) using std::name;
CUTTLE_CMATH_UNARY(CUTTLE_USING)
CUTTLE_CMATH_UNARY_BUILTIN(CUTTLE_USING)
CUTTLE_CMATH_BINARY(CUTTLE_USING)
CUTTLE_CMATH_BINARY_BUILTIN(CUTTLE_USING)
#undef CUTTLE_USING
using std::abs;
using std::fma, std::frexp, std::ilogb, std::ldexp, std::llrint, std::llround, std::lrint, std::lround, std::modf, std::remquo, std::scalbln,
    std::scalbn;
using std::isfinite, std::isgreater, std::isgreaterequal, std::isinf, std::isless, std::islessequal, std::islessgreater, std::isnan, std::isnormal,
    std::isunordered, std::signbit;

/// double for integers, as <cmath> has it.
template <class T>
using Promoted = std::conditional_t<std::is_integral_v<T>, double, T>;

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
