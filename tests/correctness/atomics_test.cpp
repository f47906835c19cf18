// Atomic operations: every operation on every type, its old value, contention, and the corners of floating-point minimum and maximum.

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "support/device_test.h"

namespace {

class Atomics : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Atomics);

// One step of one thread: the old value comes back, the cell holds the new one.
#define ONCE(operation) CUTTLE_KERNEL([](auto cell, auto old, auto value) { old[0] = operation(&cell[0], value); })

template <class Kernel, class T>
void expect_step(const Kernel& kernel, const char* name, T start, T value, T after) {
  cuttle::Array<T> cell(std::vector<T>{start});
  cuttle::Array<T> old(1);
  kernel[{.grid = 1, .block = 1}](cell, old, value);
  EXPECT_EQ(old.item(), start) << name << " of " << sizeof(T) << " bytes: old value";
  EXPECT_EQ(cell.item(), after) << name << " of " << sizeof(T) << " bytes: new value";
}

auto add = ONCE(atomicAdd);
auto sub = ONCE(atomicSub);
auto exchange = ONCE(atomicExch);
auto minimum = ONCE(atomicMin);
auto maximum = ONCE(atomicMax);
auto increment = ONCE(atomicInc);
auto decrement = ONCE(atomicDec);
auto bit_and = ONCE(atomicAnd);
auto bit_or = ONCE(atomicOr);
auto bit_xor = ONCE(atomicXor);

template <class T>
void expect_arithmetic() {
  expect_step(add, "add", T(40), T(2), T(42));
  expect_step(sub, "sub", T(40), T(2), T(38));
  expect_step(exchange, "exch", T(40), T(2), T(2));
  expect_step(minimum, "min", T(40), T(2), T(2));
  expect_step(minimum, "min", T(2), T(40), T(2));
  expect_step(maximum, "max", T(2), T(40), T(40));
  expect_step(maximum, "max", T(40), T(2), T(40));
  if constexpr (std::is_signed_v<T>) {
    expect_step(add, "add", T(1), T(-2), T(-1));
    expect_step(minimum, "min", T(1), T(-2), T(-2));
    expect_step(maximum, "max", T(-2), T(-1), T(-1));
    expect_step(minimum, "min", T(-2), T(-1), T(-2));
  }
}

template <class T>
void expect_bits() {
  expect_step(bit_and, "and", T(0b1100), T(0b1010), T(0b1000));
  expect_step(bit_or, "or", T(0b1100), T(0b1010), T(0b1110));
  expect_step(bit_xor, "xor", T(0b1100), T(0b1010), T(0b0110));
}

template <class T>
void expect_wrapping() {
  expect_step(increment, "inc", T(5), T(7), T(6));
  expect_step(increment, "inc", T(7), T(7), T(0));
  expect_step(increment, "inc", T(9), T(7), T(0));
  expect_step(decrement, "dec", T(5), T(7), T(4));
  expect_step(decrement, "dec", T(0), T(7), T(7));
  expect_step(decrement, "dec", T(9), T(7), T(7));
}

TEST_P(Atomics, StepAndReturnTheOldValueForEveryInteger) {
  expect_arithmetic<std::int8_t>(), expect_arithmetic<std::uint8_t>(), expect_arithmetic<std::int16_t>(), expect_arithmetic<std::uint16_t>();
  expect_arithmetic<std::int32_t>(), expect_arithmetic<std::uint32_t>(), expect_arithmetic<std::int64_t>(), expect_arithmetic<std::uint64_t>();
  expect_arithmetic<long long>(), expect_arithmetic<unsigned long long>();
  expect_bits<std::uint8_t>(), expect_bits<std::int16_t>(), expect_bits<std::int32_t>(), expect_bits<std::uint32_t>(), expect_bits<std::int64_t>();
  expect_bits<std::uint64_t>();
  expect_wrapping<std::uint32_t>(), expect_wrapping<std::uint64_t>();
}

TEST_P(Atomics, StepAndReturnTheOldValueForFloatAndDouble) {
  expect_arithmetic<float>();
  expect_arithmetic<double>();
}

TEST_P(Atomics, WrapAroundAtTheEndsOfTheType) {
  expect_step<decltype(add), std::int32_t>(add, "add", INT32_MAX, 1, INT32_MIN);
  expect_step<decltype(add), std::uint8_t>(add, "add", 255, 1, 0);
  expect_step<decltype(sub), std::uint64_t>(sub, "sub", 0, 1, UINT64_MAX);
}

TEST_P(Atomics, CompareAndSwapReplacesOnlyTheExpectedValue) {
  auto swap = CUTTLE_KERNEL([](auto cell, auto old, auto compare, auto value) { old[0] = atomicCAS(&cell[0], compare, value); });
  const auto expect = [&]<class T>(T start, T compare, T value) {
    cuttle::Array<T> cell(std::vector<T>{start});
    cuttle::Array<T> old(1);
    swap[{.grid = 1, .block = 1}](cell, old, compare, value);
    EXPECT_EQ(old.item(), start);
    EXPECT_EQ(cell.item(), start == compare ? value : start);
  };
  expect(std::int32_t{5}, std::int32_t{5}, std::int32_t{-7});
  expect(std::int32_t{5}, std::int32_t{6}, std::int32_t{-7});
  expect(std::uint64_t{1} << 40, std::uint64_t{1} << 40, std::uint64_t{3});
  expect(std::uint8_t{5}, std::uint8_t{5}, std::uint8_t{200});
  expect(std::uint16_t{5}, std::uint16_t{4}, std::uint16_t{200});
  expect(1.5f, 1.5f, 2.5f);
  expect(1.5, 1.0, 2.5);
}

TEST_P(Atomics, EveryThreadOfAContendedCounterGetsItsOwnNumber) {
  auto take = CUTTLE_KERNEL([](cuttle::view<unsigned> counter, cuttle::view<unsigned> ticket) {
    ticket[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(&counter[0], 1);
  });
  cuttle::Array<unsigned> counter(std::vector<unsigned>{0}), ticket(64 * 96);
  take[{.grid = 64, .block = 96}](counter, ticket);
  auto taken = ticket.to_vector();
  std::sort(taken.begin(), taken.end());
  std::vector<unsigned> expected(taken.size());
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(taken, expected);
  EXPECT_EQ(counter.item(), 64u * 96u);
}

TEST_P(Atomics, ScopesDoTheSameArithmetic) {
  auto count = CUTTLE_KERNEL([](auto cells) {
    atomicAdd_block(&cells[0], 1);
    atomicAdd_system(&cells[1], 2);
    atomicMax_block(&cells[2], static_cast<int>(threadIdx.x));
    atomicMin_system(&cells[3], -static_cast<int>(threadIdx.x));
    atomicExch_system(&cells[4], 9);
    auto seen = cells[5];
    while (true) {
      const auto old = atomicCAS_system(&cells[5], seen, seen + 3);
      if (old == seen) break;
      seen = old;
    }
  });
  const auto expect = [&]<class T>(T) {
    cuttle::Array<T> cells(std::vector<T>(6));
    count[{.grid = 1, .block = 100}](cells);
    EXPECT_EQ(cells.to_vector(), (std::vector<T>{100, 200, 99, -99, 9, 300}));
  };
  expect(std::int32_t{}), expect(std::int64_t{}), expect(float{}), expect(double{});
}

TEST_P(Atomics, ScopedMinimaAndMaximaOfUnsignedNumbersAreUnsigned) {
  auto bound = CUTTLE_KERNEL([](auto cells, auto values) {
    const auto value = values[threadIdx.x];
    atomicMin_block(&cells[0], value), atomicMin_system(&cells[1], value);
    atomicMax_block(&cells[2], value), atomicMax_system(&cells[3], value);
  });
  const auto expect = [&]<class T>(T) {
    const T low = 5, high = std::numeric_limits<T>::max() - 5;  // negative, were it signed
    cuttle::Array<T> cells(std::vector<T>{high, high, low, low}), values(std::vector<T>{low + 1, high - 1});
    bound[{.grid = 1, .block = 2}](cells, values);
    EXPECT_EQ(cells.to_vector(), (std::vector<T>{low + 1, low + 1, high - 1, high - 1}));
  };
  expect(std::uint32_t{}), expect(std::uint64_t{}), expect(0ull);
}

// libcudacxx#279 and others: minimum and maximum by integer tricks that go wrong across signs.
template <class T>
void expect_extremes(T sign) {
  auto run = CUTTLE_KERNEL([](auto values, auto least, auto most) {
    const auto i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMin(&least[blockIdx.x], values[i]);
    atomicMax(&most[blockIdx.x], values[i]);
  });
  std::vector<T> values;
  for (int g = 0; g < 8; ++g) {
    for (int k = 0; k < 512; ++k) values.push_back(sign * static_cast<T>(g * 512 + k));
  }
  cuttle::Array<T> least(std::vector<T>(8, std::numeric_limits<T>::max())), most(std::vector<T>(8, std::numeric_limits<T>::lowest()));
  run[{.grid = 8, .block = 512}](cuttle::Array<T>(values), least, most);
  const auto low = least.to_vector(), high = most.to_vector();
  for (std::size_t g = 0; g < 8; ++g) {
    EXPECT_EQ(low[g], *std::min_element(&values[g * 512], &values[g * 512] + 512));
    EXPECT_EQ(high[g], *std::max_element(&values[g * 512], &values[g * 512] + 512));
  }
}

TEST_P(Atomics, FloatMinimumAndMaximumAreRightForPositiveAndNegativeValues) {
  expect_extremes(1.0f), expect_extremes(-1.0f), expect_extremes(1.0), expect_extremes(-1.0);
}

TEST_P(Atomics, FloatMaximumFindsTheLargestOfNegativeValuesFromAnyStart) {
  auto run = CUTTLE_KERNEL([](auto cell) { atomicMax(&cell[0], -static_cast<float>(threadIdx.x + 1)); });
  cuttle::Array<float> cell{-1000.0f};
  run[{.grid = 1, .block = 19}](cell);
  EXPECT_EQ(cell.item(), -1.0f);
}

TEST_P(Atomics, NegativeZeroIsBelowZero) {
  cuttle::Array<float> old(1);
  cuttle::Array<float> up{-0.0f}, down{0.0f};
  maximum[{.grid = 1, .block = 1}](up, old, 0.0f);
  EXPECT_FALSE(std::signbit(up.item()));
  minimum[{.grid = 1, .block = 1}](down, old, -0.0f);
  EXPECT_TRUE(std::signbit(down.item()));
}

// cudf#11420: a loop that compares floating-point values never sees a NaN arrive.
template <class T>
void expect_nan_ends() {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const auto after = [](const auto& kernel, T start, T value) {
    cuttle::Array<T> cell(std::vector<T>{start}), old(1);
    kernel[{.grid = 1, .block = 1}](cell, old, value);
    return cell.item();
  };
  EXPECT_TRUE(std::isnan(after(add, T(1), nan)));
  EXPECT_TRUE(std::isnan(after(add, nan, T(1))));
  EXPECT_EQ(after(minimum, T(1), nan), T(1));
  EXPECT_EQ(after(maximum, T(1), nan), T(1));
  for (const T start : {nan, std::copysign(nan, T(-1))}) {
    for (const T value : {T(1), T(-1)}) {
      EXPECT_EQ(after(minimum, start, value), value);
      EXPECT_EQ(after(maximum, start, value), value);
    }
  }
  EXPECT_TRUE(std::isnan(after(maximum, nan, nan)));
  EXPECT_EQ(after(exchange, nan, T(1)), T(1));
}

TEST_P(Atomics, EndWhenAnOperandIsNaN) { expect_nan_ends<float>(), expect_nan_ends<double>(); }

TEST_P(Atomics, WorkOnTheElementsOfAVector) {
  auto run = CUTTLE_KERNEL([](cuttle::view<float4> cells) {
    atomicAdd(&cells[0].w, 0.5f);
    atomicAdd(&cells[0].x, 1);
  });
  cuttle::Array<cuttle::float4> cells(std::vector<cuttle::float4>{{0, 0, 0, 0}});
  run[{.grid = 4, .block = 64}](cells);
  const auto sum = cells.item();
  EXPECT_EQ(sum.w, 128.0f);
  EXPECT_EQ(sum.x, 256.0f);
}

TEST_P(Atomics, AtomicRefTakesMemoryOrders) {
  auto run = CUTTLE_KERNEL([](cuttle::view<int> data) {
    std::atomic_ref<int> counter(data[0]);
    counter.fetch_add(1, std::memory_order_relaxed);
    ++std::atomic_ref<int>(data[1]);
    int seen = data[2];
    std::atomic_ref<int> cell(data[2]);
    while (!cell.compare_exchange_weak(seen, seen + 2, std::memory_order_acq_rel)) {
    }
    std::atomic_ref<int>(data[3]).fetch_or(1 << threadIdx.x % 8, std::memory_order_seq_cst);
    if (threadIdx.x == 0)
      std::atomic_ref<int>(data[4]).store(data[5] + std::atomic_ref<int>(data[5]).load(std::memory_order_acquire), std::memory_order_release);
  });
  cuttle::Array<int> data{0, 0, 0, 0, 0, 21};
  run[{.grid = 2, .block = 64}](data);
  EXPECT_EQ(data.to_vector(), (std::vector<int>{128, 128, 256, 255, 42, 21}));
}

TEST(AtomicsCode, AreOneInstructionWhereTheGpuHasOne) {
  auto run = CUTTLE_KERNEL([](cuttle::view<float> f, cuttle::view<double> d, cuttle::view<unsigned> u, cuttle::view<long long> l) {
    atomicAdd(&f[0], 1.0f);
    atomicAdd(&d[0], 1.0);
    atomicMax(&u[0], 3);
    atomicInc(&u[1], 3);
    atomicMin(&l[0], 3);
    atomicAdd_system(&u[2], 1);
    atomicExch_block(&u[3], 1);
  });
  const std::string ptx =
      run.inspect<cuttle::view<float>, cuttle::view<double>, cuttle::view<unsigned>, cuttle::view<long long>>(cuttle::sm(90)).ptx();
  for (const char* instruction : {"global.add.f32", "global.add.f64", "global.max.u32", "global.inc.u32", "global.min.s64", ".sys", ".cta"}) {
    EXPECT_NE(ptx.find(instruction), std::string::npos) << instruction << " is missing from\n" << ptx;
  }
  EXPECT_EQ(ptx.find(".cas."), std::string::npos) << ptx;
}

}  // namespace
