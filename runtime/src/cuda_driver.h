// The CUDA driver: libcuda.so.1, opened at first need, and the functions of it that cuttle calls. Building needs no CUDA header.
#pragma once

#include <cstddef>
#include <string>

namespace cuttle::detail::cuda {

using Result = int;
using DeviceHandle = int;
using DevicePointer = unsigned long long;
using Context = struct ContextTag*;
using ModuleHandle = struct ModuleTag*;
using Function = struct FunctionTag*;
using StreamHandle = struct StreamTag*;
using LinkState = struct LinkTag*;

inline constexpr Result success = 0;
inline constexpr Result error_out_of_memory = 2;
inline constexpr Result error_deinitialized = 4;

// Values of CUdevice_attribute, CUfunction_attribute, CUjit_option and CUjitInputType that are used (cuda.h of CUDA 12 and 13).
enum class DeviceAttribute : int {
  max_threads_per_block = 1,
  max_block_dim_x = 2,
  max_block_dim_y = 3,
  max_block_dim_z = 4,
  max_grid_dim_x = 5,
  max_grid_dim_y = 6,
  max_grid_dim_z = 7,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  max_shared_memory_per_block_optin = 97,
  memory_pools_supported = 115,
};
enum class FunctionAttribute : int {
  max_threads_per_block = 0,
  shared_size_bytes = 1,
  local_size_bytes = 3,
  num_regs = 4,
  max_dynamic_shared_size_bytes = 8
};
enum class JitOption : int { error_log_buffer = 5, error_log_buffer_size_bytes = 6 };
inline constexpr int jit_input_ptx = 1;

// name, the CUDA version whose meaning of it is wanted, parameters.
#define CUTTLE_CUDA_FUNCTIONS(X)                                                                                                              \
  X(cuInit, 2000, (unsigned flags))                                                                                                           \
  X(cuDriverGetVersion, 2020, (int* version))                                                                                                 \
  X(cuGetErrorName, 6000, (Result error, const char** text))                                                                                  \
  X(cuGetErrorString, 6000, (Result error, const char** text))                                                                                \
  X(cuDeviceGetCount, 2000, (int* count))                                                                                                     \
  X(cuDeviceGet, 2000, (DeviceHandle * device, int index))                                                                                    \
  X(cuDeviceGetName, 2000, (char* name, int size, DeviceHandle device))                                                                       \
  X(cuDeviceGetAttribute, 2000, (int* value, DeviceAttribute attribute, DeviceHandle device))                                                 \
  X(cuDevicePrimaryCtxRetain, 7000, (Context * context, DeviceHandle device))                                                                 \
  X(cuCtxGetCurrent, 4000, (Context * context))                                                                                               \
  X(cuCtxPushCurrent, 4000, (Context context))                                                                                                \
  X(cuCtxPopCurrent, 4000, (Context * context))                                                                                               \
  X(cuCtxSynchronize, 2000, ())                                                                                                               \
  X(cuMemGetInfo, 3020, (std::size_t * free, std::size_t* total))                                                                             \
  X(cuMemAlloc, 3020, (DevicePointer * pointer, std::size_t bytes))                                                                           \
  X(cuMemFree, 3020, (DevicePointer pointer))                                                                                                 \
  X(cuMemAllocAsync, 11020, (DevicePointer * pointer, std::size_t bytes, StreamHandle stream))                                                \
  X(cuMemFreeAsync, 11020, (DevicePointer pointer, StreamHandle stream))                                                                      \
  X(cuMemcpyHtoD, 3020, (DevicePointer to, const void* from, std::size_t bytes))                                                              \
  X(cuMemcpyDtoH, 3020, (void* to, DevicePointer from, std::size_t bytes))                                                                    \
  X(cuMemcpyDtoD, 3020, (DevicePointer to, DevicePointer from, std::size_t bytes))                                                            \
  X(cuLinkCreate, 6050, (unsigned count, JitOption* options, void** values, LinkState* state))                                                \
  X(cuLinkAddData, 6050,                                                                                                                      \
    (LinkState state, int type, void* data, std::size_t size, const char* name, unsigned count, JitOption* options, void** values))           \
  X(cuLinkComplete, 5050, (LinkState state, void** cubin, std::size_t* size))                                                                 \
  X(cuLinkDestroy, 5050, (LinkState state))                                                                                                   \
  X(cuModuleLoadData, 2000, (ModuleHandle * module, const void* image))                                                                       \
  X(cuModuleGetFunction, 2000, (Function * function, ModuleHandle module, const char* name))                                                  \
  X(cuFuncGetAttribute, 2020, (int* value, FunctionAttribute attribute, Function function))                                                   \
  X(cuFuncSetAttribute, 9000, (Function function, FunctionAttribute attribute, int value))                                                    \
  X(cuOccupancyMaxPotentialBlockSize, 6050,                                                                                                   \
    (int* grid, int* block, Function function, std::size_t (*shared)(int), std::size_t dynamic_shared, int limit))                            \
  X(cuLaunchKernel, 4000,                                                                                                                     \
    (Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,              \
     unsigned shared_bytes, StreamHandle stream, void** arguments, void** extra))

struct Driver {
#define CUTTLE_MEMBER(name, version, parameters) Result(*name) parameters;
  CUTTLE_CUDA_FUNCTIONS(CUTTLE_MEMBER)
#undef CUTTLE_MEMBER
  int version;  // 13000 for CUDA 13.0
};

/// The driver, or null where there is none or it shows no GPU; `why_not()` then says why. Opened once; never closed.
[[nodiscard]] const Driver* find_driver();
[[nodiscard]] const std::string& why_not();

/// Throws DriverError, in the words "<what> failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY)", unless `result` is success.
void check(Result result, const char* what);
[[noreturn]] void fail(Result result, const std::string& what);

/// Whether this process was forked after the driver had started: the driver cannot be used in it.
[[nodiscard]] bool is_forked_child();

/// Newest PTX ISA (83 for 8.3) that a driver of this CUDA version reads.
[[nodiscard]] int newest_ptx(int driver_version);

/// Makes a context current for a scope and leaves the caller's as it was. Costs one driver call where it is current already.
class ContextScope {
 public:
  ContextScope(const Driver& driver, Context context) : driver_(driver) {
    Context current = nullptr;
    driver_.cuCtxGetCurrent(&current);
    if (current != context) {
      check(driver_.cuCtxPushCurrent(context), "making the device's context current");
      pushed_ = true;
    }
  }
  ~ContextScope() {
    Context popped;
    if (pushed_) driver_.cuCtxPopCurrent(&popped);
  }
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  const Driver& driver_;
  bool pushed_ = false;
};

}  // namespace cuttle::detail::cuda
