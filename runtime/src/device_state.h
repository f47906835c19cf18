// What a device does, whichever it is: memory, code and launches.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "codegen/compiler.h"

namespace cuttle::detail {

struct Compilation;

/// Grid, block and shared bytes of a launch, checked against the device's limits.
struct Geometry {
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint32_t shared_bytes;
};

struct Limits {
  std::int64_t grid[3];
  std::int64_t block[3];
  std::int64_t threads;       // of a block
  std::int64_t shared_bytes;  // of a block, static and dynamic together
};

/// A kernel's code on a device, ready to launch. Lives until the process ends, as variants that point to it do.
class Executable {
 public:
  virtual ~Executable() = default;
};

/// One device. Objects live until the process ends; every function may be called from any thread.
class DeviceState {
 public:
  virtual ~DeviceState() = default;

  [[nodiscard]] virtual bool is_cuda() const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual cuttle_target target() const = 0;

  [[nodiscard]] virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* data) noexcept = 0;
  virtual void copy_to_device(void* to, const void* from, std::size_t bytes) = 0;
  virtual void copy_to_host(void* to, const void* from, std::size_t bytes) = 0;
  virtual void copy_on_device(void* to, const void* from, std::size_t bytes) = 0;
  virtual void synchronize() = 0;

  /// What link() depends on besides the code; empty where the compiler makes the binary.
  [[nodiscard]] virtual std::string linker_identity() const = 0;
  /// The binary of what the compiler made: PTX assembled for the GPU, or the compiler's own object.
  [[nodiscard]] virtual std::string link(const Compilation& compilation) = 0;
  /// The binary of `compilation` as this device runs it.
  [[nodiscard]] virtual std::unique_ptr<const Executable> load(const Compilation& compilation) = 0;
  virtual void launch(const Executable& executable, const Geometry& geometry, const void* const* arguments) = 0;
  /// A block size for a launch over `count` threads.
  [[nodiscard]] virtual std::uint32_t preferred_block(const Executable& executable) const = 0;

  [[nodiscard]] const Limits& limits() const { return limits_; }

 protected:
  Limits limits_{};
};

/// The CPU device, and the GPU of an index (throws Error where there is none).
[[nodiscard]] DeviceState& cpu_device();
[[nodiscard]] DeviceState& cuda_device(int index);

/// The device of this thread.
[[nodiscard]] DeviceState& current_device();

}  // namespace cuttle::detail
