// half and bfloat16: conversions bit by bit, arithmetic, pairs, atomics, limits.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
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

}  // namespace
