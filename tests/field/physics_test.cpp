// Kernels from the field, physics, finance and Monte Carlo: tiles, local arrays, closed forms and generators that match the host bit for bit.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "field/inputs.h"
#include "support/device_test.h"

namespace {

using cuttle::Array;
using namespace cuttle::test;

class Physics : public OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Physics);

// Forces between all pairs of bodies, a tile of them in shared memory at a time, in either precision. (cuda-samples, nbody)
auto forces = CUTTLE_KERNEL([]<class T>(cuttle::view<const T, 2> body, cuttle::view<T, 2> force) {
  struct Body {
    T x, y, z, mass;
  };
  __shared__ Body tile[64];
  const int n = body.shape(0), i = blockIdx.x * 64 + threadIdx.x, t = threadIdx.x;
  const auto load = [&](int j) { return j < n ? Body{body(j, 0), body(j, 1), body(j, 2), body(j, 3)} : Body{}; };
  const Body own = load(i);
  T fx = 0, fy = 0, fz = 0;
  for (int begin = 0; begin < n; begin += 64) {
    __syncthreads();
    tile[t] = load(begin + t);
    __syncthreads();
    for (const Body& other : tile) {
      const T dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const T inverse = T(1) / std::sqrt(dx * dx + dy * dy + dz * dz + T(0.01)), weight = other.mass * inverse * inverse * inverse;
      fx += dx * weight, fy += dy * weight, fz += dz * weight;
    }
  }
  if (i < n) force(i, 0) = fx, force(i, 1) = fy, force(i, 2) = fz;
});

TEST_P(Physics, ForcesBetweenAllBodies) {
  const auto expect = [&]<class T>(T, double tolerance) {
    constexpr std::size_t n = 150;
    const auto body = uniform<T>(n * 4, 26);
    Array<T, 2> in(body, n, 4), out(n, 3);
    forces[{.grid = 3, .block = 64}](in, out);
    std::vector<double> expected(n * 3);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double d[3], square = 0.01;
        for (std::size_t k = 0; k < 3; ++k) d[k] = double{body[j * 4 + k]} - body[i * 4 + k], square += d[k] * d[k];
        for (std::size_t k = 0; k < 3; ++k) expected[i * 3 + k] += d[k] * body[j * 4 + 3] * std::pow(square, -1.5);
      }
    }
    expect_near(out.to_vector(), expected, tolerance);
  };
  expect(float{}, 1e-3), expect(double{}, 1e-10);
}

// An option by a binomial tree of 64 steps, all of it in one thread's own array.
auto binomial = CUTTLE_KERNEL([](const double* spot, double* value, int n, double strike, double up, double discounted_up, double discounted_down) {
  constexpr int steps = 64;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double tree[steps + 1];
  for (int j = 0; j <= steps; ++j) tree[j] = std::max(spot[i] * std::pow(up, 2 * j - steps) - strike, 0.0);
  for (int s = steps; s > 0; --s) {
    for (int j = 0; j < s; ++j) tree[j] = discounted_up * tree[j + 1] + discounted_down * tree[j];
  }
  value[i] = tree[0];
});

TEST_P(Physics, BinomialTreeOfAnOption) {
  constexpr int n = 45, steps = 64;
  const double rate = 0.03, volatility = 0.25, step = 1.0 / steps;
  const double up = std::exp(volatility * std::sqrt(step)), grow = std::exp(rate * step), p = (grow - 1 / up) / (up - 1 / up);
  std::vector<double> spot(n), expected(n);
  for (int i = 0; i < n; ++i) {
    spot[at(i)] = 60 + 2.0 * i;
    std::vector<double> tree;
    for (int j = 0; j <= steps; ++j) tree.push_back(std::max(spot[at(i)] * std::pow(up, 2 * j - steps) - 100, 0.0));
    for (int s = steps; s > 0; --s) {
      for (int j = 0; j < s; ++j) tree[at(j)] = (p * tree[at(j + 1)] + (1 - p) * tree[at(j)]) / grow;
    }
    expected[at(i)] = tree[0];
  }
  Array<double> in(spot), out(n);
  binomial[{.grid = 2, .block = 32}](in, out, n, 100.0, up, p / grow, (1 - p) / grow);
  expect_near(out.to_vector(), expected, 1e-12);
}

// The fast Walsh-Hadamard transform of a block's worth, in shared memory: twice is n times the identity.
auto walsh = CUTTLE_KERNEL([](auto data) {
  extern __shared__ float line[];
  const int n = 2 * blockDim.x, t = threadIdx.x, base = blockIdx.x * n;
  line[t] = data[base + t], line[t + n / 2] = data[base + t + n / 2];
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    const int low = 2 * t - (t & (stride - 1)), high = low + stride;
    const float a = line[low], b = line[high];
    line[low] = a + b, line[high] = a - b;
  }
  __syncthreads();
  data[base + t] = line[t], data[base + t + n / 2] = line[t + n / 2];
});

TEST_P(Physics, WalshTransformIsItsOwnInverse) {
  constexpr int n = 256, rows = 3;
  const auto x = small_integers<float>(n * rows, 27);
  Array<float> data(x);
  walsh[{.grid = rows, .block = n / 2, .shared = n * sizeof(float)}](data);
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[at(i)];
  EXPECT_EQ(data.to_vector()[0], sum);
  walsh[{.grid = rows, .block = n / 2, .shared = n * sizeof(float)}](data);
  auto expected = x;
  for (float& value : expected) value *= n;
  EXPECT_EQ(data.to_vector(), expected);
}

CUTTLE_DEVICE(class Xorshift {
 public:
  constexpr explicit Xorshift(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull | 1) {}
  constexpr double next() {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};);

constexpr std::uint64_t hits_of(std::uint64_t thread, int draws) {
  Xorshift random(thread + 1);
  std::uint64_t hits = 0;
  for (int i = 0; i < draws; ++i) {
    const double x = random.next(), y = random.next();
    hits += x * x + y * y < 1;
  }
  return hits;
}

auto throw_darts = CUTTLE_KERNEL([](unsigned long long* hits, int draws, int threads) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= threads) return;
  Xorshift random(i + 1);
  unsigned long long mine = 0;
  for (int k = 0; k < draws; ++k) {
    const double x = random.next(), y = random.next();
    mine += x * x + y * y < 1;
  }
  atomicAdd(hits, mine);
});

TEST_P(Physics, MonteCarloHitsAreTheHostsOwn) {
  constexpr int threads = 300, draws = 200;
  Array<unsigned long long> hits({0});
  throw_darts.with({.contract = false})[{.grid = 3, .block = 128}](hits, draws, threads);
  std::uint64_t expected = 0;
  for (int i = 0; i < threads; ++i) expected += hits_of(static_cast<std::uint64_t>(i), draws);
  EXPECT_EQ(hits.item(), expected);
  EXPECT_NEAR(4.0 * static_cast<double>(expected) / (threads * draws), 3.14159, 0.02);
}

// Spins on a checkerboard, half of them a launch, with given random numbers; the colour is a constant of the kernel. (HeCBench, ising)
auto flip(bool black) {
  return CUTTLE_KERNEL_WITH((black), [](cuttle::view<signed char, 2> spin, const float* random, float coupling) {
    const int n = spin.shape(0), i = blockIdx.x * blockDim.x + threadIdx.x, y = i / n, x = i % n;
    if (i >= n * n || ((x + y) % 2 == 0) != black) return;
    const int around = spin((y + 1) % n, x) + spin((y + n - 1) % n, x) + spin(y, (x + 1) % n) + spin(y, (x + n - 1) % n);
    if (random[i] < expf(-2 * coupling * around * spin(y, x))) spin(y, x) = -spin(y, x);
  });
}

TEST_P(Physics, SpinsFlipAsOnTheHost) {
  constexpr int n = 22;
  std::vector<signed char> spin(n * n);
  for (int i = 0; i < n * n; ++i) spin[at(i)] = i * i % 3 ? 1 : -1;
  Array<signed char, 2> device(spin, n, n);
  for (unsigned step = 0; step < 6; ++step) {
    const bool black = step % 2 == 0;
    auto random = uniform<float>(n * n, 28 + step);
    for (float& value : random) value = value / 2 + 0.5f;
    Array<float> d_random(random);
    flip(black)[{.grid = 4, .block = 128}](device, d_random, 0.4f);
    for (int i = 0; i < n * n; ++i) {
      const int y = i / n, x = i % n;
      if (((x + y) % 2 == 0) != black) continue;
      const auto s = [&](int row, int column) { return spin[at((row + n) % n * n + (column + n) % n)]; };
      const int around = s(y + 1, x) + s(y - 1, x) + s(y, x + 1) + s(y, x - 1);
      if (random[at(i)] < std::exp(-2 * 0.4f * static_cast<float>(around * spin[at(i)]))) spin[at(i)] = static_cast<signed char>(-spin[at(i)]);
    }
  }
  EXPECT_EQ(device.to_vector(), spin);
}

}  // namespace
