// Views at their edges: rows, iterators, no dimensions, no elements, negative and zero strides, indices of every type, and more than 2^31 elements.

#include <cstdint>
#include <numeric>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::Shape;
using cuttle::view;

class ViewEdges : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(ViewEdges);

TEST_P(ViewEdges, RowsAreViewsOfFewerDimensions) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto out) {
    static_assert(x.ndim == 3 && decltype(x[0])::ndim == 2 && decltype(x[0][0])::ndim == 1);
    auto plane = x[1];
    auto row = plane[2];
    out[0] = row[3];
    out[1] = x[1][2][3];
    out[2] = x(1, 2, 3);
    out[3] = static_cast<int>(plane.size() * 100 + row.size());
    out[4] = static_cast<int>(plane.shape(0) * 100 + plane.stride(0));
    x[1][2][3] = -1;
    row[0] = -2;
  });
  Array<int, 3> x(2, 3, 4);
  std::vector<int> numbers(24);
  std::iota(numbers.begin(), numbers.end(), 0);
  x.copy_from(numbers);
  Array<int> out(5);
  kernel[{1, 1}](x, out);
  EXPECT_EQ(out.to_vector(), (std::vector{23, 23, 23, 1204, 304}));
  numbers[23] = -1, numbers[20] = -2;
  EXPECT_EQ(x.to_vector(), numbers);

  x.copy_from(std::vector<int>(24, 0));
  const auto every_second = cuttle::slice(x.view(), 2, {.step = 2});
  auto write = CUTTLE_KERNEL([](auto y) {
    for (auto i : range(y.shape(0))) {
      for (auto j : range(y.shape(1))) {
        auto row = y[i][j];
        for (auto k : range(row.shape(0))) row[k] = static_cast<int>(100 * i + 10 * j + k + 1);
      }
    }
  });
  write[{1, 1}](every_second);
  const std::vector<int> written = x.to_vector();
  EXPECT_EQ(written[0], 1);
  EXPECT_EQ(written[1], 0);
  EXPECT_EQ(written[22], 122);
}

TEST_P(ViewEdges, RangeForRunsOverElementsAndOverRowsWhereThereAreMoreDimensions) {
  auto kernel = CUTTLE_KERNEL([](auto x, view<int> out) {
    for (auto& v : x[1]) v += 10;
    out[1] = static_cast<int>(x[1].end() - x[1].begin());
    for (auto row : x) {
      static_assert(decltype(row)::ndim == decltype(x)::ndim - 1);
      ++out[2];
      out[0] = 10 * out[0] + row[0];
    }
    for (const auto row : x) {
      for (const int v : row) out[3] += v;
    }
  });
  Array<int, 2> x{{1, 2, 3}, {4, 5, 6}};
  Array<int> out({0, 0, 0, 0});
  kernel[{1, 1}](x, out);
  EXPECT_EQ(out.to_vector(), (std::vector{24, 3, 2, 51}));
  out.copy_from(std::vector{0, 0, 0, 0});
  kernel[{1, 1}](x.transpose(), out);
  EXPECT_EQ(out.to_vector(), (std::vector{100 + 12 * 10 + 3, 2, 3, 71}));
  const auto planes = CUTTLE_KERNEL([](view<const int, 3> y, view<int> sum) {
    for (auto plane : y) {
      for (auto row : plane) {
        for (int v : row) sum[0] += v;
      }
    }
  });
  out.copy_from(std::vector{0, 0, 0, 0});
  planes[{1, 1}](x.reshape(1, 2, 3), out);
  EXPECT_EQ(out.to_vector()[0], 71);
}

TEST_P(ViewEdges, WithoutDimensionsHasOneElement) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto out) {
    static_assert(x.ndim == 0);
    x() += 1;
    out[0] = x() * 100 + static_cast<int>(x.size()) * 10 + (x.empty() ? 1 : 0);
    out[1] = x.flat(0);
  });
  auto x = cuttle::full(7);
  Array<int> out(2);
  kernel[{1, 1}](x, out);
  EXPECT_EQ(out.to_vector(), (std::vector{810, 8}));
}

TEST_P(ViewEdges, WithoutElementsHasAShapeAllTheSame) {
  auto kernel = CUTTLE_KERNEL([](auto x, auto out) {
    out[0] = static_cast<int>(x.size() * 100 + x.shape(0) * 10 + x.shape(1));
    out[1] = x.empty();
    for (auto row : x) out[2] += row[0];
  });
  Array<int, 2> x(0, 5);
  Array<int> out({0, 0, 0});
  kernel[{1, 1}](x, out);
  EXPECT_EQ(out.to_vector(), (std::vector{5, 1, 0}));
  auto elements = CUTTLE_KERNEL([](view<const int, 2> y, view<int> sum) {
    for (auto row : y) {
      for (int v : row) sum[2] += v + 1;
    }
    sum[0] = static_cast<int>(y.size() * 100 + y.shape(0) * 10 + y.shape(1));
  });
  elements[{1, 1}](cuttle::view<int, 2>(nullptr, 3, 0), out);
  EXPECT_EQ(out.to_vector(), (std::vector{30, 1, 0}));
}

TEST_P(ViewEdges, StridesMayBeNegativeOrZero) {
  auto sum = CUTTLE_KERNEL([](auto x, auto out) {
    int s = 0, weight = 1;
    for (auto i : range(x.shape(0))) {
      for (auto j : range(x.shape(1))) s += weight++ * x(i, j);
    }
    out[0] = s;
    out[1] = static_cast<int>(x.stride(0) * 100 + x.stride(1));
  });
  const Array<int, 2> x{{1, 2, 3}, {4, 5, 6}};
  Array<int> out(2);
  sum[{1, 1}](cuttle::slice(cuttle::slice(x.view(), 0, {.step = -1}), 1, {.step = -1}), out);
  EXPECT_EQ(out.to_vector(), (std::vector{1 * 6 + 2 * 5 + 3 * 4 + 4 * 3 + 5 * 2 + 6 * 1, -301}));
  const Array<int> row{1, 2, 3};
  sum[{1, 1}](row.broadcast(2, 3), out);
  EXPECT_EQ(out.to_vector(), (std::vector{1 + 4 + 9 + 4 + 10 + 18, 1}));
}

TEST_P(ViewEdges, EveryIntegerTypeIsAnIndex) {
  auto kernel = CUTTLE_KERNEL(
      [](auto x, auto y, auto i, auto out) { out[0] = x[i] + 100 * x(i) + 10000 * x.flat(i) + 1000000 * y(i, i) + 100000000 * y[i][i]; });
  const Array<int> x{1, 2, 3, 4};
  const Array<int, 2> y{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  const auto at_two = [&](auto view_of_x, auto view_of_y, auto i) {
    Array<int> out(1);
    kernel[{1, 1}](view_of_x, view_of_y, i, out);
    return out.item();
  };
  const auto strided = cuttle::slice(x.view(), 0, {});
  const auto transposed = cuttle::transpose(y.view());
  const auto all = [&](auto i) {
    EXPECT_EQ(at_two(x.view(), y.view(), i), 909030303) << sizeof(i);
    EXPECT_EQ(at_two(strided, transposed, i), 909030303) << sizeof(i);
  };
  all(std::int8_t{2});
  all(std::uint8_t{2});
  all(std::int16_t{2});
  all(std::uint16_t{2});
  all(2);
  all(2u);
  all(2L);
  all(2UL);
  all(2LL);
  all(2ULL);
  all('\2');
}

// Bytes at the ends of rows of 2 GiB: offsets that do not fit 32 bits, counted in elements and in bytes.
TEST_P(ViewEdges, ElementsPastTwoToTheThirtyFirst) {
  constexpr std::int64_t columns = (std::int64_t{1} << 31) + 11, rows = 3;
  Array<std::uint8_t, 2> x(rows, columns);
  auto write = CUTTLE_KERNEL([](auto y, auto column) {
    y(2, column) = 1;
    y[1][column] = 2;
    y.flat(column) = 3;
    y(0, y.shape(1) - 1) += 10;
    y[2][0u] = 4;
  });
  write[{1, 1}](x, columns - 1);
  auto read = CUTTLE_KERNEL([](auto y, auto at, auto out) {
    out[0] = y(2, at) + 10 * y(1, at) + 100 * y(0, at) + 1000 * y(2, 0);
    out[1] = static_cast<int>(y.size() >> 20);
    out[2] = y[2].end()[-1];
    out[3] = y.data()[2 * y.shape(1)];
    auto last_row = y[2];
    out[4] = last_row.data() - y.data() == 2 * y.shape(1);
  });
  Array<int> out(5);
  read[{1, 1}](x, columns - 1, out);
  EXPECT_EQ(out.to_vector(), (std::vector{1 + 20 + 1300 + 4000, static_cast<int>((rows * columns) >> 20), 1, 4, 1}));
  read[{1, 1}](cuttle::part(x.view(), 0, 3), static_cast<std::uint32_t>(columns - 1), out);
  EXPECT_EQ(out.to_vector()[0], 1 + 20 + 1300 + 4000) << "an unsigned index past 2^31";

  auto last_of_strided = CUTTLE_KERNEL([](auto y, auto at, auto result) { result[0] = y(2, at) + 10 * y[1][at]; });
  last_of_strided[{1, 1}](cuttle::slice(x.view(), 1, {.step = 2}), static_cast<unsigned>((columns - 1) / 2), out);
  EXPECT_EQ(out.to_vector()[0], 1 + 20);
}

}  // namespace
