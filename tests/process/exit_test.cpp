// The end of a process: objects in statics, thread-locals and leaks, however it ends. Exit codes are kept and nothing is printed.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <cstdlib>
#include <thread>

namespace {

using cuttle::Array;

const auto add_one = CUTTLE_KERNEL([](cuttle::view<int> x) { x[threadIdx.x] += 1; });

// Everything that a program can hold, used once.
struct Holder {
  Array<int> x = cuttle::zeros<int>(32);
  cuttle::Stream stream{{.non_blocking = true}};
  cuttle::Event event = stream.record();
  cuttle::Graph graph = cuttle::Graph::capture([this] { add_one[{.block = 32}](x); });

  Holder() {
    add_one[{.block = 32, .stream = stream}](x);
    stream.synchronize();
    graph.replay();
  }
};

Holder& in_a_static() {
  static Holder holder;
  return holder;
}

class Exit : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (GetParam() == "cuda" && cuttle::Device::cuda_count() == 0) GTEST_SKIP() << "no GPU in this machine";
  }
  static cuttle::Device device() { return GetParam() == "cuda" ? cuttle::Device::cuda() : cuttle::Device::cpu(); }
};
INSTANTIATE_TEST_SUITE_P(, Exit, testing::Values(std::string("cpu"), std::string("cuda")), [](const auto& test) { return test.param; });

TEST_P(Exit, WithObjectsInAStatic) {
  const auto run = [] {
    const cuttle::Use use(device());
    in_a_static();
    std::exit(3);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(3), "^$");
}

TEST_P(Exit, WithObjectsInAThreadLocalAndOfAnotherThread) {
  const auto run = [] {
    const cuttle::Use use(device());
    thread_local Holder mine;
    std::thread([] {
      const cuttle::Use there(device());
      thread_local Holder other;
      static_cast<void>(other.x.to_vector());
    }).join();
    static_cast<void>(mine.x.to_vector());
    std::exit(4);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(4), "^$");
}

TEST_P(Exit, WithObjectsLeakedAndWorkUnderWay) {
  const auto run = [] {
    const cuttle::Use use(device());
    auto* leaked = new Holder;
    for (int i = 0; i < 100; ++i) add_one[{.block = 32, .stream = leaked->stream}](leaked->x);
    std::exit(5);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(5), "^$");
}

TEST_P(Exit, ByQuickExit) {
  const auto run = [] {
    const cuttle::Use use(device());
    in_a_static();
    std::quick_exit(6);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(6), "^$");
}

}  // namespace
