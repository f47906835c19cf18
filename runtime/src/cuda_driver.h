// The CUDA driver: libcuda.so.1, opened at first need, and the functions of it that cuttle calls. Building needs no CUDA header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cuttle::detail::cuda {

using Result = int;
using DeviceHandle = int;
using DevicePointer = unsigned long long;
using Context = struct ContextTag*;
using ModuleHandle = struct ModuleTag*;
using Function = struct FunctionTag*;
using StreamHandle = struct StreamTag*;
using EventHandle = struct EventTag*;
using GraphHandle = struct GraphTag*;
using ExecutableGraph = struct ExecutableGraphTag*;
using MemoryPool = struct MemoryPoolTag*;
using LinkState = struct LinkTag*;

inline constexpr Result success = 0;
inline constexpr Result error_invalid_value = 1;
inline constexpr Result error_out_of_memory = 2;
inline constexpr Result error_deinitialized = 4;
inline constexpr Result error_not_found = 500;
inline constexpr Result error_not_ready = 600;
inline constexpr Result error_illegal_address = 700;
inline constexpr Result error_cooperative_launch_too_large = 720;

inline constexpr unsigned host_memory_portable = 1;
inline constexpr unsigned managed_memory_global = 1;
inline constexpr int memory_type_unified = 4;
inline constexpr unsigned stream_non_blocking = 1;
inline constexpr unsigned event_disable_timing = 2;
enum class CaptureMode : int { global = 0, thread_local_ = 1, relaxed = 2 };
enum class CaptureStatus : int { none = 0, active = 1, invalidated = 2 };

// Values of CUdevice_attribute, CUfunction_attribute, CUjit_option and CUjitInputType that are used (cuda.h of CUDA 12 and 13).
enum class DeviceAttribute : int {
  max_threads_per_block = 1,
  max_block_dim_x = 2,
  max_block_dim_y = 3,
  max_block_dim_z = 4,
  max_grid_dim_x = 5,
  max_grid_dim_y = 6,
  max_grid_dim_z = 7,
  warp_size = 10,
  clock_rate = 13,
  multiprocessor_count = 16,
  l2_cache_size = 38,
  max_threads_per_multiprocessor = 39,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  max_registers_per_multiprocessor = 82,
  pageable_memory_access = 88,
  cooperative_launch = 95,
  max_shared_memory_per_block_optin = 97,
  memory_pools_supported = 115,
};
// CUlaunchConfig, CUlaunchAttribute and the values of its ids that are used.
enum class LaunchAttributeId : int { cooperative = 2, cluster = 4, programmatic_serialization = 6 };
// CUgraphExecUpdateResultInfo.
struct GraphUpdateResult {
  int result;
  void* node;
  void* from_node;
};
struct LaunchAttribute {
  LaunchAttributeId id;
  union {
    char pad[64];
    std::uint64_t align;
    int flag;
    std::uint32_t extents[3];
  } value;
};
static_assert(sizeof(LaunchAttribute) == 72);
struct LaunchConfiguration {
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint32_t shared_bytes;
  StreamHandle stream;
  LaunchAttribute* attributes;
  std::uint32_t attribute_count;
};
static_assert(sizeof(LaunchConfiguration) == 56);

enum class FunctionAttribute : int {
  max_threads_per_block = 0,
  shared_size_bytes = 1,
  const_size_bytes = 2,
  local_size_bytes = 3,
  num_regs = 4,
  ptx_version = 5,
  binary_version = 6,
  max_dynamic_shared_size_bytes = 8
};
enum class JitOption : int { error_log_buffer = 5, error_log_buffer_size_bytes = 6 };
inline constexpr int jit_input_ptx = 1;
enum class PointerAttribute : int { memory_type = 2, device_ordinal = 9, access_flags = 16 };
inline constexpr unsigned memory_type_device = 2;
enum class MemoryPoolAttribute : int { release_threshold = 4, reserved_current = 5, used_current = 7 };

// CUmemPoolProps.
struct MemoryPoolProperties {
  int allocation_type;
  int handle_types;
  int location_type;
  int location_id;
  void* security_attributes;
  std::size_t max_size;
  unsigned short usage;
  unsigned char reserved[54];
};
static_assert(sizeof(MemoryPoolProperties) == 88);

// CUDA_MEMCPY2D.
struct RowsCopy {
  struct Side {
    std::size_t x_bytes = 0, y = 0;
    int memory_type = 0;
    void* host = nullptr;
    DevicePointer device = 0;
    void* array = nullptr;
    std::size_t pitch = 0;
  };
  Side from, to;
  std::size_t width, rows;
};
static_assert(sizeof(RowsCopy) == 128);

// name, the CUDA version whose meaning of it is wanted, parameters.
#define CUTTLE_CUDA_FUNCTIONS(X)                                                                                                              \
  X(cuInit, 2000, (unsigned flags))                                                                                                           \
  X(cuDriverGetVersion, 2020, (int* version))                                                                                                 \
  X(cuGetErrorName, 6000, (Result error, const char** text))                                                                                  \
  X(cuGetErrorString, 6000, (Result error, const char** text))                                                                                \
  X(cuDeviceGetCount, 2000, (int* count))                                                                                                     \
  X(cuDeviceGet, 2000, (DeviceHandle * device, int index))                                                                                    \
  X(cuDeviceGetName, 2000, (char* name, int size, DeviceHandle device))                                                                       \
  X(cuDeviceGetPCIBusId, 4010, (char* text, int size, DeviceHandle device))                                                                   \
  X(cuDeviceGetAttribute, 2000, (int* value, DeviceAttribute attribute, DeviceHandle device))                                                 \
  X(cuDevicePrimaryCtxRetain, 7000, (Context * context, DeviceHandle device))                                                                 \
  X(cuCtxGetCurrent, 4000, (Context * context))                                                                                               \
  X(cuCtxPushCurrent, 4000, (Context context))                                                                                                \
  X(cuCtxPopCurrent, 4000, (Context * context))                                                                                               \
  X(cuCtxSynchronize, 2000, ())                                                                                                               \
  X(cuMemGetInfo, 3020, (std::size_t * free, std::size_t* total))                                                                             \
  X(cuMemAlloc, 3020, (DevicePointer * pointer, std::size_t bytes))                                                                           \
  X(cuMemFree, 3020, (DevicePointer pointer))                                                                                                 \
  X(cuMemHostAlloc, 2020, (void** pointer, std::size_t bytes, unsigned flags))                                                                \
  X(cuMemFreeHost, 2000, (void* pointer))                                                                                                     \
  X(cuPointerGetAttribute, 4000, (void* value, PointerAttribute attribute, DevicePointer pointer))                                            \
  X(cuMemAllocManaged, 6000, (DevicePointer * pointer, std::size_t bytes, unsigned flags))                                                    \
  X(cuMemcpy2DAsync, 3020, (const RowsCopy* copy, StreamHandle stream))                                                                       \
  X(cuMemPoolCreate, 11020, (MemoryPool * pool, const MemoryPoolProperties* properties))                                                      \
  X(cuMemPoolSetAttribute, 11020, (MemoryPool pool, MemoryPoolAttribute attribute, void* value))                                              \
  X(cuMemPoolGetAttribute, 11020, (MemoryPool pool, MemoryPoolAttribute attribute, void* value))                                              \
  X(cuMemPoolTrimTo, 11020, (MemoryPool pool, std::size_t bytes_to_keep))                                                                     \
  X(cuMemAllocFromPoolAsync, 11020, (DevicePointer * pointer, std::size_t bytes, MemoryPool pool, StreamHandle stream))                       \
  X(cuMemFreeAsync, 11020, (DevicePointer pointer, StreamHandle stream))                                                                      \
  X(cuMemcpyAsync, 4000, (DevicePointer to, DevicePointer from, std::size_t bytes, StreamHandle stream))                                      \
  X(cuMemsetD8Async, 3020, (DevicePointer to, unsigned char value, std::size_t count, StreamHandle stream))                                   \
  X(cuMemsetD16Async, 3020, (DevicePointer to, unsigned short value, std::size_t count, StreamHandle stream))                                 \
  X(cuMemsetD32Async, 3020, (DevicePointer to, unsigned value, std::size_t count, StreamHandle stream))                                       \
  X(cuCtxGetStreamPriorityRange, 5050, (int* least, int* greatest))                                                                           \
  X(cuStreamCreateWithPriority, 5050, (StreamHandle * stream, unsigned flags, int priority))                                                  \
  X(cuStreamDestroy, 4000, (StreamHandle stream))                                                                                             \
  X(cuStreamSynchronize, 2000, (StreamHandle stream))                                                                                         \
  X(cuStreamQuery, 2000, (StreamHandle stream))                                                                                               \
  X(cuStreamWaitEvent, 3020, (StreamHandle stream, EventHandle event, unsigned flags))                                                        \
  X(cuStreamIsCapturing, 10000, (StreamHandle stream, CaptureStatus* status))                                                                 \
  X(cuStreamBeginCapture, 10010, (StreamHandle stream, CaptureMode mode))                                                                     \
  X(cuStreamEndCapture, 10000, (StreamHandle stream, GraphHandle* graph))                                                                     \
  X(cuThreadExchangeStreamCaptureMode, 10010, (CaptureMode * mode))                                                                           \
  X(cuGraphInstantiateWithFlags, 11040, (ExecutableGraph * executable, GraphHandle graph, unsigned long long flags))                          \
  X(cuGraphExecUpdate, 12000, (ExecutableGraph executable, GraphHandle graph, GraphUpdateResult* result))                                     \
  X(cuGraphLaunch, 10000, (ExecutableGraph executable, StreamHandle stream))                                                                  \
  X(cuGraphExecDestroy, 10000, (ExecutableGraph executable))                                                                                  \
  X(cuGraphDestroy, 10000, (GraphHandle graph))                                                                                               \
  X(cuLaunchHostFunc, 10000, (StreamHandle stream, void (*function)(void*), void* data))                                                      \
  X(cuEventCreate, 2000, (EventHandle * event, unsigned flags))                                                                               \
  X(cuEventDestroy, 4000, (EventHandle event))                                                                                                \
  X(cuEventRecord, 2000, (EventHandle event, StreamHandle stream))                                                                            \
  X(cuEventQuery, 2000, (EventHandle event))                                                                                                  \
  X(cuEventSynchronize, 2000, (EventHandle event))                                                                                            \
  X(cuEventElapsedTime, 2000, (float* milliseconds, EventHandle begin, EventHandle end))                                                      \
  X(cuLinkCreate, 6050, (unsigned count, JitOption* options, void** values, LinkState* state))                                                \
  X(cuLinkAddData, 6050,                                                                                                                      \
    (LinkState state, int type, void* data, std::size_t size, const char* name, unsigned count, JitOption* options, void** values))           \
  X(cuLinkComplete, 5050, (LinkState state, void** cubin, std::size_t* size))                                                                 \
  X(cuLinkDestroy, 5050, (LinkState state))                                                                                                   \
  X(cuModuleLoadData, 2000, (ModuleHandle * module, const void* image))                                                                       \
  X(cuModuleGetFunction, 2000, (Function * function, ModuleHandle module, const char* name))                                                  \
  X(cuModuleGetGlobal, 3020, (DevicePointer * address, std::size_t * size, ModuleHandle module, const char* name))                            \
  X(cuFuncGetAttribute, 2020, (int* value, FunctionAttribute attribute, Function function))                                                   \
  X(cuFuncSetAttribute, 9000, (Function function, FunctionAttribute attribute, int value))                                                    \
  X(cuOccupancyMaxPotentialBlockSize, 6050,                                                                                                   \
    (int* grid, int* block, Function function, std::size_t (*shared)(int), std::size_t dynamic_shared, int limit))                            \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050, (int* blocks, Function function, int threads, std::size_t dynamic_shared))             \
  X(cuLaunchKernelEx, 11060, (const LaunchConfiguration* configuration, Function function, void** arguments, void** extra))                   \
  X(cuLaunchKernel, 4000,                                                                                                                     \
    (Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,              \
     unsigned shared_bytes, StreamHandle stream, void** arguments, void** extra))

// The same, null where the driver is too old to have it.
#define CUTTLE_NEWER_CUDA_FUNCTIONS(X) \
  X(cuFuncGetParamInfo, 12040, (Function function, std::size_t index, std::size_t* offset, std::size_t* size))

struct Driver {
#define CUTTLE_MEMBER(name, version, parameters) Result(*name) parameters;
  CUTTLE_CUDA_FUNCTIONS(CUTTLE_MEMBER)
  CUTTLE_NEWER_CUDA_FUNCTIONS(CUTTLE_MEMBER)
#undef CUTTLE_MEMBER
  int version;  // 13000 for CUDA 13.0
};

/// The driver, or null where there is none or it shows no GPU; `why_not()` then says why. Opened once; never closed.
[[nodiscard]] const Driver* find_driver();
[[nodiscard]] const std::string& why_not();

/// Called where a call of the driver has failed. A thread that uses it while the process exits on another finds it shut down. Nobody can see its work
/// any more, and an exception on it would end the process by std::terminate, not with its own exit code: so it waits until it is gone, but not for
/// ever, since an exit handler may wait for this thread.
void wait_if_the_process_exits();

/// Throws DriverError, in the words "<what> failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY)", unless `result` is success.
void check(Result result, const char* what);
[[noreturn]] void fail(Result result, const std::string& what);
/// "out of memory (CUDA_ERROR_OUT_OF_MEMORY)"
[[nodiscard]] std::string error_text(Result result);
/// Whether the error is what a kernel did and the context is lost with it: an illegal address, a trap, a failed assert, a time-out.
[[nodiscard]] bool is_fault(Result result);

/// Whether this process was forked after the driver had started: the driver cannot be used in it. Read in every launch.
inline bool forked = false;
[[nodiscard]] inline bool is_forked_child() { return forked; }

/// Newest PTX ISA (83 for 8.3) that a driver of this CUDA version reads.
[[nodiscard]] int newest_ptx(int driver_version);

/// Makes a context current for a scope and leaves the caller's as it was. A thread that has none keeps it, as with the CUDA runtime: then, and where
/// it is current already, this costs one driver call.
class ContextScope {
 public:
  ContextScope(const Driver& driver, Context context) : driver_(driver) {
    Context current = nullptr;
    driver_.cuCtxGetCurrent(&current);
    if (current != context) {
      check(driver_.cuCtxPushCurrent(context), "making the device's context current");
      must_pop_ = current != nullptr;
    }
  }
  ~ContextScope() {
    Context popped;
    if (must_pop_) driver_.cuCtxPopCurrent(&popped);
  }
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  const Driver& driver_;
  bool must_pop_ = false;
};

/// While it lives, this thread may allocate and load modules although a stream is being captured, by cuttle or by others.
class RelaxedCapture {
 public:
  explicit RelaxedCapture(const Driver& driver) : driver_(driver) { driver_.cuThreadExchangeStreamCaptureMode(&mode_); }
  ~RelaxedCapture() { driver_.cuThreadExchangeStreamCaptureMode(&mode_); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  const Driver& driver_;
  CaptureMode mode_ = CaptureMode::relaxed;
};

}  // namespace cuttle::detail::cuda
