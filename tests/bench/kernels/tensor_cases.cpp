// Half precision as inline PTX: packed arithmetic, and products of matrices on the tensor cores, accumulated in single precision.

#include "race.h"

namespace {

using cuttle::view;
using cuttle::race::arguments;

/// Pairs of halves between 0.25 and 0.5, with either sign.
std::vector<unsigned> halves(std::size_t pairs, unsigned seed) {
  std::vector<unsigned> values(pairs);
  for (std::size_t i = 0; i < pairs; ++i) values[i] = 0x34003400u | (cuttle::race::mixed(static_cast<unsigned>(i) + seed) & 0x83ff83ffu);
  return values;
}

auto half_polynomial = CUTTLE_KERNEL([](view<const unsigned> x, view<unsigned> y, int pairs) {
  auto fma2 = [](unsigned a, unsigned b, unsigned c) {
    unsigned result;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
  };
  const unsigned half = 0x38003800u, quarter = 0x34003400u;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
    const unsigned v = x[i];
    unsigned sum = fma2(v, half, quarter);
    for (int k = 0; k < 16; ++k) sum = fma2(sum, v, k % 2 == 0 ? half : quarter);
    y[i] = sum;
  }
});
CUTTLE_RACE(half_polynomial) {
  const int pairs = 1 << 26;
  auto& x = race.from(halves(pairs, 7));
  auto& y = race.output<unsigned>(pairs);
  race.run({.launch = {132 * 16, 256}, .bytes = 8.0 * pairs, .flops = 68.0 * pairs}, half_polynomial, arguments(x, y, pairs));
}

// C = A B, A row by row, B column by column, two halves a word. A block of four warps has 64 x 64 of C, a warp 32 x 32.
auto tensor_gemm = CUTTLE_KERNEL([](const unsigned* __restrict__ a, const unsigned* __restrict__ b, float* __restrict__ c, int n) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = lane / 4, member = lane % 4;
  const int row = blockIdx.y * 64 + warp / 2 * 32, column = blockIdx.x * 64 + warp % 2 * 32, words = n / 2;
  unsigned sums[2][4][4];  // bits of floats: x86 knows no "f" operand, and the host compiler reads this text too
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < 4; ++k) sums[i][j][k] = 0;
    }
  }
  for (int k = 0; k < words; k += 8) {
    unsigned left[2][4], right[4][2];
    for (int i = 0; i < 2; ++i) {
      for (int part = 0; part < 4; ++part) left[i][part] = a[(row + i * 16 + group + part % 2 * 8) * words + k + member + part / 2 * 4];
    }
    for (int j = 0; j < 4; ++j) {
      for (int part = 0; part < 2; ++part) right[j][part] = b[(column + j * 8 + group) * words + k + member + part * 4];
    }
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 4; ++j) {
        unsigned* s = sums[i][j];
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
            : "r"(left[i][0]), "r"(left[i][1]), "r"(left[i][2]), "r"(left[i][3]), "r"(right[j][0]), "r"(right[j][1]));
      }
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < 4; ++k)
        c[(row + i * 16 + group + k / 2 * 8) * n + column + j * 8 + member * 2 + k % 2] = __builtin_bit_cast(float, sums[i][j][k]);
    }
  }
});
CUTTLE_RACE(tensor_gemm) {
  const int n = 4096;
  const auto words = static_cast<std::size_t>(n) * n / 2;
  auto& a = race.from(halves(words, 1));
  auto& b = race.from(halves(words, 1u << 30));
  auto& c = race.output<float>(std::int64_t{n} * n);
  race.run({.launch = {{n / 64, n / 64}, 128}, .flops = 2.0 * n * n * n, .tolerance = 1e-4}, tensor_gemm, arguments(a, b, c, n));
}

}  // namespace
