// What a device does, whichever it is: memory, code and launches.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/compiler.h"
#include "cuttle/device.hpp"
#include "cuttle/dsl/facts.hpp"
#include "cuttle/dsl/signature.hpp"
#include "cuttle/memory.hpp"
#include "cuttle/stream.hpp"
#include "pending_failures.h"

namespace cuttle::detail {

struct Compilation;

/// A launch, checked against the device's limits.
struct Geometry {
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint32_t shared_bytes;
  bool has_attributes;  // any of what follows
  bool cooperative;
  bool overlap;
  std::uint32_t cluster[3];  // 0 without attributes

  [[nodiscard]] std::int64_t cluster_size() const { return std::int64_t{cluster[0]} * cluster[1] * cluster[2]; }
};

struct Limits {
  std::int64_t grid[3];
  std::int64_t block[3];
  std::int64_t threads;       // of a block
  std::int64_t shared_bytes;  // of a block, static and dynamic together
  std::int64_t cluster;       // blocks of a cluster; 1 where there are none
};

/// A function to look for in a module, and what is known of it.
struct FunctionName {
  std::string symbol;
  std::string title;  // for messages: "copy_1a2b3c at copy.cpp:7 (view<f32>, u32)"
  std::size_t static_shared_bytes = 0;
  std::size_t least_shared_bytes = 0;  // of dynamic shared memory, that a launch has to give
  bool is_cooperative = false;         // its blocks wait for each other: every launch runs all of them at once
  bool is_checked = false;             // it finds its mistakes (Options::check)
};

/// A kernel's code on a device, ready to launch. Lives until the process ends, as variants that point to it do.
class Executable {
 public:
  explicit Executable(const FunctionName& name)
      : title(name.title),
        static_shared_bytes(name.static_shared_bytes),
        least_shared_bytes(name.least_shared_bytes),
        is_cooperative(name.is_cooperative) {}
  virtual ~Executable() = default;

  const std::string title;  // for messages
  const std::size_t static_shared_bytes;
  const std::size_t least_shared_bytes;
  const bool is_cooperative;
};

/// What a block and a thread of a kernel take, as the device's own compiler decided.
struct Resources {
  int registers;            // of a thread
  std::size_t local_bytes;  // of a thread
  std::size_t static_shared_bytes, constant_bytes;
  int max_threads;  // of a block
  int ptx_version, binary_version;
};

/// Memory of the device; null where there is none.
struct MemoryRange {
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// One device. Objects live until the process ends; every function may be called from any thread.
class DeviceState {
 public:
  virtual ~DeviceState() = default;

  [[nodiscard]] virtual bool is_cuda() const = 0;
  [[nodiscard]] virtual int index() const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual cuttle_target target() const = 0;
  /// All but the limits.
  [[nodiscard]] virtual DeviceProperties properties() const = 0;
  [[nodiscard]] virtual MemoryInfo memory_info() const = 0;

  // Memory. Streams and events are handles of the driver; null is the default stream.
  [[nodiscard]] virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* data) noexcept = 0;
  [[nodiscard]] virtual void* allocate_shared(SharedMemory kind, std::size_t bytes) = 0;
  virtual void deallocate_shared(SharedMemory kind, void* data) noexcept = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes, void* stream) = 0;
  /// Pitches are not less than `width`.
  virtual void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t rows,
                         void* stream) = 0;
  virtual void fill(void* to, const void* element, std::size_t element_size, std::size_t count, void* stream) = 0;
  virtual void synchronize() = 0;
  virtual void reset() = 0;

  [[nodiscard]] virtual void* make_stream(int priority, bool non_blocking) = 0;
  virtual void destroy_stream(void* stream) noexcept = 0;
  /// From now on, until removed, the stream may use memory of this device.
  virtual void add_stream(void* stream) = 0;
  virtual void remove_stream(void* stream) noexcept = 0;
  virtual void synchronize_stream(void* stream) = 0;
  [[nodiscard]] virtual bool is_stream_done(void* stream) = 0;
  virtual void wait(void* stream, void* event) = 0;
  /// What the function throws has to be kept by keep_failure().
  virtual void call_on_host(void* stream, void (*function)(void*), void* data) = 0;
  /// The next wait for the stream or for the device throws it.
  void keep_failure(void* stream, std::exception_ptr failure) { failures_.keep(stream, std::move(failure)); }

  [[nodiscard]] virtual void* make_event() = 0;
  virtual void destroy_event(void* event) noexcept = 0;
  virtual void record(void* event, void* stream) = 0;
  virtual void synchronize_event(void* event) = 0;
  [[nodiscard]] virtual bool is_event_done(void* event) = 0;
  [[nodiscard]] virtual double milliseconds_between(void* begin, void* end) = 0;

  /// From now on this thread's work on the stream is recorded and not run.
  virtual void begin_capture(void* stream) = 0;
  virtual void abandon_capture(void* stream) noexcept = 0;
  /// What was recorded, in place of `previous` where that is not null, which is then used again or destroyed.
  [[nodiscard]] virtual void* end_capture(void* stream, void* previous) = 0;
  virtual void replay(void* graph, void* stream) = 0;
  virtual void destroy_graph(void* graph) noexcept = 0;

  /// What link() depends on besides the code; empty where the compiler makes the binary.
  [[nodiscard]] virtual std::string linker_identity() const = 0;
  /// Begins what the first link() of the process waits for, where that takes long; the future's destructor waits for it.
  [[nodiscard]] virtual std::future<void> start_linker() { return {}; }
  /// The binary of what the compiler made: PTX assembled for the GPU, or the compiler's own object.
  [[nodiscard]] virtual std::string link(const Compilation& compilation) = 0;
  /// A binary on this device, with its functions and variables. Stays there until the process ends. Messages call what runs of it `title`.
  [[nodiscard]] virtual void* load_module(const std::string& binary, const std::string& title) = 0;
  /// Null where the module has no such function.
  [[nodiscard]] virtual std::unique_ptr<const Executable> find_function(void* module, const FunctionName& name) = 0;
  [[nodiscard]] virtual MemoryRange find_variable(void* module, const std::string& symbol) = 0;
  /// Bytes of each parameter of a function, where the device can tell.
  [[nodiscard]] virtual std::optional<std::vector<std::size_t>> parameter_sizes(const Executable& executable) const = 0;
  /// The kernel of `compilation` as this device runs it. Messages call it `title`.
  [[nodiscard]] std::unique_ptr<const Executable> load(const Compilation& compilation, const std::string& title);
  virtual void launch(const Executable& executable, const Geometry& geometry, void* stream, const Signature& signature,
                      const void* const* arguments) = 0;
  [[nodiscard]] virtual Resources resources(const Executable& executable) const = 0;
  /// Blocks of that many threads that a multiprocessor holds at once.
  [[nodiscard]] virtual int blocks_per_multiprocessor(const Executable& executable, int threads, std::size_t shared_bytes) const = 0;
  /// A block size for a launch over `count` threads.
  [[nodiscard]] virtual std::uint32_t preferred_block(const Executable& executable) const = 0;

  [[nodiscard]] const Limits& limits() const { return limits_; }
  /// The facts about views (cuttle/dsl/facts.hpp) that code for the device is compiled for.
  [[nodiscard]] std::uint32_t useful_facts() const { return useful_facts_; }

 protected:
  explicit DeviceState(std::uint32_t useful_facts) : useful_facts_(useful_facts) {}

  Limits limits_{};
  PendingFailures failures_;

 private:
  std::uint32_t useful_facts_;
};

/// Overlap and alignment are for the order of a GPU's loads; a CPU reorders by itself.
inline constexpr std::uint32_t cpu_facts = short_offsets | unit_inner_stride;
inline constexpr std::uint32_t gpu_facts = cpu_facts | disjoint_views | aligned_views | seen_views;

/// The CPU device, and the GPU of an index (throws Error where there is none).
[[nodiscard]] DeviceState& cpu_device();
[[nodiscard]] DeviceState& cuda_device(int index);

/// The device of this thread.
[[nodiscard]] DeviceState& current_device();

}  // namespace cuttle::detail
