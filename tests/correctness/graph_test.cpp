// Graphs: recorded work does not run until it is replayed, runs each time it is, and takes over new arguments.

#include <stdexcept>
#include <vector>

#include "support/device_test.h"

namespace {

class Graphs : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Graphs);

using cuttle::Array;
using cuttle::Graph;

const auto add = CUTTLE_KERNEL([](cuttle::view<int> x, int amount) {
  const auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size()) x[i] += amount;
});

TEST_P(Graphs, ReplayWhatWasRecordedAndNothingBefore) {
  Array<int> x = cuttle::zeros<int>(100);
  cuttle::synchronize();
  const Graph graph = Graph::capture([&] {
    add.over(100)(x, 1);
    add.over(100)(x, 10);
  });
  EXPECT_EQ(x.to_vector(), std::vector<int>(100, 0));
  for (int i = 0; i < 3; ++i) graph.replay();
  EXPECT_EQ(x.to_vector(), std::vector<int>(100, 33));
}

TEST_P(Graphs, TheFirstCallOfAKernelMayBeInside) {
  const auto new_kernel = CUTTLE_KERNEL([](cuttle::view<double> y) { y[threadIdx.x] += 0.5; });
  Array<double> y = cuttle::zeros<double>(4);
  cuttle::synchronize();
  const Graph graph = Graph::capture([&] { new_kernel[{.block = 4}](y); });
  graph.replay();
  EXPECT_EQ(y.to_vector(), std::vector<double>(4, 0.5));
}

TEST_P(Graphs, HoldCopiesAndFills) {
  Array<int> x(50), copied(50);
  Array<double> y(50);
  const Graph graph = Graph::capture([&] {
    x.fill(4);
    add.over(50)(x, 1);
    copied.copy_from(x);
    y.fill(2.5);
  });
  graph.replay();
  EXPECT_EQ(copied.to_vector(), std::vector<int>(50, 5));
  EXPECT_EQ(y.to_vector(), std::vector<double>(50, 2.5));
}

TEST_P(Graphs, TakeOverNewArguments) {
  Array<int> x = cuttle::zeros<int>(8), y = cuttle::zeros<int>(16);
  cuttle::synchronize();
  Graph graph = Graph::capture([&] { add.over(8)(x, 1); });
  graph.replay();
  graph.update([&] { add.over(16)(y, 7); });
  graph.replay();
  EXPECT_EQ(x.to_vector(), std::vector<int>(8, 1));
  EXPECT_EQ(y.to_vector(), std::vector<int>(16, 7));
  graph.update([&] {  // another structure
    add.over(16)(y, 1);
    add.over(8)(x, 1);
  });
  graph.replay();
  EXPECT_EQ(x.to_vector(), std::vector<int>(8, 2));
  EXPECT_EQ(y.to_vector(), std::vector<int>(16, 8));
}

TEST_P(Graphs, RunOnAStream) {
  const cuttle::Stream stream({.non_blocking = true});
  Array<int> x = cuttle::zeros<int>(8);
  cuttle::synchronize();
  const Graph graph = Graph::capture([&] { add.over(8)(x, 2); });
  graph.replay(stream);
  stream.synchronize();
  EXPECT_EQ(x.to_vector(), std::vector<int>(8, 2));
}

TEST_P(Graphs, AnErrorInsideLeavesTheDeviceUsable) {
  Array<int> x = cuttle::zeros<int>(8);
  cuttle::synchronize();
  EXPECT_THROW(static_cast<void>(Graph::capture([] { throw std::runtime_error("no"); })), std::runtime_error);
  EXPECT_THROW(static_cast<void>(Graph::capture([&] { add[{.block = 5000}](x, 1); })), cuttle::LaunchError);
  EXPECT_THROW(static_cast<void>(Graph::capture([&] { static_cast<void>(x.to_vector()); })), cuttle::Error) << "a wait on the host";
  add.over(8)(x, 1);
  EXPECT_EQ(x.to_vector(), std::vector<int>(8, 1));
}

TEST_P(Graphs, AnArrayMayBeMadeInside) {
  Array<int> kept;
  const Graph graph = Graph::capture([&] {
    kept = Array<int>(8);
    kept.fill(1);
    add.over(8)(kept, 1);
  });
  graph.replay();
  EXPECT_EQ(kept.to_vector(), std::vector<int>(8, 2));
}

}  // namespace
