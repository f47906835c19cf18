// The whole first call of a kernel, `k[{...}](...)` with an empty cache, each in a fresh process whose device is up: opening the compiler
// library, compiling, loading and launching. On a GPU next to the same from NVRTC: opening it, source to cubin, load, launch. And the same
// call where an earlier process left the kernel in the cache.

#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <cuttle/cuttle.hpp>

#include "nvrtc.h"
#include "raw_driver.h"
#include "report.h"
#include "sections.h"

namespace cuttle::bench {
namespace {

constexpr int repetitions = 15;
constexpr int elements = 1024;

auto copy = CUTTLE_KERNEL([](auto x, auto size, auto y) {
  auto tid = blockIdx.x * blockDim.x + threadIdx.x;
  auto ntid = gridDim.x * blockDim.x;
  for (auto i = tid; i < size; i += ntid) y[i] = x[i];
});
constexpr const char* cuda_copy = R"(
extern "C" __global__ void kernel(const float* x, unsigned size, float* y) {
  auto tid = blockIdx.x * blockDim.x + threadIdx.x;
  auto ntid = gridDim.x * blockDim.x;
  for (auto i = tid; i < size; i += ntid) y[i] = x[i];
})";

auto sine = CUTTLE_KERNEL([](auto x, auto size, auto y) {
  auto tid = blockIdx.x * blockDim.x + threadIdx.x;
  auto ntid = gridDim.x * blockDim.x;
  for (auto i = tid; i < size; i += ntid) y[i] = sinf(x[i]);
});
constexpr const char* cuda_sine = R"(
extern "C" __global__ void kernel(const float* x, unsigned size, float* y) {
  auto tid = blockIdx.x * blockDim.x + threadIdx.x;
  auto ntid = gridDim.x * blockDim.x;
  for (auto i = tid; i < size; i += ntid) y[i] = sinf(x[i]);
})";

// A folder for the cache of child processes, removed with it.
class CacheFolder {
 public:
  CacheFolder() : path_((std::filesystem::temp_directory_path() / ("cuttle_bench_cache_" + std::to_string(getpid()))).string()) {}
  ~CacheFolder() { clear(); }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

  void clear() const {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The number that a process of its own prints.
double child_number(const std::string& arguments, const std::string& cache, const std::string& environment = "") {
  const Finished finished = run_again(arguments, environment + "CUTTLE_CACHE_DIR='" + cache + "'");
  if (finished.status != 0) throw std::runtime_error("a process failed: " + arguments);
  return std::stod(finished.output);
}

// Milliseconds of one call in a process of its own.
double child_ms(const std::string& arguments, const std::string& cache) { return child_number("first-call-once " + arguments, cache); }

// The same with an empty cache, and without the driver's own, in which NVRTC (from CUDA 12.9 on) and the driver's linker keep what they compiled.
double cold_child_ms(const std::string& arguments, const CacheFolder& cache) {
  cache.clear();
  return child_number("first-call-once " + arguments, cache.path(), "CUDA_CACHE_DISABLE=1 ");
}

}  // namespace

namespace {

// Megabytes of this process that are in memory and its own or shared libraries' (`VmRSS`).
double resident_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
  }
  throw std::runtime_error("/proc/self/status has no VmRSS");
}

// The launch of a program without cuttle: the driver alone, from a PTX text, with memory of cuMemAlloc or, as cuttle's arrays, of a pool.
void launch_by_the_driver(bool with_pool) {
  constexpr const char* nothing = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
  using namespace detail::cuda;
  const auto context = enter_primary_context();
  const Driver& driver = *find_driver();
  DevicePointer x = 0;
  if (with_pool) {
    MemoryPool pool = nullptr;
    MemoryPoolProperties properties{};
    properties.allocation_type = 1;  // CU_MEM_ALLOCATION_TYPE_PINNED
    properties.location_type = 1;    // CU_MEM_LOCATION_TYPE_DEVICE
    check(driver.cuMemPoolCreate(&pool, &properties), "making a memory pool");
    check(driver.cuMemAllocFromPoolAsync(&x, 4 * elements, pool, nullptr), "allocating");
  } else {
    check(driver.cuMemAlloc(&x, 4 * elements), "allocating");
  }
  launch_raw(load_function(nothing, "nothing"), 4, 256, nullptr);
  check(driver.cuCtxSynchronize(), "waiting");
}

}  // namespace

// Prints the megabytes that this process has in memory after one launch, by cuttle or by the driver alone.
int resident_once(const Arguments& arguments) {
  if (arguments.size() != 1) throw std::runtime_error("resident-once takes cuttle, driver or driver-with-pool");
  if (arguments[0] == "cuttle") {
    const Use use(Device::cuda());
    Array<float> x(elements), y(elements);
    copy[{.grid = 4, .block = 256}](x, unsigned{elements}, y);
    synchronize();
  } else {
    launch_by_the_driver(arguments[0] == "driver-with-pool");
  }
  std::printf("%.3f\n", resident_megabytes());
  return 0;
}

// Arguments: device (cpu, cuda), kernel (copy, sine), and what is timed: cuttle, nvrtc, link, the driver's work on our PTX alone, or cubin, the
// driver's loading and launching of what NVRTC compiled before.
int first_call_once(const Arguments& arguments) {
  if (arguments.size() != 3) throw std::runtime_error("first-call-once takes a device, a kernel and what to time");
  const Device device = arguments[0] == "cpu" ? Device::cpu() : Device::cuda();
  const Use use(device);
  const bool is_copy = arguments[1] == "copy";
  Array<float> x(elements), y(elements);
  const auto call = [&](const auto& kernel) {
    kernel[{.grid = 4, .block = 256}](x, unsigned{elements}, y);
    synchronize();
  };
  double start = wall_seconds();
  if (arguments[2] == "cuttle") {
    is_copy ? call(copy) : call(sine);
  } else if (arguments[2] == "link") {
    const auto context = enter_primary_context();
    const CompiledKernel compiled = is_copy ? copy.inspect(x, unsigned{elements}, y) : sine.inspect(x, unsigned{elements}, y);
    start = wall_seconds();
    static_cast<void>(load_function(compiled.ptx().c_str(), compiled.entry().c_str()));
  } else {
    const auto context = enter_primary_context();
    const std::string cubin = find_nvrtc()->compile(is_copy ? cuda_copy : cuda_sine, "sm_" + std::to_string(device.sm()));
    if (arguments[2] == "cubin") start = wall_seconds();
    float* x_data = x.data();
    float* y_data = y.data();
    unsigned size = elements;
    void* pointers[] = {&x_data, &size, &y_data};
    launch_raw(load_function(cubin.data(), "kernel"), 4, 256, pointers);
    synchronize();
  }
  std::printf("%.6f\n", 1e3 * (wall_seconds() - start));
  return 0;
}

int first_call(const Arguments& arguments) {
  const int count = arguments.empty() ? repetitions : std::stoi(arguments[0]);
  print_heading("First call in a fresh process, empty cache, device up, libraries closed; " + std::to_string(count) + " processes each");
  const CacheFolder cache;
  const bool has_gpu = Device::cuda_count() > 0, has_nvrtc = find_nvrtc() != nullptr;
  for (const std::string kernel : {"copy", "sine"}) {
    std::vector<double> cpu, link;
    Paired gpu;
    for (int i = 0; i < count; ++i) {
      cpu.push_back(cold_child_ms("cpu " + kernel + " cuttle", cache));
      if (!has_gpu) continue;
      const double theirs = has_nvrtc ? cold_child_ms("cuda " + kernel + " nvrtc", cache) : 0;
      gpu.add(cold_child_ms("cuda " + kernel + " cuttle", cache), theirs);
      link.push_back(cold_child_ms("cuda " + kernel + " link", cache));
    }
    print({.what = kernel + ", CPU device", .unit = "ms", .ours = median_of(cpu).value});
    if (!has_gpu) continue;
    Line line{.what = kernel + ", GPU, NVRTC to cubin", .unit = "ms", .ours = median_of(gpu.ours).value};
    if (has_nvrtc) {
      line.theirs = median_of(gpu.theirs).value;
      line.ratio = gpu.ratio();
      line.budget = 0.75;
    }
    print(line);
    print({.what = kernel + ", of that the driver's link", .unit = "ms", .ours = median_of(link).value});
  }
  if (!has_gpu) print_skipped("first call against NVRTC", "no GPU in this machine");
  return 0;
}

int warm_start(const Arguments& arguments) {
  const int count = arguments.empty() ? repetitions : std::stoi(arguments[0]);
  print_heading("First call in a fresh process, kernel in the cache, device up; " + std::to_string(count) + " processes each");
  const bool has_gpu = Device::cuda_count() > 0;
  for (const std::string device : {"cpu", "cuda"}) {
    if (device == "cuda" && !has_gpu) {
      print_skipped("warm start on a GPU", "no GPU in this machine");
      continue;
    }
    for (const std::string kernel : {"copy", "sine"}) {
      const CacheFolder cache;
      const std::string call = device + " " + kernel + " cuttle";
      cold_child_ms(call, cache);
      const bool on_gpu = device == "cuda", has_cubin = on_gpu && find_nvrtc() != nullptr;
      std::vector<double> warm, cubin;
      for (int i = 0; i < count; ++i) {
        warm.push_back(child_ms(call, cache.path()));
        if (has_cubin) cubin.push_back(child_ms("cuda " + kernel + " cubin", cache.path()));
      }
      print({.what = kernel + (on_gpu ? ", GPU" : ", CPU device") + ", found on disk",
             .unit = "ms",
             .ours = median_of(warm).value,
             .budget = on_gpu ? 0.4 : 3.0});
      if (has_cubin) print({.what = kernel + ", the driver alone, from NVRTC's cubin", .unit = "ms", .ours = median_of(cubin).value});
    }
  }
  if (!has_gpu) return 0;
  const CacheFolder cache;
  cold_child_ms("cuda copy cuttle", cache);
  std::vector<double> more, more_than_pool;
  for (int i = 0; i < count; ++i) {
    const double ours = child_number("resident-once cuttle", cache.path());
    more.push_back(ours - child_number("resident-once driver", cache.path()));
    more_than_pool.push_back(ours - child_number("resident-once driver-with-pool", cache.path()));
  }
  // Arrays are stream-ordered, and so is the memory of the program that they are compared with.
  print({.what = "memory over the driver's own, GPU", .unit = "MB", .ours = median_of(more_than_pool).value, .budget = 10});
  print({.what = "memory over the driver's without a memory pool", .unit = "MB", .ours = median_of(more).value});
  return 0;
}

}  // namespace cuttle::bench
