// Devices: the machine's GPUs, and the CPU device, on which every kernel runs as well.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "export.hpp"

namespace cuttle {

struct StreamRef;

namespace detail {
class DeviceState;
}

struct DeviceProperties {
  std::int64_t max_grid[3];                 ///< blocks in x, y, z
  std::int64_t max_block[3];                ///< threads of a block in x, y, z
  std::int64_t max_threads_per_block;       ///< all three dimensions together
  std::int64_t max_shared_bytes_per_block;  ///< static and dynamic together
  int multiprocessors;                      ///< streaming multiprocessors; cores of the CPU device
  int max_threads_per_multiprocessor;
  int warp_size;
  int registers_per_multiprocessor;  ///< 0 for the CPU device
  std::int64_t l2_bytes;             ///< 0 for the CPU device
  int clock_khz;                     ///< 0 where it is not known
  int greatest_stream_priority;      ///< the most urgent, a number of 0 or less
  std::string pci_bus_id;            ///< "0000:1b:00.0"; empty for the CPU device
  int driver_version;                ///< 13000 for CUDA 13.0; 0 for the CPU device
};

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
  /// Every device of the machine, GPUs first, the CPU device last.
  static std::vector<Device> all();
  /// Number of GPUs that the driver shows; 0 where there is no driver.
  static int cuda_count();

  [[nodiscard]] bool is_cuda() const;
  /// 0 for the first GPU; -1 for the CPU device.
  [[nodiscard]] int index() const;
  /// "NVIDIA H200", or the CPU's name.
  [[nodiscard]] std::string name() const;
  /// Compute capability as 10 * major + minor (90 for sm_90); 0 for the CPU device.
  [[nodiscard]] int sm() const;
  /// What the device can do, in numbers. The CPU device answers with a current GPU's limits, which are its own.
  [[nodiscard]] DeviceProperties properties() const;
  /// Waits until the device has done all that it was given. Throws DriverError for a fault of a kernel that ran before.
  void synchronize() const;

  friend bool operator==(Device, Device) = default;

  /// For cuttle's own headers.
  explicit Device(detail::DeviceState& state) : state_(&state) {}
  [[nodiscard]] detail::DeviceState& state() const { return *state_; }

 private:
  detail::DeviceState* state_;
};

/// Makes a device, or a stream and its device, this thread's current one until the end of the scope. Launches, arrays and copies use
/// the current stream unless told otherwise; a device that is chosen by itself comes with its default stream.
class CUTTLE_API Use {
 public:
  explicit Use(Device device);
  explicit Use(const StreamRef& stream);  // a Stream; none leaves all as it is
  ~Use();
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  detail::DeviceState* previous_;
  void* previous_stream_;
};

/// Waits until the current device has done all that it was given. Throws DriverError for a fault of a kernel that ran before.
CUTTLE_API void synchronize();

}  // namespace cuttle
