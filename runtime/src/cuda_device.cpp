#include "cuda_device.h"

#include <algorithm>
#include <mutex>

#include "compilation.h"
#include "cuda_driver.h"
#include "cuttle/error.hpp"
#include "dump.h"

namespace cuttle::detail {
namespace {

using namespace cuda;

// More than this much dynamic shared memory has to be asked for, function by function.
constexpr std::uint32_t free_dynamic_shared = 48 * 1024;

struct CudaExecutable final : Executable {
  Function function = nullptr;
  std::uint32_t preferred_block = 0;
  int max_threads = 0;  // of a block, by the registers that it needs
  int registers = 0;
  std::string entry;
  mutable std::atomic<std::uint32_t> dynamic_shared{free_dynamic_shared};  // enabled so far
  mutable std::mutex dynamic_shared_mutex;
};

// PTX to a machine binary, by the driver's own linker. The binary is what is loaded, and later cached.
std::string link_ptx(const Driver& driver, const Compilation& compilation) {
  std::string log(16 * 1024, '\0');
  JitOption options[] = {JitOption::error_log_buffer, JitOption::error_log_buffer_size_bytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  LinkState state = nullptr;
  check(driver.cuLinkCreate(2, options, values, &state), "starting the driver's linker");
  const struct Guard {
    const Driver& driver;
    LinkState state;
    ~Guard() { driver.cuLinkDestroy(state); }
  } guard{driver, state};
  // The driver reads a NUL-terminated text and counts the NUL.
  Result result = driver.cuLinkAddData(state, jit_input_ptx, const_cast<char*>(compilation.code.c_str()), compilation.code.size() + 1,
                                       compilation.entry.c_str(), 0, nullptr, nullptr);
  void* cubin = nullptr;
  std::size_t size = 0;
  if (result == success) result = driver.cuLinkComplete(state, &cubin, &size);
  if (result != success) {
    const std::string kept = keep_failed_ptx(compilation);
    fail(result, "assembling the PTX of kernel " + compilation.entry + " " + compilation.signature + " (kept in " + kept +
                     "; the driver says: " + log.c_str() + ")");
  }
  return {static_cast<const char*>(cubin), size};
}

class CudaDevice final : public DeviceState {
 public:
  CudaDevice(const Driver& driver, int index) : driver_(driver), index_(index) {
    check(driver_.cuDeviceGet(&handle_, index), "opening the GPU");
    check(driver_.cuDevicePrimaryCtxRetain(&context_, handle_), "creating the GPU's context");
    using A = DeviceAttribute;
    limits_ = {{attribute(A::max_grid_dim_x), attribute(A::max_grid_dim_y), attribute(A::max_grid_dim_z)},
               {attribute(A::max_block_dim_x), attribute(A::max_block_dim_y), attribute(A::max_block_dim_z)},
               attribute(A::max_threads_per_block),
               attribute(A::max_shared_memory_per_block_optin)};
    has_pools_ = attribute(A::memory_pools_supported) != 0;
    target_.backend = CUTTLE_BACKEND_PTX;
    target_.sm = static_cast<std::uint32_t>(10 * attribute(A::compute_capability_major) + attribute(A::compute_capability_minor));
    target_.ptx = static_cast<std::uint32_t>(newest_ptx(driver_.version));
    target_.contract = 1;
  }

  bool is_cuda() const override { return true; }

  std::string name() const override {
    char text[256] = {};
    check(driver_.cuDeviceGetName(text, sizeof(text), handle_), "asking for the GPU's name");
    return text;
  }

  cuttle_target target() const override { return target_; }

  void* allocate(std::size_t bytes) override {
    const ContextScope scope = enter();
    DevicePointer pointer = 0;
    const Result result = has_pools_ ? driver_.cuMemAllocAsync(&pointer, bytes, nullptr) : driver_.cuMemAlloc(&pointer, bytes);
    if (result == error_out_of_memory) {
      std::size_t free = 0, total = 0;
      driver_.cuMemGetInfo(&free, &total);
      throw Error("an Array of " + std::to_string(bytes) + " bytes was asked for, and " + std::to_string(free) + " of " + std::to_string(total) +
                  " bytes are free on " + name() + ".");
    }
    check(result, "allocating device memory");
    return reinterpret_cast<void*>(pointer);
  }

  // At exit the driver may be gone before the arrays: then there is nothing left to free.
  void deallocate(void* data) noexcept override {
    if (is_forked_child()) return;
    Context current = nullptr;
    if (driver_.cuCtxGetCurrent(&current) != success) return;
    if (current != context_ && driver_.cuCtxPushCurrent(context_) != success) return;
    const auto pointer = reinterpret_cast<DevicePointer>(data);
    if (has_pools_) {
      driver_.cuMemFreeAsync(pointer, nullptr);
    } else {
      driver_.cuMemFree(pointer);
    }
    Context popped;
    if (current != context_) driver_.cuCtxPopCurrent(&popped);
  }

  void copy_to_device(void* to, const void* from, std::size_t bytes) override {
    const ContextScope scope = enter();
    check(driver_.cuMemcpyHtoD(reinterpret_cast<DevicePointer>(to), from, bytes), "copying to the device");
  }
  void copy_to_host(void* to, const void* from, std::size_t bytes) override {
    const ContextScope scope = enter();
    check_fault(driver_.cuMemcpyDtoH(to, reinterpret_cast<DevicePointer>(from), bytes), "copying to the host");
  }
  void copy_on_device(void* to, const void* from, std::size_t bytes) override {
    const ContextScope scope = enter();
    check(driver_.cuMemcpyDtoD(reinterpret_cast<DevicePointer>(to), reinterpret_cast<DevicePointer>(from), bytes), "copying on the device");
  }

  void synchronize() override {
    const ContextScope scope = enter();
    check_fault(driver_.cuCtxSynchronize(), "waiting for the device");
  }

  std::string linker_identity() const override { return "driver=" + std::to_string(driver_.version); }

  std::string link(const Compilation& compilation) override {
    const ContextScope scope = enter();
    std::string cubin = link_ptx(driver_, compilation);
    dump_binary(compilation, "cubin", cubin);
    return cubin;
  }

  std::unique_ptr<const Executable> load(const Compilation& compilation) override {
    const ContextScope scope = enter();
    auto executable = std::make_unique<CudaExecutable>();
    ModuleHandle module = nullptr;
    // Never unloaded: a kernel of it may run at any time until the process ends.
    check(driver_.cuModuleLoadData(&module, compilation.binary.data()), "loading a kernel's binary");
    check(driver_.cuModuleGetFunction(&executable->function, module, compilation.entry.c_str()), "finding a kernel in its binary");
    driver_.cuFuncGetAttribute(&executable->max_threads, FunctionAttribute::max_threads_per_block, executable->function);
    driver_.cuFuncGetAttribute(&executable->registers, FunctionAttribute::num_regs, executable->function);
    int grid = 0, block = 0;
    check(driver_.cuOccupancyMaxPotentialBlockSize(&grid, &block, executable->function, nullptr, 0, 0), "asking for a block size");
    // Larger blocks only lengthen the tail; past 256 threads occupancy rarely asks for more.
    executable->preferred_block = static_cast<std::uint32_t>(std::clamp(block, 1, 256));
    executable->entry = compilation.entry;
    return executable;
  }

  std::uint32_t preferred_block(const Executable& executable) const override {
    return static_cast<const CudaExecutable&>(executable).preferred_block;
  }

  void launch(const Executable& executable, const Geometry& geometry, const void* const* arguments) override {
    const auto& kernel = static_cast<const CudaExecutable&>(executable);
    const ContextScope scope = enter();
    if (geometry.shared_bytes > kernel.dynamic_shared.load(std::memory_order_relaxed)) [[unlikely]] {
      enable_dynamic_shared(kernel, geometry.shared_bytes);
    }
    const Result result =
        driver_.cuLaunchKernel(kernel.function, geometry.grid[0], geometry.grid[1], geometry.grid[2], geometry.block[0], geometry.block[1],
                               geometry.block[2], geometry.shared_bytes, nullptr, const_cast<void**>(arguments), nullptr);
    if (result != success) [[unlikely]]
      refuse_launch(result, kernel, geometry);
  }

 private:
  [[nodiscard]] int attribute(DeviceAttribute attribute) const {
    int value = 0;
    check(driver_.cuDeviceGetAttribute(&value, attribute, handle_), "asking for a property of the GPU");
    return value;
  }

  [[nodiscard]] ContextScope enter() const {
    if (is_forked_child()) [[unlikely]] {
      throw Error(
          "this process was forked after the CUDA driver had started, and the driver does not work in such a child. "
          "Fork before the first use of a GPU, or use Device::cpu() in the child.");
    }
    return {driver_, context_};
  }

  // What a kernel did wrong surfaces at the next call that waits.
  static void check_fault(Result result, const char* what) {
    if (result != success) [[unlikely]] {
      fail(result, std::string(what) + ", or a kernel that was launched before it,");
    }
  }

  void enable_dynamic_shared(const CudaExecutable& kernel, std::uint32_t bytes) {
    const std::lock_guard lock(kernel.dynamic_shared_mutex);
    if (bytes <= kernel.dynamic_shared.load(std::memory_order_relaxed)) return;
    check(driver_.cuFuncSetAttribute(kernel.function, FunctionAttribute::max_dynamic_shared_size_bytes, static_cast<int>(bytes)),
          "enabling more than 48 KB of dynamic shared memory");
    kernel.dynamic_shared.store(bytes, std::memory_order_relaxed);
  }

  [[noreturn]] static void refuse_launch(Result result, const CudaExecutable& kernel, const Geometry& geometry) {
    const std::int64_t threads = std::int64_t{geometry.block[0]} * geometry.block[1] * geometry.block[2];
    if (threads > kernel.max_threads) {
      throw LaunchError("a block of " + std::to_string(threads) + " threads was asked for; kernel " + kernel.entry + " needs " +
                        std::to_string(kernel.registers) + " registers a thread, which allows " + std::to_string(kernel.max_threads) +
                        " threads a block.");
    }
    fail(result, "launching kernel " + kernel.entry);
  }

  const Driver& driver_;
  int index_;
  DeviceHandle handle_ = 0;
  Context context_ = nullptr;
  bool has_pools_ = false;
  cuttle_target target_{};
};

}  // namespace

std::unique_ptr<DeviceState> make_cuda_device(const Driver& driver, int index) { return std::make_unique<CudaDevice>(driver, index); }

}  // namespace cuttle::detail
