// Tensor-core building blocks: products of whole numbers, which are exact in every type, against the host's.

#include <cstdint>
#include <type_traits>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::dsl::bfloat16, cuttle::dsl::half;

class Wmma : public cuttle::test::OnEveryDevice {
 protected:
  // Whether the hardware has the type.
  [[nodiscard]] bool has_sm80() const { return !on_gpu() || cuttle::Device::cuda().sm() >= 80; }
};
CUTTLE_ON_EVERY_DEVICE(Wmma);

template <class Element>
std::vector<Element> whole_numbers(int count, int seed, bool has_signs) {
  std::vector<Element> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<Element>(static_cast<float>((i * 37 + seed) % 11 - (has_signs ? 5 : 0))));
  return values;
}

// a is m x k, b is k x n; both in the order that the kernel says.
template <class Kernel, class A, class Acc>
void expect_product(const Kernel& kernel, int m, int n, int k, bool a_by_column, bool b_by_column, bool has_signs, A, Acc) {
  const std::vector<A> a = whole_numbers<A>(m * k, 3, has_signs), b = whole_numbers<A>(k * n, 8, has_signs);
  const std::vector<Acc> c = whole_numbers<Acc>(m * n, 1, true);
  cuttle::Array<Acc> d(m * n);
  kernel[{1, 32}](cuttle::Array<A>(a), cuttle::Array<A>(b), cuttle::Array<Acc>(c), d);
  const std::vector<Acc> product = d.to_vector();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = static_cast<double>(static_cast<float>(c[i * n + j]));
      for (int l = 0; l < k; ++l) {
        sum += static_cast<double>(static_cast<float>(a[a_by_column ? l * m + i : i * k + l])) *
               static_cast<double>(static_cast<float>(b[b_by_column ? j * k + l : l * n + j]));
      }
      ASSERT_EQ(static_cast<double>(static_cast<float>(product[i * n + j])), sum) << "row " << i << ", column " << j;
    }
  }
}

// The product of one tile, added to c element by element.
#define CUTTLE_TEST_PRODUCT(name, m, n, k, T, Acc, LayoutA, LayoutB)                              \
  auto name = CUTTLE_KERNEL([](auto a, auto b, auto c, auto d) {                                   \
    wmma::fragment<wmma::matrix_a, m, n, k, T, wmma::LayoutA> fa;                                  \
    wmma::fragment<wmma::matrix_b, m, n, k, T, wmma::LayoutB> fb;                                  \
    wmma::fragment<wmma::accumulator, m, n, k, Acc> fc, zero;                                      \
    wmma::fill_fragment(zero, Acc(0));                                                             \
    wmma::load_matrix_sync(fa, a.data(), std::is_same_v<wmma::LayoutA, wmma::row_major> ? k : m);  \
    wmma::load_matrix_sync(fb, b.data(), std::is_same_v<wmma::LayoutB, wmma::row_major> ? n : k);  \
    wmma::load_matrix_sync(fc, c.data(), n, wmma::mem_row_major);                                  \
    wmma::mma_sync(zero, fa, fb, zero);                                                            \
    for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] + zero.x[i];                       \
    wmma::store_matrix_sync(d.data(), fc, n, wmma::mem_row_major);                                 \
  })
CUTTLE_TEST_PRODUCT(f16_row_col, 16, 16, 16, half, float, row_major, col_major);
CUTTLE_TEST_PRODUCT(f16_row_row, 16, 16, 16, half, float, row_major, row_major);
CUTTLE_TEST_PRODUCT(f16_col_row, 16, 16, 16, half, float, col_major, row_major);
CUTTLE_TEST_PRODUCT(f16_in_f16, 16, 16, 16, half, half, row_major, col_major);
CUTTLE_TEST_PRODUCT(bf16_row_col, 16, 16, 16, bfloat16, float, row_major, col_major);
CUTTLE_TEST_PRODUCT(tf32_row_col, 16, 16, 8, wmma::precision::tf32, float, row_major, col_major);
CUTTLE_TEST_PRODUCT(f64_row_col, 8, 8, 4, double, double, row_major, col_major);
CUTTLE_TEST_PRODUCT(s8_row_col, 16, 16, 16, signed char, int, row_major, col_major);
CUTTLE_TEST_PRODUCT(u8_row_row, 16, 16, 16, unsigned char, int, row_major, row_major);

TEST_P(Wmma, MultipliesHalvesInEveryLayout) {
  expect_product(f16_row_col, 16, 16, 16, false, true, true, half(), 0.0f);
  expect_product(f16_row_row, 16, 16, 16, false, false, true, half(), 0.0f);
  expect_product(f16_col_row, 16, 16, 16, true, false, true, half(), 0.0f);
  expect_product(f16_in_f16, 16, 16, 16, false, true, true, half(), half());
}

TEST_P(Wmma, MultipliesBytes) {
  expect_product(s8_row_col, 16, 16, 16, false, true, true, std::int8_t(), 0);
  expect_product(u8_row_row, 16, 16, 16, false, false, false, std::uint8_t(), 0);
}

TEST_P(Wmma, MultipliesBfloat16Tf32AndDouble) {
  if (!has_sm80()) GTEST_SKIP() << "these types are of sm_80 and later";
  expect_product(bf16_row_col, 16, 16, 16, false, true, true, bfloat16(), 0.0f);
  expect_product(tf32_row_col, 16, 16, 8, false, true, true, 0.0f, 0.0f);
  expect_product(f64_row_col, 8, 8, 4, false, true, true, 0.0, 0.0);
}

}  // namespace
