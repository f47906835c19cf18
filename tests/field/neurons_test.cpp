// Kernels from the field, spiking neurons and networks of them: many arrays at once, events, plasticity, gating in double precision.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "field/inputs.h"
#include "support/device_test.h"

namespace {

using cuttle::Array;
using namespace cuttle::test;

class Neurons : public OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Neurons);

CUTTLE_DEVICE(struct Membrane { float tau, rest, threshold, reset, refractory;
};);

// Leaky integrate-and-fire, exact for a constant current over a step. (HeCBench, lif)
auto integrate = CUTTLE_KERNEL([](Membrane m, cuttle::view<float> v, cuttle::view<float> quiet, const float* current, auto spikes, int n, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float decay = -std::expm1(-dt / m.tau), target = m.rest + current[i];
  const float left = std::max(quiet[i] - dt, 0.0f);
  float next = left > 0 ? v[i] : v[i] + (target - v[i]) * decay;
  const bool fires = next > m.threshold;
  if (fires) next = m.reset;
  v[i] = next;
  quiet[i] = fires ? m.refractory : left;
  spikes[i] += fires;
});

TEST_P(Neurons, LeakyIntegrateAndFire) {
  constexpr int n = 211, steps = 100;
  const Membrane m{10, -65, -50, -70, 2};
  std::vector<float> current(n), v(n, m.rest), quiet(n);
  for (int i = 0; i < n; ++i) current[at(i)] = 0.37f * static_cast<float>(i % 100) + 0.005f;
  Array<float> dv(v), dq(quiet), di(current);
  Array<int> spikes(cuttle::zeros<int>(n));
  for (int s = 0; s < steps; ++s) integrate.over(n)(m, dv, dq, di, spikes, n, 0.5f);
  const auto counted = spikes.to_vector();
  for (int i = 0; i < n; ++i) {
    double u = m.rest, left = 0;
    int fired = 0;
    bool close = false;  // to the threshold: rounding decides
    for (int s = 0; s < steps; ++s) {
      left = std::max(left - 0.5, 0.0);
      if (left <= 0) u += (m.rest + double{current[at(i)]} - u) * -std::expm1(-0.5 / m.tau);
      close = close || std::abs(u - m.threshold) < 1e-3;
      if (u > m.threshold) u = m.reset, left = m.refractory, ++fired;
    }
    if (!close) {
      EXPECT_EQ(counted[at(i)], fired) << "neuron " << i;
    }
  }
  EXPECT_EQ(counted[0], 0);
  EXPECT_GT(counted[99], 5);
}

// What arrives at neurons behind sparse synapses where few inputs spike: a warp a row, that leaves a spikeless stretch at once by a vote.
auto deliver = CUTTLE_KERNEL([](auto offsets, auto inputs, auto weights, auto spikes, auto out, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  auto sum = weights[0] * 0;
  for (auto begin = offsets[row]; begin < offsets[row + 1]; begin += 32) {
    const auto j = begin + lane;
    const bool hit = j < offsets[row + 1] && spikes[inputs[j]] != 0;
    if (!__any_sync(~0u, hit)) continue;
    if (hit) sum += weights[j];
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) out[row] = sum;
});

TEST_P(Neurons, EventsOfSparseSynapses) {
  const auto expect = [&]<class Weight, class Offset, class Spike>(Weight, Offset, Spike) {
    constexpr int rows = 75, inputs = 400;
    std::vector<Offset> offsets{0};
    std::vector<int> from;
    for (int i = 0; i < rows; ++i) {
      for (int j = i; j < inputs; j += 1 + i % 9) from.push_back(j);
      offsets.push_back(static_cast<Offset>(from.size()));
    }
    const auto weights = small_integers<Weight>(from.size(), 13);
    std::vector<Spike> spikes(inputs);
    for (int j = 0; j < inputs; ++j) spikes[at(j)] = static_cast<Spike>(j % 50 == 3);
    Array<Offset> d_offsets(offsets);
    Array<int> d_from(from);
    Array<Weight> d_weights(weights), out(rows);
    Array<Spike> d_spikes(spikes);
    deliver[{.grid = (rows * 32 + 95) / 96, .block = 96}](d_offsets, d_from, d_weights, d_spikes, out, rows);
    std::vector<Weight> expected(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      for (auto j = static_cast<std::size_t>(offsets[i]); j < static_cast<std::size_t>(offsets[i + 1]); ++j) {
        if (spikes[at(from[j])] != 0) expected[i] += weights[j];
      }
    }
    EXPECT_EQ(out.to_vector(), expected);
  };
  expect(float{}, std::int32_t{}, std::uint8_t{}), expect(double{}, std::int64_t{}, float{});
}

// Weights of the neurons that spiked move by the traces of where they lead. (brainevent, plasticity on pre)
auto potentiate = CUTTLE_KERNEL([](auto offsets, auto targets, auto trace, auto spikes, auto weights, int rows) {
  const int row = blockIdx.x;
  if (row >= rows || !spikes[row]) return;
  for (int j = offsets[row] + threadIdx.x; j < offsets[row + 1]; j += blockDim.x) weights[j] += trace[targets[j]];
});

TEST_P(Neurons, PlasticityOnPresynapticSpikes) {
  constexpr int rows = 30;
  std::vector<int> offsets{0}, targets;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < i * 5; ++j) targets.push_back((i * 3 + j * 7) % 64);
    offsets.push_back(static_cast<int>(targets.size()));
  }
  auto weights = small_integers<float>(targets.size(), 14);
  const auto trace = small_integers<float>(64, 15);
  std::vector<std::uint8_t> spikes(rows);
  for (int i = 0; i < rows; i += 3) spikes[at(i)] = 1;
  Array<int> d_offsets(offsets), d_targets(targets);
  Array<float> d_trace(trace), d_weights(weights);
  Array<std::uint8_t> d_spikes(spikes);
  potentiate[{.grid = rows, .block = 48}](d_offsets, d_targets, d_trace, d_spikes, d_weights, rows);
  for (int i = 0; i < rows; i += 3) {
    for (int j = offsets[at(i)]; j < offsets[at(i + 1)]; ++j) weights[at(j)] += trace[at(targets[at(j)])];
  }
  EXPECT_EQ(d_weights.to_vector(), weights);
}

// A gate of Hodgkin and Huxley by Rush and Larsen's exponential step. (HeCBench, rushlarsen)
auto gate = CUTTLE_KERNEL([](double* m, const double* v, int n, double dt, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = v[i] + 40;
  const double alpha = std::abs(x) < 1e-7 ? 1.0 : 0.1 * x / -std::expm1(-0.1 * x), beta = 4 * std::exp(-(v[i] + 65) / 18);
  const double steady = alpha / (alpha + beta), keep = std::exp(-dt * (alpha + beta));
  for (int s = 0; s < steps; ++s) m[i] = steady + (m[i] - steady) * keep;
});

TEST_P(Neurons, RushAndLarsensStepIsExactForAConstantVoltage) {
  constexpr int n = 161, steps = 25;
  std::vector<double> v(n), m(n, 0.05), expected(n);
  for (int i = 0; i < n; ++i) {
    v[at(i)] = i - 100.0;
    const double x = v[at(i)] + 40, alpha = x == 0 ? 1.0 : 0.1 * x / (1 - std::exp(-0.1 * x)), beta = 4 * std::exp(-(v[at(i)] + 65) / 18);
    expected[at(i)] = alpha / (alpha + beta) + (0.05 - alpha / (alpha + beta)) * std::exp(-0.01 * steps * (alpha + beta));
  }
  Array<double> dv(v), dm(m);
  gate.over(n)(dm, dv, n, 0.01, steps);
  expect_near(dm.to_vector(), expected, 1e-9);
}

}  // namespace
