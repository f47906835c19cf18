// The CPU device: blocks of a grid on all cores, threads of a block as the compiled block function runs them.

#include <pthread.h>
#include <unistd.h>
#include <xmmintrin.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "allocations.h"
#include "checker.h"
#include "compilation.h"
#include "cpu_block.h"
#include "cpu_cluster.h"
#include "cpu_graph.h"
#include "cpu_grid.h"
#include "cuttle/error.hpp"
#include "device_state.h"
#include "fork_gate.h"
#include "kernel_failure.h"
#include "object_loader.h"

namespace cuttle::detail {
namespace {

// The limits of current GPUs, so that a launch that runs here runs there.
constexpr Limits gpu_limits{{2147483647, 65535, 65535}, {1024, 1024, 64}, 1024, 227 * 1024, 8};

// Enough for every vector type and for a cache line.
constexpr std::align_val_t alignment{128};

// What an H200 holds of small blocks is about as many.
constexpr std::uint64_t max_blocks_at_once = 1024;

// Kernels see IEEE arithmetic even where the host program was built with -ffast-math, which flushes denormals for its threads.
class IeeeArithmetic {
 public:
  IeeeArithmetic() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ & ~0x8040u); }
  ~IeeeArithmetic() { _mm_setcsr(saved_); }
  IeeeArithmetic(const IeeeArithmetic&) = delete;
  IeeeArithmetic& operator=(const IeeeArithmetic&) = delete;

 private:
  unsigned saved_;
};

using Clock = std::chrono::steady_clock;

/// The time at which it was recorded, and on which stream.
struct CpuEvent {
  Clock::time_point time;
  void* stream = nullptr;
};

struct CpuExecutable final : Executable {
  CpuExecutable(const FunctionName& name, cuttle_block_function block_function)
      : Executable(name), is_checked(name.is_checked), function(block_function) {}

  bool is_checked;
  cuttle_block_function function;
};

// A child of fork has none of the parent's worker threads.
bool forked = false;

// The graph that this thread records.
thread_local CpuGraph* recording = nullptr;

class CpuDevice final : public DeviceState {
 public:
  CpuDevice() : DeviceState(cpu_facts) {
    limits_ = gpu_limits;
    pthread_atfork(nullptr, nullptr, [] { forked = true; });
  }

  bool is_cuda() const override { return false; }
  int index() const override { return -1; }

  std::string name() const override {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
      if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "CPU";
  }

  cuttle_target target() const override {
    cuttle_target target{};
    target.backend = CUTTLE_BACKEND_CPU;
    target.contract = 1;
    return target;
  }

  DeviceProperties properties() const override {
    DeviceProperties properties{};
    properties.multiprocessors = static_cast<int>(std::thread::hardware_concurrency());
    properties.max_threads_per_multiprocessor = 2048;
    properties.warp_size = 32;
    return properties;
  }

  MemoryInfo memory_info() const override {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return {static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * page, static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page};
  }

  // More than the machine has is refused at once: Linux would promise it, and end the process when it is written to.
  void* allocate(std::size_t bytes) override {
    void* data = bytes > total_memory_ ? nullptr : ::operator new(bytes, alignment, std::nothrow);
    if (!data) {
      const MemoryInfo memory = memory_info();
      throw OutOfMemory("an Array of " + std::to_string(bytes) + " bytes was asked for, and " + std::to_string(memory.free) + " of " +
                            std::to_string(memory.total) + " bytes are free on the CPU device.",
                        bytes, memory.free);
    }
    Allocations::instance().add(data, bytes);
    return data;
  }
  void deallocate(void* data) noexcept override {
    for (void* freed : Allocations::instance().remove(data)) ::operator delete(freed, alignment);
  }

  void* allocate_shared(SharedMemory, std::size_t bytes) override { return allocate(bytes); }
  void deallocate_shared(SharedMemory, void* data) noexcept override { deallocate(data); }

  // Everything is done when the call returns, so that streams have nothing to order and an event is the time at which it was recorded.
  void copy(void* to, const void* from, std::size_t bytes, void* stream) override {
    run_or_record(stream, [=](void*) { std::memmove(to, from, bytes); });
  }
  void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t rows,
                 void* stream) override {
    run_or_record(stream, [=](void*) {
      for (std::size_t row = 0; row < rows; ++row) {
        std::memmove(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width);
      }
    });
  }
  void fill(void* to, const void* element, std::size_t element_size, std::size_t count, void* stream) override {
    const auto* first = static_cast<const char*>(element);
    run_or_record(stream, [to = static_cast<char*>(to), value = std::vector<char>(first, first + element_size), count](void*) {
      for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * value.size(), value.data(), value.size());
    });
  }
  void synchronize() override {
    refuse_in_capture("a wait on the host");
    failures_.raise_any();
  }
  void reset() override {
    refuse_in_capture("a reset");
    failures_.forget_all();
  }
  void* make_stream(int, bool) override { return new char; }  // a stream of its own, though it holds nothing
  void destroy_stream(void* stream) noexcept override {
    failures_.forget(stream);
    delete static_cast<char*>(stream);
  }
  void add_stream(void*) override {}
  void remove_stream(void*) noexcept override {}
  void synchronize_stream(void* stream) override {
    refuse_in_capture("a wait on the host");
    failures_.raise(stream);
  }
  bool is_stream_done(void*) override { return true; }
  void wait(void*, void*) override {}
  void call_on_host(void*, void (*function)(void*), void* data) override {
    refuse_in_capture("a call on the host");
    function(data);
  }
  void* make_event() override { return new CpuEvent(); }
  void destroy_event(void* event) noexcept override { delete static_cast<CpuEvent*>(event); }
  void record(void* event, void* stream) override { *static_cast<CpuEvent*>(event) = {Clock::now(), stream}; }
  void synchronize_event(void* event) override { synchronize_stream(static_cast<CpuEvent*>(event)->stream); }
  bool is_event_done(void*) override { return true; }
  double milliseconds_between(void* begin, void* end) override {
    return std::chrono::duration<double, std::milli>(static_cast<CpuEvent*>(end)->time - static_cast<CpuEvent*>(begin)->time).count();
  }

  std::string linker_identity() const override { return {}; }
  std::string link(const Compilation& compilation) override { return compilation.binary; }

  void* load_module(const std::string& binary, const std::string& title) override {
    auto object = std::make_unique<LoadedObject>(binary, title);
    const std::lock_guard lock(objects_mutex_);
    return objects_.emplace_back(std::move(object)).get();
  }
  std::unique_ptr<const Executable> find_function(void* module, const FunctionName& name) override {
    const LoadedObject::Symbol* symbol = static_cast<LoadedObject*>(module)->find(name.symbol);
    if (!symbol || !symbol->is_function) return nullptr;
    return std::make_unique<CpuExecutable>(name, reinterpret_cast<cuttle_block_function>(symbol->address));
  }
  MemoryRange find_variable(void* module, const std::string& name) override {
    const LoadedObject::Symbol* symbol = static_cast<LoadedObject*>(module)->find(name);
    if (!symbol || symbol->is_function) return {};
    return {symbol->address, symbol->bytes};
  }
  std::optional<std::vector<std::size_t>> parameter_sizes(const Executable&) const override { return std::nullopt; }

  Resources resources(const Executable&) const override {
    throw Error("registers and local memory of a kernel are a GPU's; the CPU device has none.");
  }
  int blocks_per_multiprocessor(const Executable&, int, std::size_t) const override { return 1; }  // a core runs one block after the other

  std::uint32_t preferred_block(const Executable&) const override { return 256; }

  // While a graph is recorded, all that the thread gives this device belongs to it, on whatever stream.
  void begin_capture(void*) override {
    refuse_in_capture("a capture");
    recording = new CpuGraph;
  }
  void abandon_capture(void*) noexcept override { delete std::exchange(recording, nullptr); }
  void* end_capture(void*, void* previous) override {
    destroy_graph(previous);
    return std::exchange(recording, nullptr);
  }
  void replay(void* graph, void* stream) override {
    for (const auto& step : static_cast<CpuGraph*>(graph)->steps) run_or_record(stream, step);
  }
  void destroy_graph(void* graph) noexcept override { delete static_cast<CpuGraph*>(graph); }

  void launch(const Executable& executable, const Geometry& geometry, void* stream, const Signature& signature,
              const void* const* arguments) override {
    if (recording) [[unlikely]] {
      recording->steps.push_back([this, &executable, geometry, &signature, copied = std::make_shared<CapturedArguments>(signature, arguments)](
                                     void* replayed_on) { run(executable, geometry, replayed_on, signature, copied->pointers()); });
      return;
    }
    run(executable, geometry, stream, signature, arguments);
  }

 private:
  const std::size_t total_memory_ = CpuDevice::memory_info().total;

  template <class Step>
  static void run_or_record(void* stream, const Step& step) {
    if (recording) [[unlikely]] {
      recording->steps.push_back(step);
    } else {
      step(stream);
    }
  }

  static void refuse_in_capture(const char* what) {
    if (recording) [[unlikely]]
      throw LaunchError(std::string(what) + " was asked for while a Graph is recorded; it records launches, copies and fills.");
  }

  void run(const Executable& executable, const Geometry& geometry, void* stream, const Signature& signature, const void* const* arguments) {
    const auto& kernel = static_cast<const CpuExecutable&>(executable);
    const std::uint64_t blocks = std::uint64_t{geometry.grid[0]} * geometry.grid[1] * geometry.grid[2];
    const bool has_clusters = geometry.cluster_size() > 1;
    if (kernel.is_checked && !geometry.cooperative && !has_clusters) {
      const IeeeArithmetic ieee;
      auto failure = run_checked({kernel.title, kernel.function, kernel.static_shared_bytes}, geometry, signature, arguments,
                                 shared_memory(kernel.static_shared_bytes + geometry.shared_bytes));
      if (failure) keep_failure(stream, failure->exception());
      return;
    }
    FirstFailure first;
    if (geometry.cooperative) [[unlikely]] {
      run_all_at_once(kernel, geometry, arguments, blocks, first);
    } else if (has_clusters) [[unlikely]] {
      run_clusters(kernel, geometry, arguments, blocks, first);
    } else if (blocks == 1 || forked) {
      run_blocks(kernel, geometry, arguments, 0, blocks, first);
    } else {
      tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, blocks), [&](const tbb::blocked_range<std::uint64_t>& range) {
        run_blocks(kernel, geometry, arguments, range.begin(), range.end(), first);
      });
    }
    if (first.failure) [[unlikely]]
      keep_failure(stream, first.failure->exception());
  }

  // Of the blocks that a failure ended, the first one's: the same however many cores there are.
  struct FirstFailure {
    std::mutex mutex;
    std::uint64_t block = 0;
    std::optional<KernelFailure> failure;

    void note(std::uint64_t failed_block, KernelFailure&& other) {
      const std::lock_guard lock(mutex);
      if (failure && block < failed_block) return;
      block = failed_block;
      failure = std::move(other);
    }
  };

  static void run_blocks(const CpuExecutable& kernel, const Geometry& geometry, const void* const* arguments, std::uint64_t begin, std::uint64_t end,
                         FirstFailure& first) {
    const IeeeArithmetic ieee;
    cuttle_block_context context{};
    context.arguments = arguments;
    std::copy_n(geometry.block, 3, context.block_dim);
    std::copy_n(geometry.grid, 3, context.grid_dim);
    context.dynamic_shared_bytes = geometry.shared_bytes;
    context.shared = shared_memory(kernel.static_shared_bytes + geometry.shared_bytes);
    std::uint64_t block = begin;
    auto run_rest = [&] {
      for (; block < end; ++block) {
        context.block_index[0] = static_cast<std::uint32_t>(block % geometry.grid[0]);
        context.block_index[1] = static_cast<std::uint32_t>(block / geometry.grid[0] % geometry.grid[1]);
        context.block_index[2] = static_cast<std::uint32_t>(block / geometry.grid[0] / geometry.grid[1]);
        kernel.function(&context);
      }
    };
    while (auto failure = failure_of(run_kernel_code(run_rest), kernel.title)) first.note(block++, std::move(*failure));
  }

  // Each of `count` blocks on a thread of its own, so that they can wait for each other; run(i) runs one of them.
  template <class Run>
  static void run_together(const std::string& what, std::uint64_t count, const Run& run) {
    std::promise<bool> all_are_there;  // false: the system has no more threads
    const std::shared_future<bool> may_run = all_are_there.get_future().share();
    std::latch all_have_ended(static_cast<std::ptrdiff_t>(count));  // until then their shared memory stays
    std::vector<std::jthread> threads;
    threads.reserve(count);
    try {
      for (std::uint64_t i = 0; i < count; ++i) {
        threads.emplace_back([&, i, may_run] {
          if (!may_run.get()) return;
          run(i);
          all_have_ended.arrive_and_wait();
        });
      }
    } catch (const std::exception& error) {
      all_are_there.set_value(false);
      throw LaunchError(what + " of " + std::to_string(count) + " blocks was asked for, and the system gives no more than " +
                        std::to_string(threads.size()) + " threads: " + error.what() + ".");
    }
    all_are_there.set_value(true);
  }

  // One cluster after the other: as many threads as it has blocks run them, and begin the next one together.
  static void run_clusters(const CpuExecutable& kernel, const Geometry& geometry, const void* const* arguments, std::uint64_t blocks,
                           FirstFailure& first) {
    const auto size = static_cast<std::uint64_t>(geometry.cluster_size());
    std::optional<Cluster> cluster;
    std::barrier next(geometry.cluster_size(), [&, number = std::uint64_t{0}]() mutable noexcept { cluster.emplace(geometry, number++); });
    run_together("a cluster", size, [&](std::uint64_t rank) {
      unsigned char* shared = shared_memory(kernel.static_shared_bytes + geometry.shared_bytes);
      for (std::uint64_t i = 0; i < blocks / size; ++i) {
        next.arrive_and_wait();
        const ClusterMember member(*cluster, static_cast<std::uint32_t>(rank), shared);
        const std::uint64_t block = cluster->block(static_cast<std::uint32_t>(rank));
        run_blocks(kernel, geometry, arguments, block, block + 1, first);
      }
    });
  }

  static void run_all_at_once(const CpuExecutable& kernel, const Geometry& geometry, const void* const* arguments, std::uint64_t blocks,
                              FirstFailure& first) {
    if (blocks > max_blocks_at_once) {
      throw LaunchError("a cooperative launch of " + std::to_string(blocks) +
                        " blocks was asked for; all of them must run at once, and the CPU device runs " + std::to_string(max_blocks_at_once) + ".");
    }
    if (geometry.cluster_size() > 1) {
      throw LaunchError("kernel " + kernel.title +
                        " was launched as a cooperative grid with clusters, which the CPU device cannot run. "
                        "Synchronise the grid or the clusters there, not both.");
    }
    GridBarrier barrier(static_cast<std::ptrdiff_t>(blocks));
    run_together("a cooperative launch", blocks, [&](std::uint64_t block) {
      const GridMember member(barrier);
      run_blocks(kernel, geometry, arguments, block, block + 1, first);
    });
  }

  std::mutex objects_mutex_;
  std::vector<std::unique_ptr<LoadedObject>> objects_;  // stay until the process ends
};

}  // namespace

// Other threads wait for the first one at the variable's guard: a child forked meanwhile would do so for ever.
DeviceState& cpu_device() {
  static std::atomic<CpuDevice*> made{nullptr};
  if (CpuDevice* device = made.load(std::memory_order_acquire)) return *device;
  const ForkGate gate;
  static auto* device = new CpuDevice;
  made.store(device, std::memory_order_release);
  return *device;
}

}  // namespace cuttle::detail
