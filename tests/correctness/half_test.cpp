// half and bfloat16: conversions bit by bit, arithmetic, pairs, atomics, limits.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::bfloat16;
using cuttle::half;

class Half : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Half);

float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

TEST_P(Half, EveryValueConvertsToFloatAsOnTheHost) {
  auto kernel = CUTTLE_KERNEL([](auto x, cuttle::view<float> y) {
    const auto i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < x.size()) y[i] = x[i];
  });
  const auto expect = [&]<class H>(H) {
    std::vector<H> all;
    for (unsigned bits = 0; bits < 65536; ++bits) all.push_back(H::from_bits(static_cast<unsigned short>(bits)));
    const cuttle::Array<H> x(all);
    cuttle::Array<float> y(65536);
    kernel.over(65536)(x, y);
    const auto got = y.to_vector();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const float expected = all[i];
      ASSERT_TRUE(std::isnan(expected) ? std::isnan(got[i]) : got[i] == expected && std::signbit(got[i]) == std::signbit(expected)) << std::hex << i;
    }
  };
  expect(half{}), expect(bfloat16{});
  EXPECT_EQ(static_cast<float>(half::from_bits(0x7bff)), 65504.0f);
  EXPECT_EQ(static_cast<float>(half::from_bits(0x0001)), std::ldexp(1.0f, -24));
  EXPECT_EQ(static_cast<float>(bfloat16::from_bits(0x3f80)), 1.0f);
}

// llvm-project#63347, triton#624: rounding to nearest even, NaN stays NaN, small integers.
TEST_P(Half, RoundsOnceToNearestEven) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<const float> x, cuttle::view<unsigned short> h, cuttle::view<unsigned short> b) {
    const auto i = threadIdx.x;
    h[i] = half(x[i]).bits();
    b[i] = bfloat16(x[i]).bits();
  });
  const std::vector<float> in = {1.0f,
                                 float_of(0x3f808000),
                                 float_of(0x3f818000),
                                 float_of(0x3f808001),
                                 -56.0f,
                                 65519.0f,
                                 65520.0f,
                                 1e-8f,
                                 6e-8f,
                                 3.3895314e38f,
                                 2049.0f,
                                 2051.0f,
                                 -0.0f,
                                 float_of(0x33000000),
                                 float_of(0x33000001),
                                 INFINITY,
                                 std::numeric_limits<float>::quiet_NaN(),
                                 0.333333343f,
                                 5.9604645e-8f};
  const cuttle::Array<float> x(in);
  cuttle::Array<unsigned short> h(x.size()), b(x.size());
  kernel[{.grid = 1, .block = static_cast<int>(in.size())}](x, h, b);
  const auto got_half = h.to_vector(), got_bfloat = b.to_vector();
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (std::isnan(in[i])) {
      EXPECT_TRUE(std::isnan(static_cast<float>(half::from_bits(got_half[i])))) << in[i];
      EXPECT_TRUE(std::isnan(static_cast<float>(bfloat16::from_bits(got_bfloat[i])))) << in[i];
    } else {
      EXPECT_EQ(got_half[i], half(in[i]).bits()) << in[i];
      EXPECT_EQ(got_bfloat[i], bfloat16(in[i]).bits()) << in[i];
    }
  }
  // Known answers, so that host and device are not wrong together.
  EXPECT_EQ((std::vector<unsigned short>(got_bfloat.begin(), got_bfloat.begin() + 5)),
            (std::vector<unsigned short>{0x3f80, 0x3f80, 0x3f82, 0x3f81, 0xc260}));
  EXPECT_EQ(got_half[0], 0x3c00);
  EXPECT_EQ(got_half[5], 0x7bff);
  EXPECT_EQ(got_half[6], 0x7c00);
  EXPECT_EQ(got_half[10], 0x6800);
  EXPECT_EQ(got_half[11], 0x6802);
  EXPECT_EQ(got_half[13], 0x0000);
  EXPECT_EQ(got_half[14], 0x0001);
}

// 1.000488281251 is, as a float, half way between two halves, and goes to the even one; by itself it is nearer to the other.
TEST_P(Half, DoublesThatBecomeFloatsFirstRoundTwice) {
  auto kernel = CUTTLE_KERNEL([](view<const double> d, view<unsigned short> out) {
    const float single = static_cast<float>(d[0]);
    out[0] = __half_as_ushort(half(single));
    out[1] = __half_as_ushort(__float2half_rn(single));
    out[2] = __bfloat16_as_ushort(bfloat16(static_cast<float>(d[1])));
  });
  const cuttle::Array<double> d{1.000488281251, 1.00390625000001};
  cuttle::Array<unsigned short> out(3);
  kernel[{.grid = 1, .block = 1}](d, out);
  EXPECT_EQ(out.to_vector(), (std::vector<unsigned short>{0x3c00, 0x3c00, 0x3f80}));
}

TEST_P(Half, DenormalBfloatsAreKept) {
  auto kernel = CUTTLE_KERNEL([](view<const float> x, view<const bfloat16> a, view<unsigned short> out) {
    out[0] = __bfloat16_as_ushort(bfloat16(x[0]));
    out[1] = __bfloat16_as_ushort(a[0] * a[1]);
    out[2] = __bfloat16_as_ushort(a[1] + a[1]);
  });
  const cuttle::Array<float> x{1e-40f};
  const cuttle::Array<bfloat16> a{bfloat16::from_bits(0x3ee7), bfloat16::from_bits(0x0054)};
  cuttle::Array<unsigned short> out(3);
  kernel[{.grid = 1, .block = 1}](x, a, out);
  EXPECT_EQ(out.to_vector(), (std::vector<unsigned short>{0x0001, 0x0026, 0x00a8}));
}

TEST_P(Half, ArithmeticRoundsEachResult) {
  auto kernel = CUTTLE_KERNEL([](auto a, auto b, auto out) {
    const auto i = threadIdx.x;
    out[6 * i] = a[i] + b[i];
    out[6 * i + 1] = a[i] - b[i];
    out[6 * i + 2] = a[i] * b[i];
    out[6 * i + 3] = a[i] / b[i];
    out[6 * i + 4] = -a[i];
    auto c = a[i];
    c += b[i];
    c *= 2;
    out[6 * i + 5] = c;
  });
  const auto expect = [&]<class H>(H) {
    std::vector<H> x, y;
    for (const float v : {1.0f, 0.1f, -3.7f, 1000.0f, 1e-4f, 60000.0f, 0.33f}) {
      for (const float w : {1.0f, 0.7f, -2.9f, 0.001f, 7.0f}) x.push_back(H(v)), y.push_back(H(w));
    }
    const cuttle::Array<H> a(x), b(y);
    cuttle::Array<H> out(6 * static_cast<std::int64_t>(x.size()));
    kernel[{.grid = 1, .block = static_cast<int>(x.size())}](a, b, out);
    const auto got = out.to_vector();
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float v = x[i], w = y[i];
      const H sum(v + w);
      const H expected[] = {sum, H(v - w), H(v * w), H(v / w), H(-v), H(static_cast<float>(sum) * 2)};
      for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(got[6 * i + k].bits(), expected[k].bits()) << v << " and " << w << ", operation " << k;
    }
  };
  expect(half{}), expect(bfloat16{});
}

TEST_P(Half, MixesWithFloatsInFloatAndWithIntegersIn16Bits) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<const half> x, cuttle::view<float> y) {
    y[0] = x[0] + 0.0001f;
    static_assert(sizeof(x[0] + 1.0f) == 4 && sizeof(x[0] + 1) == 2 && sizeof(x[0] + 1.0) == 8);
    y[1] = x[0] + 1;
    y[2] = x[0] < 2 && x[0] > half(0.5f) && x[0] == 1.0f;
    y[3] = sqrt(x[1]) + static_cast<int>(x[1]);
    y[4] = fmax(x[0], x[1]);
  });
  const cuttle::Array<half> x{half(1.0f), half(4.0f)};
  cuttle::Array<float> y(5);
  kernel[{.grid = 1, .block = 1}](x, y);
  EXPECT_EQ(y.to_vector(), (std::vector<float>{1.0001f, 2.0f, 1.0f, 6.0f, 4.0f}));
}

TEST_P(Half, ScalarArgumentsAreTwoBytes) {  // cupy#5346
  auto kernel = CUTTLE_KERNEL([](auto value, cuttle::view<float> out) { out[0] = value + sizeof(value); });
  cuttle::Array<float> out(1);
  kernel[{.grid = 1, .block = 1}](half(0.5f), out);
  EXPECT_EQ(out.item(), 2.5f);
  EXPECT_EQ(kernel.inspect(half(0.5f), out).signature(), "(f16, view<f32>)");
  EXPECT_EQ(kernel.inspect(bfloat16(0.5f), out).signature(), "(bf16, view<f32>)");
}

TEST_P(Half, PairsWorkOnBothElements) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<half2> x, cuttle::view<float> out) {
    const half2 a = x[0], b = __floats2half2_rn(0.5f, 4.0f);
    x[1] = __hfma2(a, b, __float2half2_rn(1.0f));
    x[2] = a + b * half(2.0f);
    x[3] = __hmax2(a, b);
    x[4] = __halves2half2(__high2half(a), __low2half(a));
    const float2 f = __half22float2(a);
    out[0] = f.x * 10 + f.y;
    out[1] = __low2float(h2sqrt(b)) + __half2float(hexp2(__float2half(3.0f)));
  });
  cuttle::Array<cuttle::half2> x(std::vector<cuttle::half2>{{half(3.0f), half(2.0f)}, {}, {}, {}, {}});
  cuttle::Array<float> out(2);
  kernel[{.grid = 1, .block = 1}](x, out);
  const auto got = x.to_vector();
  EXPECT_EQ(got[1], (cuttle::half2{half(2.5f), half(9.0f)}));
  EXPECT_EQ(got[2], (cuttle::half2{half(4.0f), half(10.0f)}));
  EXPECT_EQ(got[3], (cuttle::half2{half(3.0f), half(4.0f)}));
  EXPECT_EQ(got[4], (cuttle::half2{half(2.0f), half(3.0f)}));
  EXPECT_EQ(out.to_vector(), (std::vector<float>{32.0f, static_cast<float>(half(std::sqrt(0.5f))) + 8.0f}));
}

TEST_P(Half, DirectedConversionsBracketTheValue) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<const float> x, cuttle::view<half> out) {
    const auto i = threadIdx.x;
    out[3 * i] = __float2half_rd(x[i]);
    out[3 * i + 1] = __float2half_ru(x[i]);
    out[3 * i + 2] = __float2half_rz(x[i]);
  });
  const std::vector<float> in = {0.1f, -0.1f, 1.0f, 1e-9f, -1e-9f, 70000.0f, -70000.0f, 2049.0f};
  const cuttle::Array<float> x(in);
  cuttle::Array<half> out(24);
  kernel[{.grid = 1, .block = 8}](x, out);
  const auto got = out.to_vector();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const float down = got[3 * i], up = got[3 * i + 1], zero = got[3 * i + 2];
    EXPECT_LE(down, in[i]);
    EXPECT_GE(up, in[i]);
    EXPECT_EQ(zero, in[i] > 0 ? down : up);
    EXPECT_LE(std::abs(got[3 * i].bits() - got[3 * i + 1].bits()), 1) << in[i];
  }
}

TEST_P(Half, AtomicsAddAndFindExtremes) {
  auto kernel = CUTTLE_KERNEL([](auto cells, auto step) {
    atomicAdd(&cells[0], step);
    atomicMax(&cells[1], step * static_cast<int>(threadIdx.x));
    atomicMin(&cells[2], -(step * static_cast<int>(threadIdx.x)));
    if (threadIdx.x == 0) atomicExch(&cells[3], step);
  });
  const auto expect = [&]<class H>(H) {
    cuttle::Array<H> cells(std::vector<H>{H(0), H(-5), H(5), H(9)});
    kernel[{.grid = 1, .block = 100}](cells, H(0.5f));
    EXPECT_EQ(cells.to_vector(), (std::vector<H>{H(50), H(49.5f), H(-49.5f), H(0.5f)}));
  };
  expect(half{}), expect(bfloat16{});
}

TEST_P(Half, LimitsAreIdentitiesOfReductions) {  // cupy#3097: the minimum of {1, 2, 3} was 65500
  auto kernel = CUTTLE_KERNEL([](cuttle::view<const half> x, cuttle::view<half> out) {
    half least = std::numeric_limits<half>::infinity();
    for (auto i = 0u; i < x.size(); ++i) least = std::min(least, x[i]);
    out[0] = least;
    out[1] = std::numeric_limits<half>::max();
    out[2] = std::numeric_limits<half>::lowest();
    out[3] = std::numeric_limits<half>::epsilon();
  });
  const cuttle::Array<half> x{half(3), half(1), half(2)};
  cuttle::Array<half> out(4);
  kernel[{.grid = 1, .block = 1}](x, out);
  EXPECT_EQ(out.to_vector(), (std::vector<half>{half(1), half(65504), half(-65504), half(std::ldexp(1.0, -10))}));
  EXPECT_EQ(static_cast<float>(std::numeric_limits<bfloat16>::epsilon()), std::ldexp(1.0f, -7));
  EXPECT_EQ(static_cast<float>(std::numeric_limits<bfloat16>::min()), std::numeric_limits<float>::min());
}

TEST_P(Half, NamesOfCudaGiveWhatTheyGiveThere) {
  auto kernel = CUTTLE_KERNEL([](auto a, auto b, cuttle::view<float> out) {
    const auto x = a[threadIdx.x], y = b[threadIdx.x];
    auto* o = &out[threadIdx.x * 16];
    o[0] = __hadd(x, y), o[1] = __hsub(x, y), o[2] = __hmul(x, y), o[3] = __hdiv(x, y);
    o[4] = __hfma(x, y, x), o[5] = __hfma_relu(x, y, x), o[6] = __hadd_sat(x, y), o[7] = __hmul_sat(x, y);
    o[8] = __hmin(x, y), o[9] = __hmax(x, y), o[10] = __hmax_nan(x, y), o[11] = __habs(x);
    o[12] = __heq(x, y) + 2 * __hne(x, y) + 4 * __hlt(x, y) + 8 * __hle(x, y) + 16 * __hgt(x, y) + 32 * __hge(x, y);
    o[13] = __hequ(x, y) + 2 * __hneu(x, y) + 4 * __hltu(x, y) + 8 * __hleu(x, y) + 16 * __hgtu(x, y) + 32 * __hgeu(x, y);
    o[14] = __hisnan(x) + 2 * __hisinf(y), o[15] = __hneg(x);
  });
  const auto expect = [&]<class H>(H) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const std::vector<H> x{H(0.5f), H(-1.25f), H(nan), H(3)}, y{H(0.25f), H(2), H(1), H(-inf)};
    const cuttle::Array<H> a(x), b(y);
    cuttle::Array<float> out(64);
    kernel[{.grid = 1, .block = 4}](a, b, out);
    const std::vector<float> expected = {0.75f,       0.25f,
                                         0.125f,      2,
                                         0.625f,      0.625f,
                                         0.75f,       0.125f,
                                         0.25f,       0.5f,
                                         0.5f,        0.5f,
                                         2 + 16 + 32, 2 + 16 + 32,
                                         0,           -0.5f,
                                         0.75f,       -3.25f,
                                         -2.5f,       -0.625f,
                                         -3.75f,      0,
                                         0.75f,       0,
                                         -1.25f,      2,
                                         2,           1.25f,
                                         2 + 4 + 8,   2 + 4 + 8,
                                         0,           1.25f,
                                         nan,         nan,
                                         nan,         nan,
                                         nan,         nan,
                                         0,           0,
                                         1,           1,
                                         nan,         nan,
                                         0,           1 + 2 + 4 + 8 + 16 + 32,
                                         1,           nan,
                                         -inf,        inf,
                                         -inf,        -0.0f,
                                         -inf,        0,
                                         0,           0,
                                         -inf,        3,
                                         3,           3,
                                         2 + 16 + 32, 2 + 16 + 32,
                                         -2,          -3};
    const auto got = out.to_vector();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(std::isnan(expected[i]) ? std::isnan(got[i]) : got[i] == expected[i]) << i << ": " << got[i] << ", not " << expected[i];
    }
  };
  expect(half{}), expect(bfloat16{});
}

TEST_P(Half, NamesOfPairsGiveWhatTheyGiveThere) {
  auto kernel = CUTTLE_KERNEL([](auto x, cuttle::view<unsigned> masks) {
    const auto a = x[0], b = x[1];
    x[2] = __hadd2_sat(a, b), x[3] = __hgt2(a, b), x[4] = __hfma2_sat(a, b, a), x[5] = __hmin2(a, b), x[6] = __lowhigh2highlow(a),
    x[7] = __hisnan2(a);
    x[8] = a * b - a / b;
    masks[0] = __hlt2_mask(a, b), masks[1] = __hbne2(a, b), masks[2] = __hbgt2(a, b);
  });
  const auto expect = [&]<class H>(H) {
    using H2 = cuttle::vec<H, 2>;
    const auto pair = [](float low, float high) { return H2{H(low), H(high)}; };
    cuttle::Array<H2> x(std::vector<H2>{pair(0.5f, 4), pair(0.25f, 8), {}, {}, {}, {}, {}, {}, {}});
    cuttle::Array<unsigned> masks(3);
    kernel[{.grid = 1, .block = 1}](x, masks);
    const auto got = x.to_vector();
    EXPECT_EQ(got[2], pair(0.75f, 1));
    EXPECT_EQ(got[3], pair(1, 0));
    EXPECT_EQ(got[4], pair(0.625f, 1));
    EXPECT_EQ(got[5], pair(0.25f, 4));
    EXPECT_EQ(got[6], pair(4, 0.5f));
    EXPECT_EQ(got[7], pair(0, 0));
    EXPECT_EQ(got[8], pair(0.125f - 2, 31.5f));
    EXPECT_EQ(masks.to_vector(), (std::vector<unsigned>{0xffff0000u, 1, 0}));
  };
  expect(half{}), expect(bfloat16{});
}

TEST_P(Half, ConvertsToAndFromIntegersInEveryMode) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<half> h, cuttle::view<long long> out) {
    h[1] = __int2half_rd(2049), h[2] = __int2half_ru(2049), h[3] = __int2half_rz(-2049), h[4] = __uint2half_rn(2051), h[5] = __short2half_rn(-7);
    out[0] = __half2int_rn(h[0]), out[1] = __half2int_rz(h[0]), out[2] = __half2int_ru(h[0]), out[3] = __half2ll_rd(h[0]);
    out[4] = __half2uint_rn(h[0]), out[5] = static_cast<long long>(__half2ull_ru(__float2half(65504.0f))), out[6] = __half_as_short(h[0]);
    out[7] = __half2int_rn(__ushort_as_half(0x7c00));
    out[8] = static_cast<long long>(static_cast<float>(__int2bfloat16_ru(257))) * 1000 + __bfloat162int_rd(__float2bfloat16(-2.5f));
  });
  cuttle::Array<half> h{half(-2.5f), half(), half(), half(), half(), half()};
  cuttle::Array<long long> out(9);
  kernel[{.grid = 1, .block = 1}](h, out);
  EXPECT_EQ(h.to_vector(), (std::vector<half>{half(-2.5f), half(2048), half(2050), half(-2048), half(2052), half(-7)}));
  EXPECT_EQ(out.to_vector(), (std::vector<long long>{-2, -2, -2, -3, 0, 65504, static_cast<short>(0xc100), 2147483647, 258 * 1000 - 3}));
}

TEST_P(Half, FunctionsAreTheFloatsRounded) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto out) {
    const auto v = x[threadIdx.x];
    auto* o = &out[threadIdx.x * 12];
    o[0] = hsqrt(v), o[1] = hexp(v), o[2] = hexp10(v), o[3] = hlog2(v), o[4] = hsin(v), o[5] = htanh(v), o[6] = hrsqrt(v), o[7] = hrcp(v);
    o[8] = hceil(v), o[9] = hfloor(v), o[10] = hrint(v), o[11] = htrunc(v);
  });
  const auto expect = [&]<class H>(H) {
    std::vector<H> in;
    for (const float v : {0.1f, 0.5f, 1.0f, 1.75f, 2.5f, 3.3f}) in.push_back(H(v));
    const cuttle::Array<H> x(in);
    cuttle::Array<H> out(12 * x.size());
    kernel[{.grid = 1, .block = 6}](x, out);
    const auto got = out.to_vector();
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double v = in[i];
      const double expected[] = {std::sqrt(v),     std::exp(v), std::pow(10, v), std::log2(v),  std::sin(v),  std::tanh(v),
                                 1 / std::sqrt(v), 1 / v,       std::ceil(v),    std::floor(v), std::rint(v), std::trunc(v)};
      for (std::size_t k = 0; k < 12; ++k) EXPECT_LE(std::abs(got[12 * i + k].bits() - H(expected[k]).bits()), 1) << v << ", function " << k;
    }
  };
  expect(half{}), expect(bfloat16{});
}

TEST_P(Half, AreShuffled) {
  auto kernel = CUTTLE_KERNEL([](auto x) {
    const auto i = threadIdx.x;
    x[i] = __shfl_xor_sync(0xffffffff, x[i], 1) + __shfl_down_sync(0xffffffff, x[i], 2, 4);
  });
  const auto expect = [&]<class T>(const std::vector<T>& in) {
    cuttle::Array<T> x(in);
    kernel[{.grid = 1, .block = 32}](x);
    const auto got = x.to_vector();
    for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], in[i ^ 1] + in[i % 4 < 2 ? i + 2 : i]) << i;
  };
  std::vector<half> halves;
  std::vector<bfloat16> bfloats;
  std::vector<cuttle::half2> pairs;
  for (int i = 0; i < 32; ++i) halves.push_back(half(i)), bfloats.push_back(bfloat16(i)), pairs.push_back({half(i), half(-i)});
  expect(halves), expect(bfloats), expect(pairs);
}

// (1 + e)^2 - (1 + 2 e), which is e^2 where the product is not rounded.
TEST_P(Half, ProductsRoundedByNameAreNotFused) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto pairs) {
    pairs[0].x = __hadd_rn(__hmul_rn(x[0], x[0]), -x[1]);
    pairs[0].y = __hsub_rn(__hmul_rn(x[0], x[0]), x[1]);
    pairs[1] = __hsub2_rn(__hmul2_rn(pairs[2], pairs[2]), pairs[3]);
    pairs[2] = __hadd2_rn(pairs[3], pairs[3]);
  });
  const auto expect = [&]<class H, class H2>(float e, H, H2) {
    const H x(1 + e), y(1 + 2 * e);
    cuttle::Array<H2> pairs(std::vector<H2>{{x, x}, {x, x}, {x, x}, {y, y}});
    kernel[{.grid = 1, .block = 1}](cuttle::Array(std::vector{x, y}), pairs);
    const auto got = pairs.to_vector();
    for (const H value : {got[0].x, got[0].y, got[1].x, got[1].y}) EXPECT_EQ(static_cast<float>(value), 0.0f);
    EXPECT_EQ(static_cast<float>(got[2].x), 2 + 4 * e);
  };
  expect(0x1p-10f, half(), cuttle::half2());
  expect(0x1p-7f, bfloat16(), cuttle::bfloat162());
}

TEST(HalfCode, PairsTakeOneInstruction) {
  auto kernel = CUTTLE_KERNEL([](auto x) {
    const auto i = threadIdx.x;
    x[i] = __hfma2(x[i], x[i + 1], x[i + 2]);
    x[i + 3] = __hmax2(x[i + 4], x[i + 5]);
  });
  const std::string halves = kernel.inspect<cuttle::view<cuttle::half2>>(cuttle::sm(80)).ptx();
  EXPECT_NE(halves.find("fma.rn.f16x2"), std::string::npos) << halves;
  EXPECT_NE(halves.find("max.f16x2"), std::string::npos) << halves;
  const std::string bfloats = kernel.inspect<cuttle::view<cuttle::bfloat162>>(cuttle::sm(90)).ptx();
  EXPECT_NE(bfloats.find("fma.rn.bf16x2"), std::string::npos) << bfloats;
}

}  // namespace
