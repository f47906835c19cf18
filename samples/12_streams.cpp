// 12: a pipeline over several streams. Each takes every third chunk: while one computes, the others copy in and out.

#include <cuttle/cuttle.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

auto square = CUTTLE_KERNEL([](auto x) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size()) x[i] *= x[i];
});

int main() {
  constexpr std::size_t chunk = 1 << 16, chunks = 12;
  std::vector<float> host(chunk * chunks, 3.0f);

  std::vector<cuttle::Stream> streams;
  for (int i = 0; i < 3; ++i) streams.emplace_back(cuttle::StreamOptions{.non_blocking = true});
  std::vector<cuttle::Array<float>> buffers;
  for (int i = 0; i < 3; ++i) buffers.emplace_back(chunk);

  for (std::size_t i = 0; i < chunks; ++i) {
    const cuttle::Stream& stream = streams[i % 3];
    cuttle::Array<float>& x = buffers[i % 3];
    const std::span<float> part = std::span(host).subspan(i * chunk, chunk);
    x.copy_from(part, stream);  // in the stream's order: behind its last copy out
    square.over(chunk, stream)(x);
    x.copy_to(part, stream);
  }
  for (const cuttle::Stream& stream : streams) stream.synchronize();

  return std::all_of(host.begin(), host.end(), [](float value) { return value == 9.0f; }) ? 0 : 1;
}
