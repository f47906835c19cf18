// Devices: the machine's GPUs, and the CPU device, on which every kernel runs as well.
#pragma once

#include <cstddef>
#include <string>

#include "export.hpp"

namespace cuttle {

namespace detail {
class DeviceState;
}

/// A handle to a device: small, copied freely, valid until the process ends.
class CUTTLE_API Device {
 public:
  /// The GPU of the given index. Throws Error where there is none, saying why.
  static Device cuda(int index = 0);
  /// The CPU device: every kernel runs on all cores.
  static Device cpu();
  /// What this thread's arrays and launches use: what Use chose, else CUTTLE_DEFAULT_DEVICE (`cpu`, `cuda:1`), else the first GPU,
  /// else the CPU device.
  static Device current();
  /// Number of GPUs that the driver shows; 0 where there is no driver.
  static int cuda_count();

  [[nodiscard]] bool is_cuda() const;
  /// "NVIDIA H200", or the CPU's name.
  [[nodiscard]] std::string name() const;
  /// Compute capability as 10 * major + minor (90 for sm_90); 0 for the CPU device.
  [[nodiscard]] int sm() const;

  friend bool operator==(Device, Device) = default;

  /// For cuttle's own headers.
  explicit Device(detail::DeviceState& state) : state_(&state) {}
  [[nodiscard]] detail::DeviceState& state() const { return *state_; }

 private:
  detail::DeviceState* state_;
};

/// Makes `device` this thread's current one until the end of the scope.
class CUTTLE_API Use {
 public:
  explicit Use(Device device);
  ~Use();
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  detail::DeviceState* previous_;
};

/// Waits until the current device has done all that it was given. Throws DriverError for a fault of a kernel that ran before.
CUTTLE_API void synchronize();

namespace detail {

CUTTLE_API void* allocate(DeviceState& device, std::size_t bytes);
CUTTLE_API void deallocate(DeviceState& device, void* data) noexcept;
CUTTLE_API void copy_to_device(DeviceState& device, void* to, const void* from, std::size_t bytes);
CUTTLE_API void copy_to_host(DeviceState& device, void* to, const void* from, std::size_t bytes);
CUTTLE_API void copy_on_device(DeviceState& device, void* to, const void* from, std::size_t bytes);

}  // namespace detail

}  // namespace cuttle
