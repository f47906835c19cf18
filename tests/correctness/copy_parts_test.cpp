// Copies between parts of arrays, managed memory, and what a device gives back.

#undef NDEBUG  // asserts are what is tested
#include <cassert>

#include <numeric>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::Shape;

class Parts : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Parts);

std::vector<int> numbers(int count) {
  std::vector<int> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), 0);
  return result;
}

TEST_P(Parts, OfAMatrixAreCopied) {
  const Array a(numbers(20), 4, 5);
  auto b = cuttle::zeros<int>(3, 4);
  // Rows 1 to 3 and columns 2 to 4 of one, to rows 0 and 1 and columns 1 to 3 of the other.
  const auto from = cuttle::slice(cuttle::slice(a.view(), 0, {1, 3}), 1, {2, 5});
  const auto to = cuttle::slice(cuttle::slice(b.view(), 0, {0, 2}), 1, {1, 4});
  cuttle::copy(from, to);
  EXPECT_EQ(b.to_vector(), (std::vector<int>{0, 7, 8, 9, 0, 12, 13, 14, 0, 0, 0, 0}));
}

TEST_P(Parts, OfAVolumeAndInReverseOrderAreCopied) {
  const Array a(numbers(24), 2, 3, 4);
  auto b = cuttle::zeros<int>(2, 2, 2);
  cuttle::copy(cuttle::slice(cuttle::slice(a.view(), 1, {.begin = 1}), 2, {1, 3}), b.view());
  EXPECT_EQ(b.to_vector(), (std::vector<int>{5, 6, 9, 10, 17, 18, 21, 22}));
  auto c = cuttle::zeros<int>(3, 4);
  cuttle::copy(cuttle::slice(Array(numbers(12), 3, 4).view(), 0, {.step = -1}), c.view());
  EXPECT_EQ(c.to_vector(), (std::vector<int>{8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3}));
}

TEST_P(Parts, GoToAndFromHostMemory) {
  std::vector<int> picture = numbers(20);  // 4 rows of 5
  const cuttle::view<int, 2> host{picture.data(), {4, 5}, {}};
  auto block = cuttle::zeros<int>(2, 2);
  const cuttle::Stream stream;
  cuttle::copy(cuttle::slice(cuttle::slice(host, 0, {1, 3}), 1, {3, 5}), block.view(), stream);
  stream.synchronize();
  EXPECT_EQ(block.to_vector(), (std::vector<int>{8, 9, 13, 14}));
  block.fill(-1);
  cuttle::copy(block.view(), cuttle::slice(cuttle::slice(host, 0, {2, 4}), 1, {0, 2}));
  cuttle::synchronize();
  EXPECT_EQ(picture, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1, 12, 13, 14, -1, -1, 17, 18, 19}));
}

TEST_P(Parts, ThatDoNotFitAreRefused) {
  auto a = cuttle::zeros<int>(4, 4), b = cuttle::zeros<int>(4, 3);
  EXPECT_THROW(cuttle::copy(a.view(), b.view()), cuttle::LaunchError);
  EXPECT_THROW(cuttle::copy(a.transpose(), a.transpose()), cuttle::LaunchError);
  auto none = cuttle::zeros<int>(0, 4);
  EXPECT_NO_THROW(cuttle::copy(none.view(), none.view()));
}

class ManagedMemory : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(ManagedMemory);

TEST_P(ManagedMemory, IsWrittenByTheHostAndByKernels) {
  cuttle::Managed<float> x(100);
  std::iota(x.begin(), x.end(), 0.0f);
  const auto twice = CUTTLE_KERNEL([](cuttle::view<float> v) { v[threadIdx.x] *= 2; });
  twice[{.block = 100}](x.view());
  cuttle::synchronize();
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], 2 * static_cast<float>(i));
  const Array<float> copied(std::span<const float>(x.data(), x.size()));
  EXPECT_EQ(copied.to_vector()[99], 198);
}

class Reset : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Reset);

TEST_P(Reset, LeavesArraysAndKernelsAsTheyWere) {
  auto x = cuttle::ones<int>(1000);
  cuttle::reset();
  EXPECT_EQ(x.to_vector(), std::vector<int>(1000, 1));
  const auto add = CUTTLE_KERNEL([](cuttle::view<int> v) { v[0] += 1; });
  add[{.block = 1}](x);
  EXPECT_EQ(x.to_vector()[0], 2);
}

TEST_P(Reset, ForgetsAFailedAssertOfTheCpuDevice) {
  if (on_gpu()) GTEST_SKIP() << "after a failed assert a GPU is lost to the process";
  const auto fail = CUTTLE_KERNEL([](int value) { assert(value == 1); });
  fail[{.block = 1}](2);
  cuttle::reset();
  EXPECT_NO_THROW(cuttle::synchronize());
}

}  // namespace
