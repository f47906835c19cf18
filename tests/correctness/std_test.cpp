// The standard library's small types and functions in kernels; the headers that a user's file includes change nothing (chipStar#498, axom#1337).

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "support/device_test.h"

namespace {

using namespace std;  // NOLINT(google-build-using-namespace): as users do, with kernels that name min and swap below

class StandardLibrary : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(StandardLibrary);

TEST_P(StandardLibrary, SmallFunctionsHaveTheHostsResults) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<double> out, int a, int b, float x) {
    out[0] = std::min(a, b) + std::max(a, b) * 100;
    out[1] = min(a, b) + max(a, b) * 100;
    out[2] = std::clamp(a, 0, 5) + clamp(x, 0.0f, 1.0f) + abs(-a) + std::abs(-x) + std::pow(x, 2.0f) + std::sqrt(4.0f);
    int c = a, d = b;
    std::swap(c, d);
    out[3] = c * 100 + d;
    swap(c, d);
    out[4] = c * 100 + d;
    out[5] = std::exchange(c, 50) * 100 + c;
    out[6] = std::midpoint(a, b) + static_cast<double>(std::midpoint(2147483647, 2147483645)) + std::lerp(1.0, 3.0, 0.25);
    out[7] = std::gcd(12, 18) * 100 + std::lcm(4, 6);
    out[8] = std::plus<>()(a, b) * std::multiplies<int>()(2, 3);
  });
  cuttle::Array<double> out(9);
  kernel[{.grid = 1, .block = 1}](out, 7, 3, 1.5f);
  EXPECT_EQ(out.to_vector(), (std::vector<double>{703, 703, 5 + 1 + 7 + 1.5 + 2.25 + 2, 307, 703, 750, 5 + 2147483646.0 + 1.5, 612, 60}));
}

TEST_P(StandardLibrary, BitFunctionsHaveTheHostsResults) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto out) {
    const auto v = x[threadIdx.x];
    auto* o = &out[threadIdx.x * 12];
    o[0] = std::popcount(v);
    o[1] = std::countl_zero(v);
    o[2] = std::countr_zero(v);
    o[3] = std::countl_one(v);
    o[4] = std::countr_one(v);
    o[5] = std::bit_width(v);
    o[6] = std::has_single_bit(v);
    o[7] = static_cast<long long>(std::bit_floor(v));
    o[8] = static_cast<long long>(std::rotl(v, 5));
    o[9] = static_cast<long long>(std::rotr(v, 13));
    o[10] = static_cast<long long>(std::rotl(v, -3));
    o[11] = v > 100 ? 0 : static_cast<long long>(std::bit_ceil(v));
  });
  const auto expect = [&]<class T>(T) {
    const std::vector<T> in = {T(0), T(1), T(2), T(100), T(0x80), T(~T(0)), T(~T(0) / 3), T(T(1) << (8 * sizeof(T) - 1))};
    const cuttle::Array<T> x(in);
    cuttle::Array<long long> out(12 * x.size());
    kernel[{.grid = 1, .block = static_cast<int>(in.size())}](x, out);
    std::vector<long long> expected;
    for (const T v : in) {
      expected.insert(expected.end(), {std::popcount(v), std::countl_zero(v), std::countr_zero(v), std::countl_one(v), std::countr_one(v),
                                       static_cast<long long>(std::bit_width(v)), std::has_single_bit(v), static_cast<long long>(std::bit_floor(v)),
                                       static_cast<long long>(std::rotl(v, 5)), static_cast<long long>(std::rotr(v, 13)),
                                       static_cast<long long>(std::rotl(v, -3)), v > 100 ? 0 : static_cast<long long>(std::bit_ceil(v))});
    }
    EXPECT_EQ(out.to_vector(), expected);
  };
  expect(std::uint8_t{}), expect(std::uint16_t{}), expect(std::uint32_t{}), expect(std::uint64_t{});
}

TEST_P(StandardLibrary, LimitsAreTheHosts) {
  auto kernel = CUTTLE_KERNEL([](auto out) {
    using T = std::remove_reference_t<decltype(out[0])>;
    out[0] = std::numeric_limits<T>::max();
    out[1] = std::numeric_limits<T>::min();
    out[2] = std::numeric_limits<T>::lowest();
    out[3] = static_cast<T>(std::numeric_limits<T>::digits);
    out[4] = static_cast<T>(std::numeric_limits<T>::is_signed + 2 * std::numeric_limits<T>::is_integer + 4 * std::numeric_limits<T>::has_infinity);
    out[5] = std::numeric_limits<T>::epsilon();
  });
  const auto expect = [&]<class T>(T) {
    using limits = std::numeric_limits<T>;
    cuttle::Array<T> out(6);
    kernel[{.grid = 1, .block = 1}](out);
    EXPECT_EQ(out.to_vector(),
              (std::vector<T>{limits::max(), limits::min(), limits::lowest(), static_cast<T>(limits::digits),
                              static_cast<T>(limits::is_signed + 2 * limits::is_integer + 4 * limits::has_infinity), limits::epsilon()}));
  };
  expect(std::int8_t{}), expect(std::uint8_t{}), expect(std::int16_t{}), expect(std::uint16_t{}), expect(std::int32_t{}), expect(std::uint32_t{});
  expect(std::int64_t{}), expect(std::uint64_t{}), expect(char{}), expect(float{}), expect(double{});
}

TEST_P(StandardLibrary, ArraysArePassedAndUsed) {
  auto kernel = CUTTLE_KERNEL([](std::array<float, 3> weights, cuttle::view<float> out) {
    constexpr std::array<int, 4> table = {3, 1, 4, 1};
    static_assert(table[2] == 4 && table.size() == 4);
    float sum = 0;
    for (const float w : weights) sum += w;
    std::array local{1.0f, 2.0f};
    local.fill(5.0f);
    out[threadIdx.x] = sum * table[threadIdx.x % 4] + local[1] + weights.back() + static_cast<float>(weights.size());
  });
  cuttle::Array<float> out(4);
  kernel[{.grid = 1, .block = 4}](std::array<float, 3>{1, 2, 4}, out);
  EXPECT_EQ(out.to_vector(), (std::vector<float>{7 * 3 + 12, 7 + 12, 7 * 4 + 12, 7 + 12}));
}

TEST_P(StandardLibrary, PairsTuplesAndOptionalsWork) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<int> out) {
    const auto find = [](int key) -> std::optional<std::pair<int, float>> {
      if (key < 0) return std::nullopt;
      return std::make_pair(key, 0.5f);
    };
    const auto found = find(3), missing = find(-1);
    out[0] = found.has_value() && !missing ? found->first * 10 + static_cast<int>(found->second * 2) : -1;
    out[1] = missing.value_or(std::make_pair(7, 1.0f)).first;
    auto [a, b, c] = std::make_tuple(1, 2.5, 'x');
    out[2] = a + static_cast<int>(b * 2) + (c == 'x');
    int p = 0;
    double q = 0;
    std::tie(p, q) = std::make_tuple(4, 0.5);
    out[3] = p + static_cast<int>(q * 2);
    out[4] = std::apply([](int x, int y, int z) { return x * 100 + y * 10 + z; }, std::make_tuple(1, 2, 3));
    out[5] = std::make_tuple(1, 2) == std::make_tuple(1, 2) && std::pair(1, 2) < std::pair(1, 3);
    out[6] = std::get<1>(std::tuple(8, 9)) + std::get<0>(std::array{5, 6}) + static_cast<int>(std::tuple_size_v<std::tuple<int, int, int>>);
  });
  cuttle::Array<int> out(7);
  kernel[{.grid = 1, .block = 1}](out);
  EXPECT_EQ(out.to_vector(), (std::vector<int>{31, 7, 7, 5, 123, 1, 17}));
}

TEST_P(StandardLibrary, BitCastKeepsTheBits) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<unsigned> out) {
    out[0] = std::bit_cast<unsigned>(1.0f);
    out[1] = static_cast<unsigned>(std::bit_cast<unsigned long>(1.0) >> 32);
    static_assert(std::bit_cast<int>(-1.0f) == static_cast<int>(0xbf800000));
  });
  cuttle::Array<unsigned> out(2);
  kernel[{.grid = 1, .block = 1}](out);
  EXPECT_EQ(out.to_vector(), (std::vector<unsigned>{0x3f800000, 0x3ff00000}));
}

// CUDA.jl#793: 128-bit integers multiply and divide with no library call left over.
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

TEST_P(StandardLibrary, Integers128BitWideMultiplyAndDivide) {
  auto kernel = CUTTLE_KERNEL([](auto x, cuttle::view<unsigned long> u, cuttle::view<long> s) {
    __extension__ typedef unsigned __int128 wide;
    __extension__ typedef __int128 signed_wide;
    u[0] = static_cast<unsigned long>(static_cast<wide>(u[1]) * u[2] % u[3]);
    x[0] = x[1] / s[0];
    x[2] = x[1] % s[0];
    x[3] = -x[1] / static_cast<signed_wide>(s[0]);
    x[4] = (x[1] << 3) >> 70;
  });
  const unsigned long a = (1ul << 63) - 1, b = (1ul << 63) - 25, m = (1ul << 61) - 1;
  const int128 v = static_cast<int128>(a) * 1000003 + 7;
  cuttle::Array<int128> x(std::vector<int128>{0, v, 0, 0, 0});
  cuttle::Array<unsigned long> u{0, a, b, m};
  cuttle::Array<long> s{-12345};
  kernel[{.grid = 1, .block = 1}](x, u, s);
  EXPECT_EQ(u.to_vector()[0], static_cast<unsigned long>(static_cast<uint128>(a) * b % m));
  const auto got = x.to_vector();
  EXPECT_TRUE(got[0] == v / -12345 && got[2] == v % -12345 && got[3] == -v / -12345 && got[4] == (v << 3) >> 70);
  EXPECT_EQ(kernel.inspect(x, u, s).signature(), "(view<i128>, view<u64>, view<i64>)");
}

TEST_P(StandardLibrary, Integers128BitWideBecomeFloatingPointNumbersAndBack) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto d, auto f, auto back) {
    __extension__ typedef unsigned __int128 wide;
    __extension__ typedef __int128 signed_wide;
    const auto i = threadIdx.x;
    d[i] = static_cast<double>(x[i]);
    f[i] = static_cast<float>(static_cast<wide>(x[i] < 0 ? -x[i] : x[i]));
    back[i] = static_cast<signed_wide>(d[i]) + static_cast<signed_wide>(static_cast<wide>(f[i] * 0.25f));
  });
  const int128 one = 1;
  const std::vector<int128> values{
      0, 1, -5, (one << 90) + 1, -(one << 126), (one << 53) + 1, (one << 100) + (one << 47), 3 * (one << 74) + (one << 21)};
  cuttle::Array<int128> x(values), back(values.size());
  cuttle::Array<double> d(values.size());
  cuttle::Array<float> f(values.size());
  kernel[{.grid = 1, .block = 8}](x, d, f, back);
  const auto doubles = d.to_vector();
  const auto floats = f.to_vector();
  const auto integers = back.to_vector();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto as_double = static_cast<double>(values[i]);
    const auto as_float = static_cast<float>(static_cast<uint128>(values[i] < 0 ? -values[i] : values[i]));
    EXPECT_EQ(doubles[i], as_double) << i;
    EXPECT_EQ(floats[i], as_float) << i;
    EXPECT_TRUE(integers[i] == static_cast<int128>(as_double) + static_cast<int128>(static_cast<uint128>(as_float * 0.25f))) << i;
  }
}

}  // namespace
