// Random numbers: the published vectors of each generator, the same bits on every device and on the host, and the distributions.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::dsl::Philox4x32;
using cuttle::dsl::Xoroshiro128pp;
using cuttle::dsl::Xoshiro256pp;

class Random : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Random);

auto philox_block = CUTTLE_KERNEL([](const unsigned* in, unsigned* out) {
  const uint4 numbers = Philox4x32::block({in[0], in[1], in[2], in[3]}, {in[4], in[5]});
  out[0] = numbers.x, out[1] = numbers.y, out[2] = numbers.z, out[3] = numbers.w;
});

// Random123, tests/kat_vectors, the lines "philox4x32 10": counter, key, numbers.
TEST_P(Random, PhiloxGivesThePublishedNumbers) {
  const std::vector<std::vector<unsigned>> vectors = {
      {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
      {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
      {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (const std::vector<unsigned>& vector : vectors) {
    cuttle::Array<unsigned> out(4);
    philox_block[{1, 1}](cuttle::Array<unsigned>(std::vector<unsigned>(vector.begin(), vector.begin() + 6)), out);
    EXPECT_EQ(out.to_vector(), std::vector<unsigned>(vector.begin() + 6, vector.end()));
  }
}

auto draws_of_states = CUTTLE_KERNEL([](std::uint64_t* xoroshiro, std::uint64_t* xoshiro, int n) {
  Xoroshiro128pp small(1, 2);
  Xoshiro256pp large(1, 2, 3, 4);
  for (int i = 0; i < n; ++i) xoroshiro[i] = small(), xoshiro[i] = large();
});

// Made by the authors' xoroshiro128plusplus.c and xoshiro256plusplus.c from the states {1, 2} and {1, 2, 3, 4}; rand_xoshiro's tests have them too.
TEST_P(Random, XoroshiroAndXoshiroGiveTheReferencesNumbers) {
  const std::vector<std::uint64_t> xoroshiro = {393217,
                                                669327710093319,
                                                1732421326133921491,
                                                11394790081659126983u,
                                                9555452776773192676u,
                                                3586421180005889563,
                                                1691397964866707553,
                                                10735626796753111697u,
                                                15216282715349408991u,
                                                14247243556711267923u};
  const std::vector<std::uint64_t> xoshiro = {41943041,
                                              58720359,
                                              3588806011781223,
                                              3591011842654386,
                                              9228616714210784205u,
                                              9973669472204895162u,
                                              14011001112246962877u,
                                              12406186145184390807u,
                                              15849039046786891736u,
                                              10450023813501588000u};
  cuttle::Array<std::uint64_t> a(10), b(10);
  draws_of_states[{1, 1}](a, b, 10);
  EXPECT_EQ(a.to_vector(), xoroshiro);
  EXPECT_EQ(b.to_vector(), xoshiro);
}

auto draw_all = CUTTLE_KERNEL([](auto seed, auto floats, auto doubles, auto words, auto longs) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  Philox4x32 philox(seed, t);
  Xoshiro256pp xoshiro(seed + t);
  Xoroshiro128pp xoroshiro(seed);
  xoroshiro.jump();
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned at = 8 * t + i;
    floats[2 * at] = uniform<float>(philox);
    floats[2 * at + 1] = normal<float>(xoshiro);
    doubles[2 * at] = uniform<double>(xoroshiro);
    doubles[2 * at + 1] = normal<double>(philox);
    words[at] = philox();
    longs[at] = xoroshiro() ^ xoshiro();
  }
  philox.discard(t);
  words[8 * t] = philox();
});

TEST_P(Random, HasTheSameBitsHereAndOnTheHost) {
  constexpr unsigned threads = 512;
  constexpr std::uint64_t seed = 0x123456789abcdef;
  cuttle::Array<float> floats(16 * threads);
  cuttle::Array<double> doubles(16 * threads);
  cuttle::Array<unsigned> words(8 * threads);
  cuttle::Array<std::uint64_t> longs(8 * threads);
  draw_all[{4, 128}](seed, floats, doubles, words, longs);

  std::vector<float> expected_floats;
  std::vector<double> expected_doubles;
  std::vector<unsigned> expected_words;
  std::vector<std::uint64_t> expected_longs;
  for (unsigned t = 0; t < threads; ++t) {
    Philox4x32 philox(seed, t);
    Xoshiro256pp xoshiro(seed + t);
    Xoroshiro128pp xoroshiro(seed);
    xoroshiro.jump();
    for (unsigned i = 0; i < 8; ++i) {
      expected_floats.push_back(cuttle::dsl::uniform<float>(philox));
      expected_floats.push_back(cuttle::dsl::normal<float>(xoshiro));
      expected_doubles.push_back(cuttle::dsl::uniform<double>(xoroshiro));
      expected_doubles.push_back(cuttle::dsl::normal<double>(philox));
      expected_words.push_back(philox());
      expected_longs.push_back(xoroshiro() ^ xoshiro());
    }
    philox.discard(t);
    expected_words[8 * t] = philox();
  }
  EXPECT_EQ(floats.to_vector(), expected_floats);
  EXPECT_EQ(doubles.to_vector(), expected_doubles);
  EXPECT_EQ(words.to_vector(), expected_words);
  EXPECT_EQ(longs.to_vector(), expected_longs);
}

TEST(RandomOnTheHost, DiscardLeavesOutNumbers) {
  for (const unsigned before : {0u, 1u, 3u, 4u}) {
    for (const unsigned count : {0u, 1u, 2u, 3u, 4u, 5u, 11u}) {
      Philox4x32 stepped(7, 3), jumped(7, 3);
      for (unsigned i = 0; i < before; ++i) stepped(), jumped();
      for (unsigned i = 0; i < count; ++i) stepped();
      jumped.discard(count);
      for (int i = 0; i < 9; ++i) EXPECT_EQ(stepped(), jumped()) << before << " before, " << count << " left out";
    }
  }
  EXPECT_EQ(Philox4x32(5, 0, 6)(), [] {
    Philox4x32 philox(5);
    for (int i = 0; i < 6; ++i) philox();
    return philox();
  }());
}

// A generator that gives one number, to ask for the quantile at it.
template <class Number>
struct Only {
  using result_type = Number;
  Number number;
  Number operator()() const { return number; }
};

// Quantiles of the normal distribution, to as many digits as double has.
TEST(RandomOnTheHost, NormalIsTheInverseOfTheDistribution) {
  struct Row {
    double probability, quantile;
  };
  for (const Row& row : {Row{0.5, 0.0}, Row{0.75, 0.6744897501960817}, Row{0.9, 1.2815515655446004}, Row{0.975, 1.959963984540054},
                         Row{0.999, 3.090232306167813}, Row{1 - 0x1p-20, 4.763001034267814}}) {
    const double half_a_unit = 0x1p-33 * std::sqrt(2 * 3.141592653589793) * std::exp(row.quantile * row.quantile / 2);  // of the float's draw
    Only<std::uint64_t> wide{static_cast<std::uint64_t>((row.probability - 0.5) * 0x1p64)};
    Only<std::uint32_t> narrow{static_cast<std::uint32_t>((row.probability - 0.5) * 0x1p32)};
    EXPECT_NEAR(cuttle::dsl::normal<double>(wide), row.quantile, 4e-15 * (1 + row.quantile));
    EXPECT_NEAR(cuttle::dsl::normal<float>(narrow), row.quantile, 1e-6 * (1 + row.quantile) + half_a_unit);
    wide.number = ~wide.number;
    narrow.number = ~narrow.number;
    EXPECT_NEAR(cuttle::dsl::normal<double>(wide), -row.quantile, 4e-15 * (1 + row.quantile));
    EXPECT_NEAR(cuttle::dsl::normal<float>(narrow), -row.quantile, 1e-6 * (1 + row.quantile) + half_a_unit);
  }
}

template <class T>
void expect_distributions() {
  constexpr int n = 1 << 20;
  Philox4x32 philox(2026);
  double sum = 0, squares = 0, fourths = 0, uniforms = 0;
  int beyond_two = 0;
  for (int i = 0; i < n; ++i) {
    const double z = cuttle::dsl::normal<T>(philox), u = cuttle::dsl::uniform<T>(philox);
    ASSERT_TRUE(u >= 0 && u < 1);
    sum += z, squares += z * z, fourths += z * z * z * z, uniforms += u;
    beyond_two += std::abs(z) > 2;
  }
  // Five deviations of each estimate.
  EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourths / n, 3, 5 * std::sqrt(96.0 / n));
  EXPECT_NEAR(uniforms / n, 0.5, 5 / std::sqrt(12.0 * n));
  EXPECT_NEAR(static_cast<double>(beyond_two) / n, 0.0455002639, 5 * std::sqrt(0.0455 * 0.9545 / n));
}

TEST(RandomOnTheHost, HasTheMomentsOfItsDistributions) {
  expect_distributions<float>();
  expect_distributions<double>();
}

}  // namespace
