// Warp operations: shuffles with masks and widths for values of every size, votes, matches and reductions, in full and in partial warps.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

class Warp : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Warp);

auto shuffle_by_four = CUTTLE_KERNEL([](int* out, int base) {
  const int lane = static_cast<int>(laneid());
  out[threadIdx.x] = __shfl_sync(0xffffffff, base + lane, lane + 4, 8);
});

TEST_P(Warp, ShuffleWrapsAroundInItsSegment) {
  cuttle::Array<int> out(32);
  shuffle_by_four[{1, 32}](out, 100);
  std::vector<int> expected;
  for (int segment = 0; segment < 32; segment += 8) {
    for (const int lane : {4, 5, 6, 7, 0, 1, 2, 3}) expected.push_back(100 + segment + lane);
  }
  EXPECT_EQ(out.to_vector(), expected);
}

auto shuffles_of_every_kind = CUTTLE_KERNEL([](int* out, int by, int width) {
  const int t = threadIdx.x;
  int* mine = out + 4 * t;
  mine[0] = __shfl_sync(0xffffffff, t, by, width);
  mine[1] = __shfl_up_sync(0xffffffff, t, by, width);
  mine[2] = __shfl_down_sync(0xffffffff, t, by, width);
  mine[3] = __shfl_xor_sync(0xffffffff, t, by, width);
});

TEST_P(Warp, ShufflesKeepTheirOwnValuePastTheSegmentsEdge) {
  for (const int width : {2, 4, 8, 16, 32}) {
    for (int by = 0; by < 32; by += by < 4 ? 1 : 5) {
      cuttle::Array<int> out(4 * 64);
      shuffles_of_every_kind[{1, 64}](out, by, width);
      std::vector<int> expected;
      for (int t = 0; t < 64; ++t) {
        const int first = t / width * width, last = first + width - 1;
        expected.push_back(first + by % width);
        expected.push_back(t - by < first ? t : t - by);
        expected.push_back(t + by > last ? t : t + by);
        expected.push_back((t ^ by) > last ? t : t ^ by);
      }
      EXPECT_EQ(out.to_vector(), expected) << "width " << width << ", by " << by;
    }
  }
}

// Each value goes one lane down and comes back doubled by an xor of the neighbour: any type whose bytes survive is right.
template <class T>
std::vector<T> rotated(const std::vector<T>& in) {
  std::vector<T> out;
  for (std::size_t t = 0; t < in.size(); ++t) out.push_back(in[t / 32 * 32 + (t + 1) % 32]);
  return out;
}

auto rotate = CUTTLE_KERNEL([](auto in, auto out) {
  const auto t = threadIdx.x;
  out[t] = __shfl_sync(0xffffffff, in[t], static_cast<int>(laneid()) + 1);
});

template <class T>
void expect_rotation() {
  std::vector<T> in;
  for (int t = 0; t < 64; ++t) in.push_back(static_cast<T>(1 + t * 37 / (sizeof(T) == 1 ? 20 : 1)));
  cuttle::Array<T> out(64);
  rotate[{1, 64}](cuttle::Array<T>(in), out);
  EXPECT_EQ(out.to_vector(), rotated(in)) << sizeof(T) << " bytes";
}

TEST_P(Warp, ShufflesValuesOfEverySize) {
  expect_rotation<std::int8_t>();
  expect_rotation<std::uint8_t>();
  expect_rotation<std::int16_t>();
  expect_rotation<std::uint16_t>();
  expect_rotation<std::int32_t>();
  expect_rotation<std::uint32_t>();
  expect_rotation<std::int64_t>();
  expect_rotation<std::uint64_t>();
  expect_rotation<float>();
  expect_rotation<double>();
}

auto rotate_struct = CUTTLE_KERNEL([](double* out) {
  struct Particle {
    double position;
    float mass;
    short kind;
    bool alive;
    char name[9];
  };
  const int t = threadIdx.x;
  Particle p{0.5 * t, 0.25f * t, static_cast<short>(t), t % 3 == 0, {}};
  for (int i = 0; i < 9; ++i) p.name[i] = static_cast<char>(t + i);
  p = __shfl_xor_sync(0xffffffff, p, 1);
  const bool alive = __shfl_up_sync(0xffffffff, p.alive, 1);
  double sum = p.position + p.mass + p.kind + (p.alive ? 1000 : 0) + (alive ? 10000 : 0);
  for (int i = 0; i < 9; ++i) sum += p.name[i];
  out[t] = sum;
});

TEST_P(Warp, ShufflesStructsAndBools) {
  cuttle::Array<double> out(32);
  rotate_struct[{1, 32}](out);
  std::vector<double> expected;
  for (int t = 0; t < 32; ++t) {
    const int from = t ^ 1, above = t == 0 ? 1 : (t - 1) ^ 1;
    expected.push_back(0.5 * from + 0.25 * from + from + (from % 3 == 0 ? 1000 : 0) + (above % 3 == 0 ? 10000 : 0) + 9 * from + 36);
  }
  EXPECT_EQ(out.to_vector(), expected);
}

auto votes = CUTTLE_KERNEL([](unsigned* out, int modulus) {
  const unsigned t = threadIdx.x, n = blockDim.x, first = t / 32 * 32;
  const unsigned mask = n - first >= 32 ? 0xffffffff : (1u << (n - first)) - 1;  // a partial warp names the lanes that it has
  const bool mine = t % static_cast<unsigned>(modulus) == 0;
  unsigned* to = out + 6 * t;
  to[0] = __ballot_sync(mask, mine);
  to[1] = static_cast<unsigned>(__any_sync(mask, mine));
  to[2] = static_cast<unsigned>(__all_sync(mask, mine));
  to[3] = __match_any_sync(mask, t % static_cast<unsigned>(modulus));
  int same = -1;
  to[4] = __match_all_sync(mask, 1.5 * (modulus == 1 ? 0 : t), &same);
  to[5] = static_cast<unsigned>(same);
});

TEST_P(Warp, VotesAndMatchesInFullAndPartialWarps) {
  for (const unsigned n : {1u, 20u, 32u, 45u, 96u}) {
    for (const unsigned modulus : {1u, 3u, 40u}) {
      cuttle::Array<unsigned> out(6 * n);
      votes[{1, n}](out, static_cast<int>(modulus));
      std::vector<unsigned> expected;
      for (unsigned t = 0; t < n; ++t) {
        unsigned ballot = 0, mask = 0, equal = 0;
        for (unsigned u = t / 32 * 32; u < n && u < t / 32 * 32 + 32; ++u) {
          mask |= 1u << u % 32;
          if (u % modulus == 0) ballot |= 1u << u % 32;
          if (u % modulus == t % modulus) equal |= 1u << u % 32;
        }
        const bool same = modulus == 1 || mask == 1;
        expected.insert(expected.end(), {ballot, ballot != 0, ballot == mask, equal, same ? mask : 0, same});
      }
      EXPECT_EQ(out.to_vector(), expected) << n << " threads, modulus " << modulus;
    }
  }
}

auto reductions = CUTTLE_KERNEL([](int* out, unsigned mask) {
  const int lane = static_cast<int>(laneid());
  if (!(mask >> lane & 1)) return;
  const int value = lane * lane - 100;
  int* mine = out + 8 * lane;
  mine[0] = __reduce_add_sync(mask, value);
  mine[1] = __reduce_min_sync(mask, value);
  mine[2] = __reduce_max_sync(mask, value);
  mine[3] = static_cast<int>(__reduce_min_sync(mask, static_cast<unsigned>(value)));
  mine[4] = static_cast<int>(__reduce_max_sync(mask, static_cast<unsigned>(value)));
  mine[5] = static_cast<int>(__reduce_and_sync(mask, static_cast<unsigned>(value)));
  mine[6] = static_cast<int>(__reduce_or_sync(mask, static_cast<unsigned>(value)));
  mine[7] = static_cast<int>(__reduce_xor_sync(mask, static_cast<unsigned>(value)));
});

TEST_P(Warp, ReducesTheLanesOfAMask) {
  for (const unsigned mask : {0xffffffffu, 0x1u, 0x80000000u, 0x0ff00ff0u, 0x55555555u}) {
    cuttle::Array<int> out(std::vector<int>(8 * 32, 77));
    reductions[{1, 32}](out, mask);
    int sum = 0, least = 1 << 30, most = -(1 << 30);
    unsigned least_unsigned = ~0u, most_unsigned = 0, all = ~0u, any = 0, odd = 0;
    for (int lane = 0; lane < 32; ++lane) {
      if (!(mask >> lane & 1)) continue;
      const int value = lane * lane - 100;
      const auto bits = static_cast<unsigned>(value);
      sum += value, least = std::min(least, value), most = std::max(most, value);
      least_unsigned = std::min(least_unsigned, bits), most_unsigned = std::max(most_unsigned, bits);
      all &= bits, any |= bits, odd ^= bits;
    }
    std::vector<int> expected;
    for (int lane = 0; lane < 32; ++lane) {
      const bool in = mask >> lane & 1;
      for (const int value : {sum, least, most, static_cast<int>(least_unsigned), static_cast<int>(most_unsigned), static_cast<int>(all),
                              static_cast<int>(any), static_cast<int>(odd)}) {
        expected.push_back(in ? value : 77);
      }
    }
    EXPECT_EQ(out.to_vector(), expected) << std::hex << mask;
  }
}

// Halves of a warp go different ways, each with shuffles of its own in a loop whose length differs, and meet again.
auto parted_halves = CUTTLE_KERNEL([](int* out) {
  const int t = threadIdx.x, lane = static_cast<int>(laneid());
  int value = t;
  if (lane < 16) {
    for (int i = 0; i < 3; ++i) value += __shfl_xor_sync(0x0000ffff, value, 1);
  } else {
    for (int i = 0; i < 5; ++i) value = __shfl_sync(0xffff0000, value, 16 + (lane + 1) % 16) + 1;
  }
  __syncwarp();
  out[t] = value + __shfl_sync(0xffffffff, value, 31 - lane);
});

TEST_P(Warp, HalvesPartAndMeetAgain) {
  cuttle::Array<int> out(64);
  parted_halves[{1, 64}](out);
  std::vector<int> value(64), expected;
  for (int t = 0; t < 64; ++t) value[t] = t;
  for (int first = 0; first < 64; first += 32) {
    for (int i = 0; i < 3; ++i) {
      const auto before = value;
      for (int t = first; t < first + 16; ++t) value[t] += before[t ^ 1];
    }
    for (int i = 0; i < 5; ++i) {
      const auto before = value;
      for (int t = first + 16; t < first + 32; ++t) value[t] = before[first + 16 + (t + 1) % 16] + 1;
    }
  }
  for (int t = 0; t < 64; ++t) expected.push_back(value[t] + value[t / 32 * 32 + 31 - t % 32]);
  EXPECT_EQ(out.to_vector(), expected);
}

// All lanes take part in each operation, half of them from one place in the code and half from another.
auto two_places = CUTTLE_KERNEL([](int* out) {
  const int t = threadIdx.x;
  int value = t;
  unsigned even = 0;
  for (int i = 0; i < 3; ++i) {
    if (t < 16) {
      value += __shfl_xor_sync(0xffffffff, value, 16);
      even = __ballot_sync(0xffffffff, t % 2 == 0);
    } else {
      value -= __shfl_xor_sync(0xffffffff, value, 16);
      even += __ballot_sync(0xffffffff, t % 2 == 0);
    }
  }
  out[t] = value;
  out[32 + t] = static_cast<int>(even);
});

TEST_P(Warp, LanesOfOneMaskMeetFromTwoPlaces) {
  cuttle::Array<int> out(64);
  two_places[{1, 32}](out);
  std::vector<int> expected(32);
  for (int t = 0; t < 32; ++t) expected[t] = t;
  for (int i = 0; i < 3; ++i) {
    const auto before = expected;
    for (int t = 0; t < 32; ++t) expected[t] += t < 16 ? before[t ^ 16] : -before[t ^ 16];
  }
  for (int t = 0; t < 32; ++t) expected.push_back(static_cast<int>(t < 16 ? 0x55555555u : 3 * 0x55555555u));
  EXPECT_EQ(out.to_vector(), expected);
}

// The usual block sum: shuffles within warps, shared memory and barriers between them, any shape of block.
auto block_sum = CUTTLE_KERNEL([](int* out, const int* in) {
  __shared__ int of_warp[32];
  const unsigned n = blockDim.x * blockDim.y * blockDim.z;
  const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned lane = t % 32, warp = t / 32, lanes = n - warp * 32 < 32 ? n - warp * 32 : 32;
  const unsigned mask = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;
  int sum = in[t];
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    const int other = __shfl_down_sync(mask, sum, delta);
    if (lane + delta < lanes) sum += other;
  }
  if (lane == 0) of_warp[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const unsigned warps = (n + 31) / 32;
    int total = lane < warps ? of_warp[lane] : 0;
    for (unsigned delta = 16; delta > 0; delta /= 2) {
      const int other = __shfl_down_sync(mask, total, delta);
      if (lane + delta < lanes) total += other;
    }
    if (lane == 0) out[0] = total;
  }
});

TEST_P(Warp, SumsABlockOfAnyShape) {
  const cuttle::Dim blocks[] = {{1}, {31}, {32}, {33}, {256}, {1000}, {1024}, {8, 8, 8}, {7, 5, 3}, {32, 32}, {3, 100}};
  for (const cuttle::Dim block : blocks) {
    const auto n = static_cast<int>(block.x * block.y * block.z);
    std::vector<int> in;
    int sum = 0;
    for (int t = 0; t < n; ++t) in.push_back(3 * t + 1), sum += in.back();
    cuttle::Array<int> out(1);
    block_sum[{.grid = 1, .block = block}](out, cuttle::Array(in));
    EXPECT_EQ(out.item(), sum) << block.x << " x " << block.y << " x " << block.z;
  }
}

auto active_lanes = CUTTLE_KERNEL([](unsigned* out) {
  const unsigned lane = laneid();
  out[threadIdx.x] = __activemask();
  if (lane % 4 == 1) out[threadIdx.x] = __activemask() & lanemask_le();
});

TEST_P(Warp, ActiveMaskHoldsAtLeastTheLaneItself) {
  cuttle::Array<unsigned> out(40);
  active_lanes[{1, 40}](out);
  const auto masks = out.to_vector();
  for (std::size_t t = 0; t < masks.size(); ++t) EXPECT_TRUE(masks[t] >> t % 32 & 1) << t;
}

auto clocks = CUTTLE_KERNEL([](unsigned long long* out) {
  const unsigned long long start = globaltimer();
  const long long ticks = clock64();
  __nanosleep(1000);
  out[0] = globaltimer() - start;
  out[1] = static_cast<unsigned long long>(clock64() - ticks);
});

TEST_P(Warp, ClocksGoForward) {
  cuttle::Array<unsigned long long> out(2);
  clocks[{1, 1}](out);
  EXPECT_LT(out.to_vector()[0], 1000000000ull);
  EXPECT_GT(out.to_vector()[1], 0ull);
}

TEST(WarpCode, ReductionsAreOneInstructionWhereTheGpuHasIt) {
  auto kernel = CUTTLE_KERNEL([](cuttle::view<int> x, cuttle::view<unsigned> y) {
    const auto i = threadIdx.x;
    x[i] = __reduce_add_sync(0xffffffff, x[i]) + __reduce_min_sync(0xffffffff, x[i]);
    y[i] = __reduce_max_sync(0xffffffff, y[i]) ^ __reduce_xor_sync(0xffffffff, y[i]);
  });
  const auto ptx = [&](int sm) { return kernel.inspect<cuttle::view<int>, cuttle::view<unsigned>>(cuttle::sm(sm)).ptx(); };
  for (const char* instruction : {"redux.sync.add.s32", "redux.sync.min.s32", "redux.sync.max.u32", "redux.sync.xor.b32"}) {
    EXPECT_NE(ptx(80).find(instruction), std::string::npos) << instruction;
  }
  EXPECT_EQ(ptx(80).find("shfl"), std::string::npos);
  EXPECT_EQ(ptx(75).find("redux"), std::string::npos);
  EXPECT_NE(ptx(75).find("shfl.sync"), std::string::npos);
}

}  // namespace
