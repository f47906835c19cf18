// Threads: first calls at the same moment, streams and devices of their own.

#include <atomic>
#include <barrier>
#include <thread>
#include <utility>
#include <vector>

#include "support/device_test.h"

namespace {

class Threads : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Threads);

using cuttle::Array;

constexpr int thread_count = 32;

// Runs body(i) on as many threads at once, each on the test's device.
template <class Body>
void on_threads(const Body& body) {
  const cuttle::Device device = cuttle::Device::current();
  std::barrier start(thread_count);
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; ++i) {
    threads.emplace_back([&, i] {
      const cuttle::Use use(device);
      start.arrive_and_wait();
      body(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Threads, MakeTheFirstCallOfOneKernelTogetherAndCompileItOnce) {
  const auto first = CUTTLE_KERNEL([](cuttle::view<int> x, int value) { x[threadIdx.x] = value; });
  const auto compiled_before = cuttle::stats().compilations;
  std::atomic<int> wrong{0};
  on_threads([&](int i) {
    Array<int> x(32);
    first[{.block = 32}](x, i);
    if (x.to_vector() != std::vector<int>(32, i)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(cuttle::stats().compilations - compiled_before, 1u);
}

// An argument type of its own for each thread.
template <std::size_t... I>
void run_one_of(int which, std::index_sequence<I...>) {
  const auto count_dimensions = CUTTLE_KERNEL([](auto x, auto result) { result[0] = x.ndim; });
  const auto run = [&]<std::size_t N>() {
    if (static_cast<int>(N) != which) return;
    constexpr int ndim = static_cast<int>(N) + 1;
    cuttle::Shape<ndim> shape;
    shape.fill(1);
    const auto x = Array<int, ndim>::uninitialised(shape);
    Array<int> result(1);
    count_dimensions[{1, 1}](x, result);
    EXPECT_EQ(result.item(), ndim);
  };
  (run.template operator()<I>(), ...);
}

TEST_P(Threads, MakeFirstCallsOfManyKernelsTogether) {
  on_threads([](int i) { run_one_of(i, std::make_index_sequence<thread_count>()); });
}

TEST_P(Threads, HaveTheirOwnCurrentStream) {
  const auto add = CUTTLE_KERNEL([](cuttle::view<int> x, int value) { x[threadIdx.x] += value; });
  std::atomic<int> wrong{0};
  on_threads([&](int i) {
    const cuttle::Stream stream({.non_blocking = true});
    const cuttle::Use use(stream);
    for (int round = 0; round < 20; ++round) {
      Array<int> x(64);
      x.fill(i);
      add[{.block = 64}](x, round);
      Array<int> y = x.copy();
      x = {};
      if (y.to_vector() != std::vector<int>(64, i + round)) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
