// Streams and events: order, waiting, timing, calls on the host, and memory that is freed while a stream still uses it.

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "support/device_test.h"

namespace {

class Streams : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Streams);

using cuttle::Array;
using cuttle::Stream;

const auto add = CUTTLE_KERNEL([](cuttle::view<int> x, int amount) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size()) x[i] += amount;
});

// Long enough that work which does not wait for it is seen to overtake it.
const auto slowly_set = CUTTLE_KERNEL([](cuttle::view<int> x, int rounds, int value) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= x.size()) return;
  unsigned state = i;
  for (int k = 0; k < rounds; ++k) state = state * 1664525u + 1013904223u;
  x[i] = state == 12345u ? value + 1 : value;
});
constexpr int rounds = 200'000;

TEST_P(Streams, AreOrderedWithin) {
  const Stream stream({.non_blocking = true});
  Array<int> x = cuttle::zeros<int>(1000);
  cuttle::synchronize();
  for (int i = 0; i < 10; ++i) add[{.grid = 8, .block = 128, .stream = stream}](x, i);
  add.over(1000, stream)(x, 1);
  stream.synchronize();
  EXPECT_TRUE(stream.done());
  EXPECT_EQ(x.to_vector(), std::vector<int>(1000, 46));
}

TEST_P(Streams, TheCurrentOneTakesLaunchesAndCopies) {
  const Stream stream({.non_blocking = true});
  Array<int> x(256);
  {
    const cuttle::Use use(stream);
    x.fill(1);
    slowly_set[{1, 256}](x, rounds, 5);
    EXPECT_EQ(x.to_vector(), std::vector<int>(256, 5)) << "the copy back is ordered behind the kernel";
  }
  EXPECT_EQ(cuttle::detail::current_stream(cuttle::Device::current().state()), nullptr);
}

// What makes a new array goes to the device of another one, and must not leave the stream for that.
TEST_P(Streams, TheCurrentOneTakesWhatNewArraysAreMadeOf) {
  const Stream stream({.non_blocking = true});
  const cuttle::Use use(stream);
  Array<int> x = cuttle::zeros<int>(256);
  slowly_set[{1, 256}](x, rounds, 5);
  EXPECT_EQ(x.copy().to_vector(), std::vector<int>(256, 5)) << "the copy is ordered behind the kernel";
  {
    const cuttle::Use again(x.device());
    EXPECT_EQ(cuttle::detail::current_stream(x.device().state()), stream.handle()) << "the device was current already";
  }
  // The default stream is busy: what a filled array is given there comes too late.
  Array<int> busy(256);
  stream.synchronize();
  slowly_set[{.block = 256, .stream = Stream::legacy()}](busy, rounds, 1);
  EXPECT_EQ(cuttle::zeros_like(x).to_vector(), std::vector<int>(256, 0));
}

TEST_P(Streams, WaitForEachOther) {
  const Stream first({.non_blocking = true}), second({.non_blocking = true});
  Array<int> x = cuttle::zeros<int>(256);
  cuttle::synchronize();
  slowly_set[{.block = 256, .stream = first}](x, rounds, 7);
  second.wait(first);
  add[{.block = 256, .stream = second}](x, 1);
  const cuttle::Event end = second.record();
  end.synchronize();
  EXPECT_TRUE(end.done());
  EXPECT_EQ(x.to_vector(), std::vector<int>(256, 8));
}

TEST_P(Streams, EventsMeasureTime) {
  const Stream stream;
  Array<int> x(256);
  slowly_set[{.block = 256, .stream = stream}](x, 1, 7);  // compiled before the clock starts
  const cuttle::Event begin = stream.record();
  slowly_set[{.block = 256, .stream = stream}](x, rounds, 7);
  const cuttle::Event end = stream.record();
  end.synchronize();
  EXPECT_GT(end.milliseconds_since(begin), 0.0);
  EXPECT_LT(end.milliseconds_since(begin), 60'000.0);
}

TEST_P(Streams, CallTheHostInOrder) {
  const Stream stream;
  Array<int> x = cuttle::zeros<int>(1);
  std::vector<int> host(1);
  std::atomic<int> seen{-1};
  slowly_set[{.block = 1, .stream = stream}](x, rounds, 3);
  x.copy_to(host, stream);
  auto owned = std::make_unique<int>(4);
  stream.on_host([&seen, &host, held = std::move(owned)] { seen = host[0] + *held; });
  stream.synchronize();
  EXPECT_EQ(seen, 7);
}

template <class Wait>
void expect_throws_once(const Wait& wait) {
  try {
    wait();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the host's own");
  }
  wait();
}

TEST_P(Streams, WhatACallOnTheHostThrowsIsThrownByTheNextWait) {
  const Stream stream, other({.non_blocking = true});
  Array<int> x = cuttle::zeros<int>(1);
  const auto fail = [] { throw std::runtime_error("the host's own"); };
  stream.on_host(fail);
  add[{.block = 1, .stream = stream}](x, 1);
  other.synchronize();
  expect_throws_once([&] { stream.synchronize(); });
  EXPECT_EQ(x.item(), 1) << "later work runs";
  stream.on_host(fail);
  expect_throws_once([] { cuttle::synchronize(); });
  stream.on_host(fail);
  const cuttle::Event event = stream.record();
  expect_throws_once([&] { event.synchronize(); });
}

TEST_P(Streams, CopiesAreOrderedOnThem) {
  const Stream stream({.non_blocking = true});
  const std::vector<int> host(1 << 16, 2);
  std::vector<int> back(host.size());
  Array<int> x(host.size());
  x.copy_from(host, stream);
  add.over(x.size(), stream)(x, 1);
  x.copy_to(back, stream);
  stream.synchronize();
  EXPECT_EQ(back, std::vector<int>(host.size(), 3));
}

TEST_P(Streams, CopyToAndFromPinnedMemory) {
  const Stream stream({.non_blocking = true});
  cuttle::Pinned<int> host(1000);
  for (int& value : host) value = 5;
  Array<int> x(host.size());
  x.copy_from(host, stream);
  add.over(x.size(), stream)(x, 1);
  x.copy_to(host, stream);
  stream.synchronize();
  EXPECT_EQ(std::vector<int>(host.begin(), host.end()), std::vector<int>(1000, 6));
  cuttle::Pinned<int> moved = std::move(host);
  EXPECT_EQ(moved[999], 6);
  EXPECT_EQ(cuttle::Pinned<int>(0).size(), 0u);
}

TEST_P(Streams, AnArrayFreedWhileInUseIsNotUsedAgain) {
  const Stream stream({.non_blocking = true});
  Array<int> result = cuttle::zeros<int>(256);
  const auto copy = CUTTLE_KERNEL([](cuttle::view<const int> from, cuttle::view<int> to) { to[threadIdx.x] = from[threadIdx.x]; });
  cuttle::synchronize();
  for (int round = 0; round < 20; ++round) {
    std::optional<Array<int>> temporary(std::in_place, 256);
    slowly_set[{.block = 256, .stream = stream}](*temporary, rounds, round);
    copy[{.block = 256, .stream = stream}](std::as_const(*temporary), result);
    temporary.reset();  // the kernels have not run yet
    Array<int> next(256);
    next.fill(-1);
    stream.synchronize();
    ASSERT_EQ(result.to_vector(), std::vector<int>(256, round));
  }
}

TEST_P(Streams, PriorityIsTakenAsTheNearestLevel) {
  const Stream urgent({.priority = -1000, .non_blocking = true});
  Array<int> x = cuttle::zeros<int>(1);
  cuttle::synchronize();
  add[{.block = 1, .stream = urgent}](x, 1);
  urgent.synchronize();
  EXPECT_EQ(x.item(), 1);
}

TEST_P(Streams, MoveAndOutliveTheirScope) {
  Array<int> x = cuttle::zeros<int>(1);
  {
    Stream a;
    const Stream b = std::move(a);
    add[{.block = 1, .stream = b}](x, 2);
  }
  cuttle::synchronize();
  EXPECT_EQ(x.item(), 2);
}

TEST_P(Streams, OtherLibrariesStreamsAreBorrowed) {
  const Stream owner;
  {
    const Stream borrowed = Stream::borrow(owner.handle());
    EXPECT_EQ(borrowed.handle(), owner.handle());
  }
  Array<int> x = cuttle::zeros<int>(1);
  add[{.block = 1, .stream = owner}](x, 2);
  owner.synchronize();
  EXPECT_EQ(x.item(), 2);
}

}  // namespace
