// Memory and streams on the CUDA half: which calls of the driver order a free behind the streams that may use the memory.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <complex>
#include <string>
#include <vector>

#include "support/stub_driver.h"

namespace {

using cuttle::Array;
using cuttle::test::StubDriver;

const StubDriver stub;

TEST(CudaMemory, IsFreedBehindEveryStreamOnceThereAreStreams) {
  const cuttle::Use use(cuttle::Device::cuda());
  const int streams_before = stub.state().live_streams;
  {
    const cuttle::Stream first, second({.non_blocking = true});
    Array<float> x(100);
    stub.record();
    x = {};
    EXPECT_EQ(stub.calls("cuMemFreeAsync"), 1u);
    EXPECT_EQ(stub.calls("cuEventRecord"), 3u) << "the default stream and the two others";
    EXPECT_EQ(stub.calls("cuStreamWaitEvent"), 3u);
    EXPECT_EQ(stub.calls("cuStreamSynchronize") + stub.calls("cuCtxSynchronize"), 0u) << "a free waits for nothing";
    stub.record();
  }
  EXPECT_EQ(stub.calls("cuStreamDestroy"), 2u);
  EXPECT_EQ(stub.calls("cuStreamWaitEvent"), 2u) << "frees that come later wait for the work of streams that are gone";
  EXPECT_LE(stub.state().live_streams - streams_before, 2) << "the two that order memory stay";
}

TEST(CudaMemory, OfTwoDevicesIsCopiedByTheOneThatReceives) {
  const cuttle::Use use(cuttle::Device::cuda(0));
  Array<int> x{1, 2, 3};
  const cuttle::Use second(cuttle::Device::cuda(1));
  Array<int> y(3);
  stub.record();
  y.copy_from(x);
  EXPECT_EQ(y.to_vector(), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(stub.calls("cuCtxSynchronize"), 1u) << "what is to write x is done first";
}

TEST(CudaMemory, RowsGoInOneCallAndResetGivesThePoolBack) {
  const cuttle::Use use(cuttle::Device::cuda());
  const Array a(std::vector{1, 2, 3, 4, 5, 6}, 2, 3);
  auto b = cuttle::zeros<int>(2, 2);
  stub.record();
  cuttle::copy(cuttle::slice(a.view(), 1, {1, 3}), b.view());
  EXPECT_EQ(stub.calls("cuMemcpy2DAsync"), 1u);
  EXPECT_EQ(b.to_vector(), (std::vector<int>{2, 3, 5, 6}));
  cuttle::reset();
  EXPECT_EQ(stub.calls("cuMemPoolTrimTo"), 1u);
  cuttle::Managed<int> managed(4);
  EXPECT_EQ(stub.calls("cuMemAllocManaged"), 1u);
  EXPECT_EQ(managed.view().size(), 4);
}

TEST(CudaMemory, ABorrowedStreamIsNotDestroyed) {
  const cuttle::Use use(cuttle::Device::cuda());
  const cuttle::Stream owner;
  stub.record();
  {
    const cuttle::Stream borrowed = cuttle::Stream::borrow(owner.handle());
  }
  EXPECT_EQ(stub.calls("cuStreamDestroy"), 0u);
}

TEST(CudaMemory, EveryElementSizeIsFilled) {
  const cuttle::Use use(cuttle::Device::cuda());
  EXPECT_EQ(cuttle::full(std::complex<double>(1, 2), 1001).to_vector(), std::vector(1001, std::complex<double>(1, 2)));
  EXPECT_EQ(cuttle::full(1.5, 7).to_vector(), std::vector(7, 1.5));
  EXPECT_EQ(cuttle::full(-3, 5).to_vector(), std::vector(5, -3));
  EXPECT_EQ(cuttle::full(std::int16_t{-300}, 5).to_vector(), std::vector<std::int16_t>(5, -300));
}

TEST(CudaGraph, IsReplayedByOneCallAndUpdatedInPlace) {
  const cuttle::Use use(cuttle::Device::cuda());
  Array<int> x(1), y(1);
  const auto set = CUTTLE_KERNEL([](cuttle::view<int> z) { z[0] = 2; });
  stub.record();
  cuttle::Graph graph = cuttle::Graph::capture([&] { set[{1, 1}](x); });
  EXPECT_EQ(stub.calls("cuGraphInstantiateWithFlags"), 1u);
  graph.update([&] { set[{1, 1}](y); });
  EXPECT_EQ(stub.calls("cuGraphExecUpdate"), 1u);
  EXPECT_EQ(stub.calls("cuGraphInstantiateWithFlags"), 1u);
  stub.record();
  graph.replay();
  EXPECT_EQ(stub.calls("cuGraphLaunch"), 1u);
  EXPECT_EQ(stub.calls("cuLaunchKernel"), 0u);
}

TEST(CudaMemory, ALaunchGoesToItsStreamAndThatStreamsDevice) {
  const cuttle::Use second_gpu(cuttle::Device::cuda(1));
  const cuttle::Stream stream;
  Array<int> x(1);
  const auto set = CUTTLE_KERNEL([](cuttle::view<int> y) { y[0] = 1; });
  const cuttle::Use first_gpu(cuttle::Device::cuda(0));
  stub.record();
  set[{.block = 1, .stream = stream}](x);
  EXPECT_EQ(stub.state().last_launch.stream, stream.handle());
  EXPECT_THROW((set[{.block = 1}](x)), cuttle::LaunchError) << "x is on the other device";
  const cuttle::Use on_stream(stream);
  set[{.block = 1}](x);
  EXPECT_EQ(stub.state().last_launch.stream, stream.handle());
}

}  // namespace
