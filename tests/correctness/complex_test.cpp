// std::complex on the device against the host's, for both precisions.

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

class Complex : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Complex);

// Distance over size: what a complex function's error is measured in, since one part may be tiny.
template <class T>
double relative_error(std::complex<T> got, std::complex<long double> expected) {
  const std::complex<long double> difference = std::complex<long double>(got) - expected;
  return static_cast<double>(std::abs(difference) / std::max(std::abs(expected), 1e-30L));
}

template <class T>
std::vector<std::complex<T>> samples() {
  std::vector<std::complex<T>> values;
  for (const double x : {-3.0, -1.0, -0.4, 0.0, 0.3, 1.0, 2.5, 20.0}) {
    for (const double y : {-2.0, -0.7, 0.1, 0.9, 1.5, 10.0}) values.emplace_back(static_cast<T>(x), static_cast<T>(y));
  }
  return values;
}

using Wide = std::complex<long double>;

#define FUNCTION(name)                                                                                      \
  {                                                                                                         \
    auto kernel = CUTTLE_KERNEL([](auto x, auto y) {                                                        \
      const auto i = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
      if (i < x.size()) y[i] = std::name(x[i]);                                                             \
    });                                                                                                     \
    const auto expect = [&]<class T>(T epsilon) {                                                           \
      const auto in = samples<T>();                                                                         \
      const cuttle::Array<std::complex<T>> x(in);                                                           \
      cuttle::Array<std::complex<T>> y(x.size());                                                           \
      kernel.over(x.size())(x, y);                                                                          \
      const auto got = y.to_vector();                                                                       \
      for (std::size_t i = 0; i < in.size(); ++i) {                                                         \
        EXPECT_LE(relative_error(got[i], std::name(Wide(in[i]))), 40 * epsilon) << #name << in[i] << got[i]; \
      }                                                                                                     \
    };                                                                                                      \
    expect(std::numeric_limits<float>::epsilon()), expect(std::numeric_limits<double>::epsilon());          \
  }

TEST_P(Complex, FunctionsAreCloseToTheHosts){FUNCTION(exp) FUNCTION(log) FUNCTION(log10) FUNCTION(sqrt) FUNCTION(sin) FUNCTION(cos) FUNCTION(tan)
                                                 FUNCTION(sinh) FUNCTION(cosh) FUNCTION(tanh) FUNCTION(asin) FUNCTION(acos) FUNCTION(atan)
                                                     FUNCTION(asinh) FUNCTION(acosh) FUNCTION(atanh) FUNCTION(conj) FUNCTION(proj)}

TEST_P(Complex, ArithmeticIsCloseToTheHosts) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto y, auto scalar, auto out) {
    const auto i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= x.size()) return;
    out[8 * i] = x[i] + y[i];
    out[8 * i + 1] = x[i] - y[i];
    out[8 * i + 2] = x[i] * y[i];
    out[8 * i + 3] = x[i] / y[i];
    auto z = x[i];
    z += y[i];
    z *= scalar;
    out[8 * i + 4] = -z + scalar;
    out[8 * i + 5] = std::pow(x[i], y[i] * static_cast<decltype(scalar)>(0.1));
    out[8 * i + 6] = std::polar(std::abs(x[i]), std::arg(x[i]));
    out[8 * i + 7] = std::norm(x[i]) + scalar / y[i];
  });
  const auto expect = [&]<class T>(T scalar) {
    std::vector<std::complex<T>> a, b;
    for (const auto v : samples<T>()) {
      for (const auto w : samples<T>()) a.push_back(v), b.push_back(w);
    }
    const cuttle::Array<std::complex<T>> x(a), y(b);
    cuttle::Array<std::complex<T>> out(8 * x.size());
    kernel.over(x.size())(x, y, scalar, out);
    const auto got = out.to_vector();
    const double bound = 60 * std::numeric_limits<T>::epsilon();
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Wide v(a[i]), w(b[i]);
      const long double s = scalar;
      EXPECT_LE(relative_error(got[8 * i], v + w), bound);
      EXPECT_LE(relative_error(got[8 * i + 1], v - w), bound);
      EXPECT_LE(relative_error(got[8 * i + 2], v * w), bound);
      EXPECT_LE(relative_error(got[8 * i + 3], v / w), bound) << v << w;
      EXPECT_LE(std::abs(Wide(got[8 * i + 4]) - (s - (v + w) * s)), bound * 60);
      EXPECT_LE(relative_error(got[8 * i + 5], std::pow(v, w * Wide(static_cast<T>(0.1)))), bound * 4) << v << w;
      EXPECT_LE(relative_error(got[8 * i + 6], v), bound);
      EXPECT_LE(relative_error(got[8 * i + 7], std::norm(v) + s / w), bound);
    }
  };
  expect(1.5f), expect(1.5);
}

TEST_P(Complex, LargeDivisorsDoNotOverflow) {
  auto kernel = CUTTLE_KERNEL([](auto z) { z[0] = z[0] / z[1]; });
  cuttle::Array<std::complex<float>> z(std::vector<std::complex<float>>{{1e30f, 1e30f}, {1e30f, 1e30f}});
  kernel[{.grid = 1, .block = 1}](z);
  EXPECT_EQ(z.to_vector()[0], std::complex<float>(1.0f, 0.0f));
}

TEST_P(Complex, AreShuffled) {
  auto kernel = CUTTLE_KERNEL([](auto z) { z[threadIdx.x] = __shfl_sync(0xffffffff, z[threadIdx.x], 31 - threadIdx.x); });
  const auto expect = [&]<class T>(T) {
    std::vector<std::complex<T>> in;
    for (int i = 0; i < 32; ++i) in.emplace_back(static_cast<T>(i), static_cast<T>(-i) / 3);
    cuttle::Array<std::complex<T>> z(in);
    kernel[{.grid = 1, .block = 32}](z);
    EXPECT_EQ(z.to_vector(), std::vector<std::complex<T>>(in.rbegin(), in.rend()));
  };
  expect(float{}), expect(double{});
}

TEST_P(Complex, AreArgumentsWithAShortName) {
  auto kernel = CUTTLE_KERNEL([](auto z, auto out) {
    using namespace std::complex_literals;
    out[0] = z.real() + z.imag() * 10 + std::abs(3.0 + 4.0i) * 100;
  });
  cuttle::Array<double> out(1);
  kernel[{.grid = 1, .block = 1}](std::complex<double>(1, 2), out);
  EXPECT_EQ(out.item(), 521.0);
  EXPECT_EQ(kernel.inspect(std::complex<double>(), out).signature(), "(c128, view<f64>)");
  EXPECT_EQ((kernel.inspect<std::complex<float>, cuttle::view<std::complex<float>>>().signature()), "(c64, view<c64>)");
}

TEST(ComplexCode, CallsNoRuntimeLibrary) {  // __muldc3 and __divdc3 would be missing when the module is loaded
  auto kernel = CUTTLE_KERNEL([](auto z) { z[0] = z[0] * z[1] / z[2]; });
  const std::string ptx = kernel.inspect<cuttle::view<std::complex<double>>>(cuttle::sm(90)).ptx();
  EXPECT_EQ(ptx.find(".extern"), std::string::npos) << ptx;
}

}  // namespace
