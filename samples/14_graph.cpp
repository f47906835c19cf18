// 14: a graph: many launches, recorded once and replayed with one call.

#include <cuttle/cuttle.hpp>

#include <vector>

auto step = CUTTLE_KERNEL([](cuttle::view<float> x, float by) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size()) x[i] += by;
});

int main() {
  auto x = cuttle::zeros<float>(1000);
  cuttle::synchronize();  // a graph is recorded on a stream of its own

  const cuttle::Graph graph = cuttle::Graph::capture([&] {
    for (int i = 0; i < 10; ++i) step.over(x.size())(x, 1.0f);
  });
  for (int i = 0; i < 5; ++i) graph.replay();

  return x.to_vector() == std::vector<float>(1000, 50.0f) ? 0 : 1;
}
