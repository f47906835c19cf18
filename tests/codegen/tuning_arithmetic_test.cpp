// What keeps the PTX as fast as nvcc's (docs/pipeline.md): the measures on arithmetic, on offsets, and on the registers and counters of loops.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <regex>
#include <string>

#include "support/libdevice.h"

namespace {

using cuttle::sm;
using cuttle::view;

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

std::ptrdiff_t count(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator());
}

// The text from the first label that is jumped back to, to that jump.
std::string first_loop(const std::string& ptx) {
  std::smatch loop;
  return std::regex_search(ptx, loop, std::regex(R"((\$L__BB\w+):[^]*?bra(?:\.uni)?\s+\1;)")) ? loop[0].str() : "";
}

auto cosine_of_draw = CUTTLE_KERNEL(
    [](view<const unsigned> draws, view<float> out) { out[threadIdx.x] = cosf(static_cast<float>(draws[threadIdx.x]) * 1.4629181e-9f); });
auto cosine = CUTTLE_KERNEL([](view<const float> x, view<float> out) { out[threadIdx.x] = cosf(x[threadIdx.x]); });

TEST(TunedArithmetic, ABoundedAngleNeedsNoSlowPath) {
  if (cuttle::test::libdevice().empty()) GTEST_SKIP() << cuttle::test::no_libdevice;
  const std::string bounded = cosine_of_draw.inspect<view<const unsigned>, view<float>>(sm(90)).ptx();
  EXPECT_FALSE(contains(bounded, "i2opi")) << "at most 2 pi:\n" << bounded;
  EXPECT_FALSE(contains(bounded, "__local_depot")) << bounded;
  EXPECT_TRUE(contains((cosine.inspect<view<const float>, view<float>>(sm(90)).ptx()), "i2opi")) << "an angle from memory may be of any size";
}

auto is_in_range = CUTTLE_KERNEL([](view<const unsigned char> pixels, view<int> out, float gain) {
  const float level = static_cast<float>(pixels[threadIdx.x]) * 0.5f - 3.0f;
  out[threadIdx.x] = (level < 200.0f) + 2 * (level > -200.0f) + 4 * (level < 100.0f) + 8 * (level * gain < 1e6f);
});

TEST(TunedArithmetic, OnlyWhatTheOriginDecidesIsDecided) {
  const std::string ptx = is_in_range.inspect<view<const unsigned char>, view<int>, float>(sm(90)).ptx();
  EXPECT_EQ(count(ptx, R"(setp\.\w+\.f32)"), 2) << "below 100, and with a gain that may be anything:\n" << ptx;
}

auto root_and_polynomial = CUTTLE_KERNEL([](view<const float> x, view<const float> y, view<float> out) {
  const int i = threadIdx.x;
  const float root = sqrtf(x[i]);
  const float v = y[i];
  const float polynomial = fmaf(fmaf(fmaf(v, 0.1f, 0.2f), v, 0.3f), v, 0.4f);
  out[i] = root * polynomial;
});

TEST(TunedArithmetic, ASquareRootWaitsForItsUse) {
  const std::string ptx = root_and_polynomial.inspect<view<const float>, view<const float>, view<float>>(sm(90)).ptx();
  EXPECT_GT(ptx.find("sqrt.rn"), ptx.rfind("fma.rn.f32")) << ptx;
}

// Rounds of a hash, unrolled, with the message words as invariants of the outer loop.
auto hash_rounds = CUTTLE_KERNEL([](view<const unsigned> in, view<unsigned> out, int rounds) {
  unsigned message[24];
  for (int j = 0; j < 24; ++j) message[j] = in[threadIdx.x] * static_cast<unsigned>(2 * j + 3);
  unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe;
  for (int r = 0; r < rounds; ++r) {
    for (int k = 0; k < 24; ++k) {
      const unsigned sum = a + ((b & c) ^ k) + message[k] + 0x5bd1e995u * static_cast<unsigned>(k + 1);
      const int by = 3 + (k & 7);
      a = c;
      c = b;
      b += (sum << by) | (sum >> (32 - by));
    }
  }
  out[threadIdx.x] = a ^ b ^ c;
});

TEST(TunedArithmetic, ARotationThatIsAddedStaysOne) {
  const std::string loop = first_loop(hash_rounds.inspect<view<const unsigned>, view<unsigned>, int>(sm(90)).ptx());
  EXPECT_EQ(count(loop, R"(shf\.l\.wrap\.b32)"), 24) << loop;
  EXPECT_EQ(count(loop, R"(sh[lr]\.[bu]32)"), 0) << loop;
}

TEST(TunedArithmetic, SumsOfInvariantsAreNotKeptInRegisters) {
  const std::string ptx = hash_rounds.inspect<view<const unsigned>, view<unsigned>, int>(sm(90)).ptx();
  const std::string loop = first_loop(ptx);
  EXPECT_EQ(count(loop, R"(add\.s32\s+%r\d+, %r\d+, -?\d{8,};)"), 24) << "each step adds its own constant:\n" << ptx;
  EXPECT_GE(count(loop, R"((mul|mad)\.lo\.s32)"), 20) << "and multiplies its own word:\n" << ptx;
}

auto row_of_five = CUTTLE_KERNEL([](view<const float> in, view<float> out, int w) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= w) return;
  float sum = 0;
  for (int dx = -2; dx <= 2; ++dx) {
    if (x + dx < 0 || x + dx >= w) continue;
    sum += in[x + dx];
  }
  out[x] = sum;
});

TEST(TunedArithmetic, ComparesThatOthersDecideGoAfterUnrollingToo) {
  const std::string ptx = row_of_five.inspect<view<const float>, view<float>, int>(sm(90)).ptx();
  EXPECT_LE(count(ptx, R"(setp\.)"), 8) << "x - 2 < w, since x < w:\n" << ptx;
}

auto walk_two = CUTTLE_KERNEL([](const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out) {
  float sum = 0;
  for (int j = 0; j < 256; ++j) sum += a[j * 16] * b[j * 16 + 3];
  out[0] = sum;
});

TEST(TunedArithmetic, TwoArraysThatAreWalkedHaveAPointerEach) {
  const std::string loop = first_loop(walk_two.inspect<const float*, const float*, float*>(sm(90)).ptx());
  EXPECT_EQ(count(loop, R"(add\.s64)"), 2) << "an offset of its own would be a third, with the sums:\n" << loop;
}

auto byte_products = CUTTLE_KERNEL([](view<const int> x, view<const int> y, view<int> out, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 32) sum = __dp4a(x[i], y[i], sum);
  out[threadIdx.x] = sum;
});

TEST(TunedArithmetic, ALoopOfByteProductsIsUnrolled) {
  const std::string ptx = byte_products.inspect<view<const int>, view<const int>, view<int>, int>(sm(90)).ptx();
  EXPECT_EQ(count(ptx, R"(dp4a\.s32\.s32)"), 5) << "four in the loop, one in the remainder:\n" << ptx;
}

auto chain = CUTTLE_KERNEL([](view<float> x, int rounds) {
  float value = x[threadIdx.x];
  for (int r = 0; r < rounds; ++r) value = value * 0.5f + 1.0f;
  x[threadIdx.x] = value;
});

TEST(TunedArithmetic, ALoopWithoutMemoryIsUnrolledByEight) {
  const std::string ptx = chain.inspect<view<float>, int>(sm(90)).ptx();
  EXPECT_EQ(count(ptx, R"(fma\.rn\.f32)"), 9) << "eight in the loop, one in the remainder:\n" << ptx;
}

auto neighbours = CUTTLE_KERNEL([](view<const double, 3> a, view<double, 3> b) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= a.shape(2) - 1 || y >= a.shape(1) - 1 || z >= a.shape(0) - 1) return;
  b(z, y, x) = a(z, y, x) + a(z, y, x - 1) + a(z, y, x + 1) + a(z, y - 1, x) + a(z, y + 1, x) + a(z - 1, y, x) + a(z + 1, y, x);
});

TEST(TunedArithmetic, NeighboursInAViewShareTheirProducts) {
  const std::string ptx = neighbours.inspect<view<const double, 3>, view<double, 3>>(sm(90)).ptx();
  EXPECT_LE(count(ptx, R"((mul|mad)\.lo\.s64)"), 5) << "two for a(z, y, x), one for a layer, two for b(z, y, x):\n" << ptx;
}

}  // namespace
