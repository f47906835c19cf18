// Kernels from the field, hashes, ciphers and bits: exact answers, from published vectors where there are some.

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "field/inputs.h"
#include "support/device_test.h"

namespace {

using cuttle::Array;
using namespace cuttle::test;

class Integers : public OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Integers);

// ChaCha20's block function (RFC 8439, section 2.3), a thread a block of the stream.
auto chacha20 = CUTTLE_KERNEL([](const std::uint32_t* key, const std::uint32_t* nonce, std::uint32_t counter, std::uint32_t* stream, int blocks) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks) return;
  std::uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, start[16];
  for (int k = 0; k < 8; ++k) state[4 + k] = key[k];
  state[12] = counter + i;
  for (int k = 0; k < 3; ++k) state[13 + k] = nonce[k];
  for (int k = 0; k < 16; ++k) start[k] = state[k];
  const auto quarter = [&](int a, int b, int c, int d) {
    const auto turn = [](std::uint32_t x, int by) { return __funnelshift_l(x, x, by); };
    state[a] += state[b], state[d] = turn(state[d] ^ state[a], 16);
    state[c] += state[d], state[b] = turn(state[b] ^ state[c], 12);
    state[a] += state[b], state[d] = turn(state[d] ^ state[a], 8);
    state[c] += state[d], state[b] = turn(state[b] ^ state[c], 7);
  };
  for (int round = 0; round < 10; ++round) {
    quarter(0, 4, 8, 12), quarter(1, 5, 9, 13), quarter(2, 6, 10, 14), quarter(3, 7, 11, 15);
    quarter(0, 5, 10, 15), quarter(1, 6, 11, 12), quarter(2, 7, 8, 13), quarter(3, 4, 9, 14);
  }
  for (int k = 0; k < 16; ++k) stream[i * 16 + k] = state[k] + start[k];
});

TEST_P(Integers, ChaCha20GivesTheKeystreamOfItsRfc) {
  std::vector<std::uint32_t> key(8);
  for (std::uint32_t i = 0; i < 8; ++i) key[i] = 0x03020100 + i * 0x04040404;
  Array<std::uint32_t> d_key(key), nonce({0x09000000, 0x4a000000, 0x00000000}), stream(3 * 16);
  chacha20[{.grid = 1, .block = 32}](d_key, nonce, 0u, stream, 3);
  const auto words = stream.to_vector();
  const std::vector<std::uint32_t> expected{0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3, 0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3,
                                            0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9, 0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2};
  EXPECT_EQ(std::vector<std::uint32_t>(words.begin() + 16, words.begin() + 32), expected);  // the block of counter 1
}

constexpr std::uint32_t murmur_on_host(const std::string& text, std::uint32_t seed) {
  std::uint32_t h = seed;
  const auto mix = [](std::uint32_t k) { return std::rotl(k * 0xcc9e2d51u, 15) * 0x1b873593u; };
  std::size_t i = 0;
  for (; i + 4 <= text.size(); i += 4) {
    std::uint32_t k = 0;
    for (std::size_t b = 0; b < 4; ++b) k |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i + b])) << 8 * b;
    h = std::rotl(h ^ mix(k), 13) * 5 + 0xe6546b64u;
  }
  std::uint32_t tail = 0;
  for (std::size_t b = 0; i + b < text.size(); ++b) tail |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i + b])) << 8 * b;
  if (i < text.size()) h ^= mix(tail);
  h ^= static_cast<std::uint32_t>(text.size());
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

// MurmurHash3 of strings one after the other.
auto murmur = CUTTLE_KERNEL([](const char* text, const int* offsets, std::uint32_t* hash, int count, std::uint32_t seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const auto mix = [](std::uint32_t k) { return std::rotl(k * 0xcc9e2d51u, 15) * 0x1b873593u; };
  std::uint32_t h = seed;
  int p = offsets[i];
  const int end = offsets[i + 1];
  const auto byte = [&](int at) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at])); };
  for (; p + 4 <= end; p += 4) h = std::rotl(h ^ mix(byte(p) | byte(p + 1) << 8 | byte(p + 2) << 16 | byte(p + 3) << 24), 13) * 5 + 0xe6546b64u;
  std::uint32_t tail = 0;
  switch (end - p) {
    case 3:
      tail |= byte(p + 2) << 16;
      [[fallthrough]];
    case 2:
      tail |= byte(p + 1) << 8;
      [[fallthrough]];
    case 1:
      h ^= mix(tail | byte(p));
  }
  h ^= static_cast<std::uint32_t>(end - offsets[i]);
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  hash[i] = h ^ h >> 16;
});

TEST_P(Integers, MurmurHash3OfStringsOfEveryLength) {
  static_assert(murmur_on_host("", 1) == 0x514e28b7);  // published test vectors
  static_assert(murmur_on_host("test", 0x9747b28c) == 0x704b81dc);
  static_assert(murmur_on_host("Hello, world!", 0x9747b28c) == 0x24884cba);
  const std::string words[] = {"", "test", "Hello, world!", "a", "ab", "abc", "abcdefg", "\xff\xfe\xfd"};
  std::string all;
  std::vector<int> offsets{0};
  std::vector<std::uint32_t> expected;
  for (const std::string& word : words) {
    all += word;
    offsets.push_back(static_cast<int>(all.size()));
    expected.push_back(murmur_on_host(word, 0x9747b28c));
  }
  Array<char> text(std::vector<char>(all.begin(), all.end()));
  Array<int> d_offsets(offsets);
  Array<std::uint32_t> hash(expected.size());
  murmur[{.grid = 1, .block = 32}](text, d_offsets, hash, static_cast<int>(expected.size()), 0x9747b28cu);
  EXPECT_EQ(hash.to_vector(), expected);
}

// CRC-64 (ECMA-182) over a table that the kernel's source holds as a constant.
CUTTLE_DEVICE(constexpr auto crc_table = [] {
  std::array<std::uint64_t, 256> table{};
  for (unsigned i = 0; i < 256; ++i) {
    std::uint64_t crc = static_cast<std::uint64_t>(i) << 56;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 63 ? crc << 1 ^ 0x42f0e1eba9ea3693ull : crc << 1;
    table[i] = crc;
  }
  return table;
}(););

auto crc64 = CUTTLE_KERNEL([](const unsigned char* data, int length, std::uint64_t* crc, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  std::uint64_t value = 0;
  for (int k = 0; k < length; ++k) value = value << 8 ^ crc_table[(value >> 56 ^ data[i * length + k]) & 255];
  crc[i] = value;
});

TEST_P(Integers, Crc64OverATableInTheSource) {
  const std::string text = "123456789";
  Array<unsigned char> data(std::vector<unsigned char>(text.begin(), text.end()));
  Array<std::uint64_t> crc(1);
  crc64[{.grid = 1, .block = 32}](data, 9, crc, 1);
  EXPECT_EQ(crc.item(), 0x6c40df5f0b497347ull);  // the check value of CRC-64/ECMA-182
}

// Bits counted in four ways, which must agree with each other and the host. (HeCBench, popcount)
auto count_bits = CUTTLE_KERNEL([](const std::uint64_t* x, int* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  std::uint64_t v = x[i];
  counts[4 * i] = __popcll(v);
  counts[4 * i + 1] = std::popcount(v);
  int kernighan = 0;
  for (std::uint64_t rest = v; rest; rest &= rest - 1) ++kernighan;
  counts[4 * i + 2] = kernighan;
  v -= v >> 1 & 0x5555555555555555ull;
  v = (v & 0x3333333333333333ull) + (v >> 2 & 0x3333333333333333ull);
  counts[4 * i + 3] = static_cast<int>(((v + (v >> 4)) & 0x0f0f0f0f0f0f0f0full) * 0x0101010101010101ull >> 56);
});

TEST_P(Integers, FourWaysToCountBitsAgree) {
  constexpr int n = 130;
  std::vector<std::uint64_t> x(n);
  std::vector<int> expected;
  for (int i = 0; i < n; ++i) {
    x[at(i)] = i < 2 ? 0ull - static_cast<std::uint64_t>(i) : static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ull;
    for (int way = 0; way < 4; ++way) expected.push_back(std::popcount(x[at(i)]));
  }
  Array<std::uint64_t> in(x);
  Array<int> out(4 * n);
  count_bits[{.grid = 3, .block = 64}](in, out, n);
  EXPECT_EQ(out.to_vector(), expected);
}

// A class with operators, passed by value: division by an invariant number as a multiplication and a shift. (HeCBench, idivide)
CUTTLE_DEVICE(class Divisor {
 public:
  explicit Divisor(unsigned divisor) : divisor_(divisor) {
    while ((1ull << shift_) < divisor) ++shift_;
    multiplier_ = ((1ull << 32) * ((1ull << shift_) - divisor)) / divisor + 1;
  }
  friend unsigned operator/(unsigned value, const Divisor& by) {
    const unsigned high = static_cast<unsigned>(by.multiplier_ * value >> 32);
    return static_cast<unsigned>((static_cast<unsigned long long>(high) + value) >> by.shift_);
  }
  friend unsigned operator%(unsigned value, const Divisor& by) { return value - value / by * by.divisor_; }

 private:
  unsigned long long multiplier_ = 0;
  unsigned divisor_, shift_ = 0;
};);

auto divide = CUTTLE_KERNEL([](Divisor by, const unsigned* x, unsigned* quotient, unsigned* rest, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) quotient[i] = x[i] / by, rest[i] = x[i] % by;
});

TEST_P(Integers, AClassWithOperatorsDividesByValue) {
  constexpr int n = 200;
  std::vector<unsigned> x(n);
  for (unsigned i = 0; i < n; ++i) x[i] = i < 2 ? 0 - i : i * 2'654'435'761u;
  Array<unsigned> in(x), quotient(n), rest(n);
  for (const unsigned by : {1u, 2u, 3u, 7u, 10u, 641u, 65'537u, 0x7fffffffu, 0xffffffffu}) {
    divide[{.grid = 2, .block = 128}](Divisor(by), in, quotient, rest, n);
    const auto q = quotient.to_vector(), r = rest.to_vector();
    for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(q[i] == x[i] / by && r[i] == x[i] % by) << x[i] << " / " << by;
  }
}

}  // namespace
