// Reductions, scans, sorting and broadcasts across warps and blocks of any shape, for many types and operations.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "support/device_test.h"

CUTTLE_DEVICE(
    // A 2x2 matrix of a small ring: its product is associative and does not commute.
    struct Matrix {
  unsigned a = 1, b = 0, c = 0, d = 1;
  bool operator==(const Matrix&) const = default;
    };
    struct Product {
      Matrix operator()(const Matrix& x, const Matrix& y) const {
        return {(x.a * y.a + x.b * y.c) % 251, (x.a * y.b + x.b * y.d) % 251, (x.c * y.a + x.d * y.c) % 251, (x.c * y.b + x.d * y.d) % 251};
}
}
;);

namespace {

class Collectives : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Collectives);

struct Shape {
  int x, y, z;
};
const std::vector<Shape> shapes = {{1, 1, 1}, {31, 1, 1}, {32, 1, 1}, {33, 1, 1}, {7, 5, 3}, {8, 8, 4}, {16, 4, 16}, {1000, 1, 1}, {1024, 1, 1}};

template <class T>
std::vector<T> values_of(int n) {
  std::vector<T> values;
  for (int i = 0; i < n; ++i) values.push_back(static_cast<T>((i * 37 + 11) % 101));
  return values;
}

// The threads' ranges whose values are combined: of the block, or of each warp.
template <class Check>
void for_each_range(int n, int group, const Check& check) {
  for (int first = 0; first < n; first += group) check(first, std::min(n, first + group));
}

auto block_everything = CUTTLE_KERNEL([](auto in, auto reduced, auto inclusive, auto exclusive, auto sorted, auto sent) {
  const auto t = cg::this_thread_block().thread_rank();
  reduced[t] = block_reduce(in[t]);
  inclusive[t] = block_inclusive_scan(in[t]);
  exclusive[t] = block_exclusive_scan(in[t]);
  sorted[t] = block_sort(in[t]);
  sent[t] = block_broadcast(in[t], blockDim.x * blockDim.y * blockDim.z / 2);
});
auto warp_everything = CUTTLE_KERNEL([](auto in, auto reduced, auto inclusive, auto exclusive, auto sorted, auto sent) {
  const auto t = cg::this_thread_block().thread_rank();
  reduced[t] = warp_reduce(in[t]);
  inclusive[t] = warp_inclusive_scan(in[t]);
  exclusive[t] = warp_exclusive_scan(in[t]);
  sorted[t] = warp_sort(in[t]);
  sent[t] = warp_broadcast(in[t], 0);
});

template <class T, class Kernel>
void expect_everything(const Kernel& kernel, const Shape& shape, bool of_block) {
  const int n = shape.x * shape.y * shape.z;
  const std::vector<T> in = values_of<T>(n);
  cuttle::Array<T> reduced(n), inclusive(n), exclusive(n), sorted(n), sent(n);
  kernel[{.grid = 1, .block = {shape.x, shape.y, shape.z}}](cuttle::Array<T>(in), reduced, inclusive, exclusive, sorted, sent);
  std::vector<T> sums(n), upto(n), before(n), ordered = in, copies(n);
  for_each_range(n, of_block ? n : 32, [&](int first, int last) {
    T sum = 0;
    for (int i = first; i < last; ++i) {
      before[i] = sum;
      sum = static_cast<T>(sum + in[i]);
      upto[i] = sum;
    }
    std::fill(sums.begin() + first, sums.begin() + last, sum);
    std::sort(ordered.begin() + first, ordered.begin() + last);
    std::fill(copies.begin() + first, copies.begin() + last, in[of_block ? n / 2 : first]);
  });
  const std::string where = std::to_string(shape.x) + " x " + std::to_string(shape.y) + " x " + std::to_string(shape.z);
  EXPECT_EQ(reduced.to_vector(), sums) << where;
  EXPECT_EQ(inclusive.to_vector(), upto) << where;
  EXPECT_EQ(exclusive.to_vector(), before) << where;
  EXPECT_EQ(sorted.to_vector(), ordered) << where;
  EXPECT_EQ(sent.to_vector(), copies) << where;
}

TEST_P(Collectives, CombineABlockOfAnyShape) {
  for (const Shape& shape : shapes) expect_everything<int>(block_everything, shape, true);
}

TEST_P(Collectives, CombineWarpsWholeAndPartial) {
  for (const Shape& shape : shapes) expect_everything<int>(warp_everything, shape, false);
}

TEST_P(Collectives, TakeEveryArithmeticType) {
  const Shape shape{40, 2, 1};
  expect_everything<std::int8_t>(warp_everything, shape, false);
  expect_everything<std::uint16_t>(warp_everything, shape, false);
  expect_everything<std::int64_t>(warp_everything, shape, false);
  expect_everything<float>(warp_everything, shape, false);  // sums of small whole numbers are exact
  expect_everything<std::uint8_t>(block_everything, shape, true);
  expect_everything<double>(block_everything, shape, true);
}

auto products = CUTTLE_KERNEL([](const Matrix* in, Matrix* reduced, Matrix* inclusive, Matrix* exclusive, Matrix* of_warp) {
  const auto t = threadIdx.x;
  reduced[t] = block_reduce(in[t], Product());
  inclusive[t] = block_inclusive_scan(in[t], Product());
  exclusive[t] = block_exclusive_scan(in[t], Product(), Matrix{2, 3, 5, 7});
  of_warp[t] = warp_reduce(in[t], [](const Matrix& a, const Matrix& b) { return Product()(a, b); });
});

TEST_P(Collectives, KeepTheOrderOfOperandsForStructsAndOwnOperations) {
  for (const int n : {1, 20, 32, 45, 300}) {
    std::vector<Matrix> in;
    for (int i = 0; i < n; ++i) in.push_back({1u + i % 5, 2u + i % 3, 3u + i % 7, 4u + i % 2});
    cuttle::Array<Matrix> reduced(n), inclusive(n), exclusive(n), of_warp(n);
    products[{1, n}](cuttle::Array<Matrix>(in), reduced, inclusive, exclusive, of_warp);
    std::vector<Matrix> upto, before, warps(n);
    Matrix product, started{2, 3, 5, 7};
    for (const Matrix& matrix : in) {
      before.push_back(started);
      started = Product()(started, matrix);
      product = Product()(product, matrix);
      upto.push_back(product);
    }
    for_each_range(n, 32, [&](int first, int last) {
      Matrix of_range;
      for (int i = first; i < last; ++i) of_range = Product()(of_range, in[i]);
      std::fill(warps.begin() + first, warps.begin() + last, of_range);
    });
    EXPECT_TRUE(reduced.to_vector() == std::vector<Matrix>(n, product)) << n;
    EXPECT_TRUE(inclusive.to_vector() == upto) << n;
    EXPECT_TRUE(exclusive.to_vector() == before) << n;
    EXPECT_TRUE(of_warp.to_vector() == warps) << n;
  }
}

auto extrema = CUTTLE_KERNEL([](auto in, auto least, auto greatest, auto bits) {
  const auto t = threadIdx.x;
  least[t] = block_reduce(in[t], cg::less<int>());
  greatest[t] = block_inclusive_scan(in[t], cg::greater<int>());
  bits[t] = cg::reduce(cg::tiled_partition<16>(cg::this_thread_block()), in[t], cg::bit_xor<int>());
});

TEST_P(Collectives, FindExtremaAndCombineBitsOfTiles) {
  constexpr int n = 80;
  std::vector<int> in;
  for (int i = 0; i < n; ++i) in.push_back((i * 53 + 7) % 97 - 40);
  cuttle::Array<int> least(n), greatest(n), bits(n);
  extrema[{1, n}](cuttle::Array<int>(in), least, greatest, bits);
  std::vector<int> running(n), folded(n);
  std::partial_sum(in.begin(), in.end(), running.begin(), [](int a, int b) { return std::max(a, b); });
  for_each_range(n, 16, [&](int first, int last) {
    int all = 0;
    for (int i = first; i < last; ++i) all ^= in[i];
    std::fill(folded.begin() + first, folded.begin() + last, all);
  });
  EXPECT_EQ(least.to_vector(), std::vector<int>(n, *std::min_element(in.begin(), in.end())));
  EXPECT_EQ(greatest.to_vector(), running);
  EXPECT_EQ(bits.to_vector(), folded);
}

auto sort_pairs = CUTTLE_KERNEL([](const int* keys, int* sorted, int* origins) {
  struct Pair {
    int key, origin;
  };
  const int t = static_cast<int>(threadIdx.x);
  const Pair pair = block_sort(Pair{keys[t], t}, [](const Pair& a, const Pair& b) { return b.key < a.key; });
  sorted[t] = pair.key;
  origins[t] = pair.origin;
});

TEST_P(Collectives, SortStablyByAnOrderOfOnesOwn) {
  for (const int n : {1, 2, 33, 127, 700}) {
    std::vector<int> keys, order(n);
    for (int i = 0; i < n; ++i) keys.push_back(i * 29 % 10);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[b] < keys[a]; });
    cuttle::Array<int> sorted(n), origins(n);
    sort_pairs[{1, n}](cuttle::Array<int>(keys), sorted, origins);
    std::stable_sort(keys.begin(), keys.end(), std::greater<>());
    EXPECT_EQ(sorted.to_vector(), keys) << n;
    EXPECT_EQ(origins.to_vector(), order) << n;
  }
}

}  // namespace
