#include "driver.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace cuttle::race {
namespace {

using Result = int;
using Context = struct ContextTag*;
using Module = struct ModuleTag*;

constexpr int attribute_local_bytes = 3;
constexpr int attribute_registers = 4;
constexpr int attribute_max_dynamic_shared = 8;

// name in libcuda.so.1, parameters (cuda.h of CUDA 12 and 13).
#define CUTTLE_RACE_DRIVER(X)                                                                                                     \
  X(cuInit, (unsigned))                                                                                                           \
  X(cuDriverGetVersion, (int*))                                                                                                   \
  X(cuDeviceGet, (int*, int))                                                                                                     \
  X(cuDevicePrimaryCtxRetain, (Context*, int))                                                                                    \
  X(cuCtxSetCurrent, (Context))                                                                                                   \
  X(cuModuleLoadData, (Module*, const void*))                                                                                     \
  X(cuModuleGetFunction, (Function*, Module, const char*))                                                                        \
  X(cuFuncGetAttribute, (int*, int, Function))                                                                                    \
  X(cuFuncSetAttribute, (Function, int, int))                                                                                     \
  X(cuLaunchKernel, (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**))      \
  X(cuMemsetD8_v2, (DevicePointer, unsigned char, std::size_t))                                                                   \
  X(cuMemcpyDtoD_v2, (DevicePointer, DevicePointer, std::size_t))                                                                 \
  X(cuEventCreate, (EventHandle*, unsigned))                                                                                      \
  X(cuEventRecord, (EventHandle, void*))                                                                                          \
  X(cuEventSynchronize, (EventHandle))                                                                                            \
  X(cuEventElapsedTime, (float*, EventHandle, EventHandle))

struct Driver {
#define CUTTLE_MEMBER(name, parameters) Result(*name) parameters;
  CUTTLE_RACE_DRIVER(CUTTLE_MEMBER)
#undef CUTTLE_MEMBER
};

const Driver& driver() {
  static const Driver table = [] {
    Driver result{};
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) throw std::runtime_error(std::string("there is no NVIDIA driver: ") + dlerror());
#define CUTTLE_LOAD(name, parameters)                                              \
  result.name = reinterpret_cast<Result(*) parameters>(dlsym(library, #name));     \
  if (!result.name) throw std::runtime_error("the NVIDIA driver has no " #name);
    CUTTLE_RACE_DRIVER(CUTTLE_LOAD)
#undef CUTTLE_LOAD
    return result;
  }();
  return table;
}

void check(Result result, const char* what) {
  if (result != 0) throw std::runtime_error(std::string(what) + " failed with CUDA error " + std::to_string(result));
}

DevicePointer address(const void* pointer) { return reinterpret_cast<DevicePointer>(pointer); }

}  // namespace

Gpu::Gpu() {
  int device = 0;
  Context context = nullptr;
  check(driver().cuInit(0), "cuInit");
  check(driver().cuDeviceGet(&device, 0), "cuDeviceGet");
  check(driver().cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(driver().cuCtxSetCurrent(context), "cuCtxSetCurrent");
  check(driver().cuEventCreate(&start_, 0), "cuEventCreate");
  check(driver().cuEventCreate(&stop_, 0), "cuEventCreate");
}

int Gpu::version() const {
  int version = 0;
  check(driver().cuDriverGetVersion(&version), "cuDriverGetVersion");
  return version;
}

Function Gpu::load(const void* image, const char* entry) const {
  Module module = nullptr;
  Function function = nullptr;
  check(driver().cuModuleLoadData(&module, image), "cuModuleLoadData");
  check(driver().cuModuleGetFunction(&function, module, entry), entry);
  return function;
}

Resources Gpu::resources(Function function) const {
  Resources result;
  check(driver().cuFuncGetAttribute(&result.registers, attribute_registers, function), "cuFuncGetAttribute");
  check(driver().cuFuncGetAttribute(&result.local_bytes, attribute_local_bytes, function), "cuFuncGetAttribute");
  return result;
}

void Gpu::allow_shared(Function function, unsigned bytes) const {
  check(driver().cuFuncSetAttribute(function, attribute_max_dynamic_shared, static_cast<int>(bytes)), "cuFuncSetAttribute");
}

void Gpu::launch(Function function, const Geometry& geometry, void** arguments) const {
  const auto& [grid, block, shared_bytes] = geometry;
  check(driver().cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes, nullptr, arguments, nullptr),
        "cuLaunchKernel");
}

void Gpu::fill(void* pointer, unsigned char byte, std::size_t bytes) const {
  check(driver().cuMemsetD8_v2(address(pointer), byte, bytes), "cuMemsetD8");
}

void Gpu::copy(void* to, const void* from, std::size_t bytes) const {
  check(driver().cuMemcpyDtoD_v2(address(to), address(from), bytes), "cuMemcpyDtoD");
}

float Gpu::time(const std::function<void()>& work) const {
  float milliseconds = 0;
  check(driver().cuEventRecord(start_, nullptr), "cuEventRecord");
  work();
  check(driver().cuEventRecord(stop_, nullptr), "cuEventRecord");
  check(driver().cuEventSynchronize(stop_), "a kernel");
  check(driver().cuEventElapsedTime(&milliseconds, start_, stop_), "cuEventElapsedTime");
  return milliseconds;
}

}  // namespace cuttle::race
