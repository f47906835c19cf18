// Kernels where the tuning passes of codegen/tune_*.cpp act, at the edges where a wrong transformation would show, against the host's answer.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::view;

class Tuned : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Tuned);

std::vector<float> numbers(int count) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(i % 97) * 0.25f + 1.0f);
  return values;
}

auto cases = CUTTLE_KERNEL([](view<const int> selector, view<int> out) {
  const int i = threadIdx.x;
  int value = 10, other = 0;
  switch (selector[i]) {
    case 0:
      value += i;
      break;
    case 7:
      value -= 3;
      other = 1;
      break;
    case -2:
      other = value * 2;
      break;
    default:
      break;
  }
  if (selector[i] == 0) other += 100;
  if (selector[i] == 31) other += 200;
  out[i] = value * 1000 + other;
});

TEST_P(Tuned, SmallSwitchesKeepTheirMeaning) {
  const std::vector<int> selector{0, 7, -2, 31, 5, 0, 7, 1};
  const Array<int> input(selector);
  Array<int> out(8);
  cases[{1, 8}](input, out);
  EXPECT_EQ(out.to_vector(), (std::vector<int>{10100, 7001, 10020, 10200, 10000, 15100, 7001, 10000}));
}

auto strided_sums = CUTTLE_KERNEL([](view<const float> x, view<float> out, int n, int step) {
  float up = 0, down = 0;
  for (int i = threadIdx.x; i < n; i += step) up += x[i];
  for (int i = n - 1; i >= 0; i -= step) down = down * 0.5f + x[i];
  out[2 * threadIdx.x] = up;
  out[2 * threadIdx.x + 1] = down;
});

TEST_P(Tuned, UnrolledLoopsRunEveryLengthToItsEnd) {
  const auto host = numbers(64);
  const Array<float> x(host);
  for (const int n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 64}) {
    for (const int step : {1, 3}) {
      Array<float> out(8);
      strided_sums[{1, 4}](x, out, n, step);
      std::vector<float> expected;
      for (int t = 0; t < 4; ++t) {
        float up = 0, down = 0;
        for (int i = t; i < n; i += step) up += host[static_cast<std::size_t>(i)];
        for (int i = n - 1; i >= 0; i -= step) down = down * 0.5f + host[static_cast<std::size_t>(i)];
        expected.insert(expected.end(), {up, down});
      }
      EXPECT_EQ(out.to_vector(), expected) << "n " << n << ", step " << step;
    }
  }
}

auto guarded = CUTTLE_KERNEL([](view<const int> x, view<int> out, int n, int divisor) {
  const int i = threadIdx.x;
  int count = 0;
  if (i < n && x[i] > 2) count += 1;
  if (divisor != 0 && x[0] / divisor > 2) count += 2;
  if (i >= 1 && i < n - 1 && (i & 1) == 0) count += 4;
  int k = 0;
  while (k < n && k * k + i < 9) ++k;
  out[i] = count + 10 * k;
});

TEST_P(Tuned, AFoldedConditionGuardsWhatItGuarded) {
  const std::vector<int> host{7, 1, 5, 2, 9, 0};
  const Array<int> x(host);
  for (const int divisor : {0, 2}) {
    Array<int> out(8);
    guarded[{1, 8}](x, out, 6, divisor);
    std::vector<int> expected;
    for (int i = 0; i < 8; ++i) {
      int count = 0, k = 0;
      if (i < 6 && host[static_cast<std::size_t>(i)] > 2) count += 1;
      if (divisor != 0 && host[0] / divisor > 2) count += 2;
      if (i >= 1 && i < 5 && (i & 1) == 0) count += 4;
      while (k < 6 && k * k + i < 9) ++k;
      expected.push_back(count + 10 * k);
    }
    EXPECT_EQ(out.to_vector(), expected) << "divisor " << divisor;
  }
}

auto stores_between = CUTTLE_KERNEL([](view<float> x, view<const int> index, view<float> out) {
  x[0] = 1.0f / x[1];
  const float first = x[index[0]];
  x[1] = sqrtf(first);
  out[0] = first;
  out[1] = x[index[1]] / x[2];
  out[2] = x[3];
});

TEST_P(Tuned, ALoadAfterAStoreSeesIt) {
  Array<float> x{5.0f, 4.0f, 2.0f, 9.0f};
  const Array<int> index{0, 1};
  Array<float> out(3);
  stores_between[{1, 1}](x, index, out);
  EXPECT_EQ(out.to_vector(), (std::vector<float>{0.25f, 0.25f, 9.0f}));
}

auto luminance = CUTTLE_KERNEL([](view<const std::uint8_t> in, view<std::uint8_t> out, view<unsigned short> sums) {
  const int i = threadIdx.x;
  const int r = in[i * 3], g = in[i * 3 + 1], b = in[i * 3 + 2];
  out[i] = static_cast<std::uint8_t>((r * 77 + g * 150 + b * 29) >> 8);
  sums[i] = static_cast<unsigned short>((r * 77 + g * 150 + b * 29) ^ (r << 3));
});

TEST_P(Tuned, PixelArithmeticIsExactAtItsLargestValues) {
  std::vector<std::uint8_t> host;
  for (int i = 0; i < 3 * 256; ++i) host.push_back(static_cast<std::uint8_t>(i < 6 ? 255 : i * 37));
  const Array<std::uint8_t> in(host);
  Array<std::uint8_t> out(256);
  Array<unsigned short> sums(256);
  luminance[{1, 256}](in, out, sums);
  const auto shades = out.to_vector();
  const auto totals = sums.to_vector();
  for (std::size_t i = 0; i < 256; ++i) {
    const int r = host[i * 3], sum = r * 77 + host[i * 3 + 1] * 150 + host[i * 3 + 2] * 29;
    EXPECT_EQ(shades[i], static_cast<std::uint8_t>(sum >> 8)) << i;
    EXPECT_EQ(totals[i], static_cast<unsigned short>(sum ^ (r << 3))) << i;
  }
}

auto borders = CUTTLE_KERNEL([](view<const float> in, view<float> out, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int xx = x + dx, yy = y + dy;
      if (xx < 0 || yy < 0 || xx >= width || yy >= height) continue;
      sum += in[yy * width + xx] * static_cast<float>(3 * dy + dx);
    }
  }
  out[y * width + x] = sum;
});

TEST_P(Tuned, GuardedNeighboursAreReadWhereTheyAre) {
  const int width = 8, height = 4;
  const auto host = numbers(width * height);
  const Array<float> in(host);
  Array<float> out(width * height);
  borders[{.grid = 1, .block = {width, height}}](in, out, width, height);
  std::vector<float> expected;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      float sum = 0;
      for (int yy = std::max(y - 1, 0); yy <= std::min(y + 1, height - 1); ++yy) {
        for (int xx = std::max(x - 1, 0); xx <= std::min(x + 1, width - 1); ++xx) {
          sum += host[static_cast<std::size_t>(yy * width + xx)] * static_cast<float>(3 * (yy - y) + xx - x);
        }
      }
      expected.push_back(sum);
    }
  }
  EXPECT_EQ(out.to_vector(), expected);  // multiples of 1/4: exact in any order
}

auto backwards = CUTTLE_KERNEL([](const float* __restrict__ x, float* __restrict__ y, int middle) {
  const int i = threadIdx.x;
  y[i] = x[middle - i] + x[middle + i];
});

TEST_P(Tuned, NegativeIndicesStayNegative) {
  const auto host = numbers(16);
  Array<float> x(host);
  Array<float> y(8);
  backwards[{1, 8}](x.data() + 8, y.data(), -1);
  std::vector<float> expected;
  for (int i = 0; i < 8; ++i) expected.push_back(host[static_cast<std::size_t>(7 - i)] + host[static_cast<std::size_t>(7 + i)]);
  EXPECT_EQ(y.to_vector(), expected);
}

auto turns = CUTTLE_KERNEL([](view<const unsigned> draws, view<float> bounded, view<const float> angles, view<float> any) {
  const int i = threadIdx.x;
  bounded[i] = cosf(static_cast<float>(draws[i]) * 1.4629181e-9f);
  any[i] = cosf(angles[i]);
});

TEST_P(Tuned, CosinesOfSmallAndLargeAnglesAreRight) {
  const std::vector<unsigned> draws{0u, 1u, 0x40000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu};
  const std::vector<float> angles{0.0f, -3.0f, 105614.9f, 105615.0f, -1e7f, 3e30f};
  Array<float> bounded(6), any(6);
  turns[{1, 6}](Array<unsigned>(draws), bounded, Array<float>(angles), any);
  const auto small = bounded.to_vector(), large = any.to_vector();
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(small[i], std::cos(static_cast<double>(static_cast<float>(draws[i]) * 1.4629181e-9f)), 1e-6) << draws[i];
    EXPECT_NEAR(large[i], std::cos(static_cast<double>(angles[i])), 1e-6) << angles[i];
  }
}

auto thresholds = CUTTLE_KERNEL([](view<const int> x, view<int> out, float gain) {
  const float level = static_cast<float>(x[threadIdx.x] & 255) * 0.5f - 3.0f;
  int passed = (level < 124.5f) + 2 * (level <= 124.5f) + 4 * (level > -3.0f) + 8 * (level >= -3.0f) + 16 * (level < 130.0f) + 32 * (level > -200.0f);
  passed += 64 * (level * gain < 1e30f) + 128 * (level * gain == level * gain);
  out[threadIdx.x] = passed;
});

TEST_P(Tuned, ComparisonsAtAndBeyondTheEdgeOfARangeAreRight) {
  const std::vector<int> x{0, 1, 254, 255, 256, -1};
  for (const float gain : {1.0f, 3e38f, std::nanf("")}) {
    Array<int> out(6);
    thresholds[{1, 6}](Array<int>(x), out, gain);
    std::vector<int> expected;
    for (const int value : x) {
      const float level = static_cast<float>(value & 255) * 0.5f - 3.0f, scaled = level * gain;
      expected.push_back((level < 124.5f) + 2 * (level <= 124.5f) + 4 * (level > -3.0f) + 8 * (level >= -3.0f) + 16 + 32 + 64 * (scaled < 1e30f) +
                         128 * !std::isnan(scaled));
    }
    EXPECT_EQ(out.to_vector(), expected) << "gain " << gain;
  }
}

unsigned hash_of(unsigned word, int rounds) {
  unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe;
  for (int k = 0; k < 24 * rounds; ++k) {
    const unsigned step = static_cast<unsigned>(k % 24);
    const unsigned sum = a + ((b & c) ^ step) + word * (2 * step + 3) + 0x5bd1e995u * (step + 1);
    const unsigned by = 3 + (step & 7);
    a = c;
    c = b;
    b += (sum << by) | (sum >> (32 - by));
  }
  return a ^ b ^ c;
}

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

TEST_P(Tuned, RotationsAndInvariantsOfAnUnrolledHashAreRight) {
  const std::vector<unsigned> words{0u, 1u, 0x80000000u, 0xffffffffu, 0x12345678u};
  for (const int rounds : {0, 1, 2, 7}) {
    Array<unsigned> out(5);
    hash_rounds[{1, 5}](Array<unsigned>(words), out, rounds);
    std::vector<unsigned> expected;
    for (const unsigned word : words) expected.push_back(hash_of(word, rounds));
    EXPECT_EQ(out.to_vector(), expected) << rounds << " rounds";
  }
}

auto slow_values = CUTTLE_KERNEL([](view<const float> x, view<float> out) {
  const int i = threadIdx.x;
  const float root = sqrtf(x[i]), quotient = 1.0f / root;
  out[2 * i] = x[i] + 2.0f;  // may be what x shows next
  const float product = quotient * x[i + 1] + root;
  out[2 * i + 1] = product;
});

TEST_P(Tuned, SlowArithmeticThatWaitsGivesTheSameValues) {
  const std::vector<float> x{0.0f, 1.0f, 4.0f, 1e-40f, 1e30f, 2.0f};
  Array<float> out(10);
  slow_values[{1, 5}](Array<float>(x), out);
  const auto values = out.to_vector();
  for (std::size_t i = 0; i < 5; ++i) {
    const float root = std::sqrt(x[i]), quotient = 1.0f / root;
    EXPECT_EQ(values[2 * i], x[i] + 2.0f);
    EXPECT_FLOAT_EQ(values[2 * i + 1], std::fma(quotient, x[i + 1], root)) << x[i];
  }
}

auto neighbours = CUTTLE_KERNEL([](view<const int, 3> a, view<int, 3> b, int dz, long dy) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= a.shape(2) - 1 || y >= a.shape(1) - 1 || z >= a.shape(0) - 1) return;
  b(z, y, x) = a(z, y, x) + 2 * a(z, y, x - 1) + 3 * a(z, y, x + 1) + 5 * a(z, y - 1, x) + 7 * a(z, y + 1, x) + 11 * a(z - 1, y, x) +
               13 * a(z + 1, y, x) + 17 * a(z + dz, y + dy, x - 1);
  b(z - 1, y, x) = -b(z, y, x);  // the same array again, after a store to it
});

TEST_P(Tuned, NeighboursInThreeDimensionsAreTheRightOnes) {
  constexpr int nz = 4, ny = 5, nx = 7;
  std::vector<int> host;
  for (int i = 0; i < nz * ny * nx; ++i) host.push_back(i * i % 101);
  const auto a = [&](int z, int y, int x) { return host[static_cast<std::size_t>((z * ny + y) * nx + x)]; };
  for (const int dz : {-1, 0, 1}) {
    for (const int dy : {-1, 1}) {
      const Array<int> in(host);
      Array<int> out(host);
      neighbours[{1, {nx, ny, 3}}](view<const int, 3>(in.data(), 3, ny, nx), view<int, 3>(out.data(), 3, ny, nx), dz, long{dy});
      std::vector<int> expected = host;
      for (int y = 1; y < ny - 1; ++y) {
        for (int x = 1; x < nx - 1; ++x) {
          const int sum = a(1, y, x) + 2 * a(1, y, x - 1) + 3 * a(1, y, x + 1) + 5 * a(1, y - 1, x) + 7 * a(1, y + 1, x) + 11 * a(0, y, x) +
                          13 * a(2, y, x) + 17 * a(1 + dz, y + dy, x - 1);
          expected[static_cast<std::size_t>((ny + y) * nx + x)] = sum;
          expected[static_cast<std::size_t>(y * nx + x)] = -sum;
        }
      }
      EXPECT_EQ(out.to_vector(), expected) << "dz " << dz << ", dy " << dy;
    }
  }
}

}  // namespace
