// Loops of the language: each number once, whatever the grid, in every direction, and right up to the edges of a type.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::view;

class Loops : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Loops);

template <class T>
constexpr T most = std::numeric_limits<T>::max();
template <class T>
constexpr T least = std::numeric_limits<T>::min();

auto visit = CUTTLE_KERNEL([](auto n, auto visits) {
  for (auto i : grid_stride(n)) visits[i] += 1;
});

TEST_P(Loops, GridStrideVisitsEachNumberOnceWhateverTheGrid) {
  for (const int n : {0, 1, 31, 32, 1000, 4099}) {
    for (const auto& [grid, block] : std::vector<std::pair<int, int>>{{1, 1}, {1, 32}, {3, 64}, {200, 32}}) {
      Array<int> visits(std::vector<int>(4100, 0));
      visit[{grid, block}](n, visits);
      std::vector<int> expected(4100, 0);
      std::fill_n(expected.begin(), n, 1);
      EXPECT_EQ(visits.to_vector(), expected) << n << " by " << grid << " x " << block;
    }
  }
}

TEST_P(Loops, GridStrideTakesEveryIntegerType) {
  const auto visited_by = [](auto n) {
    Array<int> visits(std::vector<int>(300, 0));
    visit[{2, 32}](n, visits);
    const std::vector<int> v = visits.to_vector();
    return std::accumulate(v.begin(), v.end(), 0);
  };
  EXPECT_EQ(visited_by(std::int8_t{100}), 100);
  EXPECT_EQ(visited_by(std::uint8_t{200}), 200);
  EXPECT_EQ(visited_by(std::int16_t{300}), 300);
  EXPECT_EQ(visited_by(std::uint16_t{300}), 300);
  EXPECT_EQ(visited_by(300), 300);
  EXPECT_EQ(visited_by(300u), 300);
  EXPECT_EQ(visited_by(std::int64_t{300}), 300);
  EXPECT_EQ(visited_by(std::uint64_t{300}), 300);
  EXPECT_EQ(visited_by(-1), 0);
  EXPECT_EQ(visited_by(least<int>), 0);
  EXPECT_EQ(visited_by(least<std::int64_t>), 0);
  EXPECT_EQ(visited_by(std::int8_t{-5}), 0);
}

// The last numbers of a type, by a grid whose step takes few rounds: a counter that wrapped would never end.
auto count_by_grid = CUTTLE_KERNEL([](auto n, auto rounds, auto last) {
  for (auto i : grid_stride(n)) {
    rounds[grid<1>()] += 1;
    if (i == n - 1) last[0] = i;
  }
});

template <class I>
void expect_last_number(I n, std::uint64_t expected_rounds) {
  constexpr int grid = 1024, block = 1024;
  Array<std::uint64_t> rounds(std::vector<std::uint64_t>(grid * block, 0));
  Array<I> last({I{0}});
  count_by_grid[{grid, block}](n, rounds, last);
  const std::vector<std::uint64_t> r = rounds.to_vector();
  EXPECT_EQ(std::accumulate(r.begin(), r.end(), std::uint64_t{0}), expected_rounds);
  EXPECT_EQ(last.item(), static_cast<I>(n - 1));
}

TEST_P(Loops, GridStrideEndsAtTheEdgesOfItsType) {
  expect_last_number<std::int32_t>(most<std::int32_t>, most<std::int32_t>);
  if (!on_gpu()) return;  // four billion rounds
  expect_last_number<std::uint32_t>(most<std::uint32_t>, most<std::uint32_t>);
  expect_last_number<std::int64_t>((std::int64_t{1} << 32) + 5, (std::uint64_t{1} << 32) + 5);
}

// The same of a grid so large that each thread has at most two rounds: the second is where the counter would wrap.
auto two_rounds = CUTTLE_KERNEL([](auto n, auto counts) {
  const auto first = grid<1>();
  unsigned rounds = 0;
  bool in_order = true;
  for (auto i : grid_stride(n)) {
    in_order = in_order && static_cast<std::uint64_t>(i) == first + rounds * static_cast<std::uint64_t>(gridsize<1>());
    ++rounds;
  }
  if (rounds == 2) counts[2] = 1;
  if (rounds > 2 || !in_order) counts[3] = 1;
});

TEST_P(Loops, GridStrideOfAStepPastHalfTheTypeDoesNotWrap) {
  if (!on_gpu()) GTEST_SKIP() << "three billion threads";
  Array<int> counts({0, 0, 0, 0});
  two_rounds[{3 << 20, 1024}](most<std::uint32_t>, counts);
  EXPECT_EQ(counts.to_vector(), (std::vector<int>{0, 0, 1, 0}));
}

TEST_P(Loops, GridStrideVisitsPlanesAndVolumes) {
  auto plane = CUTTLE_KERNEL([](auto columns, auto rows, auto visits) {
    for (auto [x, y] : grid_stride(columns, rows)) visits(y, x) += 1 + static_cast<int>(x) + 100 * static_cast<int>(y);
  });
  for (const auto& [columns, rows] : std::vector<std::pair<int, unsigned>>{{7, 5u}, {64, 3u}, {0, 5u}, {7, 0u}, {1, 50u}}) {
    Array<int, 2> visits(51, 65);
    visits.fill(0);
    plane[{{2, 3}, {8, 4}}](columns, rows, visits);
    const std::vector<int> seen = visits.to_vector();
    for (int y = 0; y < 51; ++y) {
      for (int x = 0; x < 65; ++x) {
        const bool inside = x < columns && y < static_cast<int>(rows);
        ASSERT_EQ(seen[static_cast<std::size_t>(y * 65 + x)], inside ? 1 + x + 100 * y : 0) << x << ", " << y;
      }
    }
  }
  auto volume = CUTTLE_KERNEL([](auto nx, auto ny, auto nz, auto visits) {
    for (auto [x, y, z] : grid_stride(nx, ny, nz)) visits(z, y, x) += 1;
  });
  Array<int, 3> visits(4, 5, 6);
  visits.fill(0);
  volume[{{1, 2, 1}, {4, 2, 2}}](6, 5, std::int64_t{4}, visits);
  EXPECT_EQ(visits.to_vector(), std::vector<int>(120, 1));
}

TEST_P(Loops, GridAndGridsizeAreAThreadsPlaceAndTheGridsExtent) {
  auto places = CUTTLE_KERNEL([](view<std::uint64_t> out) {
    const auto i = grid<1>();
    const auto [x, y, z] = grid<3>();
    const auto [nx, ny, nz] = gridsize<3>();
    const auto [x2, y2] = grid<2, std::int64_t>();
    const std::uint64_t at = (z * ny + y) * nx + x;
    out[at] = at + (x2 == x && y2 == y && i == x ? 0u : 1000000u);
    if (at == 0) out[gridsize<1>() * ny * nz] = nx * 10000u + ny * 100u + nz;
  });
  Array<std::uint64_t> out(12 * 6 * 2 + 1);
  places[{{3, 2, 1}, {4, 3, 2}}](out);
  std::vector<std::uint64_t> expected(12 * 6 * 2 + 1);
  std::iota(expected.begin(), expected.end(), 0);
  expected.back() = 120602;
  EXPECT_EQ(out.to_vector(), expected);
}

// The numbers of range(start, stop, step), by one thread.
auto list = CUTTLE_KERNEL([](auto start, auto stop, auto step, auto out, auto count) {
  int n = 0;
  for (auto i : range(start, stop, step)) {
    if (n < 20) out[n] = i;
    ++n;
    if (n > 1000) break;  // an endless loop is a failure and no hang
  }
  count[0] = n;
});

template <class Start, class Stop, class Step>
std::vector<long long> numbers(Start start, Stop stop, Step step) {
  Array<long long> out(20);
  Array<int> count(1);
  list[{1, 1}](start, stop, step, out, count);
  std::vector<long long> result = out.to_vector();
  result.resize(static_cast<std::size_t>(std::min(count.item(), 20)));
  return result;
}

using Numbers = std::vector<long long>;

TEST_P(Loops, RangesAreAsInPython) {
  EXPECT_EQ(numbers(0, 10, 3), (Numbers{0, 3, 6, 9}));
  EXPECT_EQ(numbers(0, 9, 3), (Numbers{0, 3, 6}));
  EXPECT_EQ(numbers(10, 0, -3), (Numbers{10, 7, 4, 1}));
  EXPECT_EQ(numbers(9, 0, -3), (Numbers{9, 6, 3}));
  EXPECT_EQ(numbers(5, 5, 1), Numbers{});
  EXPECT_EQ(numbers(5, 4, 1), Numbers{});
  EXPECT_EQ(numbers(4, 5, -1), Numbers{});
  EXPECT_EQ(numbers(0, 5, 0), Numbers{});
  EXPECT_EQ(numbers(-3, 3, 2), (Numbers{-3, -1, 1}));
  EXPECT_EQ(numbers(0, 5, 100), Numbers{0});
  EXPECT_EQ(numbers(0, 5, most<int>), Numbers{0});
  EXPECT_EQ(numbers(0, -5, least<int>), Numbers{0});
}

TEST_P(Loops, RangesMixTypesByValue) {
  EXPECT_EQ(numbers(-2, 2u, 1), (Numbers{-2, -1, 0, 1}));
  EXPECT_EQ(numbers(3u, -1, -1), (Numbers{3, 2, 1, 0}));
  EXPECT_EQ(numbers(10u, 0u, -4), (Numbers{10, 6, 2}));
  EXPECT_EQ(numbers(0u, 10u, std::int64_t{4}), (Numbers{0, 4, 8}));
  EXPECT_EQ(numbers(std::int8_t{-128}, std::uint8_t{1}, 64), (Numbers{-128, -64, 0}));
  EXPECT_EQ(numbers(0, 3, std::int64_t{1} << 40), Numbers{0});
  EXPECT_EQ(numbers(std::int64_t{1} << 40, std::uint32_t{0}, -(std::int64_t{1} << 39)), (Numbers{1LL << 40, 1LL << 39}));
}

TEST_P(Loops, RangesReachTheEdgesOfTheirTypes) {
  constexpr int top = most<int>, bottom = least<int>;
  EXPECT_EQ(numbers(top - 3, top, 2), (Numbers{top - 3, top - 1}));
  EXPECT_EQ(numbers(top - 2, top, 2), (Numbers{top - 2}));
  EXPECT_EQ(numbers(bottom + 3, bottom, -2), (Numbers{bottom + 3, bottom + 1}));
  EXPECT_EQ(numbers(bottom, top, top), (Numbers{bottom, -1, top - 1LL}));
  EXPECT_EQ(numbers(top, bottom, bottom), (Numbers{top, -1}));
  constexpr unsigned u = most<unsigned>;
  EXPECT_EQ(numbers(u - 3, u, 2u), (Numbers{u - 3LL, u - 1LL}));
  EXPECT_EQ(numbers(std::int8_t{100}, std::int8_t{127}, std::int8_t{20}), (Numbers{100, 120}));
  EXPECT_EQ(numbers(std::uint8_t{5}, std::uint8_t{0}, std::int8_t{-2}), (Numbers{5, 3, 1}));
  constexpr long long ltop = most<long long>, lbottom = least<long long>;
  EXPECT_EQ(numbers(ltop - 2, ltop, 2LL), (Numbers{ltop - 2}));
  EXPECT_EQ(numbers(lbottom, ltop, ltop), (Numbers{lbottom, -1, ltop - 1}));
}

TEST_P(Loops, RangesOfOneAndTwoBoundsCountByOne) {
  auto sums = CUTTLE_KERNEL([](auto start, auto stop, auto out) {
    for (auto i : range(stop)) out[0] += i;
    for (auto i : range(start, stop)) out[1] += i;
  });
  const auto run = [&](auto start, auto stop) {
    Array<long long> out({0, 0});
    sums[{1, 1}](start, stop, out);
    return out.to_vector();
  };
  EXPECT_EQ(run(3, 6), (Numbers{15, 12}));
  EXPECT_EQ(run(-2, 3), (Numbers{3, 0}));
  EXPECT_EQ(run(2, -3), (Numbers{0, 0}));
  EXPECT_EQ(run(-1, 3u), (Numbers{3, 2}));
  EXPECT_EQ(run(std::uint8_t{250}, std::uint8_t{255}), (Numbers{254 * 255 / 2, 250 + 251 + 252 + 253 + 254}));
}

TEST_P(Loops, UnrolledLoopsRunAsOthersDo) {
  auto kernel = CUTTLE_KERNEL([](auto n, auto out) {
    int sum = 0;
    for (auto i : unroll(range(8))) sum += i * out[1];
    for (auto i : unroll<4>(range(n))) sum += i;
    for (auto i : unroll(range(n, 0, -2))) sum += 100 * i;
    for (auto [x, y] : unroll(grid_stride(n, 2))) sum += 10000 * (x + y);
    out[0] = sum;
  });
  Array<int> out({0, 1});
  kernel[{1, 1}](5, out);
  EXPECT_EQ(out.to_vector()[0], 28 + 10 + 100 * (5 + 3 + 1) + 10000 * (20 + 5));
}

TEST_P(Loops, LeaveThemByBreakReturnAndContinue) {
  auto kernel = CUTTLE_KERNEL([](auto n, auto out) {
    for (auto i : grid_stride(n)) {
      if (i % 2 == 0) continue;
      if (i > 50) break;
      for (auto j : range(i)) {
        if (j == 5) return;
        out[i] += 1;
      }
    }
  });
  Array<int> out(std::vector<int>(100, 0));
  kernel[{1, 4}](100, out);
  std::vector<int> expected(100, 0);
  expected[1] = 1, expected[3] = 3;
  expected[5] = 5;                   // thread 1 went on to 5 after 1, and met j == 5 only if there is one: range(5) has none
  expected[7] = 5, expected[9] = 5;  // each returns at j == 5
  EXPECT_EQ(out.to_vector(), expected);
}

}  // namespace
