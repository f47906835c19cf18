// CUDA's DPX functions against host formulas, on edge values and on random ones.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "support/device_test.h"

namespace {

class Dpx : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Dpx);

using i32 = std::int32_t;
using u32 = std::uint32_t;
using i16 = std::int16_t;
using u16 = std::uint16_t;

// Of each triple: what the functions give, in this order.
auto all_of_them = CUTTLE_KERNEL([](auto in, auto out) {
  const unsigned i = threadIdx.x, a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  const int x = static_cast<int>(a), y = static_cast<int>(b), z = static_cast<int>(c);
  unsigned* to = &out[36 * i];
  int n = 0;
  to[n++] = __viaddmax_s32(x, y, z), to[n++] = __viaddmin_s32(x, y, z), to[n++] = __vimax3_s32(x, y, z), to[n++] = __vimin3_s32(x, y, z);
  to[n++] = __viaddmax_s32_relu(x, y, z), to[n++] = __viaddmin_s32_relu(x, y, z), to[n++] = __vimax3_s32_relu(x, y, z);
  to[n++] = __vimin3_s32_relu(x, y, z), to[n++] = __vimax_s32_relu(x, y), to[n++] = __vimin_s32_relu(x, y);
  to[n++] = __viaddmax_u32(a, b, c), to[n++] = __viaddmin_u32(a, b, c), to[n++] = __vimax3_u32(a, b, c), to[n++] = __vimin3_u32(a, b, c);
  to[n++] = __viaddmax_s16x2(a, b, c), to[n++] = __viaddmin_s16x2(a, b, c), to[n++] = __vimax3_s16x2(a, b, c), to[n++] = __vimin3_s16x2(a, b, c);
  to[n++] = __viaddmax_s16x2_relu(a, b, c), to[n++] = __viaddmin_s16x2_relu(a, b, c), to[n++] = __vimax3_s16x2_relu(a, b, c);
  to[n++] = __vimin3_s16x2_relu(a, b, c), to[n++] = __vimax_s16x2_relu(a, b), to[n++] = __vimin_s16x2_relu(a, b);
  to[n++] = __viaddmax_u16x2(a, b, c), to[n++] = __viaddmin_u16x2(a, b, c), to[n++] = __vimax3_u16x2(a, b, c), to[n++] = __vimin3_u16x2(a, b, c);
  bool high = false, low = false;
  to[n++] = __vibmax_s32(x, y, &low), to[n - 1] ^= low;
  to[n++] = __vibmin_s32(x, y, &low), to[n - 1] ^= low;
  to[n++] = __vibmax_u32(a, b, &low), to[n - 1] ^= low;
  to[n++] = __vibmin_u32(a, b, &low), to[n - 1] ^= low;
  to[n++] = __vibmax_s16x2(a, b, &high, &low), to[n - 1] ^= high * 2 + low;
  to[n++] = __vibmin_s16x2(a, b, &high, &low), to[n - 1] ^= high * 2 + low;
  to[n++] = __vibmax_u16x2(a, b, &high, &low), to[n - 1] ^= high * 2 + low;
  to[n++] = __vibmin_u16x2(a, b, &high, &low), to[n - 1] ^= high * 2 + low;
});

// f of the lanes of three words, each cut to its type as the sums of the hardware are.
template <class Lane, class F>
u32 each(F f, u32 a, u32 b, u32 c) {
  constexpr std::size_t n = 4 / sizeof(Lane);
  const auto x = std::bit_cast<std::array<Lane, n>>(a), y = std::bit_cast<std::array<Lane, n>>(b), z = std::bit_cast<std::array<Lane, n>>(c);
  std::array<Lane, n> result{};
  for (std::size_t i = 0; i < n; ++i) result[i] = static_cast<Lane>(f(x[i], y[i], static_cast<Lane>(std::int64_t{x[i]} + y[i]), z[i]));
  return std::bit_cast<u32>(result);
}

template <class Lane>
void add_ternary(std::vector<u32>& to, u32 a, u32 b, u32 c, bool relu) {
  using wide = std::int64_t;
  const auto keep = [relu](wide v) { return relu ? std::max<wide>(v, 0) : v; };
  to.push_back(each<Lane>([&](wide, wide, wide sum, wide z) { return keep(std::max(sum, z)); }, a, b, c));
  to.push_back(each<Lane>([&](wide, wide, wide sum, wide z) { return keep(std::min(sum, z)); }, a, b, c));
  to.push_back(each<Lane>([&](wide x, wide y, wide, wide z) { return keep(std::max({x, y, z})); }, a, b, c));
  to.push_back(each<Lane>([&](wide x, wide y, wide, wide z) { return keep(std::min({x, y, z})); }, a, b, c));
  if (!relu) return;
  to.push_back(each<Lane>([&](wide x, wide y, wide, wide) { return keep(std::max(x, y)); }, a, b, c));
  to.push_back(each<Lane>([&](wide x, wide y, wide, wide) { return keep(std::min(x, y)); }, a, b, c));
}

// The choice, with a bit for each lane in which it is a.
template <class Lane>
void add_choices(std::vector<u32>& to, u32 a, u32 b) {
  using wide = std::int64_t;
  for (const bool largest : {true, false}) {
    const u32 chosen = each<Lane>([&](wide x, wide y, wide, wide) { return largest ? std::max(x, y) : std::min(x, y); }, a, b, 0);
    const u32 is_a = each<Lane>([&](wide x, wide y, wide, wide) { return wide{largest ? x >= y : x <= y}; }, a, b, 0);
    to.push_back(chosen ^ ((is_a & 1) | (is_a >> 16 & 1) << 1));
  }
}

TEST_P(Dpx, AgreesWithWideArithmetic) {
  std::vector<u32> in = {0, 0,          0,          0x7fffffff, 1,          0xfffffff0, 0x80000000, 0x80000000,
                         5, 0x7fff8000, 0x0001ffff, 0x80007fff, 0xffffffff, 0xffffffff, 0};
  std::mt19937 random(7);
  while (in.size() < 3 * 64) in.push_back(static_cast<u32>(random()));
  std::vector<u32> expected;
  for (std::size_t i = 0; i < in.size(); i += 3) {
    const u32 a = in[i], b = in[i + 1], c = in[i + 2];
    add_ternary<i32>(expected, a, b, c, false), add_ternary<i32>(expected, a, b, c, true), add_ternary<u32>(expected, a, b, c, false);
    add_ternary<i16>(expected, a, b, c, false), add_ternary<i16>(expected, a, b, c, true), add_ternary<u16>(expected, a, b, c, false);
    add_choices<i32>(expected, a, b), add_choices<u32>(expected, a, b), add_choices<i16>(expected, a, b), add_choices<u16>(expected, a, b);
  }
  cuttle::Array<u32> out(static_cast<std::int64_t>(expected.size()));
  all_of_them[{.grid = 1, .block = 64}](cuttle::Array(in), out);
  EXPECT_EQ(out.to_vector(), expected);
}

}  // namespace
