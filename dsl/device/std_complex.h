// std::complex for float and double, with the functions of <complex>. Multiplication and division are the plain formulas, as CUDA's are:
// no recovery of infinities from NaN.
#pragma once

#pragma clang system_header  // for the literals, whose names only the standard library may take

namespace std {

template <class T>
class complex {
 public:
  using value_type = T;

  constexpr complex(T re = T(), T im = T()) : re_(re), im_(im) {}  // NOLINT(google-explicit-constructor): as std::complex
  template <class U>
  constexpr complex(const complex<U>& other) : re_(static_cast<T>(other.real())), im_(static_cast<T>(other.imag())) {}  // NOLINT

  constexpr T real() const { return re_; }
  constexpr T imag() const { return im_; }
  constexpr void real(T value) { re_ = value; }
  constexpr void imag(T value) { im_ = value; }

  constexpr complex& operator+=(const complex& z) { return *this = *this + z; }
  constexpr complex& operator-=(const complex& z) { return *this = *this - z; }
  constexpr complex& operator*=(const complex& z) { return *this = *this * z; }
  constexpr complex& operator/=(const complex& z) { return *this = *this / z; }
  constexpr complex& operator+=(T x) { return *this = *this + x; }
  constexpr complex& operator-=(T x) { return *this = *this - x; }
  constexpr complex& operator*=(T x) { return *this = *this * x; }
  constexpr complex& operator/=(T x) { return *this = *this / x; }

  friend constexpr complex operator+(const complex& z) { return z; }
  friend constexpr complex operator-(const complex& z) { return {-z.re_, -z.im_}; }
  friend constexpr complex operator+(const complex& a, const complex& b) { return {a.re_ + b.re_, a.im_ + b.im_}; }
  friend constexpr complex operator-(const complex& a, const complex& b) { return {a.re_ - b.re_, a.im_ - b.im_}; }
  friend constexpr complex operator*(const complex& a, const complex& b) { return {a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_}; }
  /// Smith's quotient: scaled by the larger part of the divisor, so that squares do not overflow.
  friend constexpr complex operator/(const complex& a, const complex& b) {
    const T re = b.re_ < 0 ? -b.re_ : b.re_, im = b.im_ < 0 ? -b.im_ : b.im_;
    if (re >= im) {
      const T ratio = b.im_ / b.re_, scale = b.re_ + b.im_ * ratio;
      return {(a.re_ + a.im_ * ratio) / scale, (a.im_ - a.re_ * ratio) / scale};
    }
    const T ratio = b.re_ / b.im_, scale = b.re_ * ratio + b.im_;
    return {(a.re_ * ratio + a.im_) / scale, (a.im_ * ratio - a.re_) / scale};
  }
  friend constexpr complex operator+(const complex& z, T x) { return {z.re_ + x, z.im_}; }
  friend constexpr complex operator+(T x, const complex& z) { return {x + z.re_, z.im_}; }
  friend constexpr complex operator-(const complex& z, T x) { return {z.re_ - x, z.im_}; }
  friend constexpr complex operator-(T x, const complex& z) { return {x - z.re_, -z.im_}; }
  friend constexpr complex operator*(const complex& z, T x) { return {z.re_ * x, z.im_ * x}; }
  friend constexpr complex operator*(T x, const complex& z) { return {x * z.re_, x * z.im_}; }
  friend constexpr complex operator/(const complex& z, T x) { return {z.re_ / x, z.im_ / x}; }
  friend constexpr complex operator/(T x, const complex& z) { return complex(x) / z; }
  friend constexpr bool operator==(const complex& a, const complex& b) { return a.re_ == b.re_ && a.im_ == b.im_; }
  friend constexpr bool operator==(const complex& z, T x) { return z.re_ == x && z.im_ == T(); }

 private:
  T re_, im_;
};

template <class T>
constexpr T real(const complex<T>& z) {
  return z.real();
}
template <class T>
constexpr T imag(const complex<T>& z) {
  return z.imag();
}
template <class T>
T abs(const complex<T>& z) {
  return ::hypot(z.real(), z.imag());
}
template <class T>
T arg(const complex<T>& z) {
  return ::atan2(z.imag(), z.real());
}
/// |z|^2.
template <class T>
constexpr T norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
constexpr complex<T> conj(const complex<T>& z) {
  return {z.real(), -z.imag()};
}
template <class T>
complex<T> polar(const T& length, const T& angle = T()) {
  return {length * ::cos(angle), length * ::sin(angle)};
}
template <class T>
complex<T> proj(const complex<T>& z) {
  if (::isinf(z.real()) || ::isinf(z.imag())) return {static_cast<T>(__builtin_inf()), ::copysign(T(0), z.imag())};
  return z;
}

template <class T>
complex<T> exp(const complex<T>& z) {
  return polar<T>(::exp(z.real()), z.imag());
}
template <class T>
complex<T> log(const complex<T>& z) {
  return {::log(abs(z)), arg(z)};
}
template <class T>
complex<T> log10(const complex<T>& z) {
  return log(z) * static_cast<T>(0.43429448190325182765);
}
template <class T>
complex<T> sqrt(const complex<T>& z) {
  const T x = ::fabs(z.real()), y = z.imag();
  if (x == 0 && y == 0) return {T(0), y};
  // Half of |x| + |z| has no cancellation; the other part is y over twice the root.
  const T root = ::sqrt(T(0.5) * (x + abs(z)));
  const T other = T(0.5) * y / root;
  return z.real() >= 0 ? complex<T>(root, other) : complex<T>(::fabs(other), ::copysign(root, y));
}
template <class T>
complex<T> pow(const complex<T>& z, const complex<T>& w) {
  return z == T(0) ? complex<T>(w == T(0) ? T(1) : T(0)) : exp(w * log(z));
}
template <class T>
complex<T> pow(const complex<T>& z, type_identity_t<T> w) {
  return z == T(0) ? complex<T>(::pow(T(0), w)) : polar<T>(::pow(abs(z), w), w * arg(z));
}
template <class T>
complex<T> pow(type_identity_t<T> x, const complex<T>& w) {
  return x > 0 ? polar<T>(::pow(x, w.real()), w.imag() * ::log(x)) : pow(complex<T>(x), w);
}

template <class T>
complex<T> sinh(const complex<T>& z) {
  return {::sinh(z.real()) * ::cos(z.imag()), ::cosh(z.real()) * ::sin(z.imag())};
}
template <class T>
complex<T> cosh(const complex<T>& z) {
  return {::cosh(z.real()) * ::cos(z.imag()), ::sinh(z.real()) * ::sin(z.imag())};
}
/// Kahan's formula, by tan of the imaginary part; where cosh^2 would overflow only the sign of the real part is left.
template <class T>
complex<T> tanh(const complex<T>& z) {
  const T t = ::tan(z.imag()), s = ::sinh(z.real());
  if (::fabs(z.real()) > (sizeof(T) == 4 ? T(44) : T(350))) return {::copysign(T(1), z.real()), ::copysign(T(0), ::sin(2 * z.imag()))};
  const T b = 1 + t * t, root = ::sqrt(1 + s * s), d = 1 + b * s * s;
  if (::isinf(t)) return {root / s, 1 / t};
  return {b * root * s / d, t / d};
}
template <class T>
complex<T> sin(const complex<T>& z) {
  return {::sin(z.real()) * ::cosh(z.imag()), ::cos(z.real()) * ::sinh(z.imag())};
}
template <class T>
complex<T> cos(const complex<T>& z) {
  return {::cos(z.real()) * ::cosh(z.imag()), -::sin(z.real()) * ::sinh(z.imag())};
}
template <class T>
complex<T> tan(const complex<T>& z) {
  const complex<T> t = tanh(complex<T>(-z.imag(), z.real()));
  return {t.imag(), -t.real()};
}

// Inverse functions by their logarithms and square roots, in Kahan's forms ("Branch Cuts for Complex Elementary Functions", 1987).
template <class T>
complex<T> asinh(const complex<T>& z) {
  const complex<T> i_z(-z.imag(), z.real());
  const complex<T> a = sqrt(T(1) - i_z), b = sqrt(T(1) + i_z);
  // asinh(z) = -i asin(i z)
  const T re = ::atan2(i_z.real(), a.real() * b.real() - a.imag() * b.imag());
  const T im = ::asinh(a.real() * b.imag() - a.imag() * b.real());
  return {im, -re};
}
template <class T>
complex<T> asin(const complex<T>& z) {
  const complex<T> a = sqrt(T(1) - z), b = sqrt(T(1) + z);
  return {::atan2(z.real(), a.real() * b.real() - a.imag() * b.imag()), ::asinh(a.real() * b.imag() - a.imag() * b.real())};
}
template <class T>
complex<T> acos(const complex<T>& z) {
  const complex<T> a = sqrt(T(1) - z), b = sqrt(T(1) + z);
  return {2 * ::atan2(a.real(), b.real()), ::asinh(b.real() * a.imag() - b.imag() * a.real())};
}
template <class T>
complex<T> acosh(const complex<T>& z) {
  const complex<T> a = sqrt(z - T(1)), b = sqrt(z + T(1));
  return {::asinh(a.real() * b.real() + a.imag() * b.imag()), 2 * ::atan2(a.imag(), b.real())};
}
template <class T>
complex<T> atanh(const complex<T>& z) {
  const T x = z.real(), y = z.imag();
  const T re = T(0.25) * ::log1p(4 * x / ((1 - x) * (1 - x) + y * y));
  const T im = T(0.5) * ::atan2(2 * y, (1 - x) * (1 + x) - y * y);
  return {re, im};
}
template <class T>
complex<T> atan(const complex<T>& z) {
  const complex<T> t = atanh(complex<T>(-z.imag(), z.real()));
  return {t.imag(), -t.real()};
}

inline namespace literals {
inline namespace complex_literals {
constexpr complex<double> operator""i(long double x) { return {0.0, static_cast<double>(x)}; }
constexpr complex<double> operator""i(unsigned long long x) { return {0.0, static_cast<double>(x)}; }
constexpr complex<float> operator""if(long double x) { return {0.0f, static_cast<float>(x)}; }
constexpr complex<float> operator""if(unsigned long long x) { return {0.0f, static_cast<float>(x)}; }
}  // namespace complex_literals
}  // namespace literals

}  // namespace std
