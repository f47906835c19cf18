// Twins of tensor_cases.cpp.
#include <cuda_fp16.h>

TWIN half_polynomial(const __half2* __restrict__ x, __half2* __restrict__ y, int pairs) {
  __half2 half = __float2half2_rn(0.5f), quarter = __float2half2_rn(0.25f);
  for (int i = GLOBAL_X; i < pairs; i += gridDim.x * blockDim.x) {
    __half2 v = x[i];
    __half2 sum = __hfma2(v, half, quarter);
    for (int k = 0; k < 16; ++k) sum = __hfma2(sum, v, k % 2 == 0 ? half : quarter);
    y[i] = sum;
  }
}

TWIN tensor_gemm(const unsigned* __restrict__ a, const unsigned* __restrict__ b, float* __restrict__ c, int n) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = lane / 4, member = lane % 4;
  int row = blockIdx.y * 64 + warp / 2 * 32, column = blockIdx.x * 64 + warp % 2 * 32, words = n / 2;
  float sums[2][4][4] = {};
  for (int k = 0; k < words; k += 8) {
    unsigned left[2][4], right[4][2];
    for (int i = 0; i < 2; ++i)
      for (int part = 0; part < 4; ++part) left[i][part] = a[(row + i * 16 + group + part % 2 * 8) * words + k + member + part / 2 * 4];
    for (int j = 0; j < 4; ++j)
      for (int part = 0; part < 2; ++part) right[j][part] = b[(column + j * 8 + group) * words + k + member + part * 4];
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 4; ++j) {
        float* s = sums[i][j];
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
            : "r"(left[i][0]), "r"(left[i][1]), "r"(left[i][2]), "r"(left[i][3]), "r"(right[j][0]), "r"(right[j][1]));
      }
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) c[(row + i * 16 + group + k / 2 * 8) * n + column + j * 8 + member * 2 + k % 2] = sums[i][j][k];
}
