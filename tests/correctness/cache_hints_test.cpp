// Loads and stores with cache hints: the values, for types of every size and alignment.

#include <cstdint>
#include <vector>

#include "support/device_test.h"

CUTTLE_DEVICE(struct Odd {
  float x, y, z;
  bool operator==(const Odd&) const = default;
};);

namespace {

class CacheHints : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(CacheHints);

// Ten copies, each by one kind of load and one of store.
auto copy_by_each_hint = CUTTLE_KERNEL([](auto in, auto out) {
  const auto n = in.size();
  const auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  auto* to = out.data() + i;
  const auto* from = in.data() + i;
  __stwb(to, __ldg(from));
  __stcg(to + n, __ldca(from));
  __stcs(to + 2 * n, __ldcg(from));
  __stwt(to + 3 * n, __ldcs(from));
  __stwb(to + 4 * n, __ldlu(from));
  __stcg(to + 5 * n, __ldcv(from));
});

template <class T>
void expect_copies(const std::vector<T>& in) {
  const std::size_t n = in.size();
  cuttle::Array<T> out(6 * n);
  copy_by_each_hint[{.grid = 2, .block = 64}](cuttle::Array<T>(in), out);
  const std::vector<T> copies = out.to_vector();
  for (std::size_t i = 0; i < 6 * n; ++i) ASSERT_TRUE(copies[i] == in[i % n]) << sizeof(T) << " bytes, hint " << i / n;
}

template <class T>
void expect_copies() {
  std::vector<T> in;
  for (int i = 0; i < 100; ++i) in.push_back(static_cast<T>(i * 1.25));
  expect_copies(in);
}

TEST_P(CacheHints, MoveValuesOfEverySize) {
  expect_copies<std::int8_t>();
  expect_copies<std::uint16_t>();
  expect_copies<int>();
  expect_copies<float>();
  expect_copies<std::int64_t>();
  expect_copies<double>();
}

TEST_P(CacheHints, MoveStructsByTheirAlignment) {
  std::vector<Odd> odd;
  std::vector<cuttle::dsl::float4> vectors;
  for (int i = 0; i < 100; ++i) {
    const float f = static_cast<float>(i);
    odd.push_back({f, -f, 0.5f * f});
    vectors.push_back({f, 1, 2, -f});
  }
  expect_copies(odd);
  cuttle::Array<cuttle::dsl::float4> out(600);
  copy_by_each_hint[{.grid = 2, .block = 64}](cuttle::Array<cuttle::dsl::float4>(vectors), out);
  const auto copies = out.to_vector();
  for (std::size_t i = 0; i < 600; ++i) {
    ASSERT_EQ(copies[i].x, vectors[i % 100].x);
    ASSERT_EQ(copies[i].w, vectors[i % 100].w);
  }
}

auto add_by_ptx = CUTTLE_KERNEL([](const int* in, int* out) {
  int sum = 0;
  asm volatile("add.s32 %0, %1, %2;" : "=r"(sum) : "r"(in[0]), "r"(in[1]));
  *out = sum;
});

TEST_P(CacheHints, InlinePtxRunsOnAGpuAndIsRefusedOnTheCpuDevice) {
  cuttle::Array<int> in{30, 12}, out{0};
  if (on_gpu()) {
    add_by_ptx[{1, 1}](in, out);
    EXPECT_EQ(out.item(), 42);
    return;
  }
  try {
    add_by_ptx[{1, 1}](in, out);
    FAIL() << "no exception";
  } catch (const cuttle::CompileError& error) {
    EXPECT_NE(std::string(error.what()).find("inline assembly"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("CPU device"), std::string::npos) << error.what();
  }
}

}  // namespace
