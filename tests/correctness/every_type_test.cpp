// What the vocabulary promises type by type: every shuffle, every atomic operation under every scope, collectives of what no host type can sort, and
// the three spellings of each math function.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "cuttle/dsl/math_names.hpp"
#include "support/device_test.h"

CUTTLE_DEVICE(struct EveryTypeSample {
  double position;
  short kind;
  char name[5];
  bool operator==(const EveryTypeSample&) const = default;
};);

namespace {

using cuttle::bfloat16;
using cuttle::half;

class EveryType : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(EveryType);

template <class T>
T numbered(int i) {
  if constexpr (std::is_same_v<T, EveryTypeSample>) {
    return {i / 4.0, static_cast<short>(i), {'a', 'b', static_cast<char>(i), 'd', 'e'}};
  } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    return {static_cast<typename T::value_type>(i), static_cast<typename T::value_type>(-i)};
  } else if constexpr (std::is_same_v<T, bool>) {
    return i % 3 == 0;
  } else {
    return T(i + 1);
  }
}

// ---- shuffles ------------------------------------------------------------------------------------------------------------------------

auto shuffle_everywhere = CUTTLE_KERNEL([](auto in, auto out, int width) {
  const int t = threadIdx.x;
  const auto value = in[t];
  out[4 * t] = __shfl_sync(0xffffffff, value, 3, width);
  out[4 * t + 1] = __shfl_up_sync(0xffffffff, value, 1, width);
  out[4 * t + 2] = __shfl_down_sync(0xffffffff, value, 2, width);
  out[4 * t + 3] = __shfl_xor_sync(0xffffffff, value, 1, width);
});

template <class T>
void expect_shuffles(const char* type) {
  cuttle::Array<T> in(32), out(4 * 32);
  const auto host = std::make_unique<T[]>(4 * 32);
  for (int t = 0; t < 32; ++t) host[static_cast<std::size_t>(t)] = numbered<T>(t);
  in.copy_from(std::span<const T>(host.get(), 32));
  for (const int width : {8, 32}) {
    shuffle_everywhere[{1, 32}](in, out, width);
    out.copy_to(std::span<T>(host.get(), 4 * 32));
    for (int t = 0; t < 32; ++t) {
      const int first = t / width * width, last = first + width - 1;
      const int from[] = {first + 3, t - 1 < first ? t : t - 1, t + 2 > last ? t : t + 2, t ^ 1};
      for (int k = 0; k < 4; ++k) {
        EXPECT_TRUE(host[static_cast<std::size_t>(4 * t + k)] == numbered<T>(from[k]))
            << type << ", lane " << t << ", shuffle " << k << ", width " << width;
      }
    }
  }
}

TEST_P(EveryType, IsShuffledInFourWays) {
#define EXPECT_SHUFFLES(...) expect_shuffles<__VA_ARGS__>(#__VA_ARGS__)
  EXPECT_SHUFFLES(std::int8_t), EXPECT_SHUFFLES(std::uint8_t), EXPECT_SHUFFLES(std::int16_t), EXPECT_SHUFFLES(std::uint16_t);
  EXPECT_SHUFFLES(std::int32_t), EXPECT_SHUFFLES(std::uint32_t), EXPECT_SHUFFLES(std::int64_t), EXPECT_SHUFFLES(std::uint64_t);
  EXPECT_SHUFFLES(half), EXPECT_SHUFFLES(bfloat16), EXPECT_SHUFFLES(float), EXPECT_SHUFFLES(double), EXPECT_SHUFFLES(bool);
  EXPECT_SHUFFLES(std::complex<float>), EXPECT_SHUFFLES(std::complex<double>), EXPECT_SHUFFLES(EveryTypeSample);
}

auto lane_masks = CUTTLE_KERNEL([](cuttle::view<unsigned> out) {
  const auto t = threadIdx.x;
  out[5 * t] = lanemask_eq(), out[5 * t + 1] = lanemask_lt(), out[5 * t + 2] = lanemask_le();
  out[5 * t + 3] = lanemask_gt(), out[5 * t + 4] = lanemask_ge();
});

TEST_P(EveryType, OfLaneMaskNamesTheLanesBesideIt) {
  cuttle::Array<unsigned> out(5 * 64);
  lane_masks[{1, 64}](out);
  const auto got = out.to_vector();
  for (unsigned t = 0; t < 64; ++t) {
    const unsigned own = 1u << t % 32, below = own - 1;
    const std::vector<unsigned> expected = {own, below, below | own, ~(below | own), ~below};
    EXPECT_EQ(std::vector<unsigned>(&got[5 * t], &got[5 * t] + 5), expected) << t;
  }
}

// ---- atomics -------------------------------------------------------------------------------------------------------------------------

// One operation under each scope, on a row of cells, and what it returns in a row of `old`.
#define SCOPED(operation, row)                                         \
  old(row, 0) = operation(&cells(row, 0), value);                      \
  old(row, 1) = operation##_block(&cells(row, 1), value);              \
  old(row, 2) = operation##_system(&cells(row, 2), value);

auto arithmetic = CUTTLE_KERNEL([](auto cells, auto old, auto value, auto compare) {
  SCOPED(atomicAdd, 0)
  SCOPED(atomicSub, 1)
  SCOPED(atomicExch, 2)
  SCOPED(atomicMin, 3)
  SCOPED(atomicMax, 4)
  old(5, 0) = atomicCAS(&cells(5, 0), compare, value);
  old(5, 1) = atomicCAS_block(&cells(5, 1), compare, value);
  old(5, 2) = atomicCAS_system(&cells(5, 2), compare, value);
});
auto bitwise = CUTTLE_KERNEL([](auto cells, auto old, auto value) {
  SCOPED(atomicAnd, 0)
  SCOPED(atomicOr, 1)
  SCOPED(atomicXor, 2)
});
auto wrapping = CUTTLE_KERNEL([](auto cells, auto old, auto value) {
  SCOPED(atomicInc, 0)
  SCOPED(atomicDec, 1)
});

// What each operation makes of `start`, under all scopes.
template <class T, class Kernel, class... Value>
void expect_steps(const Kernel& kernel, const std::string& type, T start, const std::vector<T>& after, Value... values) {
  const auto rows = static_cast<std::int64_t>(after.size());
  auto cells = cuttle::full(start, rows, 3), old = cuttle::full(T(0), rows, 3);
  kernel[{1, 1}](cells, old, values...);
  const auto got = cells.to_vector(), returned = old.to_vector();
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(returned[i] == start) << type << ", operation " << i / 3 << ", scope " << i % 3 << ": old value";
    EXPECT_TRUE(got[i] == after[i / 3]) << type << ", operation " << i / 3 << ", scope " << i % 3 << ": new value";
  }
}

template <class T>
void expect_arithmetic(const std::string& type) {
  expect_steps<T>(arithmetic, type, T(40), {T(42), T(38), T(2), T(2), T(40), T(2)}, T(2), T(40));
  expect_steps<T>(arithmetic, type, T(40), {T(90), T(-10), T(50), T(40), T(50), T(40)}, T(50), T(41));
  if constexpr (!std::is_unsigned_v<T>) {
    expect_steps<T>(arithmetic, type, T(-3), {T(-8), T(2), T(-5), T(-5), T(-3), T(-5)}, T(-5), T(-3));
    expect_steps<T>(arithmetic, type, T(-3), {T(-2), T(-4), T(1), T(-3), T(1), T(-3)}, T(1), T(3));
  }
}

template <class T>
void expect_bits(const std::string& type) {
  expect_steps<T>(bitwise, type, T(0b1100), {T(0b1000), T(0b1110), T(0b0110)}, T(0b1010));
}

template <class T>
void expect_wrapping(const std::string& type) {
  expect_steps<T>(wrapping, type, T(5), {T(6), T(4)}, T(7));
  expect_steps<T>(wrapping, type, T(7), {T(0), T(6)}, T(7));
  expect_steps<T>(wrapping, type, T(0), {T(1), T(7)}, T(7));
}

TEST_P(EveryType, HasItsAtomicOperationsUnderEveryScope) {
#define EXPECT_ATOMICS(T) expect_arithmetic<T>(#T)
  EXPECT_ATOMICS(std::int8_t), EXPECT_ATOMICS(std::uint8_t), EXPECT_ATOMICS(std::int16_t), EXPECT_ATOMICS(std::uint16_t);
  EXPECT_ATOMICS(std::int32_t), EXPECT_ATOMICS(std::uint32_t), EXPECT_ATOMICS(std::int64_t), EXPECT_ATOMICS(std::uint64_t);
  EXPECT_ATOMICS(float), EXPECT_ATOMICS(double), EXPECT_ATOMICS(half), EXPECT_ATOMICS(bfloat16);
#define EXPECT_BITS(T) expect_bits<T>(#T)
  EXPECT_BITS(std::int8_t), EXPECT_BITS(std::uint8_t), EXPECT_BITS(std::int16_t), EXPECT_BITS(std::uint16_t);
  EXPECT_BITS(std::int32_t), EXPECT_BITS(std::uint32_t), EXPECT_BITS(std::int64_t), EXPECT_BITS(std::uint64_t);
  expect_wrapping<std::uint32_t>("std::uint32_t"), expect_wrapping<std::uint64_t>("std::uint64_t");
}

auto count_in_neighbours = CUTTLE_KERNEL([](auto cells, auto one) { atomicAdd(&cells[threadIdx.x % cells.size()], one); });

TEST_P(EveryType, OfLessThanAWordLeavesItsNeighboursAlone) {
  const auto expect = [&]<class T>(T one) {
    cuttle::Array<T> cells(std::vector<T>(6, T(0)));
    count_in_neighbours[{4, 96}](cells, one);
    for (const T cell : cells.to_vector()) EXPECT_TRUE(cell == T(64)) << sizeof(T);
  };
  expect(std::int8_t{1}), expect(std::uint8_t{1}), expect(std::int16_t{1}), expect(std::uint16_t{1}), expect(half(1)), expect(bfloat16(1));
}

auto step_reference = CUTTLE_KERNEL([](auto cell, auto old, auto value) {
  auto reference = std::atomic_ref(cell[0]);
  old[0] = reference.fetch_add(value, std::memory_order_relaxed);
  old[1] = reference.fetch_sub(value, std::memory_order_acquire);
  old[2] = reference.exchange(value, std::memory_order_acq_rel);
  auto expected = value;
  old[3] = reference.compare_exchange_strong(expected, value + value);
  old[4] = reference.load(std::memory_order_acquire);
  reference.store(value, std::memory_order_release);
  old[5] = reference += value;
});

TEST_P(EveryType, HasAnAtomicReference) {
  const auto expect = [&]<class T>(T) {
    cuttle::Array<T> cell(std::vector<T>{T(40)}), old(6);
    step_reference[{1, 1}](cell, old, T(2));
    EXPECT_EQ(old.to_vector(), (std::vector<T>{T(40), T(42), T(40), T(1), T(4), T(4)})) << sizeof(T);
    EXPECT_EQ(cell.item(), T(4)) << sizeof(T);
  };
  expect(std::int8_t{}), expect(std::uint16_t{}), expect(std::int32_t{}), expect(std::uint32_t{}), expect(std::int64_t{}), expect(std::uint64_t{});
  expect(float{}), expect(double{});
}

// ---- fences --------------------------------------------------------------------------------------------------------------------------

auto last_thread_sums = CUTTLE_KERNEL([](cuttle::view<int> values, cuttle::view<unsigned> arrived, cuttle::view<int> sums) {
  const int n = blockDim.x;
  int* mine = values.data() + blockIdx.x * n;
  mine[threadIdx.x] = threadIdx.x + blockIdx.x;
  __threadfence_block();
  if (atomicAdd_block(&arrived[blockIdx.x], 1u) == blockDim.x - 1) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += mine[i];
    sums[blockIdx.x] = sum;
    __threadfence_system();
    if (atomicAdd_system(&arrived[gridDim.x], 1u) == gridDim.x - 1) {
      int total = 0;
      for (unsigned b = 0; b < gridDim.x; ++b) total += sums[b];
      sums[gridDim.x] = total;
    }
  }
});

TEST_P(EveryType, OfFenceOrdersWhatTheLastThreadReads) {
  cuttle::Array<int> values(8 * 64), sums(9);
  cuttle::Array<unsigned> arrived(std::vector<unsigned>(9));
  last_thread_sums[{8, 64}](values, arrived, sums);
  EXPECT_EQ(sums.to_vector()[8], 8 * (64 * 63 / 2) + 64 * (8 * 7 / 2));
}

// ---- collectives ---------------------------------------------------------------------------------------------------------------------

auto combine = CUTTLE_KERNEL([](auto in, auto out) {
  const auto t = threadIdx.x, n = blockDim.x;
  out[t] = block_reduce(in[t]);
  out[n + t] = block_inclusive_scan(in[t]);
  out[2 * n + t] = warp_exclusive_scan(in[t]);
  out[3 * n + t] = block_broadcast(in[t], 5);
});

TEST_P(EveryType, IsCombinedAcrossABlock) {
  const auto expect = [&]<class T>(T) {
    std::vector<T> in;
    for (int t = 0; t < 64; ++t) in.push_back(T(static_cast<float>(t % 3)));  // every sum is exact
    cuttle::Array<T> out(4 * 64);
    combine[{1, 64}](cuttle::Array<T>(in), out);
    const auto got = out.to_vector();
    T total = T(0.0f);
    for (const T value : in) total = total + value;
    T upto = T(0.0f), before = T(0.0f);
    for (std::size_t t = 0; t < 64; ++t) {
      if (t == 32) before = T(0.0f);
      upto = upto + in[t];
      EXPECT_TRUE(got[t] == total && got[64 + t] == upto && got[128 + t] == before && got[192 + t] == in[5]) << t << " of " << sizeof(T);
      before = before + in[t];
    }
  };
  expect(half{}), expect(bfloat16{}), expect(std::complex<float>{}), expect(std::complex<double>{});
}

// ---- math ----------------------------------------------------------------------------------------------------------------------------

#define SPELL(name)                                                             \
  y[3 * i] = name(x), y[3 * i + 1] = std::name(x), y[3 * i + 2] = name##f(x);   \
  v[2 * i] = name(u), v[2 * i + 1] = std::name(u), ++i;
#define SPELL_TWO(name)                                                                                        \
  y[3 * i] = name(x, 0.5f), y[3 * i + 1] = std::name(x, 0.5f), y[3 * i + 2] = name##f(x, 0.5f);                \
  v[2 * i] = name(u, 0.5), v[2 * i + 1] = std::name(u, 0.5), ++i;
auto spell = CUTTLE_KERNEL([](float x, double u, cuttle::view<float> y, cuttle::view<double> v) {
  int i = 0;
  CUTTLE_CMATH_UNARY(SPELL)
  CUTTLE_CMATH_UNARY_BUILTIN(SPELL)
  CUTTLE_CMATH_BINARY(SPELL_TWO)
  CUTTLE_CMATH_BINARY_BUILTIN(SPELL_TWO)
});

TEST_P(EveryType, OfFloatingPointHasThreeSpellingsOfAFunction) {
#define NAME(name) #name,
  const std::vector<std::string> names = {CUTTLE_CMATH_UNARY(NAME) CUTTLE_CMATH_UNARY_BUILTIN(NAME) CUTTLE_CMATH_BINARY(NAME)
                                              CUTTLE_CMATH_BINARY_BUILTIN(NAME)};
  cuttle::Array<float> y(3 * names.size());
  cuttle::Array<double> v(2 * names.size());
  spell[{1, 1}](1.375f, 1.375, y, v);
  const auto got = y.to_vector();
  const auto wide = v.to_vector();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const float* three = &got[3 * i];
    const double* two = &wide[2 * i];
    if (std::isnan(two[0])) {  // outside of its domain
      EXPECT_TRUE(std::isnan(three[0]) && std::isnan(three[1]) && std::isnan(three[2]) && std::isnan(two[1])) << names[i];
      continue;
    }
    EXPECT_TRUE(three[0] == three[1] && three[1] == three[2]) << names[i];
    EXPECT_EQ(two[0], two[1]) << names[i];
    EXPECT_NEAR(three[0], two[0], 1e-6 * std::max(1.0, std::abs(two[0]))) << names[i];
  }
}

}  // namespace
