// What C++ leaves undefined or to the implementation, and docs/semantics.md defines: the same on both devices.

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/device_test.h"

namespace {

class Semantics : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Semantics);

// numba-cuda-mlir#290: unsigned values converted as if they were signed.
TEST_P(Semantics, IntegersConvertToFloatingPointByTheirOwnSign) {
  auto kernel = CUTTLE_KERNEL([](auto x, cuttle::view<double> out) {
    out[0] = static_cast<float>(x[0]);
    out[1] = static_cast<double>(x[0]);
  });
  const auto expect = [&]<class T>(T value, double expected) {
    const cuttle::Array<T> x(std::vector<T>{value});
    cuttle::Array<double> out(2);
    kernel[{.grid = 1, .block = 1}](x, out);
    EXPECT_EQ(out.to_vector(), (std::vector<double>{expected, expected}));
  };
  expect(std::uint8_t{200}, 200.0), expect(std::uint16_t{60000}, 60000.0), expect(std::uint32_t{3000000000}, 3e9);
  expect(std::uint64_t{1} << 63, 9.223372036854775808e18), expect(std::int8_t{-56}, -56.0);
}

// numba-cuda-mlir#121: comparisons that ignore signedness; promotions are C++'s.
TEST_P(Semantics, ComparisonsOfMixedIntegersAreTheHosts) {
  auto kernel = CUTTLE_KERNEL([](auto a, auto b, cuttle::view<int> out) { out[0] = a[0] < b[0]; });
  const auto expect = [&]<class A, class B>(A x, B y, bool expected) {
    const cuttle::Array<A> a(std::vector<A>{x});
    const cuttle::Array<B> b(std::vector<B>{y});
    cuttle::Array<int> out(1);
    kernel[{.grid = 1, .block = 1}](a, b, out);
    EXPECT_EQ(out.item(), expected) << +x << " < " << +y;
  };
  expect(std::int32_t{-1}, std::uint32_t{5}, false), expect(std::int8_t{-1}, std::uint8_t{200}, true);
  expect(std::uint16_t{40000}, std::uint16_t{5}, false), expect(std::int64_t{-1}, std::uint32_t{5}, true);
  expect(std::uint32_t{0}, std::uint32_t{3000000000}, true), expect(std::uint64_t{1} << 63, std::uint64_t{0}, false);
  expect(std::uint64_t{1} << 40, std::uint32_t{1u << 31}, false);
}

// taichi#7915: values that do not fit saturate, those of 8 bits after a conversion to 16; NaN is 0, or the top bit alone where 64 bits are
// involved.
TEST_P(Semantics, FloatingPointThatDoesNotFitAnIntegerSaturates) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto out) {
    const auto i = threadIdx.x;
    using T = std::remove_reference_t<decltype(out[0])>;
    out[i] = static_cast<T>(x[i]);
  });
  const auto expect = [&]<class From, class To>(From, const std::vector<To>& expected) {
    const From nan = std::numeric_limits<From>::quiet_NaN(), inf = std::numeric_limits<From>::infinity();
    const cuttle::Array<From> x(std::vector<From>{From(-1.5), From(300.9), From(3e9), From(1e20), -inf, inf, nan});
    cuttle::Array<To> out(7);
    kernel[{.grid = 1, .block = 7}](x, out);
    EXPECT_EQ(out.to_vector(), expected);
  };
  const auto low32 = std::numeric_limits<std::int32_t>::min();
  const auto low64 = std::numeric_limits<std::int64_t>::min();
  const auto high32 = std::numeric_limits<std::int32_t>::max();
  expect(float{}, std::vector<std::int32_t>{-1, 300, high32, high32, low32, high32, 0});
  expect(float{}, std::vector<std::uint32_t>{0, 300, 3000000000, 0xffffffff, 0, 0xffffffff, 0});
  expect(float{}, std::vector<std::int64_t>{-1, 300, 3000000000, INT64_MAX, low64, INT64_MAX, low64});
  expect(float{}, std::vector<std::uint64_t>{0, 300, 3000000000, UINT64_MAX, 0, UINT64_MAX, std::uint64_t{1} << 63});
  expect(float{}, std::vector<std::uint16_t>{0, 300, 65535, 65535, 0, 65535, 0});
  expect(float{}, std::vector<std::uint8_t>{0, 44, 255, 255, 0, 255, 0});
  expect(float{}, std::vector<std::int8_t>{-1, 44, -1, -1, 0, -1, 0});
  expect(double{}, std::vector<std::int32_t>{-1, 300, high32, high32, low32, high32, low32});
  expect(double{}, std::vector<std::uint32_t>{0, 300, 3000000000, 0xffffffff, 0, 0xffffffff, 0x80000000});
  expect(double{}, std::vector<std::int64_t>{-1, 300, 3000000000, INT64_MAX, low64, INT64_MAX, low64});
}

// pytorch#70904: a count of the width or more shifts everything out.
TEST_P(Semantics, ShiftsByTheWidthOrMoreShiftEverythingOut) {
  auto kernel = CUTTLE_KERNEL([](auto x, cuttle::view<const int> count, auto out) {
    const auto i = threadIdx.x;
    out[2 * i] = x[0] << count[i];
    out[2 * i + 1] = x[0] >> count[i];
  });
  const std::vector<int> counts = {0, 1, 5, 31, 32, 33, 63, 64, 100};
  const auto expect = [&]<class T>(T value) {
    const cuttle::Array<T> x(std::vector<T>{value});
    const cuttle::Array<int> count(counts);
    cuttle::Array<T> out(2 * count.size());
    kernel[{.grid = 1, .block = static_cast<int>(counts.size())}](x, count, out);
    const auto got = out.to_vector();
    constexpr int width = 8 * sizeof(T);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const bool all = counts[i] >= width;
      EXPECT_EQ(got[2 * i], all ? T(0) : static_cast<T>(value << counts[i])) << counts[i];
      EXPECT_EQ(got[2 * i + 1], all ? (value < 0 ? T(-1) : T(0)) : static_cast<T>(value >> counts[i])) << counts[i];
    }
  };
  expect(std::uint32_t{0xdeadbeef}), expect(std::int32_t{-123456}), expect(std::int64_t{1} << 62 | 5), expect(std::uint64_t{0xdeadbeefcafe});
}

// numba#7806 and others: the process lives, and what follows a division by zero runs.
TEST_P(Semantics, DivisionByZeroDoesNotEndTheProcess) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto zero, auto out, cuttle::view<float> f) {
    out[0] = x[0] / zero[0];
    out[1] = x[0] % zero[0];
    f[0] = 1.0f / f[1];
    f[2] = -1.0f / f[1];
    out[2] = 7;
  });
  const auto run = [&]<class T>(T value, T divisor) {
    const cuttle::Array<T> x(std::vector<T>{value}), zero(std::vector<T>{divisor});
    cuttle::Array<T> out(3);
    cuttle::Array<float> f{0.0f, 0.0f, 0.0f};
    kernel[{.grid = 1, .block = 1}](x, zero, out, f);
    EXPECT_EQ(out.to_vector()[2], 7);
    EXPECT_EQ(f.to_vector()[0], std::numeric_limits<float>::infinity());
    EXPECT_EQ(f.to_vector()[2], -std::numeric_limits<float>::infinity());
    return out.to_vector();
  };
  run(std::uint32_t{5}, std::uint32_t{0}), run(std::int32_t{5}, std::int32_t{0}), run(std::int64_t{5}, std::int64_t{0});
  run(std::uint64_t{5}, std::uint64_t{0}), run(std::int8_t{5}, std::int8_t{0});
  const auto least32 = run(std::numeric_limits<std::int32_t>::min(), std::int32_t{-1});
  EXPECT_EQ(least32[0], std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(least32[1], 0);
  const auto least64 = run(std::numeric_limits<std::int64_t>::min(), std::int64_t{-1});
  EXPECT_EQ(least64[0], std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(least64[1], 0);
}

// LLVM's vectoriser computes a quotient that all threads share only where its first lane asks for it.
TEST_P(Semantics, QuotientsThatThreadsShareAreThereForThoseThatAsk) {
  auto kernel = CUTTLE_KERNEL([](view<const int> x, view<int> out, auto m, auto n, auto zero) {
    const auto i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] % 3 == 1) {
      out[4 * i] = x[m % n];
      out[4 * i + 1] = x[i + m / n] + m % (m / n + n);
      out[4 * i + 2] = x[i] - m / n;
    } else if (x[i] % 3 == 2) {
      out[4 * i + 3] = x[m % n] + (zero != 0 ? m / zero : 5);  // nobody divides by 0
    }
  });
  const auto expect = [&]<class T>(T) {
    constexpr int threads = 2 * 100;
    std::vector<int> values(threads + 2), expected(4 * threads, -1);
    for (int i = 0; i < threads + 2; ++i) values[i] = i;
    for (int i = 0; i < threads; ++i) {
      if (i % 3 == 1) expected[4 * i] = 1, expected[4 * i + 1] = i + 1 + 0, expected[4 * i + 2] = i - 1;
      if (i % 3 == 2) expected[4 * i + 3] = 1 + 5;
    }
    const cuttle::Array<int> x(values);
    cuttle::Array<int> out(expected.size());
    out.fill(-1);
    kernel[{.grid = 2, .block = 100}](x, out, T{66}, T{65}, T{0});
    EXPECT_EQ(out.to_vector(), expected);
  };
  expect(std::uint32_t{}), expect(std::int32_t{}), expect(std::uint64_t{}), expect(std::int64_t{});
}

// cupy#6412: a byte that is neither 0 nor 1 is no bool; a conversion makes one of it.
TEST_P(Semantics, BytesConvertToBoolsOfZeroAndOne) {
  auto kernel = CUTTLE_KERNEL([](auto bytes, view<bool> flags, view<int> sum) {
    for (auto i : range(3)) {
      flags[i] = bytes[i];
      const bool flag = bytes[i];
      sum[0] += flag;
    }
  });
  const cuttle::Array<std::int8_t> bytes({0, 1, 4});
  cuttle::Array<bool> flags(3);
  cuttle::Array<int> sum({0});
  kernel[{.grid = 1, .block = 1}](bytes, flags, sum);
  EXPECT_EQ(flags.to_vector(), (std::vector<bool>{false, true, true}));
  EXPECT_EQ(sum.item(), 2);
}

// MultiFloats.jl#23: error-free transformations need products and sums that are rounded where they stand.
TEST_P(Semantics, WithoutContractionErrorFreeTransformationsAreExact) {
  auto kernel = CUTTLE_KERNEL([](view<const double> a, view<double> out) {
    const double product = a[0] * a[1];
    out[0] = a[0] * a[1] - product;
    out[1] = fma(a[0], a[1], -product);
    const double sum = a[0] + a[1], part = sum - a[0];
    out[2] = (a[0] - (sum - part)) + (a[1] - part);
  });
  const cuttle::Array<double> a({0.1, 300.0});
  cuttle::Array<double> out(3);
  kernel.with({.contract = false})[{.grid = 1, .block = 1}](a, out);
  EXPECT_EQ(out.to_vector(), (std::vector<double>{0, 1.6653345369377348e-15, -2.273181642920008e-14}));
}

// CUDA.jl#3203: contraction is the default, and shows in the code.
TEST(SemanticsCode, ProductsAndSumsAreContracted) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<float> x) { x[0] = 2.001f * x[0] - x[1]; });
  EXPECT_NE(kernel.inspect<cuttle::view<float>>(cuttle::sm(90)).ptx().find("fma.rn.f32"), std::string::npos);
}

}  // namespace
