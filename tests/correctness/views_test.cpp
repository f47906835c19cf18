// Views of arrays: parts, slices, transposed, reshaped, seen as other types and broadcast, and what a kernel reads through them.

#include <cstdint>
#include <numeric>
#include <vector>

#include "support/device_test.h"

namespace {

class Views : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Views);

using cuttle::Array;
using cuttle::Shape;

// Elements in row-major order, as the kernel sees them.
const auto flatten = CUTTLE_KERNEL([](auto x, auto y) {
  for (auto i = blockIdx.x * blockDim.x + threadIdx.x; i < y.size(); i += gridDim.x * blockDim.x) y[i] = x.flat(i);
});

template <class View>
auto elements(const View& x) {
  Array<typename View::value_type> y(x.size());
  flatten.over(x.size())(x, y);
  return y.to_vector();
}

TEST_P(Views, SlicesAreAsInNumPy) {
  const Array<int> range = cuttle::arange(10);
  const auto x = range.reshape(2, 5);
  const auto left = cuttle::slice(x, 1, {.end = 4});
  EXPECT_EQ(elements(left), (std::vector{0, 1, 2, 3, 5, 6, 7, 8}));
  EXPECT_EQ(elements(range.slice(0, {1, 9, 3})), (std::vector{1, 4, 7}));
  EXPECT_EQ(elements(range.slice(0, {.step = -1})), (std::vector{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(elements(range.slice(0, {8, 1, -3})), (std::vector{8, 5, 2}));
  EXPECT_EQ(range.slice(0, {3, 3}).size(), 0);
  EXPECT_EQ(elements(cuttle::slice(cuttle::slice(x, 0, {.step = -1}), 1, {0, 5, 2})), (std::vector{5, 7, 9, 0, 2, 4}));
}

TEST_P(Views, SlicesThatAreNotInsideAreRefused) {
  const Array<int> x(10);
  EXPECT_THROW(static_cast<void>(x.slice(0, {0, 11})), cuttle::LaunchError);
  EXPECT_THROW(static_cast<void>(x.slice(0, {-1, 3})), cuttle::LaunchError);
  EXPECT_THROW(static_cast<void>(x.slice(0, {5, 2})), cuttle::LaunchError);
  EXPECT_THROW(static_cast<void>(x.slice(0, {.step = 0})), cuttle::LaunchError);
  EXPECT_THROW(static_cast<void>(x.slice(1, {})), cuttle::LaunchError);
  EXPECT_THROW(static_cast<void>(x.part(4, 11)), cuttle::LaunchError);
}

TEST_P(Views, PartsAreContiguous) {
  Array<int, 2> x{{1, 2}, {3, 4}, {5, 6}};
  const cuttle::view<int, 2> part = x.part(1, 3);
  EXPECT_EQ(elements(part), (std::vector{3, 4, 5, 6}));
}

TEST_P(Views, TransposeSwapsShapeAndStrides) {
  const Array<int, 2> x{{1, 2, 3}, {4, 5, 6}};
  const auto t = x.transpose();
  EXPECT_EQ(cuttle::shape_of(t), (Shape<2>{3, 2}));
  EXPECT_EQ(cuttle::strides_of(t), (Shape<2>{1, 3}));
  EXPECT_EQ(elements(t), (std::vector{1, 4, 2, 5, 3, 6}));
}

TEST_P(Views, ReshapeFillsInWhatIsLeft) {
  Array<int> x(12);
  EXPECT_EQ(cuttle::shape_of(x.reshape(3, -1)), (Shape<2>{3, 4}));
  EXPECT_EQ(cuttle::shape_of(x.reshape(2, 2, 3)), (Shape<3>{2, 2, 3}));
  EXPECT_THROW(static_cast<void>(x.reshape(5, -1)), cuttle::LaunchError);
  EXPECT_THROW(static_cast<void>(x.reshape(-1, -1)), cuttle::LaunchError);
  EXPECT_THROW(static_cast<void>(x.reshape(3, 3)), cuttle::LaunchError);
}

TEST_P(Views, ElementsCanBeSeenAsAnotherType) {
  const Array<float> x{1.0f, -2.0f};
  EXPECT_EQ(elements(x.view_as<std::uint32_t>()), (std::vector<std::uint32_t>{0x3f800000u, 0xc0000000u}));
  const auto bytes = x.view_as<std::uint8_t>();
  EXPECT_EQ(bytes.size(), 8);
  EXPECT_THROW(static_cast<void>(cuttle::view_as<const std::uint64_t>(cuttle::part(x.view(), 0, 1))), cuttle::LaunchError);
  EXPECT_THROW(static_cast<void>(cuttle::view_as<const float>(cuttle::part(bytes, 1, 5))), cuttle::LaunchError) << "not aligned";
}

TEST_P(Views, BroadcastRepeatsExtentsOfOne) {
  const Array<int> row{1, 2, 3};
  EXPECT_EQ(elements(row.broadcast(2, 3)), (std::vector{1, 2, 3, 1, 2, 3}));
  const Array<int, 2> column{{1}, {2}};
  EXPECT_EQ(elements(column.broadcast(2, 3)), (std::vector{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(elements(cuttle::full(7).broadcast(1000)), std::vector<int>(1000, 7));
  EXPECT_THROW(static_cast<void>(row.broadcast(2, 4)), cuttle::LaunchError);
}

}  // namespace
