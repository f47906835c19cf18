// The guide's threads that work together: shared memory, barriers, warps, atomics.

#include <cuttle/cuttle.hpp>

#include <vector>

auto sum = CUTTLE_KERNEL([](view<const float> x, view<float> result) {
  __shared__ float partial[256];
  const auto t = threadIdx.x;
  float mine = 0;
  for (auto i : grid_stride(x.size())) mine += x[i];
  partial[t] = mine;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) partial[t] += partial[t + half];
  }
  if (t == 0) atomicAdd(&result[0], partial[0]);
});

auto sum_by_warps = CUTTLE_KERNEL([](view<const float> x, view<float> result) {
  float mine = 0;
  for (auto i : grid_stride(x.size())) mine += x[i];
  for (int distance = warpSize / 2; distance > 0; distance /= 2) mine += __shfl_down_sync(0xffffffff, mine, distance);
  if (laneid() == 0) atomicAdd(&result[0], mine);
});

auto histogram = CUTTLE_KERNEL([](view<const unsigned char> x, view<unsigned> counts) {
  auto local = dynamic_shared<unsigned>(counts.size());  // bytes are given at the launch
  for (unsigned i = threadIdx.x; i < counts.size(); i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (auto i : grid_stride(x.size())) atomicAdd(&local[x[i] % counts.size()], 1u);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < counts.size(); i += blockDim.x) atomicAdd(&counts[i], local[i]);
});

int main() {
  const cuttle::Array<float> x(std::vector<float>(10000, 1.0f));
  cuttle::Array<float> result({0, 0});
  sum[{.grid = 8, .block = 256}](x, result.part(0, 1));
  sum_by_warps[{.grid = 8, .block = cuttle::block<256>}](x, result.part(1, 2));  // compiled for blocks of 256
  if (result.to_vector() != std::vector<float>{10000, 10000}) return 1;

  const cuttle::Array<unsigned char> bytes(std::vector<unsigned char>(6400, 7));
  cuttle::Array<unsigned> counts(16);
  counts.fill(0);
  histogram[{.grid = 4, .block = 128, .shared = 16 * sizeof(unsigned)}](bytes, counts);
  return counts.to_vector()[7] == 6400 ? 0 : 1;
}
