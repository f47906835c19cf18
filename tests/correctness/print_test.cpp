// Arrays as text: what NumPy prints for the same numbers.

#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

#include "support/device_test.h"

namespace {

class Printing : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Printing);

using cuttle::Array;
using cuttle::to_string;

TEST_P(Printing, LooksLikeNumPy) {
  EXPECT_EQ(to_string(Array<double>{1, 2.5, 3.25}), "[1.   2.5  3.25]");
  EXPECT_EQ(to_string(Array<float>{-1, 10, 0.1f}), "[-1.  10.   0.1]");
  EXPECT_EQ(to_string(Array<double>{1.0 / 3, 100}), "[  0.33333333 100.        ]");
  EXPECT_EQ(to_string(Array<double>{1e10, 1}), "[1.e+10 1.e+00]");
  EXPECT_EQ(to_string(Array<double>{1, std::numeric_limits<double>::infinity(), std::nan("")}), "[ 1. inf nan]");
  EXPECT_EQ(to_string(Array<int>{1, -20, 300}), "[  1 -20 300]");
  EXPECT_EQ(to_string(Array<unsigned char>{200, 3}), "[200   3]");
  EXPECT_EQ(to_string(Array(std::vector<bool>{true, false})), "[ true false]");
  EXPECT_EQ(to_string(Array<int, 2>{{1, 2}, {3, 4}}), "[[1 2]\n [3 4]]");
  EXPECT_EQ(to_string(cuttle::arange(4).reshape(2, 1, 2)), "[[[0 1]]\n\n [[2 3]]]");
  EXPECT_EQ(to_string(cuttle::full(5)), "5");
  EXPECT_EQ(to_string(Array<float>(0)), "[]");
}

TEST_P(Printing, AbbreviatesLongArrays) {
  EXPECT_EQ(to_string(cuttle::arange(1001)), "[   0    1    2 ...  998  999 1000]");
  const Array<int> x = cuttle::arange(2000);
  EXPECT_EQ(to_string(x.reshape(1000, 2)), "[[   0    1]\n [   2    3]\n [   4    5]\n ...\n [1994 1995]\n [1996 1997]\n [1998 1999]]");
}

TEST_P(Printing, ReadsThroughStrides) {
  const Array<int, 2> x{{1, 2}, {3, 4}};
  EXPECT_EQ(to_string(x.transpose()), "[[1 3]\n [2 4]]");
  EXPECT_EQ(to_string(x.slice(0, {.step = -1})), "[[3 4]\n [1 2]]");
}

TEST_P(Printing, GoesToAStream) {
  std::ostringstream out;
  out << Array<int>{1, 2} << cuttle::arange(2).view();
  EXPECT_EQ(out.str(), "[1 2][0 1]");
}

}  // namespace
