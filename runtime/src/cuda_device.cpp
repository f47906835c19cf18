#include "cuda_device.h"

#include <algorithm>
#include <cstring>
#include <future>
#include <list>
#include <mutex>
#include <new>
#include <optional>

#include "assert_failure.h"
#include "check_text.h"
#include "compilation.h"
#include "cuda_driver.h"
#include "cuda_memory.h"
#include "cuttle/error.hpp"
#include "dsl/device/failed_assert.h"
#include "dump.h"
#include "recent_launches.h"
#include "unreachable_pointers.h"

namespace cuttle::detail {
namespace {

using namespace cuda;

// More than this much dynamic shared memory has to be asked for, function by function.
constexpr std::uint32_t free_dynamic_shared = 48 * 1024;

struct CudaExecutable final : Executable {
  explicit CudaExecutable(const FunctionName& name) : Executable(name), is_checked(name.is_checked) {}

  Function function = nullptr;
  bool is_checked;
  // Launches with less dynamic shared memory than this need no preparation: none before the first, and none where every launch is checked.
  mutable std::atomic<std::uint32_t> prepared_below{0};
  mutable std::atomic<std::uint32_t> preferred_block{0};                   // 0 until it is asked for
  mutable std::atomic<std::uint32_t> dynamic_shared{free_dynamic_shared};  // enabled so far
  mutable std::mutex dynamic_shared_mutex;
};

// PTX to a machine binary, by the driver's own linker, with its log where it fails.
Result link_ptx(const Driver& driver, const std::string& ptx, const std::string& entry, std::string& cubin, std::string& log) {
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
  Result result = driver.cuLinkAddData(state, jit_input_ptx, const_cast<char*>(ptx.c_str()), ptx.size() + 1, entry.c_str(), 0, nullptr, nullptr);
  void* binary = nullptr;
  std::size_t size = 0;
  if (result == success) result = driver.cuLinkComplete(state, &binary, &size);
  if (result == success) cubin.assign(static_cast<const char*>(binary), size);
  return result;
}

class CudaDevice final : public DeviceState {
 public:
  CudaDevice(const Driver& driver, int index) : DeviceState(gpu_facts), driver_(driver), index_(index) {
    check(driver_.cuDeviceGet(&handle_, index), "opening the GPU");
    check(driver_.cuDevicePrimaryCtxRetain(&context_, handle_), "creating the GPU's context");
    using A = DeviceAttribute;
    limits_ = {{attribute(A::max_grid_dim_x), attribute(A::max_grid_dim_y), attribute(A::max_grid_dim_z)},
               {attribute(A::max_block_dim_x), attribute(A::max_block_dim_y), attribute(A::max_block_dim_z)},
               attribute(A::max_threads_per_block),
               attribute(A::max_shared_memory_per_block_optin),
               // Larger clusters than eight blocks are not portable, and need an attribute of the function.
               attribute(A::compute_capability_major) >= 9 ? 8 : 1};
    const ContextScope scope(driver_, context_);
    reaches_host_memory_ = attribute(A::pageable_memory_access) != 0;
    memory_.emplace(driver_, handle_, attribute(A::memory_pools_supported) != 0);
    target_.backend = CUTTLE_BACKEND_PTX;
    target_.sm = static_cast<std::uint32_t>(10 * attribute(A::compute_capability_major) + attribute(A::compute_capability_minor));
    target_.ptx = static_cast<std::uint32_t>(newest_ptx(driver_.version));
    target_.contract = 1;
  }

  bool is_cuda() const override { return true; }
  int index() const override { return index_; }

  std::string name() const override {
    char text[256] = {};
    check(driver_.cuDeviceGetName(text, sizeof(text), handle_), "asking for the GPU's name");
    return text;
  }

  cuttle_target target() const override { return target_; }

  DeviceProperties properties() const override {
    const ContextScope scope = enter();
    using A = DeviceAttribute;
    DeviceProperties properties{};
    properties.multiprocessors = attribute(A::multiprocessor_count);
    properties.max_threads_per_multiprocessor = attribute(A::max_threads_per_multiprocessor);
    properties.warp_size = attribute(A::warp_size);
    properties.registers_per_multiprocessor = attribute(A::max_registers_per_multiprocessor);
    properties.l2_bytes = attribute(A::l2_cache_size);
    properties.clock_khz = attribute(A::clock_rate);
    int least = 0;
    check(driver_.cuCtxGetStreamPriorityRange(&least, &properties.greatest_stream_priority), "asking for the priorities of streams");
    char bus_id[32] = {};
    check(driver_.cuDeviceGetPCIBusId(bus_id, sizeof(bus_id), handle_), "asking for the GPU's bus id");
    properties.pci_bus_id = bus_id;
    properties.driver_version = driver_.version;
    return properties;
  }

  MemoryInfo memory_info() const override {
    const ContextScope scope = enter();
    return memory_->info();
  }

  void* allocate(std::size_t bytes) override {
    const ContextScope scope = enter();
    const RelaxedCapture relaxed(driver_);
    return memory_->allocate(bytes, name());
  }

  void deallocate(void* data) noexcept override {
    try_in_context([&] { memory_->free(data); });
  }

  void* allocate_shared(SharedMemory kind, std::size_t bytes) override {
    const ContextScope scope = enter();
    const RelaxedCapture relaxed(driver_);
    const bool is_pinned = kind == SharedMemory::pinned;
    void* data = nullptr;
    DevicePointer managed = 0;
    const Result result =
        is_pinned ? driver_.cuMemHostAlloc(&data, bytes, host_memory_portable) : driver_.cuMemAllocManaged(&managed, bytes, managed_memory_global);
    if (result == error_out_of_memory) {
      throw OutOfMemory(std::to_string(bytes) + " bytes of " + (is_pinned ? "pinned host" : "managed") +
                            " memory were asked for, and the machine does not have as many free.",
                        bytes, 0);
    }
    check_fault(result, is_pinned ? "allocating pinned host memory" : "allocating managed memory");
    return is_pinned ? data : reinterpret_cast<void*>(managed);
  }
  void deallocate_shared(SharedMemory kind, void* data) noexcept override {
    try_in_context([&] { kind == SharedMemory::pinned ? driver_.cuMemFreeHost(data) : driver_.cuMemFree(pointer(data)); });
  }

  // With unified addresses the driver knows by itself what is host and what is device memory, and of which device.
  void copy(void* to, const void* from, std::size_t bytes, void* stream) override {
    const ContextScope scope = enter();
    check_fault(driver_.cuMemcpyAsync(pointer(to), pointer(const_cast<void*>(from)), bytes, native(stream)), "copying");
  }

  void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t rows,
                 void* stream) override {
    const ContextScope scope = enter();
    RowsCopy rows_copy{};
    rows_copy.from = {.memory_type = memory_type_unified, .device = pointer(const_cast<void*>(from)), .pitch = from_pitch};
    rows_copy.to = {.memory_type = memory_type_unified, .device = pointer(to), .pitch = to_pitch};
    rows_copy.width = width;
    rows_copy.rows = rows;
    check_fault(driver_.cuMemcpy2DAsync(&rows_copy, native(stream)), "copying rows");
  }

  void fill(void* to, const void* element, std::size_t element_size, std::size_t count, void* stream) override {
    const ContextScope scope = enter();
    const char* bytes = static_cast<const char*>(element);
    if (std::all_of(bytes, bytes + element_size, [bytes](char byte) { return byte == *bytes; })) {
      check_fault(driver_.cuMemsetD8Async(pointer(to), static_cast<unsigned char>(*bytes), element_size * count, native(stream)), "filling");
    } else if (element_size == 2) {
      std::uint16_t word;
      std::memcpy(&word, element, sizeof(word));
      check_fault(driver_.cuMemsetD16Async(pointer(to), word, count, native(stream)), "filling");
    } else if (element_size == 4) {
      std::uint32_t word;
      std::memcpy(&word, element, sizeof(word));
      check_fault(driver_.cuMemsetD32Async(pointer(to), word, count, native(stream)), "filling");
    } else {
      fill_by_doubling(static_cast<char*>(to), bytes, element_size, count, stream);
    }
  }

  void synchronize() override {
    const ContextScope scope = enter();
    check_fault(driver_.cuCtxSynchronize(), "waiting for the device");
    failures_.raise_any();
  }

  void reset() override {
    synchronize();
    const ContextScope scope = enter();
    memory_->trim();
  }

  void* make_stream(int priority, bool non_blocking) override {
    const ContextScope scope = enter();
    StreamHandle stream = nullptr;
    check(driver_.cuStreamCreateWithPriority(&stream, non_blocking ? stream_non_blocking : 0, priority), "making a stream");
    return stream;
  }
  void destroy_stream(void* stream) noexcept override {
    failures_.forget(stream);
    try_in_context([&] { driver_.cuStreamDestroy(native(stream)); });
  }
  void add_stream(void* stream) override {
    const ContextScope scope = enter();
    memory_->add_stream(native(stream));
  }
  void remove_stream(void* stream) noexcept override {
    try_in_context([&] { memory_->remove_stream(native(stream)); });
  }
  void synchronize_stream(void* stream) override {
    const ContextScope scope = enter();
    check_fault(driver_.cuStreamSynchronize(native(stream)), "waiting for a stream");
    failures_.raise(stream);
  }
  bool is_stream_done(void* stream) override {
    const ContextScope scope = enter();
    return is_done(driver_.cuStreamQuery(native(stream)), "asking whether a stream is done");
  }
  void wait(void* stream, void* event) override {
    const ContextScope scope = enter();
    check_fault(driver_.cuStreamWaitEvent(native(stream), static_cast<EventHandle>(event), 0), "letting a stream wait for an event");
  }
  void call_on_host(void* stream, void (*function)(void*), void* data) override {
    const ContextScope scope = enter();
    CaptureStatus status = CaptureStatus::none;
    check_fault(driver_.cuStreamIsCapturing(native(stream), &status), "queueing a call on the host");
    if (status != CaptureStatus::none)
      throw LaunchError("a call on the host was asked for while a Graph is recorded; it records launches, copies and fills.");
    check_fault(driver_.cuLaunchHostFunc(native(stream), function, data), "queueing a call on the host");
  }

  void* make_event() override {
    const ContextScope scope = enter();
    EventHandle event = nullptr;
    check(driver_.cuEventCreate(&event, 0), "making an event");
    return event;
  }
  void destroy_event(void* event) noexcept override {
    try_in_context([&] { driver_.cuEventDestroy(static_cast<EventHandle>(event)); });
  }
  void record(void* event, void* stream) override {
    const ContextScope scope = enter();
    check_fault(driver_.cuEventRecord(static_cast<EventHandle>(event), native(stream)), "recording an event");
  }
  void synchronize_event(void* event) override {
    const ContextScope scope = enter();
    check_fault(driver_.cuEventSynchronize(static_cast<EventHandle>(event)), "waiting for an event");
    failures_.raise_any();  // the driver does not tell the event's stream
  }
  bool is_event_done(void* event) override {
    const ContextScope scope = enter();
    return is_done(driver_.cuEventQuery(static_cast<EventHandle>(event)), "asking whether an event is done");
  }
  double milliseconds_between(void* begin, void* end) override {
    const ContextScope scope = enter();
    float milliseconds = 0;
    check_fault(driver_.cuEventElapsedTime(&milliseconds, static_cast<EventHandle>(begin), static_cast<EventHandle>(end)),
                "asking for the time between two events");
    return milliseconds;
  }

  void begin_capture(void* stream) override {
    const ContextScope scope = enter();
    check_fault(driver_.cuStreamBeginCapture(native(stream), CaptureMode::relaxed), "beginning to record a graph");
  }
  void abandon_capture(void* stream) noexcept override {
    try_in_context([&] {
      GraphHandle graph = nullptr;
      if (driver_.cuStreamEndCapture(native(stream), &graph) == success && graph) driver_.cuGraphDestroy(graph);
    });
  }
  void* end_capture(void* stream, void* previous) override {
    const ContextScope scope = enter();
    GraphHandle graph = nullptr;
    check_fault(driver_.cuStreamEndCapture(native(stream), &graph), "recording a graph");
    auto executable = static_cast<ExecutableGraph>(previous);
    GraphUpdateResult ignored{};
    Result result = success;
    if (!executable || driver_.cuGraphExecUpdate(executable, graph, &ignored) != success) {
      ExecutableGraph made = nullptr;  // of another structure: made anew
      result = driver_.cuGraphInstantiateWithFlags(&made, graph, 0);
      if (result == success && executable) driver_.cuGraphExecDestroy(executable);
      if (result == success) executable = made;
    }
    driver_.cuGraphDestroy(graph);
    check_fault(result, "making a graph ready to run");
    return executable;
  }
  void replay(void* graph, void* stream) override {
    const ContextScope scope = enter();
    check_fault(driver_.cuGraphLaunch(static_cast<ExecutableGraph>(graph), native(stream)), "replaying a graph");
  }
  void destroy_graph(void* graph) noexcept override {
    try_in_context([&] { driver_.cuGraphExecDestroy(static_cast<ExecutableGraph>(graph)); });
  }

  std::string linker_identity() const override { return "driver=" + std::to_string(driver_.version); }

  // The driver opens its assembler at the first link.
  std::future<void> start_linker() override {
    if (is_linker_started_.exchange(true)) return {};
    return std::async(std::launch::async, [this] {
      const ContextScope scope = enter();
      const RelaxedCapture relaxed(driver_);
      constexpr const char* nothing = ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
      std::string cubin, log(1024, '\0');
      static_cast<void>(link_ptx(driver_, nothing, "nothing", cubin, log));  // a failure is told by the link that needs it
    });
  }

  std::string link(const Compilation& compilation) override {
    const ContextScope scope = enter();
    const RelaxedCapture relaxed(driver_);
    std::string cubin, log(16 * 1024, '\0');
    const Result result = link_ptx(driver_, compilation.code, compilation.entry, cubin, log);
    if (result != success) {
      const std::string kept = keep_failed_ptx(compilation);
      fail(result, "assembling the PTX of kernel " + compilation.entry + " " + compilation.signature + " (kept in " + kept +
                       "; the driver says: " + log.c_str() + ")");
    }
    dump_binary(compilation, "cubin", cubin);
    return cubin;
  }

  void* load_module(const std::string& binary, const std::string& title) override {
    const ContextScope scope = enter();
    const RelaxedCapture relaxed(driver_);
    ModuleHandle module = nullptr;
    const Result result = driver_.cuModuleLoadData(&module, binary.data());
    if (result != success) fail(result, "loading the binary of kernel " + title);
    connect_asserts(module, title);
    return module;
  }

  std::unique_ptr<const Executable> find_function(void* module, const FunctionName& name) override {
    const ContextScope scope = enter();
    const RelaxedCapture relaxed(driver_);
    Function function = nullptr;
    const Result found = driver_.cuModuleGetFunction(&function, static_cast<ModuleHandle>(module), name.symbol.c_str());
    if (found == error_not_found) return nullptr;
    check(found, "finding a kernel in its binary");
    // A first call waits for this: what only some launches and messages need is asked for by them.
    FunctionName known = name;
    known.static_shared_bytes =
        std::max(name.static_shared_bytes, static_cast<std::size_t>(attribute(function, FunctionAttribute::shared_size_bytes)));
    auto executable = std::make_unique<CudaExecutable>(known);
    executable->function = function;
    return executable;
  }

  MemoryRange find_variable(void* module, const std::string& symbol) override {
    const ContextScope scope = enter();
    const RelaxedCapture relaxed(driver_);
    DevicePointer data = 0;
    std::size_t bytes = 0;
    const Result found = driver_.cuModuleGetGlobal(&data, &bytes, static_cast<ModuleHandle>(module), symbol.c_str());
    if (found == error_not_found) return {};
    check(found, "finding a variable of a module");
    return {reinterpret_cast<void*>(data), bytes};
  }

  std::optional<std::vector<std::size_t>> parameter_sizes(const Executable& executable) const override {
    if (!driver_.cuFuncGetParamInfo) return std::nullopt;
    const ContextScope scope = enter();
    std::vector<std::size_t> sizes;
    std::size_t offset = 0, size = 0;
    while (driver_.cuFuncGetParamInfo(static_cast<const CudaExecutable&>(executable).function, sizes.size(), &offset, &size) == success) {
      sizes.push_back(size);
    }
    return sizes;
  }

  Resources resources(const Executable& executable) const override {
    const ContextScope scope = enter();
    const Function function = static_cast<const CudaExecutable&>(executable).function;
    using A = FunctionAttribute;
    return {.registers = attribute(function, A::num_regs),
            .local_bytes = static_cast<std::size_t>(attribute(function, A::local_size_bytes)),
            .static_shared_bytes = executable.static_shared_bytes,
            .constant_bytes = static_cast<std::size_t>(attribute(function, A::const_size_bytes)),
            .max_threads = attribute(function, A::max_threads_per_block),
            .ptx_version = attribute(function, A::ptx_version),
            .binary_version = attribute(function, A::binary_version)};
  }
  int blocks_per_multiprocessor(const Executable& executable, int threads, std::size_t shared_bytes) const override {
    const ContextScope scope = enter();
    const auto& kernel = static_cast<const CudaExecutable&>(executable);
    // The driver counts no block that asks for more than the function may use.
    if (shared_bytes > kernel.dynamic_shared.load(std::memory_order_relaxed)) enable_dynamic_shared(kernel, static_cast<std::uint32_t>(shared_bytes));
    int blocks = 0;
    check(
        driver_.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, static_cast<const CudaExecutable&>(executable).function, threads, shared_bytes),
        "asking how many blocks of a kernel fit");
    return blocks;
  }

  std::uint32_t preferred_block(const Executable& executable) const override {
    const auto& kernel = static_cast<const CudaExecutable&>(executable);
    std::uint32_t preferred = kernel.preferred_block.load(std::memory_order_relaxed);
    if (preferred == 0) {
      const ContextScope scope = enter();
      int grid = 0, block = 0;
      check(driver_.cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel.function, nullptr, 0, 0), "asking for a block size");
      // Larger blocks only lengthen the tail; past 256 threads occupancy rarely asks for more.
      preferred = static_cast<std::uint32_t>(std::clamp(block, 1, 256));
      kernel.preferred_block.store(preferred, std::memory_order_relaxed);
    }
    return preferred;
  }

  void launch(const Executable& executable, const Geometry& geometry, void* stream, const Signature& signature, const void* const* arguments) override
      try {
    const auto& kernel = static_cast<const CudaExecutable&>(executable);
    const ContextScope scope = enter();
    if (geometry.shared_bytes >= kernel.prepared_below.load(std::memory_order_relaxed)) [[unlikely]] {
      prepare(kernel, geometry, signature, arguments);
    }
    recent_launches_.note(kernel.title);
    const Result result =
        geometry.has_attributes
            ? launch_with_attributes(kernel, geometry, stream, arguments)
            : driver_.cuLaunchKernel(kernel.function, geometry.grid[0], geometry.grid[1], geometry.grid[2], geometry.block[0], geometry.block[1],
                                     geometry.block[2], geometry.shared_bytes, native(stream), const_cast<void**>(arguments), nullptr);
    if (result != success) [[unlikely]]
      refuse_launch(result, kernel, geometry);
  } catch (const DriverError& error) {
    // A thread that still launches while the process exits finds the driver shut down. Nobody can see such work any more, and an exception on
    // that thread would end the process by std::terminate, not with its own exit code.
    if (error.code() != error_deinitialized) throw;
  }

 private:
  [[nodiscard]] int attribute(DeviceAttribute attribute) const {
    int value = 0;
    check(driver_.cuDeviceGetAttribute(&value, attribute, handle_), "asking for a property of the GPU");
    return value;
  }
  [[nodiscard]] int attribute(Function function, FunctionAttribute attribute) const {
    int value = 0;
    check(driver_.cuFuncGetAttribute(&value, attribute, function), "asking for an attribute of a kernel");
    return value;
  }

  [[nodiscard]] ContextScope enter() const {
    if (fault_.load(std::memory_order_relaxed)) [[unlikely]]
      throw_fault();
    if (is_forked_child()) [[unlikely]] {
      throw Error(
          "this process was forked after the CUDA driver had started, and the driver does not work in such a child. "
          "Fork before the first use of a GPU, or use Device::cpu() in the child.");
    }
    return {driver_, context_};
  }

  static DevicePointer pointer(void* data) { return reinterpret_cast<DevicePointer>(data); }
  static StreamHandle native(void* stream) { return static_cast<StreamHandle>(stream); }

  [[nodiscard]] bool is_done(Result result, const char* what) const {
    if (result != error_not_ready) check_fault(result, what);
    return result == success;
  }

  // Gives back what the device holds, wherever a destructor may run. At exit the driver may be gone before the objects, and a forked child
  // has none: then there is nothing left to give back.
  template <class Action>
  void try_in_context(const Action& action) const noexcept {
    Context current = nullptr;
    if (is_forked_child() || driver_.cuCtxGetCurrent(&current) != success) return;
    if (current != context_ && driver_.cuCtxPushCurrent(context_) != success) return;
    action();
    Context popped;
    if (current != context_) driver_.cuCtxPopCurrent(&popped);
  }

  // For elements that the driver cannot set: the first one is set piece by piece, then the part that is set already doubles. No host memory is
  // read later, as a graph may replay this.
  void fill_by_doubling(char* to, const char* element, std::size_t element_size, std::size_t count, void* stream) {
    if (element_size % sizeof(std::uint32_t) == 0) {
      for (std::size_t i = 0; i < element_size; i += sizeof(std::uint32_t)) {
        std::uint32_t word;
        std::memcpy(&word, element + i, sizeof(word));
        check_fault(driver_.cuMemsetD32Async(pointer(to + i), word, 1, native(stream)), "filling");
      }
    } else {
      for (std::size_t i = 0; i < element_size; ++i) {
        check_fault(driver_.cuMemsetD8Async(pointer(to + i), static_cast<unsigned char>(element[i]), 1, native(stream)), "filling");
      }
    }
    const std::size_t bytes = element_size * count;
    for (std::size_t done = element_size; done < bytes; done *= 2) {
      check_fault(driver_.cuMemcpyAsync(pointer(to + done), pointer(to), std::min(done, bytes - done), native(stream)), "filling");
    }
  }

  // What a kernel did wrong surfaces at a later call, as a rule the next that waits.
  void check_fault(Result result, const char* what) const {
    if (result == success) [[likely]]
      return;
    wait_if_the_process_exits();
    if (!is_fault(result)) fail(result, what);
    const std::lock_guard lock(fault_mutex_);
    if (!fault_.load(std::memory_order_relaxed)) {
      const std::optional<std::string> assert = failed_assert();
      const std::string culprit = recent_launches_.blame();
      fault_code_ = assert ? error_assert : result;
      fault_.store(new std::string((assert ? *assert + " on " + name()
                                           : (culprit.empty() ? "work that cuttle did not launch" : culprit) + " failed on " + name() + ": " +
                                                 error_text(result) + likely_cause(result)) +
                                   ". The GPU can do nothing more for this process; the CPU device can."),
                   std::memory_order_release);
    }
    throw_fault();
  }

  static const char* likely_cause(Result result) {
    return result == error_illegal_address ? ": an index past an end, a freed array, or a pointer to memory of the host or of another device" : "";
  }

  [[noreturn]] void throw_fault() const {
    const std::string& text = *fault_.load(std::memory_order_acquire);
    if (fault_code_ == error_assert && assert_record_->dimension != FailedAssert::no_dimension) throw CheckError(text, failed_check());
    if (fault_code_ == error_assert) throw AssertionError(text, fault_code_);
    throw DriverError(text, fault_code_);
  }

  // Tells a module that asserts where its failure is to be written down.
  void connect_asserts(ModuleHandle module, const std::string& title) {
    DevicePointer variable{};
    std::size_t size = 0;
    if (driver_.cuModuleGetGlobal(&variable, &size, module, AssertHost::variable) != success) return;
    const std::string* kept_title = nullptr;
    {
      const std::lock_guard lock(fault_mutex_);
      kept_title = &assert_titles_.emplace_back(title);
      if (!assert_record_) {
        void* record = nullptr;
        check(driver_.cuMemHostAlloc(&record, sizeof(FailedAssert), host_memory_portable), "allocating the record of a failed assert");
        assert_record_ = new (record) FailedAssert{};
      }
    }
    AssertHost host{assert_record_, kept_title};
    // On a stream of its own: the default one may wait for work that is being captured.
    StreamHandle stream = nullptr;
    check(driver_.cuStreamCreateWithPriority(&stream, stream_non_blocking, 0), "making a stream");
    const Result result = driver_.cuMemcpyAsync(variable, pointer(&host), sizeof(host), stream);
    const Result waited = driver_.cuStreamSynchronize(stream);
    driver_.cuStreamDestroy(stream);
    check_fault(result, "preparing a kernel's asserts");
    check_fault(waited, "preparing a kernel's asserts");
  }

  // What the kernel wrote down before it trapped.
  [[nodiscard]] std::optional<std::string> failed_assert() const {
    if (!assert_record_ || assert_record_->state != FailedAssert::complete) return std::nullopt;
    const FailedAssert& record = *assert_record_;
    if (record.dimension != FailedAssert::no_dimension) {
      return mistake_text(failed_check(), outside_text(record.index, record.extent, record.dimension, "a view"));
    }
    AssertFailure failure{record.condition, record.file, record.line, {}, {}};
    std::copy_n(record.block, 3, failure.block);
    std::copy_n(record.thread, 3, failure.thread);
    return failure.text(*static_cast<const std::string*>(record.kernel));
  }

  // The index outside of its view, where that was it.
  [[nodiscard]] CheckError::Finding failed_check() const {
    const FailedAssert& record = *assert_record_;
    CheckError::Finding finding{.check = Check::out_of_bounds,
                                .kernel = *static_cast<const std::string*>(record.kernel),
                                .file = record.file,
                                .line = record.line,
                                .index = record.index};
    std::copy_n(record.block, 3, finding.block);
    std::copy_n(record.thread, 3, finding.thread);
    return finding;
  }

  [[nodiscard]] Result launch_with_attributes(const CudaExecutable& kernel, const Geometry& geometry, void* stream,
                                              const void* const* arguments) const {
    LaunchAttribute attributes[3] = {};
    LaunchConfiguration configuration{};
    std::copy_n(geometry.grid, 3, configuration.grid);
    std::copy_n(geometry.block, 3, configuration.block);
    configuration.shared_bytes = geometry.shared_bytes;
    configuration.stream = native(stream);
    configuration.attributes = attributes;
    const auto add = [&](LaunchAttributeId id) -> LaunchAttribute& {
      LaunchAttribute& attribute = attributes[configuration.attribute_count++];
      attribute.id = id;
      return attribute;
    };
    if (geometry.cooperative) add(LaunchAttributeId::cooperative).value.flag = 1;
    if (geometry.cluster_size() > 1) std::copy_n(geometry.cluster, 3, add(LaunchAttributeId::cluster).value.extents);
    if (geometry.overlap && target_.sm >= 90) add(LaunchAttributeId::programmatic_serialization).value.flag = 1;
    return driver_.cuLaunchKernelEx(&configuration, kernel.function, const_cast<void**>(arguments), nullptr);
  }

  // The first launch of a kernel, every one of a checked kernel, and those with more shared memory than before.
  void prepare(const CudaExecutable& kernel, const Geometry& geometry, const Signature& signature, const void* const* arguments) const {
    if (!reaches_host_memory_) refuse_unreachable_pointers(driver_, *memory_, index_, kernel.title, signature, arguments);
    if (geometry.shared_bytes > kernel.dynamic_shared.load(std::memory_order_relaxed)) enable_dynamic_shared(kernel, geometry.shared_bytes);
    if (!kernel.is_checked) kernel.prepared_below.store(kernel.dynamic_shared.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  void enable_dynamic_shared(const CudaExecutable& kernel, std::uint32_t bytes) const {
    const std::lock_guard lock(kernel.dynamic_shared_mutex);
    if (bytes <= kernel.dynamic_shared.load(std::memory_order_relaxed)) return;
    check(driver_.cuFuncSetAttribute(kernel.function, FunctionAttribute::max_dynamic_shared_size_bytes, static_cast<int>(bytes)),
          "enabling more than 48 KB of dynamic shared memory");
    kernel.dynamic_shared.store(bytes, std::memory_order_relaxed);
  }

  [[noreturn]] void refuse_launch(Result result, const CudaExecutable& kernel, const Geometry& geometry) const {
    if (is_fault(result)) check_fault(result, "launching a kernel");
    const std::int64_t threads = std::int64_t{geometry.block[0]} * geometry.block[1] * geometry.block[2];
    const int max_threads = attribute(kernel.function, FunctionAttribute::max_threads_per_block);
    if (threads > max_threads) {
      throw LaunchError("a block of " + std::to_string(threads) + " threads was asked for; kernel " + kernel.title + " needs " +
                        std::to_string(attribute(kernel.function, FunctionAttribute::num_regs)) + " registers a thread, which allows " +
                        std::to_string(max_threads) + " threads a block.");
    }
    if (result == error_cooperative_launch_too_large) {
      const std::int64_t most = std::int64_t{blocks_per_multiprocessor(kernel, static_cast<int>(threads), geometry.shared_bytes)} *
                                attribute(DeviceAttribute::multiprocessor_count);
      throw LaunchError("a cooperative launch of " + std::to_string(std::int64_t{geometry.grid[0]} * geometry.grid[1] * geometry.grid[2]) +
                        " blocks was asked for; all of them must run at once, and " + name() + " holds " + std::to_string(most) +
                        " blocks of kernel " + kernel.title + " with " + std::to_string(threads) + " threads.");
    }
    fail(result, "launching kernel " + kernel.title);
  }

  const Driver& driver_;
  int index_;
  DeviceHandle handle_ = 0;
  Context context_ = nullptr;
  bool reaches_host_memory_ = false;  // without being told, as with HMM
  RecentLaunches recent_launches_;
  mutable std::mutex fault_mutex_;
  mutable std::atomic<const std::string*> fault_{nullptr};  // why the context is lost
  mutable Result fault_code_ = success;
  std::list<std::string> assert_titles_;   // a module's variable points to its one
  FailedAssert* assert_record_ = nullptr;  // in the host's memory, which the loss of the context leaves
  std::atomic<bool> is_linker_started_{false};
  std::optional<CudaMemory> memory_;  // made once the context is there
  cuttle_target target_{};
};

}  // namespace

std::unique_ptr<DeviceState> make_cuda_device(const Driver& driver, int index) { return std::make_unique<CudaDevice>(driver, index); }

}  // namespace cuttle::detail
