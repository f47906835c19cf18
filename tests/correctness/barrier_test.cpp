// Barriers wherever uniform control flow reaches them, with blocks of every size.

#include <algorithm>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

class Barrier : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Barrier);

constexpr int block_sizes[] = {1, 2, 31, 32, 33, 100, 256, 512, 1000, 1024};

// The sum of the block's thread numbers, by a tree in shared memory; the last `leave` threads return before the first barrier.
auto tree_sum = CUTTLE_KERNEL([](int* out, int leave) {
  __shared__ int partial[1024];
  const int t = threadIdx.x, n = blockDim.x - leave;
  if (t >= n) return;
  partial[t] = t;
  __syncthreads();
  for (int width = 1; width < n; width *= 2) {
    int sum = partial[t];
    if (t + width < n) sum += partial[t + width];
    __syncthreads();
    if (t % (2 * width) == 0) partial[t] = sum;
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
});

TEST_P(Barrier, TreeSumIsRightForEveryBlockSize) {
  for (const int n : block_sizes) {
    cuttle::Array<int> out(3);
    tree_sum[{3, n}](out, 0);
    EXPECT_EQ(out.to_vector(), std::vector<int>(3, n * (n - 1) / 2)) << n << " threads";
  }
}

TEST_P(Barrier, ThreadsThatReturnedDoNotHangTheOthers) {
  for (const int n : block_sizes) {
    cuttle::Array<int> out(1);
    const int left = n - n / 2;
    tree_sum[{1, n}](out, n / 2);
    EXPECT_EQ(out.item(), left * (left - 1) / 2) << n << " threads, of which half return at once";
  }
}

// Passes a number around the block: barriers in nested loops, the trip count of the inner one read from memory, in a function that is inlined.
auto rotate = CUTTLE_KERNEL([](int* out, const int* rounds, int outer) {
  __shared__ int ring[1024];
  const unsigned t = threadIdx.x, n = blockDim.x;
  auto pass = [&](int value) {
    ring[t] = value;
    __syncthreads();
    const int from_neighbour = ring[(t + 1) % n];
    __syncthreads();
    return from_neighbour;
  };
  int value = static_cast<int>(t), passes = 0;
  for (int i = 0; i < outer; ++i) {
    for (int j = 0; j < rounds[i]; ++j) {
      value = pass(value);
      passes += 100;
    }
  }
  out[t] = value + passes;
});

TEST_P(Barrier, WorksInNestedLoopsAndInAFunctionThatIsInlined) {
  const cuttle::Array rounds(std::vector<int>{3, 0, 2});
  for (const int n : block_sizes) {
    cuttle::Array<int> out(n);
    rotate[{1, n}](out, rounds, 3);
    std::vector<int> expected;
    for (int t = 0; t < n; ++t) expected.push_back((t + 5) % n + 500);
    EXPECT_EQ(out.to_vector(), expected) << n << " threads";
  }
}

// An array of each thread's own, written before a barrier and read behind it at places that only the run knows.
auto private_array = CUTTLE_KERNEL([](int* out, const int* places) {
  __shared__ int sum;
  int own[8];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) own[places[i]] = 10 * t + i;
  if (t == 0) sum = 0;
  __syncthreads();
  own[places[t % 8]] += 1000;
  __syncthreads();
  int total = 0;
  for (int i = 0; i < 8; ++i) total = 3 * total + own[places[i]];
  out[t] = total + sum;
});

TEST_P(Barrier, KeepsEachThreadsOwnArray) {
  const cuttle::Array places(std::vector<int>{3, 1, 4, 0, 5, 2, 7, 6});
  for (const int n : block_sizes) {
    cuttle::Array<int> out(n);
    private_array[{1, n}](out, places);
    std::vector<int> expected;
    for (int t = 0; t < n; ++t) {
      int total = 0;
      for (int i = 0; i < 8; ++i) total = 3 * total + 10 * t + i + (i == t % 8 ? 1000 : 0);
      expected.push_back(total);
    }
    EXPECT_EQ(out.to_vector(), expected) << n << " threads";
  }
}

// A transpose of a 3-D block through shared memory.
auto transpose = CUTTLE_KERNEL([](int* out) {
  __shared__ int tile[1024];
  const unsigned nx = blockDim.x, ny = blockDim.y, nz = blockDim.z;
  const unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  tile[(x * ny + y) * nz + z] = static_cast<int>((z * ny + y) * nx + x);
  __syncthreads();
  out[(z * ny + y) * nx + x] = tile[(z * ny + y) * nx + x];
});

TEST_P(Barrier, WorksInBlocksOfThreeDimensions) {
  const cuttle::Dim blocks[] = {{8, 8, 8}, {5, 3, 7}, {1, 1, 64}, {1, 13, 1}, {2, 16, 32}};
  for (const cuttle::Dim block : blocks) {
    const auto n = static_cast<int>(block.x * block.y * block.z);
    cuttle::Array<int> out(n);
    transpose[{.grid = 1, .block = block}](out);
    std::vector<int> expected(static_cast<std::size_t>(n));
    for (int x = 0; x < block.x; ++x) {
      for (int y = 0; y < block.y; ++y) {
        for (int z = 0; z < block.z; ++z) {
          expected[static_cast<std::size_t>((x * block.y + y) * block.z + z)] = static_cast<int>((z * block.y + y) * block.x + x);
        }
      }
    }
    EXPECT_EQ(out.to_vector(), expected) << block.x << " x " << block.y << " x " << block.z;
  }
}

auto count_barriers = CUTTLE_KERNEL([](int* out, int threshold) {
  const int t = threadIdx.x;
  int* mine = out + 6 * t;
  for (int i = 0; i < 2; ++i) {
    mine[3 * i] = __syncthreads_count(t >= threshold + i ? 7 : 0);
    mine[3 * i + 1] = __syncthreads_and(t >= threshold + i);
    mine[3 * i + 2] = __syncthreads_or(t >= threshold + i);
  }
});

TEST_P(Barrier, CountsAndCombinesPredicates) {
  for (const int n : block_sizes) {
    for (const int threshold : {-1, 0, 5, n - 1, n}) {
      cuttle::Array<int> out(6 * n);
      count_barriers[{1, n}](out, threshold);
      std::vector<int> expected;
      for (int t = 0; t < n; ++t) {
        for (int i = 0; i < 2; ++i) {
          const int count = std::max(0, n - std::max(0, threshold + i));
          expected.insert(expected.end(), {count, count == n, count > 0});
        }
      }
      EXPECT_EQ(out.to_vector(), expected) << n << " threads, those from " << threshold;
    }
  }
}

// A double, a pointer, a bool and a float4-like struct live across the barrier.
auto kept_values = CUTTLE_KERNEL([](double* out, const double* in) {
  struct Four {
    float a, b, c, d;
  };
  const int t = threadIdx.x;
  const double number = in[t] / 3.0;
  const double* pointer = in + t * (in[0] > -1.0);
  const bool odd = in[t] > 10.0;
  Four four{static_cast<float>(in[t]), 1.0f, 2.0f, static_cast<float>(t)};
  __syncthreads();
  four.b += in[0] > -1.0 ? four.a : 0.0f;
  __syncthreads();
  out[t] = number + *pointer + (odd ? 1000.0 : 0.0) + four.a + four.b + four.c + four.d;
});

TEST_P(Barrier, KeepsValuesOfEveryKind) {
  constexpr int n = 96;
  std::vector<double> in, expected;
  for (int t = 0; t < n; ++t) {
    in.push_back(t);
    expected.push_back(t / 3.0 + t + (t > 10 ? 1000.0 : 0.0) + t + (1.0 + t) + 2.0 + t);
  }
  cuttle::Array<double> out(n);
  kept_values[{1, n}](out, cuttle::Array(in));
  EXPECT_EQ(out.to_vector(), expected);
}

auto recursive = CUTTLE_KERNEL([](int* out) {
  struct Walk {
    static int down(int n) {
      __syncthreads();
      return n <= 0 ? 0 : n + down(n - 1) + down(n - 2);
    }
  };
  out[threadIdx.x] = Walk::down(out[threadIdx.x]);
});

TEST(BarrierOnTheCpu, InARecursiveFunctionIsRefusedWithASentence) {
  const cuttle::Use use(cuttle::Device::cpu());
  cuttle::Array<int> out(1);
  try {
    recursive[{1, 1}](out);
    FAIL() << "compiled";
  } catch (const cuttle::CompileError& error) {
    EXPECT_NE(std::string(error.what()).find("stands in a function that calls itself"), std::string::npos) << error.what();
  }
}

}  // namespace
