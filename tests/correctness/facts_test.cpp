// Calls of one kernel whose arguments differ in what is known of them: each gets the right answer, in whatever order they come.

#include <numeric>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::view;

class Facts : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Facts);

std::vector<int> counted(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

// One thread: what overlaps is written before it is read, in an order that the standard defines.
auto shift = CUTTLE_KERNEL([](view<const int> from, view<int> to, int n) {
  for (int i = 0; i < n; ++i) to[i] = from[i] + 1;
});

// Of one array, for the same loop on the host.
void expect_shifted(Array<int>& array, std::int64_t from, std::int64_t to, int n) {
  std::vector<int> expected = array.to_vector();
  for (int i = 0; i < n; ++i) expected[static_cast<std::size_t>(to + i)] = expected[static_cast<std::size_t>(from + i)] + 1;
  shift[{1, 1}](array.part(from, from + n), array.part(to, to + n), n);
  EXPECT_EQ(array.to_vector(), expected) << from << " to " << to;
}

TEST_P(Facts, OverlapsOfEveryKindGiveWhatTheLoopSays) {
  Array<int> x(counted(64));
  expect_shifted(x, 0, 32, 32);  // side by side
  expect_shifted(x, 0, 0, 32);   // in place
  expect_shifted(x, 0, 1, 32);   // each read is of what was written just before
  expect_shifted(x, 1, 0, 32);
  expect_shifted(x, 32, 1, 16);  // disjoint, and one of them misaligned
  expect_shifted(x, 3, 1, 17);
}

auto sum_into = CUTTLE_KERNEL([](auto a, auto b, auto out) { out[threadIdx.x] = a[threadIdx.x] * 100 + b[threadIdx.x]; });

TEST_P(Facts, OneArrayMayBeReadTwiceAndWrittenToo) {
  Array<int> x(counted(8)), y(8);
  sum_into[{1, 8}](x, x, y);
  EXPECT_EQ(y.to_vector()[7], 707);
  sum_into[{1, 8}](x, y, x);
  EXPECT_EQ(x.to_vector()[7], 1407);
}

auto copy_into = CUTTLE_KERNEL([](auto from, auto to) { to(threadIdx.y, threadIdx.x) = from(threadIdx.y, threadIdx.x); });

TEST_P(Facts, ViewsOfEveryStrideAreReadRight) {
  Array<int, 2> x(4, 6), y(4, 6);
  x.copy_from(counted(24));
  const auto all = x.view();
  const auto expect = [&](const auto& from) {
    y.fill(-1);
    const std::int64_t rows = from.shape(0), columns = from.shape(1);
    copy_into[{.grid = 1, .block = {columns, rows}}](from, y);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        const auto at = static_cast<std::size_t>(i * 6 + j);
        EXPECT_EQ(y.to_vector()[at], static_cast<int>(from.data() - x.data() + i * from.stride(0) + j * from.stride(1)));
      }
    }
  };
  expect(cuttle::slice(all, 1, {1, 5}));                     // its inner stride is 1
  expect(cuttle::slice(all, 1, {0, 6, 2}));                  // 2
  expect(cuttle::slice(all, 1, {.begin = 5, .step = -1}));   // -1
  expect(cuttle::slice(all, 0, {.begin = 3, .step = -1}));   // rows from the last, their elements side by side
  expect(cuttle::slice(cuttle::transpose(all), 0, {0, 4}));  // columns
}

TEST_P(Facts, AKernelOfManySetsOfFactsCompilesNoMoreThanFive) {
  auto add = CUTTLE_KERNEL([](view<const int, 2, cuttle::strided> a, view<int, 2, cuttle::strided> out) {
    out(threadIdx.y, threadIdx.x) = a(threadIdx.y, threadIdx.x) + 1;
  });
  Array<int, 2> x(8, 8), y(8, 8);
  x.fill(0);
  const auto whole = [](Array<int, 2>& array) { return cuttle::slice(array.view(), 0, {}); };
  const auto corner = [&](Array<int, 2>& array) { return cuttle::slice(cuttle::slice(array.view(), 0, {1, 8}), 1, {1, 8}); };
  const std::uint64_t before = cuttle::stats().compilations;
  const auto call = [&](const auto& a, const auto& out) { add[{.grid = 1, .block = {4, 4}}](a, out); };
  for (int i = 0; i < 2; ++i) {
    call(whole(x), whole(y));
    call(whole(x), whole(x));
    call(cuttle::transpose(whole(x)), whole(y));
    call(cuttle::transpose(whole(x)), cuttle::transpose(whole(x)));
    call(corner(x), whole(y));
    call(corner(x), corner(x));
    call(cuttle::transpose(corner(x)), corner(y));
    call(cuttle::transpose(corner(x)), cuttle::transpose(corner(x)));
  }
  EXPECT_LE(cuttle::stats().compilations - before, 5u);
  EXPECT_EQ(x.to_vector()[0], 4) << "two calls in each round wrote the element in place";
}

TEST_P(Facts, WhatWasCompiledFromTypesServesEveryCall) {
  auto add_one = CUTTLE_KERNEL([](view<const int, 2> a, view<int, 2> out) { out(0, threadIdx.x) = a(0, threadIdx.x) + 1; });
  add_one.compile<view<const int, 2>, view<int, 2>>();
  const std::uint64_t before = cuttle::stats().compilations;
  Array<int, 2> x(1, 4), y(1, 4);
  x.fill(1);
  add_one[{1, 4}](x, y);
  add_one[{1, 4}](y, y);
  EXPECT_EQ(y.to_vector(), std::vector<int>(4, 3));
  EXPECT_EQ(cuttle::stats().compilations, before);
}

}  // namespace
