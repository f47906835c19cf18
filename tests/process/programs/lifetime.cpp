// Kernels, arrays, streams, events, graphs and modules wherever a program can keep them, and every way that it can end: `lifetime
// return|exit|quick_exit|exception|thread`.

#include <cuttle/cuttle.hpp>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

auto add = CUTTLE_KERNEL([](auto x, auto a) { x[threadIdx.x] += a; });

cuttle::Kernel global_kernel = add;
cuttle::Array<float> global_array({1, 2, 3});  // uses a device before main
thread_local cuttle::Array<int> thread_array({1, 2, 3});
cuttle::Stream global_stream({.non_blocking = true});
cuttle::Event global_event = global_stream.record();
cuttle::Array<float> graphed_array({0, 0, 0});
cuttle::Graph global_graph = cuttle::Graph::capture([] { global_kernel[{1, 3}](graphed_array, 2.0f); });
const cuttle::Module global_module = cuttle::Module::from_source("__global__ void set(float* x, float value) { x[threadIdx.x] = value; }");
thread_local cuttle::Stream thread_stream;

cuttle::Array<float>& function_static() {
  static cuttle::Array<float> array({4, 5, 6});
  return array;
}

bool use_them_all() {
  auto* leaked = new cuttle::Array<float>({7, 8, 9});
  static auto static_kernel = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] *= 2; });
  global_kernel[{1, 3}](global_array, 1.0f);
  global_kernel[{1, 3}](thread_array, 1);
  static_kernel[{1, 3}](function_static());
  static_kernel[{1, 3}](*leaked);
  std::thread([] {
    global_kernel[{.grid = 1, .block = 3, .stream = thread_stream}](thread_array, 1);
    thread_stream.synchronize();
  }).join();
  global_module.function("set")[{1, 3}](graphed_array, 1);
  global_graph.replay();
  global_event.synchronize();
  if (graphed_array.to_vector()[1] != 3) return false;
  return global_array.to_vector()[2] == 4 && thread_array.to_vector()[0] == 2 && function_static().to_vector()[0] == 8 &&
         leaked->to_vector()[2] == 18;
}

}  // namespace

int main(int, char** argv) {
  const std::string way = argv[1];
  if (!use_them_all()) return 1;
  if (way == "return") return 42;
  if (way == "exit") std::exit(42);
  if (way == "quick_exit") std::quick_exit(42);
  if (way == "exception") throw std::runtime_error("out of main");
  if (way == "thread") {
    // exit() while another thread launches.
    std::thread([] {
      for (;;) global_kernel[{1, 3}](thread_array, 1);
    }).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::exit(42);
  }
  return 2;
}
