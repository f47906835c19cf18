// Kernels are told apart by what they are, not by where the compiler or the linker puts them.

#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;

class Identity : public cuttle::test::OnEveryDevice {
 protected:
  int result(const auto& kernel) {
    Array<int> out(1);
    kernel[{1, 1}](out);
    return out.item();
  }
};
CUTTLE_ON_EVERY_DEVICE(Identity);

// clang-format off
auto first = CUTTLE_KERNEL([](auto x) { x[0] = 1; }); auto second = CUTTLE_KERNEL([](auto x) { x[0] = 2; });
// clang-format on

TEST_P(Identity, TwoLambdasOnOneLineAreTwo) {
  EXPECT_EQ(result(first), 1);
  EXPECT_EQ(result(second), 2);
}

#define CUTTLE_TEST_TWO_KERNELS(name, value)                    \
  auto name##_low = CUTTLE_KERNEL([](auto x) { x[0] = value; }); \
  auto name##_high = CUTTLE_KERNEL([](auto x) { x[0] = (value) + 100; });
CUTTLE_TEST_TWO_KERNELS(from_macro, 5)

TEST_P(Identity, TwoLambdasOfOneMacroAreTwo) {
  EXPECT_EQ(result(from_macro_low), 5);
  EXPECT_EQ(result(from_macro_high), 105);
}

template <class T>
auto from_template() {
  return CUTTLE_KERNEL([](auto x) { x[0] = sizeof(x[0]); });
}

TEST_P(Identity, ATemplateInstantiatedTwiceGivesTwoKernelsOfOneText) {
  auto a = from_template<int>();
  auto b = from_template<double>();
  const auto before = cuttle::stats().compilations;
  EXPECT_EQ(result(a), 4);
  EXPECT_EQ(result(b), 4);
  EXPECT_EQ(cuttle::stats().compilations, before + 1);  // one text, one signature
}

TEST_P(Identity, AFactoryCalledAgainAndAgainCompilesOnce) {
  const auto make = [] { return CUTTLE_KERNEL([](auto x) { x[0] = 77; }); };
  const auto before = cuttle::stats().compilations;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(result(make()), 77);
  EXPECT_EQ(cuttle::stats().compilations, before + 1);
}

TEST_P(Identity, EqualTextsInTwoPlacesCompileOnce) {
  auto here = CUTTLE_KERNEL([](auto x) { x[0] = 78; });
  auto there = CUTTLE_KERNEL([](auto x) { x[0] = 78; });
  const auto before = cuttle::stats().compilations;
  EXPECT_EQ(result(here), 78);
  EXPECT_EQ(result(there), 78);
  EXPECT_LE(cuttle::stats().compilations, before + 1);
}

TEST_P(Identity, KernelsWhoseTextsDifferInALiteralOnlyAreTwo) {
  EXPECT_EQ(result(CUTTLE_KERNEL([](auto x) { x[0] = "a b"[1]; })), ' ');
  EXPECT_EQ(result(CUTTLE_KERNEL([](auto x) { x[0] = "a  b"[2]; })), ' ');
  EXPECT_EQ(result(CUTTLE_KERNEL([](auto x) { x[0] = "a b"[2]; })), 'b');
}

}  // namespace
