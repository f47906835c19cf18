// Short vectors: layout, constructors, element-wise operators, and accesses that stay one instruction.

#include <cstdint>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

class Vectors : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Vectors);

// CUDA C++ Programming Guide, "Built-in Vector Types": sizes and alignments.
static_assert(sizeof(cuttle::char3) == 3 && alignof(cuttle::char3) == 1);
static_assert(sizeof(cuttle::char4) == 4 && alignof(cuttle::char4) == 4);
static_assert(sizeof(cuttle::short2) == 4 && alignof(cuttle::short2) == 4);
static_assert(sizeof(cuttle::float3) == 12 && alignof(cuttle::float3) == 4);
static_assert(sizeof(cuttle::float4) == 16 && alignof(cuttle::float4) == 16);
static_assert(sizeof(cuttle::double2) == 16 && alignof(cuttle::double2) == 16);
static_assert(sizeof(cuttle::double4) == 32 && alignof(cuttle::double4) == 16);

TEST_P(Vectors, TravelInArraysAndAsArguments) {
  auto scale = CUTTLE_KERNEL([](auto x, auto factor, auto y) {
    const auto i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < x.size()) y[i] = x[i] * factor;
  });
  const auto expect = [&]<class V>(const std::vector<V>& in, V factor, const std::vector<V>& expected) {
    const cuttle::Array<V> x(in);
    cuttle::Array<V> y(x.size());
    scale.over(x.size())(x, factor, y);
    EXPECT_EQ(y.to_vector(), expected);
  };
  expect(std::vector<cuttle::float4>{{1, 2, 3, 4}, {5, 6, 7, 8}}, cuttle::float4{1, 10, 100, 1000},
         std::vector<cuttle::float4>{{1, 20, 300, 4000}, {5, 60, 700, 8000}});
  expect(std::vector<cuttle::double3>{{1, 2, 3}}, cuttle::double3{0.5, 0.25, -1}, std::vector<cuttle::double3>{{0.5, 0.5, -3}});
  expect(std::vector<cuttle::uchar2>{{200, 3}, {4, 5}}, cuttle::uchar2{2, 3}, std::vector<cuttle::uchar2>{{144, 9}, {8, 15}});
  expect(std::vector<cuttle::longlong1>{{1ll << 40}}, cuttle::longlong1{3}, std::vector<cuttle::longlong1>{{3ll << 40}});
}

TEST_P(Vectors, OperatorsWorkElementByElement) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<int4> out) {
    const int4 a = make_int4(7, -8, 9, 10);
    const int4 b = {2, 3, -4, 5};
    out[0] = a + b;
    out[1] = a - b;
    out[2] = a * b;
    out[3] = a / b;
    out[4] = a % b;
    out[5] = (a & b) | (a ^ b);
    out[6] = a << 2;
    out[7] = -a;
    out[8] = ~a;
    out[9] = 100 - a;
    out[10] = a;
    out[10] += b;
    out[10] *= 3;
    out[11] = int4{a == a, a == b, 0, a.w};
  });
  cuttle::Array<cuttle::int4> out(12);
  kernel[{.grid = 1, .block = 1}](out);
  const std::vector<cuttle::int4> expected = {{9, -5, 5, 15},    {5, -11, 13, 5},   {14, -24, -36, 50}, {3, -2, -2, 2},
                                              {1, -2, 1, 0},     {7, -5, -3, 15},   {28, -32, 36, 40},  {-7, 8, -9, -10},
                                              {-8, 7, -10, -11}, {93, 108, 91, 90}, {27, -15, 15, 45},  {1, 0, 0, 10}};
  EXPECT_EQ(out.to_vector(), expected);
}

TEST_P(Vectors, EveryFamilyHasItsConstructors) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<double> out) {
    double sum = 0;
    sum += make_char1(1).x + make_uchar2(2, 3).y + make_short3(4, 5, 6).z + make_ushort4(7, 8, 9, 10).w;
    sum += make_int1(11).x + make_uint2(12, 13).y + make_long3(14, 15, 16).z + make_ulong4(17, 18, 19, 20).w;
    sum += make_longlong2(21, 22).y + make_ulonglong3(23, 24, 25).z + make_float3(26, 27, 28).z + make_double4(29, 30, 31, 32).w;
    out[0] = sum;
  });
  cuttle::Array<double> out(1);
  kernel[{.grid = 1, .block = 1}](out);
  EXPECT_EQ(out.item(), 1 + 3 + 6 + 10 + 11 + 13 + 16 + 20 + 22 + 25 + 28 + 32);
}

TEST(VectorsSignature, NamesElementTypeAndCount) {
  auto kernel = CUTTLE_KERNEL([](auto, auto, auto) {});
  EXPECT_EQ((kernel.inspect<cuttle::view<cuttle::float4>, cuttle::uchar2, const cuttle::double3*>().signature()),
            "(view<f32x4>, u8x2, ptr<const f64x3>)");
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

template <class V>
void expect_one_access(const std::string& load, const std::string& store) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto y) {
    const auto i = threadIdx.x;
    y[i] = x[i];
  });
  auto arithmetic = CUTTLE_KERNEL([](auto x, auto y) {
    const auto i = threadIdx.x;
    const auto v = x[i];
    y[i] = v + v;
  });
  for (const std::string& ptx : {kernel.template inspect<cuttle::view<const V>, cuttle::view<V>>(cuttle::sm(80)).ptx(),
                                 arithmetic.template inspect<cuttle::view<const V>, cuttle::view<V>>(cuttle::sm(80)).ptx()}) {
    EXPECT_EQ(count(ptx, "ld.global"), 1u) << ptx;
    EXPECT_EQ(count(ptx, "st.global"), 1u) << ptx;
    EXPECT_EQ(count(ptx, load), 1u) << ptx;
    EXPECT_EQ(count(ptx, store), 1u) << ptx;
    EXPECT_EQ(count(ptx, ".local"), 0u) << ptx;
  }
}

TEST(VectorsCode, EightAndSixteenBytesAreOneLoadAndOneStore) {
  expect_one_access<cuttle::float4>("ld.global.v4", "st.global.v4");
  expect_one_access<cuttle::int4>("ld.global.v4", "st.global.v4");
  expect_one_access<cuttle::float2>("ld.global.v2", "st.global.v2");
  expect_one_access<cuttle::double2>("ld.global.v", "st.global.v");
  expect_one_access<cuttle::ulonglong2>("ld.global.v", "st.global.v");
  expect_one_access<cuttle::short4>("ld.global", "st.global");
  expect_one_access<cuttle::uchar4>("ld.global", "st.global");
}

}  // namespace
