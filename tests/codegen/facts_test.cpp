// What is known of the views of a call, and what their code then is: the PTX of one kernel for arguments that differ in nothing but that.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <cstdint>
#include <regex>
#include <string>

namespace {

using cuttle::Array;
using cuttle::sm;
using cuttle::view;
using namespace cuttle::detail;

std::size_t count(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return static_cast<std::size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()));
}

// Arrays on the CPU device: their addresses are as good as others, and nothing is launched.
class Facts : public testing::Test {
  const cuttle::Use use_{cuttle::Device::cpu()};
};

// ---- what is known -----------------------------------------------------------------------------------------------------------------

float* at(std::uintptr_t address) { return reinterpret_cast<float*>(address); }

bool are_disjoint(const auto& a, const auto& b) { return (facts_of(a, b) & disjoint_views) != 0; }

TEST(KnownFacts, NeighboursAreDisjointAndOverlapsAreNot) {
  const view<float> a(at(0x1000), 8);
  EXPECT_TRUE(are_disjoint(a, view<float>(at(0x1020), 8)));
  EXPECT_TRUE(are_disjoint(view<float>(at(0x1020), 8), a));
  EXPECT_FALSE(are_disjoint(a, view<float>(at(0x101c), 8)));
  EXPECT_FALSE(are_disjoint(view<float>(at(0x101c), 8), a));
  EXPECT_FALSE(are_disjoint(a, a));
  EXPECT_FALSE(are_disjoint(a, view<char>(reinterpret_cast<char*>(0x1004), 1)));
}

TEST(KnownFacts, ViewsThatAreOnlyReadMayOverlap) {
  const view<const float> a(at(0x1000), 8);
  const view<float> out(at(0x2000), 8);
  EXPECT_TRUE(facts_of(a, a, out) & disjoint_views);
  EXPECT_FALSE(facts_of(a, out, out) & disjoint_views);
  EXPECT_FALSE(facts_of(a, a) & disjoint_views) << "where nothing is written there is nothing to know";
}

TEST(KnownFacts, StridesOfBothSignsSpanTheirElements) {
  using View = view<float, 1, cuttle::strided>;
  const view<float> low(at(0x1000), 4), high(at(0x1020), 4);  // and 16 bytes between them
  const View forward(at(0x1010), {4}, {1}), backward(at(0x101c), {4}, {-1}), far(at(0x1010), {4}, {2});
  EXPECT_TRUE(are_disjoint(forward, low) && are_disjoint(forward, high));
  EXPECT_TRUE(are_disjoint(backward, low) && are_disjoint(backward, high));
  EXPECT_TRUE(are_disjoint(far, low));
  EXPECT_FALSE(are_disjoint(far, high));
  EXPECT_FALSE(are_disjoint(View(at(0x1010), {4}, {-1}), low));
}

TEST(KnownFacts, AnEmptyViewOverlapsNothing) {
  const view<float> a(at(0x1000), 8);
  EXPECT_TRUE(are_disjoint(a, view<float>(at(0x1000), 0)));
  EXPECT_TRUE(are_disjoint(a, view<float, 2, cuttle::strided>(at(0x1000), {4, 0}, {1, 1})));
  EXPECT_TRUE(are_disjoint(a, view<float>()));
}

TEST(KnownFacts, OffsetsAreShortBelowTwoGigabytes) {
  constexpr std::int64_t most = (std::int64_t{1} << 31) / 4;
  const auto are_short = [](const auto& a) { return (facts_of(a) & short_offsets) != 0; };
  EXPECT_TRUE(are_short(view<float, 2>(at(0x1000), 1, most - 1)));
  EXPECT_FALSE(are_short(view<float, 2>(at(0x1000), 1, most)));
  EXPECT_FALSE(are_short(view<float, 1, cuttle::strided>(at(std::uintptr_t{1} << 40), {2}, {-most})));
}

TEST(KnownFacts, AShapeThatNoMemoryHasIsTakenToOverlapEverything) {
  constexpr std::int64_t huge = std::int64_t{1} << 40;
  const view<float> a(at(0x1000), 8);
  for (const auto& endless :
       {view<float, 2>(at(0x9000), huge, huge), view<float, 2>(at(0x9000), huge * 4, huge), view<float, 2>(at(0x9000), -1, 1)}) {
    EXPECT_FALSE(facts_of(a, endless) & (disjoint_views | short_offsets));
  }
  EXPECT_FALSE(are_disjoint(a, view<float, 1, cuttle::strided>(at(0x9000), {huge}, {huge})));
}

TEST(KnownFacts, OtherMemoryMakesOffsetsLong) {
  const view<float, 2> a(at(0x1000), 2, 2);
  struct Node {
    float* next;
  };
  EXPECT_TRUE(facts_of(a, 1, 2.0, cuttle::half()) & short_offsets);
  EXPECT_FALSE(facts_of(a, at(0x1000)) & short_offsets);
  EXPECT_FALSE(facts_of(a, Node()) & short_offsets);
  EXPECT_FALSE(facts_of(a, view<Node>()) & short_offsets);
}

TEST(KnownFacts, AlignmentAndUnitStridesAreOfAllViews) {
  const view<float> aligned(at(0x1000), 8), misaligned(at(0x2004), 8);
  EXPECT_TRUE(facts_of(aligned) & aligned_views);
  EXPECT_FALSE(facts_of(aligned, misaligned) & aligned_views);
  using View = view<float, 2, cuttle::strided>;
  const View rows(at(0x1000), {2, 4}, {8, 1}), columns(at(0x2000), {2, 4}, {1, 8});
  EXPECT_TRUE(facts_of(rows) & unit_inner_stride);
  EXPECT_FALSE(facts_of(rows, columns) & unit_inner_stride);
  EXPECT_EQ(facts_of(1, 2.0f, at(0x1000)), 0u) << "without views there is nothing to know";
}

// ---- what the code is --------------------------------------------------------------------------------------------------------------

auto scale = CUTTLE_KERNEL([](auto x, auto y) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; });

std::size_t read_only_loads(const cuttle::CompiledKernel& kernel) { return count(kernel.ptx(), R"(ld\.global\.nc)"); }

TEST_F(Facts, OnlyADisjointViewIsReadThroughTheReadOnlyPath) {
  Array<float> x(64), y(64);
  EXPECT_EQ(read_only_loads(scale.inspect(sm(90), x, y)), 1u);
  EXPECT_EQ(read_only_loads(scale.inspect(sm(90), y, y)), 0u);
  EXPECT_EQ(read_only_loads(scale.inspect(sm(90), y.part(0, 32), y.part(32, 64))), 1u);
  EXPECT_EQ(read_only_loads(scale.inspect(sm(90), y.part(0, 32), y.part(31, 63))), 0u);
  EXPECT_EQ(read_only_loads((scale.inspect<view<float>, view<float>>(sm(90)))), 0u);
}

TEST_F(Facts, OneArrayForTwoViewsThatAreReadIsReadOnlyTwice) {
  auto add =
      CUTTLE_KERNEL([](view<const float> a, view<const float> b, view<float> out) { out[threadIdx.x] = a[threadIdx.x] + b[31 - threadIdx.x]; });
  Array<float> x(32), y(32);
  EXPECT_EQ(read_only_loads(add.inspect(sm(90), x, x, y)), 2u);
  EXPECT_EQ(read_only_loads(add.inspect(sm(90), x, y, y)), 0u);
}

TEST_F(Facts, AViewThatIsWrittenIsNotReadOnlyWhateverItsType) {
  Array<float> x(32), y(32);
  auto accumulate = CUTTLE_KERNEL([](auto a, auto b) { b[threadIdx.x] += a[threadIdx.x]; });
  EXPECT_EQ(read_only_loads(accumulate.inspect(sm(90), x, y)), 1u);
  auto through_const = CUTTLE_KERNEL([](view<const float> a, view<float> b) {
    const_cast<float&>(a[threadIdx.x + 1]) = b[threadIdx.x];
    b[threadIdx.x] = a[threadIdx.x];
  });
  EXPECT_EQ(read_only_loads(through_const.inspect(sm(90), x, y)), 0u);
  auto atomically = CUTTLE_KERNEL([](auto a, auto b) {
    atomicAdd(&a[0], 1.0f);
    b[threadIdx.x] = a[threadIdx.x];
  });
  EXPECT_EQ(read_only_loads(atomically.inspect(sm(90), x, y)), 0u);
}

TEST_F(Facts, NothingIsReadOnlyWhereTheKernelMayWriteElsewhere) {
  Array<float> x(32), y(32);
  auto by_pointer = CUTTLE_KERNEL([](auto a, auto b, float* p) {
    p[threadIdx.x] = 1;
    b[threadIdx.x] = a[threadIdx.x];
  });
  EXPECT_EQ(read_only_loads(by_pointer.inspect(sm(90), x, y, x.data())), 0u);
  auto by_number = CUTTLE_KERNEL([](auto a, auto b, unsigned long p) {
    *reinterpret_cast<float*>(p) = 1;
    b[threadIdx.x] = a[threadIdx.x];
  });
  EXPECT_EQ(read_only_loads(by_number.inspect(sm(90), x, y, 0ul)), 0u);
  auto in_assembly = CUTTLE_KERNEL([](auto a, auto b) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    b[threadIdx.x] = a[threadIdx.x];
  });
  EXPECT_EQ(read_only_loads(in_assembly.inspect(sm(90), x, y)), 0u);
}

TEST_F(Facts, AStoreToOneViewLeavesWhatWasReadOfAnother) {
  auto twice = CUTTLE_KERNEL([](view<float> x, view<float> y) {
    const float before = x[threadIdx.x];
    y[threadIdx.x] = 1;
    x[threadIdx.x] = before + x[threadIdx.x];
  });
  Array<float> x(32), y(32);
  EXPECT_EQ(count(twice.inspect(sm(90), x, y).ptx(), R"(ld\.global)"), 1u);
  EXPECT_EQ(count(twice.inspect(sm(90), x, x).ptx(), R"(ld\.global)"), 2u);
}

TEST_F(Facts, OffsetsOfSmallViewsAreComputedIn32Bits) {
  auto turn = CUTTLE_KERNEL([](view<const float, 2> x, view<float, 2> y) { y(threadIdx.x, threadIdx.y) = x(threadIdx.y, threadIdx.x); });
  const auto wide_products = [](const cuttle::CompiledKernel& kernel) { return count(kernel.ptx(), R"((mul|mad)\.(lo|hi)\.[su]64)"); };
  Array<float, 2> x(32, 32), y(32, 32);
  const view<const float, 2> large(x.data(), std::int64_t{1} << 20, 1024);
  EXPECT_EQ(wide_products(turn.inspect(sm(90), x, y)), 0u);
  EXPECT_EQ(wide_products(turn.inspect(sm(90), large, y)), 2u);
  EXPECT_EQ(wide_products((turn.inspect<view<const float, 2>, view<float, 2>>(sm(90)))), 2u);
}

TEST_F(Facts, AViewOfANumberedAddressKeepsItsLongOffsets) {
  auto far = CUTTLE_KERNEL([](view<float, 2> y, unsigned long address, long columns) {
    const view<const float, 2> x(reinterpret_cast<const float*>(address), columns, columns);
    y(threadIdx.x, threadIdx.y) = x(threadIdx.y, threadIdx.x);
  });
  Array<float, 2> y(32, 32);
  EXPECT_EQ(count(far.inspect(sm(90), y, 0ul, 1l << 20).ptx(), R"((mul|mad)\.(lo|hi)\.[su]64)"), 2u);
}

TEST_F(Facts, AnInnerStrideOf1IsNoProduct) {
  Array<float, 2> x(32, 64), y(32, 32);
  const auto left = cuttle::slice(x.view(), 1, {0, 32});
  auto copy = CUTTLE_KERNEL([](auto from, auto to) { to(threadIdx.y, threadIdx.x) = from(threadIdx.y, threadIdx.x); });
  const auto products = [](const cuttle::CompiledKernel& kernel) { return count(kernel.ptx(), R"((mul|mad)\.(lo|wide)\.)"); };
  EXPECT_LT(products(copy.inspect(sm(90), left, y)), products(copy.inspect(sm(90), cuttle::transpose(left), y)));
}

TEST_F(Facts, NeighboursInAlignedViewsAreLoadedTogether) {
  auto quads = CUTTLE_KERNEL([](view<const float> x, view<float> y) {
    const int i = 4 * threadIdx.x;
    y[threadIdx.x] = x[i] + x[i + 1] + x[i + 2] + x[i + 3];
  });
  Array<float> x(256), y(64);
  EXPECT_EQ(count(quads.inspect(sm(90), x, y).ptx(), R"(ld\.global\.nc\.v4)"), 1u);
  EXPECT_EQ(count(quads.inspect(sm(90), x.part(1, 256), y).ptx(), R"(ld\.global\.nc\.v[24])"), 0u);
}

}  // namespace
