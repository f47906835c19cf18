// Arrays: made from and read back to host data, moved, copied, filled, borrowed, and refused where they cannot be.

#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "support/device_test.h"

namespace {

class Arrays : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Arrays);

using cuttle::Array;
using cuttle::Shape;

const auto add_one = CUTTLE_KERNEL([](auto x) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size()) x.flat(i) += 1;
});

TEST_P(Arrays, ComeFromVectorSpanListPointerAndMatrix) {
  const std::vector<int> host = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(Array(host).to_vector(), host);
  EXPECT_EQ(Array(std::span(host)).to_vector(), host);
  EXPECT_EQ((Array<int>{1, 2, 3, 4, 5, 6}).to_vector(), host);
  EXPECT_EQ((Array<int>(host.data(), 6)).to_vector(), host);
  const Array matrix(host, 2, 3);
  static_assert(matrix.ndim == 2);
  EXPECT_EQ(matrix.to_vector(), host);
  EXPECT_EQ(matrix.shape(), (Shape<2>{2, 3}));
  EXPECT_EQ(matrix.strides(), (Shape<2>{3, 1}));
  const Array<int, 2> rows{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(rows.shape(), (Shape<2>{2, 3}));
  EXPECT_EQ(rows.to_vector(), host);
  EXPECT_THROW((Array<int, 2>{{1, 2}, {3}}), cuttle::LaunchError);
}

TEST_P(Arrays, GoToVectorSpanAndPointer) {
  const Array<int> x{7, 8, 9};
  std::array<int, 3> host{};
  x.copy_to(host);
  EXPECT_EQ(host, (std::array{7, 8, 9}));
  host = {};
  x.copy_to(host.data());
  EXPECT_EQ(host, (std::array{7, 8, 9}));
  EXPECT_EQ((Array<int>{42}).item(), 42);
  EXPECT_THROW(static_cast<void>(x.item()), cuttle::LaunchError);
  std::array<int, 2> short_host{};
  EXPECT_THROW(x.copy_to(short_host), cuttle::LaunchError);
}

TEST_P(Arrays, OfBoolHoldZeroAndOne) {
  const std::vector<bool> host = {true, false, true};
  EXPECT_EQ(Array(host).to_vector(), host);
  const auto count = CUTTLE_KERNEL([](cuttle::view<const bool> flags, cuttle::view<int> sum) {
    for (int i = 0; i < 3; ++i) sum[0] += flags[i];
  });
  Array<int> sum{0};
  count[{1, 1}](Array(host), sum);
  EXPECT_EQ(sum.item(), 2);
}

TEST_P(Arrays, WithoutDimensionsHaveOneElement) {
  Array<float, 0> x;
  EXPECT_EQ(x.size(), 0) << "default-constructed: nothing yet";
  x = cuttle::full(2.5f);
  EXPECT_EQ(x.size(), 1);
  EXPECT_EQ(x.strides().size(), 0u);
  const auto read_and_write = CUTTLE_KERNEL([](auto y) { y() = y() + 1; });
  read_and_write[{1, 1}](x);
  EXPECT_EQ(x.item(), 3.5f);
}

TEST_P(Arrays, MayBeEmpty) {
  Array<float> none(0);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.to_vector(), std::vector<float>{});
  EXPECT_EQ((Array<float, 2>(3, 0)).size(), 0);
  none.fill(1.0f);
  add_one.over(none.size())(none);
  add_one[{1, 32}](none);
  cuttle::synchronize();
  EXPECT_EQ(Array(std::vector<double>{}).copy().size(), 0);
}

TEST_P(Arrays, CopyIsDeepAndMoveLeavesNothing) {
  Array<int> x{1, 2, 3};
  Array<int> y = x.copy();
  y.fill(0);
  EXPECT_EQ(x.to_vector(), (std::vector{1, 2, 3}));
  Array<int> z = std::move(x);
  EXPECT_EQ(z.to_vector(), (std::vector{1, 2, 3}));
  EXPECT_EQ(x.size(), 0);  // NOLINT(bugprone-use-after-move): what is left is specified
  EXPECT_EQ(x.data(), nullptr);
  EXPECT_THROW((add_one[{1, 32}](x)), cuttle::LaunchError);
  x = std::move(z);
  EXPECT_EQ(x.to_vector(), (std::vector{1, 2, 3}));
}

struct Three {
  std::int8_t a, b, c;
  bool operator==(const Three&) const = default;
};

TEST_P(Arrays, FillSetsElementsOfEverySize) {
  const auto check = [](auto value, auto other) {
    for (const std::int64_t count : {1, 2, 3, 1000}) {
      auto x = cuttle::full(other, count);
      x.fill(value);
      const auto host = x.to_vector();
      EXPECT_EQ(host, decltype(host)(static_cast<std::size_t>(count), value));
    }
  };
  check(std::uint8_t{7}, std::uint8_t{0});
  check(std::int16_t{-2}, std::int16_t{300});
  check(1.5f, 0.0f);
  check(1e-300, 0.0);
  check(true, false);
  check(Three{1, 2, 3}, Three{0, 0, 0});
}

TEST_P(Arrays, FactoriesGiveTheirContents) {
  EXPECT_EQ(cuttle::zeros<int>(2, 2).to_vector(), (std::vector{0, 0, 0, 0}));
  EXPECT_EQ(cuttle::ones<float>(3).to_vector(), (std::vector{1.0f, 1.0f, 1.0f}));
  EXPECT_EQ(cuttle::arange(4).to_vector(), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(cuttle::arange(2, 9, 3).to_vector(), (std::vector{2, 5, 8}));
  EXPECT_EQ(cuttle::arange(5, 0, -2).to_vector(), (std::vector{5, 3, 1}));
  EXPECT_EQ(cuttle::arange(5, 0).size(), 0);
  EXPECT_EQ(cuttle::arange(0u, 3u).to_vector(), (std::vector{0u, 1u, 2u}));
  EXPECT_EQ(cuttle::arange(0.0, 1.0, 0.25).to_vector(), (std::vector{0.0, 0.25, 0.5, 0.75}));
  const Array<double, 2> x(2, 3);
  EXPECT_EQ(cuttle::empty_like(x).shape(), x.shape());
  EXPECT_EQ(cuttle::zeros_like(x).to_vector(), std::vector<double>(6, 0.0));
}

TEST_P(Arrays, BorrowForeignMemoryAndLeaveIt) {
  Array<int> owner{1, 2, 3, 4};
  {
    Array<int, 2> borrowed = Array<int, 2>::borrow(owner.data(), {2, 2});
    add_one[{1, 32}](borrowed);
    EXPECT_EQ(borrowed.to_vector(), (std::vector{2, 3, 4, 5}));
  }
  EXPECT_EQ(owner.to_vector(), (std::vector{2, 3, 4, 5}));
}

TEST_P(Arrays, BorrowNoElementsAtANullPointer) {
  EXPECT_THROW(static_cast<void>(Array<int>::borrow(nullptr, {4})), cuttle::LaunchError);
  EXPECT_EQ((Array<int, 2>::borrow(nullptr, {4, 0}).size()), 0);
}

TEST_P(Arrays, TooLargeIsRefusedWithWhatWasAskedAndFree) {
  EXPECT_THROW(Array<float>(-1), cuttle::LaunchError);
  EXPECT_THROW((Array<double, 2>(std::int64_t{1} << 40, std::int64_t{1} << 40)), cuttle::LaunchError);
  const cuttle::MemoryInfo before = cuttle::memory_info();
  EXPECT_GT(before.free, 0u);
  EXPECT_LE(before.free, before.total);
  try {
    const Array<char> x(std::int64_t{1} << 50);
    FAIL() << "a pebibyte was allocated";
  } catch (const cuttle::OutOfMemory& error) {
    EXPECT_EQ(error.asked(), std::size_t{1} << 50);
    EXPECT_NE(std::string(error.what()).find("1125899906842624 bytes was asked for"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(std::to_string(error.free())), std::string::npos) << error.what();
  }
  EXPECT_EQ((Array<int>{1, 2}).to_vector(), (std::vector{1, 2})) << "the next allocation works";
}

TEST_P(Arrays, AViewOfNothingIsRefused) { EXPECT_THROW((add_one[{1, 32}](cuttle::view<int>(nullptr, 4))), cuttle::LaunchError); }

TEST(ArraysOfOtherDevices, AreRefusedByAKernel) {
  if (cuttle::Device::cuda_count() == 0) GTEST_SKIP() << "no GPU in this machine";
  const cuttle::Use use(cuttle::Device::cpu());
  Array<int> x{1};
  const cuttle::Use other(cuttle::Device::cuda());
  EXPECT_THROW((add_one[{1, 32}](x)), cuttle::LaunchError);
}

}  // namespace
