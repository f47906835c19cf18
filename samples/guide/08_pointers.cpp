// The guide's pointers: a CUDA kernel as it was.

#include <cuttle/cuttle.hpp>

#include <vector>

auto transpose = CUTTLE_KERNEL([](const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
});

int main() {
  const cuttle::Array<float, 2> a{{1, 2, 3}, {4, 5, 6}};
  cuttle::Array<float, 2> b(3, 2);
  transpose[{.grid = {1, 1}, .block = {16, 16}}](a, b, 2, 3);                        // an Array is passed as its pointer
  transpose[{.grid = {1, 1}, .block = {16, 16}}](a.part(0, 1), b.part(0, 1), 1, 2);  // a part of it likewise: rows 0 to 1
  return b.to_vector() == std::vector<float>{1, 2, 2, 5, 3, 6} ? 0 : 1;
}
