// Loops of the language are as fast as those written by hand: the same instructions in the PTX.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/process.h"

namespace {

using cuttle::sm;
using cuttle::view;

// What PTX does, less its types, signs and registers: "add", "ld", "setp".
std::vector<std::string> operations(const std::string& ptx) {
  std::vector<std::string> names;
  const std::regex instruction(R"(^\s*(?:@!?%p\d+\s+)?([a-z]+)[.\s][^;]*;)");
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    std::smatch name;
    if (std::regex_search(line, name, instruction)) names.push_back(name[1]);
  }
  return names;
}

std::map<std::string, int> counted(const std::vector<std::string>& names) {
  std::map<std::string, int> counts;
  for (const std::string& name : names) ++counts[name];
  return counts;
}

// From the label that a jump goes back to, to the jump; of several loops the first.
std::string loop_of(const std::string& ptx) {
  const std::regex place(R"((\$L__BB\w+):|bra\S*\s+(\$L__BB\w+);)");
  std::map<std::string, std::ptrdiff_t> labels;
  for (std::sregex_iterator i(ptx.begin(), ptx.end(), place), end; i != end; ++i) {
    if ((*i)[1].matched) labels[(*i)[1]] = i->position() + i->length();
    if ((*i)[2].matched && labels.contains((*i)[2])) {
      const std::ptrdiff_t begin = labels[(*i)[2]];
      return ptx.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(i->position() + i->length() - begin));
    }
  }
  return "";
}

template <class Count>
std::string ptx_of(const auto& kernel) {
  return kernel.template inspect<view<const float>, view<float>, Count>(sm(90)).ptx();
}

auto grid_stride_loop = CUTTLE_KERNEL([](auto x, auto y, auto n) {
  for (auto i : grid_stride(n)) y[i] = 2 * x[i];
});
auto same_by_hand = CUTTLE_KERNEL([](auto x, auto y, auto n) {
  for (decltype(n) i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 2 * x[i];
});

template <class Count>
void expect_the_loop_by_hand() {
  const std::string ours = ptx_of<Count>(grid_stride_loop), by_hand = ptx_of<Count>(same_by_hand);
  ASSERT_NE(loop_of(by_hand), "") << by_hand;
  EXPECT_EQ(counted(operations(loop_of(ours))), counted(operations(loop_of(by_hand)))) << ours << by_hand;
  EXPECT_LE(operations(ours).size(), operations(by_hand).size() + 1) << "a negative n is 0 first: one instruction\n" << ours << by_hand;
}

TEST(LoopCode, GridStrideOfAnIntIsTheLoopByHand) { expect_the_loop_by_hand<int>(); }
TEST(LoopCode, GridStrideOf64BitsIsTheLoopByHand) { expect_the_loop_by_hand<std::int64_t>(); }

// Counted in 64 bits, since the sum of an index and the grid may be past 2^32.
TEST(LoopCode, GridStrideOfAnUnsignedHasNoMoreInstructionsInItsLoop) {
  const std::string ours = ptx_of<unsigned>(grid_stride_loop), by_hand = ptx_of<unsigned>(same_by_hand);
  EXPECT_LE(operations(loop_of(ours)).size(), operations(loop_of(by_hand)).size()) << ours << by_hand;
}

auto plane = CUTTLE_KERNEL([](auto x, auto y, auto n) {
  for (auto [i, j] : grid_stride(n, n)) y[j * n + i] = 2 * x[i];
});
auto plane_by_hand = CUTTLE_KERNEL([](auto x, auto y, auto n) {
  for (decltype(n) j = blockIdx.y * blockDim.y + threadIdx.y; j < n; j += gridDim.y * blockDim.y) {
    for (decltype(n) i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[j * n + i] = 2 * x[i];
  }
});

TEST(LoopCode, GridStrideOfAPlaneIsNoLongerThanTwoLoopsByHand) {
  const std::string ours = ptx_of<int>(plane), by_hand = ptx_of<int>(plane_by_hand);
  EXPECT_LE(operations(ours).size(), operations(by_hand).size()) << ours << by_hand;
}

auto sum = CUTTLE_KERNEL([](auto x, auto y, auto n) {
  float s = 0;
  for (auto i : range(n)) s += x[i];
  y[0] = s;
});
auto sum_by_hand = CUTTLE_KERNEL([](auto x, auto y, auto n) {
  float s = 0;
  for (decltype(n) i = 0; i < n; ++i) s += x[i];
  y[0] = s;
});
auto sum_of_thirds = CUTTLE_KERNEL([](auto x, auto y, auto n) {
  float s = 0;
  for (auto i : range(decltype(n){2}, n, 3)) s += x[i];
  y[0] = s;
});
auto sum_of_thirds_by_hand = CUTTLE_KERNEL([](auto x, auto y, auto n) {
  float s = 0;
  for (decltype(n) i = 2; i < n; i += 3) s += x[i];
  y[0] = s;
});

TEST(LoopCode, RangesAreTheLoopsByHandUnrollingIncluded) {
  EXPECT_EQ(counted(operations(ptx_of<int>(sum))), counted(operations(ptx_of<int>(sum_by_hand)))) << ptx_of<int>(sum) << ptx_of<int>(sum_by_hand);
  EXPECT_EQ(counted(operations(ptx_of<std::int64_t>(sum))), counted(operations(ptx_of<std::int64_t>(sum_by_hand))));
}

TEST(LoopCode, RangesWithAConstantStepLoadAsManyElementsARound) {
  const auto loads = [](const std::string& ptx) { return counted(operations(ptx))["ld"]; };
  EXPECT_EQ(loads(ptx_of<int>(sum_of_thirds)), loads(ptx_of<int>(sum_of_thirds_by_hand))) << ptx_of<int>(sum_of_thirds);
}

// Two hundred rounds are more than cuttle unrolls unasked.
auto long_constant = CUTTLE_KERNEL([](auto x, auto y, auto) {
  float s = 1;
  for (auto i : range(200)) s = s * x[0] + i;
  y[0] = s;
});
auto unrolled = CUTTLE_KERNEL([](auto x, auto y, auto) {
  float s = 1;
  for (auto i : unroll(range(200))) s = s * x[0] + i;
  y[0] = s;
});
auto unrolled_by_pragma = CUTTLE_KERNEL([](auto x, auto y, auto) {
  float s = 1;
  _Pragma("unroll") for (int i = 0; i < 200; ++i) s = s * x[0] + i;
  y[0] = s;
});

TEST(LoopCode, UnrollAndPragmaUnrollLeaveNoLoop) {
  EXPECT_NE(loop_of(ptx_of<int>(long_constant)), "");
  EXPECT_EQ(loop_of(ptx_of<int>(unrolled)), "");
  EXPECT_EQ(loop_of(ptx_of<int>(unrolled_by_pragma)), "");
}

#ifndef __clang__  // which refuses a #pragma in a macro's argument
auto unrolled_by_directive = CUTTLE_KERNEL([](auto x, auto y, auto) {
  float s = 1;
#pragma unroll
  for (int i = 0; i < 200; ++i) s = s * x[0] + i;
  y[0] = s;
});

TEST(LoopCode, APragmaThatTheHostCompilerDroppedIsTakenFromTheFile) {
  // A compiler that was given a relative path was so from the build folder.
  std::error_code ignored;
  std::filesystem::current_path(cuttle::test::program_folder().parent_path(), ignored);
  if (!std::filesystem::exists(__FILE__)) GTEST_SKIP() << "this file's source is not here";
  EXPECT_EQ(loop_of(ptx_of<int>(unrolled_by_directive)), "");
}
#endif

auto by_sixteen = CUTTLE_KERNEL([](auto x, auto y, auto n) {
  float s = 0;
  for (auto i : unroll<16>(range(n))) s += x[i];
  y[0] = s;
});

TEST(LoopCode, UnrollByANumberDoesSoManyRoundsInOne) {
  const std::string ptx = ptx_of<int>(by_sixteen);
  EXPECT_GE(counted(operations(ptx))["ld"], 16 + 1 + 3) << "sixteen, one in the remainder, and the parameters:\n" << ptx;
  EXPECT_EQ(ptx.find("cuttle_unroll"), std::string::npos);
}

}  // namespace
