// Minimal cases of what users of other kernel compilers reported, where no test of a feature has them already (docs/bug_reports.md lists all).

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;

class Reports : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Reports);

CUTTLE_DEVICE(struct alignas(16) Quad { float x, y, z, w; };);

// cccl#7867, kokkos#686, numba#3382: pieces behind an odd number of bytes.
auto aligned_pieces = CUTTLE_KERNEL([](unsigned* out) {
  __shared__ char odd[3];
  __shared__ double doubles[4];
  char* letters = dynamic_shared<char>(3);
  double* numbers = dynamic_shared<double>(4);
  char* more_letters = dynamic_shared<char>(1);
  Quad* quads = dynamic_shared<Quad>(2);
  std::complex<double>* values = dynamic_shared<std::complex<double>>(2);
  if (threadIdx.x < 3) odd[threadIdx.x] = letters[threadIdx.x] = static_cast<char>(threadIdx.x);
  if (threadIdx.x < 4) doubles[threadIdx.x] = numbers[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 1) more_letters[0] = 7;
  if (threadIdx.x < 2) quads[threadIdx.x] = {1, 2, 3, 4}, values[threadIdx.x] = {5, 6};
  __syncthreads();
  if (threadIdx.x > 0) return;
  const auto address = [](const void* pointer) { return reinterpret_cast<std::size_t>(pointer); };
  out[0] = address(doubles) % 8 + address(numbers) % 8 + address(quads) % 16 + address(values) % 8;
  out[1] = odd[2] + letters[2] + static_cast<unsigned>(doubles[3] + numbers[3]) + more_letters[0] + static_cast<unsigned>(quads[1].w) +
           static_cast<unsigned>(values[1].imag());
});

TEST_P(Reports, PiecesOfSharedMemoryBehindOddOnesAreAligned) {
  Array<unsigned> out(2);
  aligned_pieces[{.block = 32, .shared = 160}](out);
  EXPECT_EQ(out.to_vector(), (std::vector<unsigned>{0, 2 + 2 + 3 + 3 + 7 + 4 + 6}));
}

// numba#1626, CUDA.jl#1746, llvm-project#59632: threads passed a barrier behind a switch and a loop that some leave early.
auto divergent_paths = CUTTLE_KERNEL([](const int* in, int* out) {
  __shared__ int values[3];
  const int t = static_cast<int>(threadIdx.x);
  int n = 0;
  switch (t) {
    case 0:
      n = 0;
      break;
    case 1:
      n = 2;
      break;
    default:
      n = 3;
  }
  int sum = 0;
  if (n > 0) sum = in[n];
  for (int i = 0; i < 10; ++i) {
    if (i == n) break;
    sum += in[i];
  }
  values[t] = -999 + 0 * sum;
  __syncthreads();
  if (t == 0) {
    for (int i = 0; i < 3; ++i) out[i] = values[i];
  }
});

TEST_P(Reports, ThreadsOfUnequalPathsMeetAtTheBarrier) {
  const Array<int> in(std::vector<int>(10, 3));
  Array<int> out(3);
  divergent_paths[{.block = 3}](in, out);
  EXPECT_EQ(out.to_vector(), (std::vector<int>{-999, -999, -999}));
}

// warp#1958, triton#1452: a lock that every thread takes once.
auto take_the_lock = CUTTLE_KERNEL([](int* lock, volatile int* count) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    *count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
    done = true;
  }
});

TEST_P(Reports, ALockThatEveryThreadTakesCountsThemAll) {
  Array<int> lock({0}), count({0});
  take_the_lock[{.grid = 8, .block = 128}](lock, count);
  EXPECT_EQ(count.item(), 1024);
  EXPECT_EQ(lock.item(), 0);
}

// ILGPU#1479, numba#3786: an array of 400,000 bytes for each thread, indexed by numbers known only when it runs.
auto large_local_array = CUTTLE_KERNEL([](const int* in, int n, long long* out) {
  int values[100000] = {};
  for (int i = 0; i < n; ++i) values[in[i] % 100000] += i;
  long long sum = 0;
  for (int i = 0; i < 100000; ++i) sum += values[i] * (i % 7LL);
  out[threadIdx.x] = sum;
});

TEST_P(Reports, ALocalArrayMayHaveFourHundredThousandBytes) {
  std::vector<int> in;
  for (int i = 0; i < 1000; ++i) in.push_back(i * 7919 % 200000);
  long long expected = 0;
  for (int i = 0; i < 1000; ++i) expected += static_cast<long long>(i) * (in[static_cast<std::size_t>(i)] % 100000 % 7);
  Array<long long> out(2);
  large_local_array[{.block = 2}](Array<int>(in), 1000, out);
  EXPECT_EQ(out.to_vector(), std::vector<long long>(2, expected));
}

// More static shared memory than the 48 KB that a block may have: an error that says so, and what to use.
auto much_static_memory = CUTTLE_KERNEL([](float* out) {
  __shared__ float values[12289];
  values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 1];
});

TEST_P(Reports, TooMuchStaticSharedMemoryIsACompileErrorWithTheLimit) {
  Array<float> out(32);
  try {
    much_static_memory[{.block = 32}](out);
    FAIL() << "no CompileError";
  } catch (const cuttle::CompileError& error) {
    for (const char* word : {"bytes of static shared memory", "49152", "dynamic_shared<T>(count)"}) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
}

// Fuser#1080, jax#2777: unrolled nests with functions of many instructions.
auto deep_nest = CUTTLE_KERNEL([](const float* in, float* out) {
  float sum = 0;
  for (int i : unroll(range(8))) {
    for (int j : unroll(range(8))) {
      for (int k : unroll(range(8))) sum += pow(in[i * 64 + j * 8 + k], in[k]);
    }
  }
  out[threadIdx.x] = sum;
});

TEST_P(Reports, AnUnrolledNestOfFiveHundredPowersCompiles) {
  Array<float> out(1);
  deep_nest[{.block = 1}](Array<float>(std::vector<float>(512, 1.0f)), out);
  EXPECT_EQ(out.item(), 512.0f);
}

}  // namespace
