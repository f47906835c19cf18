// The CPU device: blocks of a grid on all cores, threads of a block as the compiled block function runs them.

#include <pthread.h>
#include <unistd.h>
#include <xmmintrin.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "compilation.h"
#include "cuttle/error.hpp"
#include "device_state.h"
#include "object_loader.h"

namespace cuttle::detail {
namespace {

// The limits of current GPUs, so that a launch that runs here runs there.
constexpr Limits gpu_limits{{2147483647, 65535, 65535}, {1024, 1024, 64}, 1024, 227 * 1024};

// Enough for every vector type and for a cache line.
constexpr std::align_val_t alignment{128};

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

struct CpuExecutable final : Executable {
  cuttle_block_function function = nullptr;
  std::size_t static_shared_bytes = 0;
};

// Shared memory of the block that runs on this thread; grown, never shrunk.
unsigned char* shared_memory(std::size_t bytes) {
  struct Buffer {
    unsigned char* data = nullptr;
    std::size_t size = 0;
    ~Buffer() { ::operator delete(data, alignment); }
  };
  thread_local Buffer buffer;
  if (buffer.size < bytes) {
    ::operator delete(buffer.data, alignment);
    buffer.data = static_cast<unsigned char*>(::operator new(bytes, alignment));
    buffer.size = bytes;
  }
  return buffer.data;
}

// A child of fork has none of the parent's worker threads.
bool forked = false;

class CpuDevice final : public DeviceState {
 public:
  CpuDevice() {
    limits_ = gpu_limits;
    pthread_atfork(nullptr, nullptr, [] { forked = true; });
  }

  bool is_cuda() const override { return false; }

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

  void* allocate(std::size_t bytes) override {
    void* data = ::operator new(bytes, alignment, std::nothrow);
    if (!data) throw Error("an Array of " + std::to_string(bytes) + " bytes was asked for, and the machine does not have as much memory free.");
    return data;
  }
  void deallocate(void* data) noexcept override { ::operator delete(data, alignment); }
  void copy_to_device(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void copy_to_host(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void copy_on_device(void* to, const void* from, std::size_t bytes) override { std::memmove(to, from, bytes); }
  void synchronize() override {}  // a launch returns when its last block has ended

  std::string linker_identity() const override { return {}; }
  std::string link(const Compilation& compilation) override { return compilation.binary; }

  std::unique_ptr<const Executable> load(const Compilation& compilation) override {
    auto executable = std::make_unique<CpuExecutable>();
    executable->function = load_object(compilation.binary, compilation.entry);
    executable->static_shared_bytes = compilation.static_shared_bytes;
    return executable;
  }

  std::uint32_t preferred_block(const Executable&) const override { return 256; }

  void launch(const Executable& executable, const Geometry& geometry, const void* const* arguments) override {
    const auto& kernel = static_cast<const CpuExecutable&>(executable);
    const std::uint64_t blocks = std::uint64_t{geometry.grid[0]} * geometry.grid[1] * geometry.grid[2];
    if (blocks == 1 || forked) {
      run_blocks(kernel, geometry, arguments, 0, blocks);
      return;
    }
    tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, blocks),
                      [&](const tbb::blocked_range<std::uint64_t>& range) { run_blocks(kernel, geometry, arguments, range.begin(), range.end()); });
  }

 private:
  static void run_blocks(const CpuExecutable& kernel, const Geometry& geometry, const void* const* arguments, std::uint64_t begin,
                         std::uint64_t end) {
    const IeeeArithmetic ieee;
    cuttle_block_context context{};
    context.arguments = arguments;
    std::copy_n(geometry.block, 3, context.block_dim);
    std::copy_n(geometry.grid, 3, context.grid_dim);
    context.dynamic_shared_bytes = geometry.shared_bytes;
    context.shared = shared_memory(kernel.static_shared_bytes + geometry.shared_bytes);
    for (std::uint64_t block = begin; block < end; ++block) {
      context.block_index[0] = static_cast<std::uint32_t>(block % geometry.grid[0]);
      context.block_index[1] = static_cast<std::uint32_t>(block / geometry.grid[0] % geometry.grid[1]);
      context.block_index[2] = static_cast<std::uint32_t>(block / geometry.grid[0] / geometry.grid[1]);
      kernel.function(&context);
    }
  }
};

}  // namespace

DeviceState& cpu_device() {
  static auto* device = new CpuDevice;
  return *device;
}

}  // namespace cuttle::detail
