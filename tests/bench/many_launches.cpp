// Warm launches from eight threads at once, and the replay of a graph of a hundred kernels, next to the driver's own calls in turn.

#include <algorithm>
#include <barrier>
#include <thread>
#include <vector>

#include <cuttle/cuttle.hpp>

#include "raw_driver.h"
#include "report.h"
#include "sections.h"

namespace cuttle::bench {
namespace {

using namespace detail::cuda;

constexpr int thread_count = 8;
constexpr int launches = 100;  // of each thread, and of the graph
constexpr int repetitions = 101;

auto set = CUTTLE_KERNEL([](auto x, auto n) { x[0] = n; });

// The same kernel as a program that calls the driver has it.
struct Raw {
  detail::cuda::Function function;
  view<float> x;
  int n = 1;

  explicit Raw(Array<float>& array) : x(array.view()) {
    const CompiledKernel compiled = set.inspect(array, n);
    function = load_function(compiled.ptx().c_str(), compiled.entry().c_str());
  }
  void launch(void* stream) const {
    view<float> x_value = x;
    int n_value = n;
    void* pointers[] = {&x_value, &n_value};
    launch_raw(function, 1, 32, pointers, static_cast<StreamHandle>(stream));
  }
};

// Nanoseconds of a launch where every thread makes a hundred on a stream of its own: from the first thread's start to the last one's end.
template <class LaunchAll>
double launch_from_threads(const std::vector<Stream>& streams, const LaunchAll& launch_all) {
  std::barrier start(thread_count);
  std::vector<double> begins(thread_count), ends(thread_count);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < thread_count; ++i) {
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        begins[i] = wall_seconds();
        launch_all(streams[i]);
        ends[i] = wall_seconds();
      });
    }
  }
  synchronize();
  const double seconds = *std::max_element(ends.begin(), ends.end()) - *std::min_element(begins.begin(), begins.end());
  return 1e9 * seconds / (thread_count * launches);
}

// Times both in turn, each first every other time.
template <class Ours, class Theirs>
Paired in_turn(const Ours& ours, const Theirs& theirs) {
  Paired samples;
  ours();
  theirs();
  for (int i = 0; i < repetitions; ++i) {
    double our_time = 0;
    if (i % 2) our_time = ours();
    const double their_time = theirs();
    if (i % 2 == 0) our_time = ours();
    samples.add(our_time, their_time);
  }
  return samples;
}

void report(const char* what, const char* unit, const Paired& samples, double budget) {
  print({.what = what,
         .unit = unit,
         .ours = median_of(samples.ours).value,
         .theirs = median_of(samples.theirs).value,
         .ratio = samples.ratio(),
         .budget = budget});
}

// Our threads do nothing about a context, as a user's do not; the driver's make it current once.
void measure_threads(Array<float>& x, const Raw& raw) {
  const std::vector<Stream> streams(thread_count);
  const Driver& driver = *find_driver();
  Context context = nullptr;
  check(driver.cuCtxGetCurrent(&context), "asking for the current context");
  const auto launch_ours = [&](const Stream& stream) {
    for (int i = 0; i < launches; ++i) set[{.grid = 1, .block = 32, .stream = stream}](x, 1);
  };
  const auto launch_theirs = [&](const Stream& stream) {
    const ContextScope scope(driver, context);
    for (int i = 0; i < launches; ++i) raw.launch(stream.handle());
  };
  const Paired samples =
      in_turn([&] { return launch_from_threads(streams, launch_ours); }, [&] { return launch_from_threads(streams, launch_theirs); });
  report("launch from 8 threads", "ns", samples, 1.0);
}

ExecutableGraph capture_raw(const Raw& raw, const Stream& stream) {
  const Driver& driver = *find_driver();
  const auto handle = static_cast<StreamHandle>(stream.handle());
  GraphHandle graph = nullptr;
  ExecutableGraph executable = nullptr;
  check(driver.cuStreamBeginCapture(handle, CaptureMode::relaxed), "beginning a capture");
  for (int i = 0; i < launches; ++i) raw.launch(handle);
  check(driver.cuStreamEndCapture(handle, &graph), "ending a capture");
  check(driver.cuGraphInstantiateWithFlags(&executable, graph, 0), "making a graph ready to run");
  driver.cuGraphDestroy(graph);
  return executable;
}

void measure_graph(Array<float>& x, const Raw& raw) {
  const auto context = enter_primary_context();
  const Driver& driver = *find_driver();
  const Stream stream;
  const auto handle = static_cast<StreamHandle>(stream.handle());
  const Use use(stream);
  const Graph graph = Graph::capture([&] {
    for (int i = 0; i < launches; ++i) set[{.grid = 1, .block = 32}](x, 1);
  });
  const ExecutableGraph raw_graph = capture_raw(raw, stream);
  const auto microseconds = [&](const auto& replay) {
    const double begin = wall_seconds();
    replay();
    stream.synchronize();
    return 1e6 * (wall_seconds() - begin);
  };
  const Paired samples = in_turn([&] { return microseconds([&] { graph.replay(stream); }); },
                                 [&] { return microseconds([&] { check(driver.cuGraphLaunch(raw_graph, handle), "replaying a graph"); }); });
  driver.cuGraphExecDestroy(raw_graph);
  report("replay of a graph of 100 kernels", "us", samples, 1.02);
}

}  // namespace

int many_launches(const Arguments&) {
  print_heading("Launches from 8 threads and the replay of a graph, next to the driver's own calls on the GPU");
  if (Device::cuda_count() == 0) {
    print_skipped("many launches", "no GPU in this machine");
    return 0;
  }
  const Use gpu(Device::cuda());
  const auto context = enter_primary_context();
  Array<float> x(1);
  const Raw raw(x);
  measure_threads(x, raw);
  measure_graph(x, raw);
  return 0;
}

}  // namespace cuttle::bench
