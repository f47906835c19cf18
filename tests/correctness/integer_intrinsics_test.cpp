// CUDA's integer intrinsics against host formulas, on edge values and on random ones.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "support/device_test.h"

namespace {

class IntegerIntrinsics : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(IntegerIntrinsics);

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

std::vector<u32> samples() {
  std::vector<u32> values = {0,       1,          2,          0x7f,       0x80,       0xff,       0x100,      0x7fff,     0x8000,     0xffff,
                             0x10000, 0x7f7f7f7f, 0x80808080, 0x7fff7fff, 0x80008000, 0x00ff00ff, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff};
  std::mt19937 random(1);
  for (int i = 0; i < 40; ++i) values.push_back(static_cast<u32>(random()));
  return values;
}

// Host counterparts that share no code with the prelude.
u32 reverse32(u32 x) {
  u32 r = 0;
  for (int i = 0; i < 32; ++i) r |= (x >> i & 1) << (31 - i);
  return r;
}
u64 reverse64(u64 x) { return static_cast<u64>(reverse32(static_cast<u32>(x))) << 32 | reverse32(static_cast<u32>(x >> 32)); }
i32 lowest_bit(u64 x) { return x == 0 ? 0 : std::countr_zero(x) + 1; }
u32 permute_bytes(u32 x, u32 y, u32 s) {
  const std::array<u32, 2> words{x, y};
  const auto bytes = std::bit_cast<std::array<std::uint8_t, 8>>(words);
  std::array<std::uint8_t, 4> result{};
  for (std::size_t n = 0; n < 4; ++n) result[n] = bytes[s >> 4 * n & 7];
  return std::bit_cast<u32>(result);
}
template <class T>
i64 dot(u32 a, u32 b) {
  const auto x = std::bit_cast<std::array<T, 4>>(a), y = std::bit_cast<std::array<T, 4>>(b);
  i64 sum = 0;
  for (std::size_t n = 0; n < 4; ++n) sum += static_cast<i64>(x[n]) * y[n];
  return sum;
}
template <class A, class B>
i64 dot_half(u32 a, u32 b, std::size_t first) {
  const auto x = std::bit_cast<std::array<A, 2>>(a);
  const auto y = std::bit_cast<std::array<B, 4>>(b);
  return static_cast<i64>(x[0]) * y[first] + static_cast<i64>(x[1]) * y[first + 1];
}
// f over the lanes of a and b, as wide integers; the result is cut, or saturated, to a lane.
template <class T, class F>
u32 packed(u32 a, u32 b, F f, bool saturate = false) {
  constexpr std::size_t n = 4 / sizeof(T);
  const auto x = std::bit_cast<std::array<T, n>>(a), y = std::bit_cast<std::array<T, n>>(b);
  std::array<T, n> result{};
  for (std::size_t i = 0; i < n; ++i) {
    i64 value = f(static_cast<i64>(x[i]), static_cast<i64>(y[i]));
    if (saturate) value = std::clamp<i64>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    result[i] = static_cast<T>(value);
  }
  return std::bit_cast<u32>(result);
}
template <class T>
u32 total_difference(u32 a, u32 b) {
  constexpr std::size_t n = 4 / sizeof(T);
  const auto x = std::bit_cast<std::array<T, n>>(a), y = std::bit_cast<std::array<T, n>>(b);
  i64 sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += std::abs(static_cast<i64>(x[i]) - y[i]);
  return static_cast<u32>(sum);
}

// X(what the kernel computes of a, b, c, what it must be).
#define SCALAR_CASES(X)                                                                                            \
  X(__popc(a), std::popcount(a))                                                                                   \
  X(__popcll(w), std::popcount(w))                                                                                 \
  X(__clz(static_cast<int>(a)), std::countl_zero(a))                                                               \
  X(__clzll(static_cast<long long>(w)), std::countl_zero(w))                                                       \
  X(__ffs(static_cast<int>(a)), lowest_bit(a))                                                                     \
  X(__ffsll(static_cast<long long>(w)), lowest_bit(w))                                                             \
  X(__brev(a), reverse32(a))                                                                                       \
  X(__brevll(w), reverse64(w))                                                                                     \
  X(__mulhi(static_cast<int>(a), static_cast<int>(b)), static_cast<i32>(i64{static_cast<i32>(a)} * static_cast<i32>(b) >> 32)) \
  X(__umulhi(a, b), static_cast<u32>(u64{a} * b >> 32))                                                            \
  X(__mul64hi(static_cast<long long>(w), static_cast<long long>(v)),                                               \
    static_cast<i64>(static_cast<wide>(static_cast<i64>(w)) * static_cast<i64>(v) >> 64))                          \
  X(__umul64hi(w, v), static_cast<u64>(static_cast<unsigned_wide>(w) * v >> 64))                                   \
  X(__mul24(static_cast<int>(a), static_cast<int>(b)),                                                             \
    static_cast<i32>(i64{static_cast<i32>(a << 8) / 256 - (static_cast<i32>(a << 8) % 256 < 0)} *                  \
                     (static_cast<i32>(b << 8) / 256 - (static_cast<i32>(b << 8) % 256 < 0))))                     \
  X(__umul24(a, b), static_cast<u32>(u64{a % (1u << 24)} * (b % (1u << 24))))                                      \
  X(__sad(static_cast<int>(a), static_cast<int>(b), c), static_cast<u32>(std::abs(i64{static_cast<i32>(a)} - static_cast<i32>(b)) + c)) \
  X(__usad(a, b, c), static_cast<u32>(std::abs(i64{a} - i64{b}) + c))                                              \
  X(__hadd(static_cast<int>(a), static_cast<int>(b)), static_cast<i32>((i64{static_cast<i32>(a)} + static_cast<i32>(b)) >> 1)) \
  X(__rhadd(static_cast<int>(a), static_cast<int>(b)), static_cast<i32>((i64{static_cast<i32>(a)} + static_cast<i32>(b) + 1) >> 1)) \
  X(__uhadd(a, b), static_cast<u32>((u64{a} + b) >> 1))                                                            \
  X(__urhadd(a, b), static_cast<u32>((u64{a} + b + 1) >> 1))                                                       \
  X(__funnelshift_l(a, b, c), static_cast<u32>((u64{b} << 32 | a) << c % 32 >> 32))                                \
  X(__funnelshift_r(a, b, c), static_cast<u32>((u64{b} << 32 | a) >> c % 32))                                      \
  X(__funnelshift_lc(a, b, c), static_cast<u32>((u64{b} << 32 | a) << std::min(c, 32u) >> 32))                     \
  X(__funnelshift_rc(a, b, c), static_cast<u32>((u64{b} << 32 | a) >> std::min(c, 32u)))                           \
  X(__byte_perm(a, b, c), permute_bytes(a, b, c))                                                                  \
  X(__dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)), static_cast<i32>(dot<std::int8_t>(a, b) + c)) \
  X(__dp4a(a, b, c), static_cast<u32>(dot<std::uint8_t>(a, b) + c))                                                \
  X(__dp2a_lo(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)),                                      \
    static_cast<i32>(dot_half<std::int16_t, std::int8_t>(a, b, 0) + c))                                            \
  X(__dp2a_hi(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)),                                      \
    static_cast<i32>(dot_half<std::int16_t, std::int8_t>(a, b, 2) + c))                                            \
  X(__dp2a_lo(a, b, c), static_cast<u32>(dot_half<std::uint16_t, std::uint8_t>(a, b, 0) + c))                      \
  X(__dp2a_hi(a, b, c), static_cast<u32>(dot_half<std::uint16_t, std::uint8_t>(a, b, 2) + c))                      \
  X(__float_as_int(__int_as_float(static_cast<int>(a))), static_cast<i32>(a))                                      \
  X(__float_as_uint(__uint_as_float(a)), a)                                                                        \
  X(__double_as_longlong(__longlong_as_double(static_cast<long long>(w))), static_cast<i64>(w))                    \
  X(__double2hiint(__hiloint2double(static_cast<int>(a), static_cast<int>(b))), static_cast<i32>(a))               \
  X(__double2loint(__hiloint2double(static_cast<int>(a), static_cast<int>(b))), static_cast<i32>(b))

#define BOTH_SIGNS(X, width, name, S, U, formula)             \
  X(__v##name##s##width(a, b), packed<S>(a, b, formula))      \
  X(__v##name##u##width(a, b), packed<U>(a, b, formula))
#define ORDER(X, width, S, U, relation, op)                                                          \
  BOTH_SIGNS(X, width, cmp##relation, S, U, [](i64 x, i64 y) { return x op y ? -1 : 0; })             \
  BOTH_SIGNS(X, width, set##relation, S, U, [](i64 x, i64 y) { return x op y ? 1 : 0; })
#define PACKED_CASES(X, width, S, U)                                                                                        \
  X(__vabs##width(a), packed<S>(a, b, [](i64 x, i64) { return std::abs(x); }))                                              \
  X(__vabsss##width(a), packed<S>(a, b, [](i64 x, i64) { return std::abs(x); }, true))                                      \
  X(__vneg##width(a), packed<S>(a, b, [](i64 x, i64) { return -x; }))                                                       \
  X(__vnegss##width(a), packed<S>(a, b, [](i64 x, i64) { return -x; }, true))                                               \
  X(__vadd##width(a, b), packed<U>(a, b, std::plus<i64>()))                                                                 \
  X(__vaddss##width(a, b), packed<S>(a, b, std::plus<i64>(), true))                                                         \
  X(__vaddus##width(a, b), packed<U>(a, b, std::plus<i64>(), true))                                                         \
  X(__vsub##width(a, b), packed<U>(a, b, std::minus<i64>()))                                                                \
  X(__vsubss##width(a, b), packed<S>(a, b, std::minus<i64>(), true))                                                        \
  X(__vsubus##width(a, b), packed<U>(a, b, std::minus<i64>(), true))                                                        \
  BOTH_SIGNS(X, width, absdiff, S, U, [](i64 x, i64 y) { return std::abs(x - y); })                                         \
  BOTH_SIGNS(X, width, max, S, U, [](i64 x, i64 y) { return std::max(x, y); })                                              \
  BOTH_SIGNS(X, width, min, S, U, [](i64 x, i64 y) { return std::min(x, y); })                                              \
  BOTH_SIGNS(X, width, avg, S, U, [](i64 x, i64 y) { return (x + y + (x + y >= 0)) >> 1; })                                 \
  X(__vhaddu##width(a, b), packed<U>(a, b, [](i64 x, i64 y) { return (x + y) / 2; }))                                       \
  X(__vsads##width(a, b), total_difference<S>(a, b))                                                                        \
  X(__vsadu##width(a, b), total_difference<U>(a, b))                                                                        \
  X(__vcmpeq##width(a, b), packed<U>(a, b, [](i64 x, i64 y) { return x == y ? -1 : 0; }))                                   \
  X(__vcmpne##width(a, b), packed<U>(a, b, [](i64 x, i64 y) { return x != y ? -1 : 0; }))                                   \
  X(__vseteq##width(a, b), packed<U>(a, b, [](i64 x, i64 y) { return x == y ? 1 : 0; }))                                    \
  X(__vsetne##width(a, b), packed<U>(a, b, [](i64 x, i64 y) { return x != y ? 1 : 0; }))                                    \
  ORDER(X, width, S, U, ge, >=)                                                                                             \
  ORDER(X, width, S, U, gt, >)                                                                                              \
  ORDER(X, width, S, U, le, <=)                                                                                             \
  ORDER(X, width, S, U, lt, <)
#define PACKED_2(X) PACKED_CASES(X, 2, std::int16_t, std::uint16_t)
#define PACKED_4(X) PACKED_CASES(X, 4, std::int8_t, std::uint8_t)

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

#define KERNEL_LINE(computed, expected) out[at++] = static_cast<unsigned long long>(computed);
#define NAME(computed, expected) #computed,
#define HOST_LINE(computed, expected) reference.push_back(static_cast<u64>(expected));

// Runs the cases on all triples of samples and compares. The kernel reads a, b, c; w and v are 64-bit words of them.
#define RUN_CASES(CASES)                                                                                                             \
  auto kernel = CUTTLE_KERNEL([](cuttle::view<const unsigned> input, cuttle::view<unsigned long long> out, unsigned count) {         \
    const auto i = blockIdx.x * blockDim.x + threadIdx.x;                                                                            \
    if (i >= input.size() / 3) return;                                                                                               \
    const unsigned a = input[3 * i], b = input[3 * i + 1], c = input[3 * i + 2];                                                     \
    const unsigned long long w = static_cast<unsigned long long>(b) << 32 | a, v = static_cast<unsigned long long>(a) << 32 | c;     \
    static_cast<void>(w), static_cast<void>(v);                                                                                      \
    unsigned at = i * count;                                                                                                         \
    CASES(KERNEL_LINE)                                                                                                               \
  });                                                                                                                                \
  static const char* const names[] = {CASES(NAME)};                                                                                  \
  constexpr unsigned count = std::size(names);                                                                                       \
  std::vector<u32> input;                                                                                                            \
  std::vector<u64> reference;                                                                                                        \
  const auto values = samples();                                                                                                     \
  for (const u32 a : values) {                                                                                                       \
    for (const u32 b : values) {                                                                                                     \
      const u32 c = (a ^ b * 7) % 70;                                                                                                \
      const u64 w = u64{b} << 32 | a, v = u64{a} << 32 | c;                                                                          \
      static_cast<void>(w), static_cast<void>(v);                                                                                    \
      input.insert(input.end(), {a, b, c});                                                                                          \
      CASES(HOST_LINE)                                                                                                               \
    }                                                                                                                                \
  }                                                                                                                                  \
  cuttle::Array<unsigned long long> out(reference.size());                                                                           \
  const cuttle::Array<unsigned> device_input(input);                                                                                 \
  kernel.over(input.size() / 3)(device_input, out, count);                                                                           \
  const auto computed = out.to_vector();                                                                                             \
  for (std::size_t i = 0; i < reference.size(); ++i) {                                                                               \
    const u32* abc = &input[i / count * 3];                                                                                          \
    ASSERT_EQ(computed[i], reference[i]) << std::hex << names[i % count] << " of " << abc[0] << ", " << abc[1] << ", " << abc[2];    \
  }

TEST_P(IntegerIntrinsics, ScalarOnesGiveWhatHostFormulasGive){RUN_CASES(SCALAR_CASES)} TEST_P(IntegerIntrinsics,
                                                                                              PackedHalfWordsGiveWhatHostFormulasGive){
    RUN_CASES(PACKED_2)} TEST_P(IntegerIntrinsics, PackedBytesGiveWhatHostFormulasGive){RUN_CASES(PACKED_4)}

TEST(IntegerIntrinsicsCode, AreSingleInstructionsOnAGpu) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<unsigned> x) {
    x[0] = __funnelshift_l(x[0], x[1], x[2]);
    x[1] = __byte_perm(x[1], x[2], 0x5140);
    x[2] = __dp4a(x[2], x[3], x[4]);
    x[3] = __umulhi(x[3], x[4]);
    x[4] = __clz(static_cast<int>(x[4]));
    x[5] = __popc(x[5]);
    x[6] = __brev(x[6]);
  });
  const std::string ptx = kernel.inspect<cuttle::view<unsigned>>(cuttle::sm(75)).ptx();
  for (const char* instruction : {"shf.l.wrap.b32", "prmt.b32", "dp4a.u32.u32", "mul.hi.u32", "clz.b32", "popc.b32", "brev.b32"}) {
    EXPECT_NE(ptx.find(instruction), std::string::npos) << instruction << " is missing from\n" << ptx;
  }
}

}  // namespace
