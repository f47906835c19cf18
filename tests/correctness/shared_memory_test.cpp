// Shared memory: __shared__ variables of every shape.

#include <vector>

#include "support/device_test.h"

namespace {

class SharedMemory : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(SharedMemory);

auto static_shapes = CUTTLE_KERNEL([](int* out) {
  struct Pair {
    int first;
    double second;
  };
  __shared__ int line[64];
  __shared__ short plane[8][8];
  __shared__ Pair pairs[64];
  const int t = threadIdx.x;
  line[t] = t;
  plane[t / 8][t % 8] = static_cast<short>(2 * t);
  pairs[t] = {3 * t, 0.5 * t};
  __syncthreads();
  const int u = 63 - t;
  out[t] = line[u] + plane[u / 8][u % 8] + pairs[u].first + static_cast<int>(2 * pairs[u].second);
});

TEST_P(SharedMemory, HoldsArraysPlanesAndStructs) {
  cuttle::Array<int> out(64);
  static_shapes[{1, 64}](out);
  std::vector<int> expected(64);
  for (int t = 0; t < 64; ++t) expected[static_cast<std::size_t>(t)] = 7 * (63 - t);
  EXPECT_EQ(out.to_vector(), expected);
  EXPECT_EQ(static_shapes.inspect(cuttle::sm(90), out).static_shared_bytes(), 64 * 4 + 64 * 2 + 64 * 16u);
}

auto dynamic_array = CUTTLE_KERNEL([](int* out) {
  extern __shared__ int values[];
  __shared__ int offset;
  if (threadIdx.x == 0) offset = 100;
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 1] + offset;
});

TEST_P(SharedMemory, HoldsAnExternArrayOfTheLaunchsBytesBesideStaticOnes) {
  cuttle::Array<int> out(32);
  dynamic_array[{.grid = 1, .block = 32, .shared = 32 * sizeof(int)}](out);
  std::vector<int> expected;
  for (int t = 0; t < 32; ++t) expected.push_back((t ^ 1) + 100);
  EXPECT_EQ(out.to_vector(), expected);
}

auto shared_expressions = CUTTLE_KERNEL([](int* out) {
  auto& plane = shared<int, 8, 4>();
  auto& other = shared<int, 8, 4>();
  int* counts = dynamic_shared<int>(33);
  double* halves = dynamic_shared<double>(32);
  char* letters = dynamic_shared<char>(32);
  const int t = threadIdx.x;
  plane[t / 4][t % 4] = t;
  other[t / 4][t % 4] = 1000 * t;
  counts[t] = 3 * t;
  if (t == 0) counts[32] = -1;
  halves[t] = t / 2.0;
  letters[t] = static_cast<char>(t);
  __syncthreads();
  const int u = t ^ 5;
  out[t] = plane[u / 4][u % 4] + other[u / 4][u % 4] + counts[u] + static_cast<int>(2 * halves[u]) + letters[u] + counts[32];
});

TEST_P(SharedMemory, IsHandedOutInPiecesThatDoNotOverlap) {
  cuttle::Array<int> out(32);
  shared_expressions[{.grid = 1, .block = 32, .shared = 33 * 4 + 4 + 32 * 8 + 32}](out);
  std::vector<int> expected;
  for (int t = 0; t < 32; ++t) expected.push_back((t ^ 5) * (1 + 1000 + 3 + 1 + 1) - 1);
  EXPECT_EQ(out.to_vector(), expected);
  EXPECT_EQ(shared_expressions.inspect(cuttle::sm(90), out).static_shared_bytes(), 2 * 32 * 4u);
}

auto large = CUTTLE_KERNEL([](int* out, int count) {
  int* memory = dynamic_shared<int>(static_cast<std::size_t>(count));
  for (int i = threadIdx.x; i < count; i += blockDim.x) memory[i] = i;
  __syncthreads();
  int wrong = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x) wrong += memory[count - 1 - i] != count - 1 - i;
  out[threadIdx.x] = wrong;
});

TEST_P(SharedMemory, MayBeLargerThan48Kilobytes) {
  constexpr int count = 25000;
  cuttle::Array<int> out(128);
  large[{.grid = 1, .block = 128, .shared = count * sizeof(int)}](out, count);
  EXPECT_EQ(out.to_vector(), std::vector<int>(128, 0));
}

// A write behind it would be one to the process's own memory.
TEST(SharedMemoryOnTheCpu, EndsWhereALaunchGivesTooLittle) {
  const cuttle::Use use(cuttle::Device::cpu());
  cuttle::Array<int> out(128);
  for (const std::size_t given : {4u, 1000u, 20000u}) {
    large[{.grid = 3, .block = 128, .shared = given}](out, 25000);
    try {
      cuttle::synchronize();
      ADD_FAILURE() << given << " bytes were enough";
    } catch (const cuttle::DriverError& error) {
      EXPECT_NE(std::string(error.what()).find("shared memory"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
