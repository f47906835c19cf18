// The kernels of a header that two files include with different macros: here TILE is 16.

#include "support/device_test.h"

#define TILE 16
#include "header_kernel.hpp"

namespace {

using cuttle::Array;

class HeaderKernel16 : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(HeaderKernel16);

TEST_P(HeaderKernel16, IsThatOfItsOwnFile) {
  Array<int> integers(1);
  Array<double> doubles(1);
  for (int i = 0; i < 2; ++i) {  // new, and found again
    EXPECT_EQ(identity::inline_function(integers), 16);
    EXPECT_EQ(identity::Template<int>::run(integers), 16 + 4);
    EXPECT_EQ(identity::Template<double>::run(doubles), 16 + 8);
    identity::at_namespace_scope[{1, 1}](integers);
    EXPECT_EQ(integers.item(), 16 + 1);
    identity::in_an_unnamed_namespace[{1, 1}](integers);
    EXPECT_EQ(integers.item(), 16 + 2);
  }
}

// The same line, the same names, another text, in an unnamed namespace of each file.
#line 1000
auto same_line = CUTTLE_KERNEL([](auto x) { x[0] = 2 * TILE; });

TEST_P(HeaderKernel16, OnTheSameLineOfAnotherFileIsAnother) {
  Array<int> out(1);
  same_line[{1, 1}](out);
  EXPECT_EQ(out.item(), 2 * 16);
}

}  // namespace
