// A libcuda.so.1 that runs no kernel: memory is the host's, binaries are the PTX text, launches are written down. It lets the CUDA half of
// cuttle be tested, and its host code timed, where there is no GPU. CUTTLE_DRIVER selects it; stub_driver.h is its other half.

#include "support/stub_driver.h"

#include <algorithm>
#include <cstdlib>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/src/cuda_driver.h"

namespace {

using namespace cuttle::detail::cuda;
using cuttle::test::StubEntry;
using cuttle::test::StubLaunch;
using cuttle::test::StubState;

constexpr Result invalid_value = error_invalid_value, no_device = 100, not_found = error_not_found;
constexpr int device_count = 2;
// No driver has this number: what is kept under it is never served to a real one.
constexpr int stub_version = 13009;

StubEntry entries[] = {
#define CUTTLE_ENTRY(name, version, parameters) {#name},
    CUTTLE_CUDA_FUNCTIONS(CUTTLE_ENTRY) CUTTLE_NEWER_CUDA_FUNCTIONS(CUTTLE_ENTRY)
#undef CUTTLE_ENTRY
};

enum Index {
#define CUTTLE_INDEX(name, version, parameters) at_##name,
  CUTTLE_CUDA_FUNCTIONS(CUTTLE_INDEX) CUTTLE_NEWER_CUDA_FUNCTIONS(CUTTLE_INDEX)
#undef CUTTLE_INDEX
};

StubState state{.entries = entries, .entry_count = std::size(entries)};

// Counts a call; what it returns is what the function shall return, success to go on.
Result enter(Index index) {
  if (!state.recording.load(std::memory_order_relaxed)) [[likely]]
    return success;
  entries[index].calls.fetch_add(1, std::memory_order_relaxed);
  const char* failing = state.failing.load();
  return failing && std::string_view(failing) == entries[index].name ? state.failure.load() : success;
}

#define CUTTLE_ENTER(name) \
  if (const Result refused = enter(at_##name); refused != success) return refused

// ---- PTX, as far as a launch needs it: the entries, the size of each parameter, and the variables ---------------------------------

struct StubFunction {
  std::string name;
  std::vector<std::size_t> parameter_sizes;
};
struct StubVariable {
  std::string name;
  std::vector<unsigned char> memory;
};
struct StubModule {
  std::list<StubFunction> functions;
  std::list<StubVariable> variables;
};
struct StubLink {
  std::string ptx;
  char* error_log = nullptr;
  std::size_t error_log_size = 0;
};

// ".param .u32 name", ".param .align 8 .b8 name[24]"
std::size_t parameter_size(std::string_view declaration) {
  std::size_t element = 0;
  for (std::size_t at = declaration.find('.'); at != std::string_view::npos; at = declaration.find('.', at + 1)) {
    const std::string_view word = declaration.substr(at + 1, declaration.find_first_of(" \t", at) - at - 1);
    if (word.size() >= 2 && std::strchr("bsuf", word[0]) && std::strchr("12368", word[1])) element = std::stoul(std::string(word.substr(1))) / 8;
  }
  const std::size_t bracket = declaration.find('[');
  return bracket == std::string_view::npos ? element : element * std::stoul(std::string(declaration.substr(bracket + 1)));
}

StubModule* read_module(std::string_view ptx) {
  auto* module = new StubModule;
  constexpr std::string_view mark = ".entry ";
  for (std::size_t at = ptx.find(mark); at != std::string_view::npos; at = ptx.find(mark, at + 1)) {
    const std::size_t open = ptx.find('(', at);
    StubFunction function{std::string(ptx.substr(at + mark.size(), open - at - mark.size())), {}};
    const std::string_view list = ptx.substr(open, ptx.find(')', open) - open);
    for (std::size_t p = list.find(".param"); p != std::string_view::npos; p = list.find(".param", p + 1)) {
      // Clang names every parameter entry_param_N: the next ".param" begins the next declaration.
      function.parameter_sizes.push_back(parameter_size(list.substr(p, list.find_first_of(",\n", p) - p)));
    }
    module->functions.push_back(std::move(function));
  }
  // ".visible .global .align 4 .f32 scale = 0f40000000;", ".visible .const .align 4 .b8 table[16];"
  for (std::size_t at = ptx.find(".visible .", 0); at != std::string_view::npos; at = ptx.find(".visible .", at + 1)) {
    const std::string_view declaration = ptx.substr(at, ptx.find_first_of("=;", at) - at);
    if (!declaration.starts_with(".visible .global") && !declaration.starts_with(".visible .const")) continue;
    std::string_view name = declaration.substr(0, declaration.find_last_not_of(" ") + 1);
    name = name.substr(0, name.find('['));
    name.remove_prefix(name.find_last_of(" ") + 1);
    module->variables.push_back({std::string(name), std::vector<unsigned char>(parameter_size(declaration))});
  }
  return module;
}

// ---- contexts: one a device, and a stack of current ones a thread -----------------------------------------------------------------

constexpr std::size_t deepest_context_stack = 16;
thread_local Context contexts[deepest_context_stack];
thread_local std::size_t context_depth = 0;

char context_places[device_count];

Context context_of(DeviceHandle device) { return reinterpret_cast<Context>(&context_places[device]); }

int current_device() { return context_depth == 0 ? 0 : static_cast<int>(reinterpret_cast<char*>(contexts[context_depth - 1]) - context_places); }

// ---- the functions ----------------------------------------------------------------------------------------------------------------

Result stub_cuInit(unsigned) {
  CUTTLE_ENTER(cuInit);
  return success;
}

Result stub_cuDriverGetVersion(int* version) {
  CUTTLE_ENTER(cuDriverGetVersion);
  const char* other = std::getenv("CUTTLE_STUB_VERSION");
  *version = other ? std::atoi(other) : stub_version;
  return success;
}

Result stub_cuGetErrorName(Result error, const char** text) {
  CUTTLE_ENTER(cuGetErrorName);
  *text = error == error_out_of_memory ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_THE_STUB";
  return success;
}

Result stub_cuGetErrorString(Result error, const char** text) {
  CUTTLE_ENTER(cuGetErrorString);
  *text = error == error_out_of_memory ? "out of memory" : "the stub was told to fail";
  return success;
}

Result stub_cuDeviceGetCount(int* count) {
  CUTTLE_ENTER(cuDeviceGetCount);
  *count = device_count;
  return success;
}

Result stub_cuDeviceGet(DeviceHandle* device, int index) {
  CUTTLE_ENTER(cuDeviceGet);
  if (index < 0 || index >= device_count) return no_device;
  *device = index;
  return success;
}

Result stub_cuDeviceGetName(char* name, int size, DeviceHandle) {
  CUTTLE_ENTER(cuDeviceGetName);
  std::strncpy(name, "stub GPU", static_cast<std::size_t>(size));
  return success;
}

// An H200's, and 1 for a capability that is only there or not.
Result stub_cuDeviceGetAttribute(int* value, DeviceAttribute attribute, DeviceHandle) {
  CUTTLE_ENTER(cuDeviceGetAttribute);
  switch (attribute) {
    case DeviceAttribute::max_threads_per_block:
    case DeviceAttribute::max_block_dim_x:
    case DeviceAttribute::max_block_dim_y:
      return *value = 1024, success;
    case DeviceAttribute::max_block_dim_z:
      return *value = 64, success;
    case DeviceAttribute::max_grid_dim_x:
      return *value = 0x7fffffff, success;
    case DeviceAttribute::max_grid_dim_y:
    case DeviceAttribute::max_grid_dim_z:
      return *value = 65535, success;
    case DeviceAttribute::compute_capability_major:
      return *value = 9, success;
    case DeviceAttribute::compute_capability_minor:
    case DeviceAttribute::pageable_memory_access:
      return *value = 0, success;
    case DeviceAttribute::max_shared_memory_per_block_optin:
      return *value = 227 * 1024, success;
    default:
      return *value = 1, success;
  }
}

Result stub_cuDevicePrimaryCtxRetain(Context* context, DeviceHandle device) {
  CUTTLE_ENTER(cuDevicePrimaryCtxRetain);
  *context = context_of(device);
  return success;
}

Result stub_cuCtxGetCurrent(Context* context) {
  CUTTLE_ENTER(cuCtxGetCurrent);
  *context = context_depth == 0 ? nullptr : contexts[context_depth - 1];
  return success;
}

Result stub_cuCtxPushCurrent(Context context) {
  CUTTLE_ENTER(cuCtxPushCurrent);
  if (context_depth == deepest_context_stack) return invalid_value;
  contexts[context_depth++] = context;
  return success;
}

Result stub_cuCtxPopCurrent(Context* context) {
  CUTTLE_ENTER(cuCtxPopCurrent);
  if (context_depth == 0) return invalid_value;
  *context = contexts[--context_depth];
  return success;
}

Result stub_cuCtxSynchronize() {
  CUTTLE_ENTER(cuCtxSynchronize);
  return success;
}

Result stub_cuMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  CUTTLE_ENTER(cuMemGetInfo);
  *free_bytes = std::size_t{1} << 30;
  *total_bytes = std::size_t{2} << 30;
  return success;
}

constexpr int on_the_host = -1;

// What a driver knows of: its own memory, and the host's that it allocated.
class KnownMemory {
 public:
  struct Block {
    std::size_t bytes;
    int device;
  };

  void add(const void* begin, std::size_t bytes, int device) {
    const std::lock_guard lock(mutex_);
    blocks_[reinterpret_cast<DevicePointer>(begin)] = {bytes, device};
  }
  void remove(const void* begin) {
    const std::lock_guard lock(mutex_);
    blocks_.erase(reinterpret_cast<DevicePointer>(begin));
  }
  std::optional<Block> find(DevicePointer pointer) {
    const std::lock_guard lock(mutex_);
    auto after = blocks_.upper_bound(pointer);
    if (after == blocks_.begin()) return std::nullopt;
    --after;
    return pointer - after->first < after->second.bytes ? std::optional(after->second) : std::nullopt;
  }

 private:
  std::mutex mutex_;
  std::map<DevicePointer, Block> blocks_;
};

KnownMemory& known_memory() {
  static auto* known = new KnownMemory;  // globals of a program are freed at its end
  return *known;
}

Result allocate(DevicePointer* pointer, std::size_t bytes) {
  void* memory = std::malloc(bytes);
  if (!memory) return error_out_of_memory;
  known_memory().add(memory, bytes, current_device());
  *pointer = reinterpret_cast<DevicePointer>(memory);
  ++state.live_allocations;
  return success;
}

Result release(DevicePointer pointer) {
  known_memory().remove(reinterpret_cast<void*>(pointer));
  std::free(reinterpret_cast<void*>(pointer));
  --state.live_allocations;
  return success;
}

Result stub_cuMemAlloc(DevicePointer* pointer, std::size_t bytes) {
  CUTTLE_ENTER(cuMemAlloc);
  return allocate(pointer, bytes);
}

Result stub_cuMemFree(DevicePointer pointer) {
  CUTTLE_ENTER(cuMemFree);
  return release(pointer);
}

Result stub_cuMemAllocManaged(DevicePointer* pointer, std::size_t bytes, unsigned) {
  CUTTLE_ENTER(cuMemAllocManaged);
  return allocate(pointer, bytes);
}

Result stub_cuMemcpy2DAsync(const RowsCopy* copy, StreamHandle) {
  CUTTLE_ENTER(cuMemcpy2DAsync);
  if (copy->from.memory_type != memory_type_unified || copy->to.memory_type != memory_type_unified) return invalid_value;
  if (copy->from.pitch < copy->width || copy->to.pitch < copy->width) return invalid_value;
  for (std::size_t row = 0; row < copy->rows; ++row) {
    std::memcpy(reinterpret_cast<char*>(copy->to.device) + row * copy->to.pitch,
                reinterpret_cast<const char*>(copy->from.device) + row * copy->from.pitch, copy->width);
  }
  return success;
}

Result stub_cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  CUTTLE_ENTER(cuMemHostAlloc);
  *pointer = std::malloc(bytes);
  if (*pointer) known_memory().add(*pointer, bytes, on_the_host);
  return *pointer ? success : error_out_of_memory;
}

Result stub_cuPointerGetAttribute(void* value, PointerAttribute attribute, DevicePointer pointer) {
  CUTTLE_ENTER(cuPointerGetAttribute);
  const auto block = known_memory().find(pointer);
  if (!block) return invalid_value;
  switch (attribute) {
    case PointerAttribute::memory_type:
      return *static_cast<unsigned*>(value) = block->device == on_the_host ? 1 : memory_type_device, success;
    case PointerAttribute::device_ordinal:
      return *static_cast<int*>(value) = block->device, success;
    case PointerAttribute::access_flags:  // no GPU is another's peer
      return *static_cast<unsigned*>(value) = block->device == current_device() ? 3 : 0, success;
  }
  return invalid_value;
}

Result stub_cuMemFreeHost(void* pointer) {
  CUTTLE_ENTER(cuMemFreeHost);
  known_memory().remove(pointer);
  std::free(pointer);
  return success;
}

Result stub_cuMemAllocFromPoolAsync(DevicePointer* pointer, std::size_t bytes, MemoryPool, StreamHandle) {
  CUTTLE_ENTER(cuMemAllocFromPoolAsync);
  return allocate(pointer, bytes);
}

Result stub_cuMemPoolCreate(MemoryPool* pool, const MemoryPoolProperties* properties) {
  CUTTLE_ENTER(cuMemPoolCreate);
  // CU_MEM_ALLOCATION_TYPE_PINNED on a CU_MEM_LOCATION_TYPE_DEVICE is all that the real one takes.
  if (properties->allocation_type != 1 || properties->location_type != 1 || properties->location_id >= device_count) return invalid_value;
  static char places[device_count];
  *pool = reinterpret_cast<MemoryPool>(&places[properties->location_id]);
  return success;
}

Result stub_cuMemPoolGetAttribute(MemoryPool, MemoryPoolAttribute, void* value) {
  CUTTLE_ENTER(cuMemPoolGetAttribute);
  *static_cast<std::uint64_t*>(value) = 0;
  return success;
}

Result stub_cuMemFreeAsync(DevicePointer pointer, StreamHandle) {
  CUTTLE_ENTER(cuMemFreeAsync);
  return release(pointer);
}

Result stub_cuMemcpyAsync(DevicePointer to, DevicePointer from, std::size_t bytes, StreamHandle) {
  CUTTLE_ENTER(cuMemcpyAsync);
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return success;
}

template <class T>
Result fill(DevicePointer to, T value, std::size_t count) {
  std::fill_n(reinterpret_cast<T*>(to), count, value);
  return success;
}

Result stub_cuMemsetD8Async(DevicePointer to, unsigned char value, std::size_t count, StreamHandle) {
  CUTTLE_ENTER(cuMemsetD8Async);
  return fill(to, value, count);
}

Result stub_cuMemsetD16Async(DevicePointer to, unsigned short value, std::size_t count, StreamHandle) {
  CUTTLE_ENTER(cuMemsetD16Async);
  return fill(to, value, count);
}

Result stub_cuMemsetD32Async(DevicePointer to, unsigned value, std::size_t count, StreamHandle) {
  CUTTLE_ENTER(cuMemsetD32Async);
  return fill(to, value, count);
}

// ---- streams and events: places to tell apart; everything is done when the call returns -------------------------------------------

Result stub_cuStreamCreateWithPriority(StreamHandle* stream, unsigned, int) {
  CUTTLE_ENTER(cuStreamCreateWithPriority);
  *stream = reinterpret_cast<StreamHandle>(new char);
  ++state.live_streams;
  return success;
}

Result stub_cuStreamDestroy(StreamHandle stream) {
  CUTTLE_ENTER(cuStreamDestroy);
  delete reinterpret_cast<char*>(stream);
  --state.live_streams;
  return success;
}

Result stub_cuStreamIsCapturing(StreamHandle, CaptureStatus* status) {
  CUTTLE_ENTER(cuStreamIsCapturing);
  *status = CaptureStatus::none;
  return success;
}

Result stub_cuStreamEndCapture(StreamHandle, GraphHandle* graph) {
  CUTTLE_ENTER(cuStreamEndCapture);
  static char place;
  *graph = reinterpret_cast<GraphHandle>(&place);
  return success;
}

Result stub_cuGraphInstantiateWithFlags(ExecutableGraph* executable, GraphHandle, unsigned long long) {
  CUTTLE_ENTER(cuGraphInstantiateWithFlags);
  static char place;
  *executable = reinterpret_cast<ExecutableGraph>(&place);
  return success;
}

Result stub_cuLaunchHostFunc(StreamHandle, void (*function)(void*), void* data) {
  CUTTLE_ENTER(cuLaunchHostFunc);
  function(data);
  return success;
}

Result stub_cuEventCreate(EventHandle* event, unsigned) {
  CUTTLE_ENTER(cuEventCreate);
  *event = reinterpret_cast<EventHandle>(new char);
  return success;
}

Result stub_cuEventDestroy(EventHandle event) {
  CUTTLE_ENTER(cuEventDestroy);
  delete reinterpret_cast<char*>(event);
  return success;
}

Result stub_cuEventElapsedTime(float* milliseconds, EventHandle, EventHandle) {
  CUTTLE_ENTER(cuEventElapsedTime);
  *milliseconds = 1;
  return success;
}

Result stub_cuDeviceGetPCIBusId(char* text, int size, DeviceHandle device) {
  CUTTLE_ENTER(cuDeviceGetPCIBusId);
  std::strncpy(text, device == 0 ? "0000:01:00.0" : "0000:02:00.0", static_cast<std::size_t>(size));
  return success;
}

Result stub_cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  CUTTLE_ENTER(cuCtxGetStreamPriorityRange);
  *least = 0;
  *greatest = -5;
  return success;
}

Result stub_cuLinkCreate(unsigned count, JitOption* options, void** values, LinkState* link_state) {
  CUTTLE_ENTER(cuLinkCreate);
  auto* link = new StubLink;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == JitOption::error_log_buffer) link->error_log = static_cast<char*>(values[i]);
    if (options[i] == JitOption::error_log_buffer_size_bytes) link->error_log_size = reinterpret_cast<std::size_t>(values[i]);
  }
  *link_state = reinterpret_cast<LinkState>(link);
  return success;
}

Result stub_cuLinkAddData(LinkState link_state, int type, void* data, std::size_t size, const char*, unsigned, JitOption*, void**) {
  CUTTLE_ENTER(cuLinkAddData);
  const auto* text = static_cast<const char*>(data);
  if (type != jit_input_ptx || size == 0 || text[size - 1] != '\0') return invalid_value;  // the real one reads to the NUL, and counts it
  reinterpret_cast<StubLink*>(link_state)->ptx = text;
  return success;
}

Result stub_cuLinkComplete(LinkState link_state, void** cubin, std::size_t* size) {
  auto* link = reinterpret_cast<StubLink*>(link_state);
  if (const Result refused = enter(at_cuLinkComplete); refused != success) {
    if (link->error_log_size > 0) {
      std::strncpy(link->error_log, state.link_log, link->error_log_size - 1);
      link->error_log[link->error_log_size - 1] = '\0';
    }
    return refused;
  }
  *cubin = link->ptx.data();
  *size = link->ptx.size() + 1;
  return success;
}

Result stub_cuLinkDestroy(LinkState link_state) {
  CUTTLE_ENTER(cuLinkDestroy);
  delete reinterpret_cast<StubLink*>(link_state);  // and with it the binary, as the real one does
  return success;
}

Result stub_cuModuleLoadData(ModuleHandle* module, const void* image) {
  CUTTLE_ENTER(cuModuleLoadData);
  *module = reinterpret_cast<ModuleHandle>(read_module(static_cast<const char*>(image)));
  return success;
}

Result stub_cuModuleGetFunction(Function* function, ModuleHandle module, const char* name) {
  CUTTLE_ENTER(cuModuleGetFunction);
  for (StubFunction& candidate : reinterpret_cast<StubModule*>(module)->functions) {
    if (candidate.name == name) return *function = reinterpret_cast<Function>(&candidate), success;
  }
  return not_found;
}

Result stub_cuModuleGetGlobal(DevicePointer* pointer, std::size_t* bytes, ModuleHandle module, const char* name) {
  CUTTLE_ENTER(cuModuleGetGlobal);
  for (StubVariable& candidate : reinterpret_cast<StubModule*>(module)->variables) {
    if (candidate.name != name) continue;
    *pointer = reinterpret_cast<DevicePointer>(candidate.memory.data());
    *bytes = candidate.memory.size();
    return success;
  }
  return not_found;
}

Result stub_cuFuncGetParamInfo(Function function, std::size_t index, std::size_t*, std::size_t* size) {
  CUTTLE_ENTER(cuFuncGetParamInfo);
  const auto& sizes = reinterpret_cast<StubFunction*>(function)->parameter_sizes;
  if (index >= sizes.size()) return invalid_value;
  *size = sizes[index];
  return success;
}

Result stub_cuFuncGetAttribute(int* value, FunctionAttribute attribute, Function) {
  CUTTLE_ENTER(cuFuncGetAttribute);
  *value = attribute == FunctionAttribute::max_threads_per_block ? 1024 : attribute == FunctionAttribute::num_regs ? 32 : 0;
  return success;
}

Result stub_cuOccupancyMaxPotentialBlockSize(int* grid, int* block, Function, std::size_t (*)(int), std::size_t, int) {
  CUTTLE_ENTER(cuOccupancyMaxPotentialBlockSize);
  *grid = 264;
  *block = 1024;
  return success;
}

void write_down(const StubFunction& function, const unsigned (&grid)[3], const unsigned (&block)[3], unsigned shared_bytes, void* stream,
                void** arguments) {
  StubLaunch& launch = state.last_launch;
  launch = {};
  std::strncpy(launch.entry, function.name.c_str(), sizeof(launch.entry) - 1);
  std::memcpy(launch.grid, grid, sizeof(grid));
  std::memcpy(launch.block, block, sizeof(block));
  launch.shared_bytes = shared_bytes;
  launch.stream = stream;
  launch.context = context_depth == 0 ? nullptr : contexts[context_depth - 1];
  launch.parameter_count = std::min(function.parameter_sizes.size(), cuttle::test::stub_most_parameters);
  for (std::size_t i = 0; i < launch.parameter_count; ++i) {
    launch.parameter_sizes[i] = function.parameter_sizes[i];
    std::memcpy(launch.parameters[i], arguments[i], std::min(function.parameter_sizes[i], cuttle::test::stub_most_parameter_bytes));
  }
}

Result stub_cuLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                           unsigned shared_bytes, StreamHandle stream, void** arguments, void**) {
  CUTTLE_ENTER(cuLaunchKernel);
  if (state.recording.load(std::memory_order_relaxed)) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    write_down(*reinterpret_cast<StubFunction*>(function), {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream, arguments);
  }
  return success;
}

// Every other function that cuttle calls is counted, does nothing, and succeeds. C calls let a callee ignore its arguments.
template <Index index>
Result counted() {
  return enter(index);
}

struct Row {
  std::string_view name;
  void* function;
};

const Row rows[] = {
#define CUTTLE_ROW(name) {#name, reinterpret_cast<void*>(&stub_##name)},
    CUTTLE_ROW(cuInit) CUTTLE_ROW(cuDriverGetVersion) CUTTLE_ROW(cuGetErrorName) CUTTLE_ROW(cuGetErrorString) CUTTLE_ROW(cuDeviceGetCount)
        CUTTLE_ROW(cuDeviceGet) CUTTLE_ROW(cuDeviceGetName) CUTTLE_ROW(cuDeviceGetAttribute) CUTTLE_ROW(cuDevicePrimaryCtxRetain)
            CUTTLE_ROW(cuCtxGetCurrent) CUTTLE_ROW(cuCtxPushCurrent) CUTTLE_ROW(cuCtxPopCurrent) CUTTLE_ROW(cuCtxSynchronize) CUTTLE_ROW(cuMemGetInfo)
                CUTTLE_ROW(cuMemAlloc) CUTTLE_ROW(cuMemFree) CUTTLE_ROW(cuMemAllocFromPoolAsync) CUTTLE_ROW(cuMemPoolCreate)
                    CUTTLE_ROW(cuMemHostAlloc) CUTTLE_ROW(cuMemFreeHost) CUTTLE_ROW(cuMemPoolGetAttribute) CUTTLE_ROW(cuMemFreeAsync)
                        CUTTLE_ROW(cuMemcpyAsync) CUTTLE_ROW(cuMemsetD8Async) CUTTLE_ROW(cuMemsetD16Async) CUTTLE_ROW(cuMemsetD32Async)
                            CUTTLE_ROW(cuStreamCreateWithPriority) CUTTLE_ROW(cuStreamDestroy) CUTTLE_ROW(cuStreamIsCapturing)
                                CUTTLE_ROW(cuLaunchHostFunc) CUTTLE_ROW(cuEventCreate) CUTTLE_ROW(cuEventDestroy) CUTTLE_ROW(cuEventElapsedTime)
                                    CUTTLE_ROW(cuDeviceGetPCIBusId) CUTTLE_ROW(cuCtxGetStreamPriorityRange) CUTTLE_ROW(cuLinkCreate)
                                        CUTTLE_ROW(cuLinkAddData) CUTTLE_ROW(cuLinkComplete) CUTTLE_ROW(cuLinkDestroy) CUTTLE_ROW(cuModuleLoadData)
                                            CUTTLE_ROW(cuModuleGetFunction) CUTTLE_ROW(cuModuleGetGlobal) CUTTLE_ROW(cuFuncGetAttribute)
                                                CUTTLE_ROW(cuOccupancyMaxPotentialBlockSize) CUTTLE_ROW(cuLaunchKernel) CUTTLE_ROW(cuFuncGetParamInfo)
                                                    CUTTLE_ROW(cuMemAllocManaged) CUTTLE_ROW(cuMemcpy2DAsync) CUTTLE_ROW(cuPointerGetAttribute)
                                                        CUTTLE_ROW(cuStreamEndCapture) CUTTLE_ROW(cuGraphInstantiateWithFlags)
#undef CUTTLE_ROW
#define CUTTLE_ROW(name, version, parameters) {#name, reinterpret_cast<void*>(&counted<at_##name>)},
                                                            CUTTLE_CUDA_FUNCTIONS(CUTTLE_ROW) CUTTLE_NEWER_CUDA_FUNCTIONS(CUTTLE_ROW)
#undef CUTTLE_ROW
};

}  // namespace

#define CUTTLE_STUB_EXPORT extern "C" __attribute__((visibility("default")))

CUTTLE_STUB_EXPORT StubState* cuttle_stub_state() { return &state; }

CUTTLE_STUB_EXPORT Result cuGetProcAddress_v2(const char* name, void** function, int, unsigned long long, int*) {
  for (const Row& row : rows) {
    if (row.name == name) return *function = row.function, success;
  }
  return not_found;
}

// For tests that play another user of the driver.
CUTTLE_STUB_EXPORT Result cuCtxSetCurrent(Context context) {
  context_depth = context ? 1 : 0;
  contexts[0] = context;
  return success;
}

CUTTLE_STUB_EXPORT Result cuCtxGetCurrent(Context* context) { return stub_cuCtxGetCurrent(context); }
