// The kernels of a header that two files include with different macros: here TILE is 32.

#include "support/device_test.h"

#define TILE 32
#include "header_kernel.hpp"

namespace {

using cuttle::Array;

class HeaderKernel32 : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(HeaderKernel32);

TEST_P(HeaderKernel32, IsThatOfItsOwnFile) {
  Array<int> integers(1);
  Array<double> doubles(1);
  for (int i = 0; i < 2; ++i) {  // new, and found again
    EXPECT_EQ(identity::inline_function(integers), 32);
    EXPECT_EQ(identity::Template<int>::run(integers), 32 + 4);
    EXPECT_EQ(identity::Template<double>::run(doubles), 32 + 8);
    identity::at_namespace_scope[{1, 1}](integers);
    EXPECT_EQ(integers.item(), 32 + 1);
    identity::in_an_unnamed_namespace[{1, 1}](integers);
    EXPECT_EQ(integers.item(), 32 + 2);
  }
}

// The same line, the same names, another text, in an unnamed namespace of each file.
#line 1000
auto same_line = CUTTLE_KERNEL([](auto x) { x[0] = 2 * TILE; });

TEST_P(HeaderKernel32, OnTheSameLineOfAnotherFileIsAnother) {
  Array<int> out(1);
  same_line[{1, 1}](out);
  EXPECT_EQ(out.item(), 2 * 32);
}

}  // namespace
