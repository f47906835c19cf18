// Kernels from the field, features of the language: structs with pointers, aligned types, tables of functions, large parameters.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "field/inputs.h"
#include "support/device_test.h"

namespace {

using cuttle::Array;
using namespace cuttle::test;

class Language : public OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Language);

// An array of structs with pointers into device memory. (pycuda, demo_struct)
CUTTLE_DEVICE(struct Line {
  std::int64_t length;
  float* data;
};);

auto double_lines = CUTTLE_KERNEL([](const Line* lines) {
  const Line line = lines[blockIdx.x];
  for (int i = threadIdx.x; i < line.length; i += blockDim.x) line.data[i] *= 2;
});

TEST_P(Language, StructsHoldPointersToTheDevice) {
  Array<float> a(std::vector<float>(70, 1.5f)), b(std::vector<float>(3, -2.0f));
  Array<Line> lines({Line{70, a.data()}, Line{3, b.data()}});
  double_lines[{.grid = 2, .block = 32}](lines);
  EXPECT_EQ(a.to_vector(), std::vector<float>(70, 3.0f));
  EXPECT_EQ(b.to_vector(), std::vector<float>(3, -4.0f));
}

// Structs of every alignment, copied whole. (cuda-samples, alignedTypes)
CUTTLE_DEVICE(struct Rgb8 { unsigned char r; unsigned char g; unsigned char b; };);
CUTTLE_DEVICE(struct alignas(8) La32 { unsigned l; unsigned a; };);
CUTTLE_DEVICE(struct alignas(16) Rgba32 { float r; float g; float b; float a; };);
CUTTLE_DEVICE(struct alignas(16) Block { double values[4]; short tag; };);

auto copy_structs = CUTTLE_KERNEL([](auto from, auto to) {
  for (auto i = blockIdx.x * blockDim.x + threadIdx.x; i < from.size(); i += gridDim.x * blockDim.x) to[i] = from[i];
});

TEST_P(Language, StructsOfEveryAlignmentAreCopiedWhole) {
  // Comparing members leaves padding out, which a copy need not keep.
  const auto expect = [&](const auto& values, auto same) {
    using T = std::remove_cvref_t<decltype(values[0])>;
    Array<T> from(values), to(values.size());
    copy_structs[{.grid = 2, .block = 32}](from, to);
    const auto copied = to.to_vector();
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_TRUE(same(copied[i], values[i])) << "element " << i;
  };
  std::vector<Rgb8> bytes(99);
  std::vector<La32> words(99);
  std::vector<Rgba32> colours(99);
  std::vector<Block> blocks(99);
  for (int i = 0; i < 99; ++i) {
    const auto byte = static_cast<unsigned char>(i);
    bytes[at(i)] = {byte, static_cast<unsigned char>(byte + 100), static_cast<unsigned char>(byte ^ 0x55)};
    words[at(i)] = {static_cast<unsigned>(i) * 40'503u, ~static_cast<unsigned>(i)};
    colours[at(i)] = {0.5f * byte, 1.5f * byte, -2.0f * byte, 3.25f};
    blocks[at(i)] = {{1.0 * i, 0.1 * i, -0.25 * i, 1e100}, static_cast<short>(-i)};
  }
  expect(bytes, [](const Rgb8& a, const Rgb8& b) { return a.r == b.r && a.g == b.g && a.b == b.b; });
  expect(words, [](const La32& a, const La32& b) { return a.l == b.l && a.a == b.a; });
  expect(colours, [](const Rgba32& a, const Rgba32& b) { return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a; });
  expect(blocks, [](const Block& a, const Block& b) { return std::equal(a.values, a.values + 4, b.values) && a.tag == b.tag; });
}

// Functions chosen at run time from a table. (cuda-samples, FunctionPointers)
CUTTLE_DEVICE(inline float add_of(float a, float b) { return a + b; });
CUTTLE_DEVICE(inline float sub_of(float a, float b) { return a - b; });
CUTTLE_DEVICE(inline float mul_of(float a, float b) { return a * b; });

auto apply = CUTTLE_KERNEL([](const int* which, const float* a, const float* b, float* out, int n) {
  float (*const table[])(float, float) = {add_of, sub_of, mul_of};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[which[i]](a[i], b[i]);
});

TEST_P(Language, FunctionsFromATable) {
  constexpr int n = 100;
  std::vector<int> which(n);
  for (int i = 0; i < n; ++i) which[at(i)] = i % 3;
  const auto a = small_integers<float>(n, 30), b = small_integers<float>(n, 31);
  Array<int> d_which(which);
  Array<float> da(a), db(b), out(n);
  apply[{.grid = 4, .block = 32}](d_which, da, db, out, n);
  const auto result = out.to_vector();
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(result[i], which[i] == 0 ? a[i] + b[i] : which[i] == 1 ? a[i] - b[i] : a[i] * b[i]);
}

// Almost four kilobytes by value. (cuda-samples, LargeKernelParameter)
CUTTLE_DEVICE(struct Table { int values[1000]; };);

auto add_table = CUTTLE_KERNEL([](Table table, int* out) {
  for (int i = threadIdx.x; i < 1000; i += blockDim.x) out[i] = table.values[i] + table.values[999 - i];
});

TEST_P(Language, AThousandIntegersByValue) {
  Table table{};
  std::iota(std::begin(table.values), std::end(table.values), 5);
  Array<int> out(1000);
  add_table[{.grid = 1, .block = 96}](table, out);
  EXPECT_EQ(out.to_vector(), std::vector<int>(1000, 999 + 10));
}

// Whether the peaks that others found are peaks: a flag from chains of comparisons. (cupyx.scipy.signal, _check_prominence_invalid)
auto invalid_prominence = CUTTLE_KERNEL([](auto x, auto peaks, auto left, auto right, auto invalid) {
  const auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= peaks.size()) return;
  const auto n = x.size();
  const bool inside = 0 <= left[i] && left[i] <= peaks[i] && peaks[i] <= right[i] && right[i] < n;
  invalid[i] = !inside || x[peaks[i]] < max(x[left[i]], x[right[i]]);
});

TEST_P(Language, FlagsFromChainsOfComparisons) {
  Array<double> x({0, 1, 3, 1, 0, 2, 5, 2});
  Array<std::int64_t> peaks({2, 6, 2, 1, 6}), left({0, 4, 3, 0, -1}), right({4, 7, 4, 2, 7});
  Array<bool> invalid(5);
  invalid_prominence[{.grid = 1, .block = 32}](x, peaks, left, right, invalid);
  EXPECT_EQ(invalid.to_vector(), (std::vector<bool>{false, false, true, true, true}));
}

}  // namespace
