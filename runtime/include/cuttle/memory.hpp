// Memory of a device, without types: what Array stands on, and how much there is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device.hpp"
#include "export.hpp"

namespace cuttle {

struct MemoryInfo {
  std::size_t free = 0;   ///< bytes that an Array could still get, those that cuttle keeps for reuse included
  std::size_t total = 0;  ///< bytes of the device
};

/// Memory of a device. For the CPU device that of the machine.
[[nodiscard]] CUTTLE_API MemoryInfo memory_info(Device device = Device::current());

/// Waits for all of the device's work and gives memory that it keeps for reuse back to the system. A GPU on which a kernel has faulted cannot be
/// recovered in this process: throws DriverError that says so; every other failure (of an assert on the CPU device) is forgotten.
CUTTLE_API void reset(Device device = Device::current());

namespace detail {

/// Null for no bytes. Throws OutOfMemory.
[[nodiscard]] CUTTLE_API void* allocate(DeviceState& device, std::size_t bytes);
/// Waits for nothing: the memory is used again once all that was launched before has ended.
CUTTLE_API void deallocate(DeviceState& device, void* data) noexcept;

/// Memory that host and device see at one address: page-locked host memory, or managed memory, which moves to where it is used. For the CPU device
/// ordinary memory.
enum class SharedMemory { pinned, managed };
/// Null for no bytes. Throws OutOfMemory.
[[nodiscard]] CUTTLE_API void* allocate_shared(DeviceState& device, SharedMemory kind, std::size_t bytes);
CUTTLE_API void deallocate_shared(DeviceState& device, SharedMemory kind, void* data) noexcept;

/// Copies between any two of host and device memory, in the order of the stream.
CUTTLE_API void copy(DeviceState& device, void* to, const void* from, std::size_t bytes, void* stream);
/// The same, done when it returns.
CUTTLE_API void copy_and_wait(DeviceState& device, void* to, const void* from, std::size_t bytes);
/// Copies between memory of two devices, behind all that both were given so far where they differ.
CUTTLE_API void copy_between(DeviceState& to_device, void* to, DeviceState& from_device, const void* from, std::size_t bytes);
/// Copies `rows` rows of `width` bytes that begin `to_pitch` and `from_pitch` bytes apart, in the order of the stream.
CUTTLE_API void copy_rows(DeviceState& device, void* to, std::int64_t to_pitch, const void* from, std::int64_t from_pitch, std::size_t width,
                          std::size_t rows, void* stream);
/// Sets `count` elements to the value at `element`, in the order of the stream.
CUTTLE_API void fill(DeviceState& device, void* to, const void* element, std::size_t element_size, std::size_t count, void* stream);

/// Bytes of an array of that shape. Throws LaunchError for a negative extent or more than 2^63 - 1 bytes.
[[nodiscard]] CUTTLE_API std::size_t checked_bytes(const std::int64_t* shape, int ndim, std::size_t element_size);

// What is wrong with what was asked of an array, as exceptions.
[[noreturn]] CUTTLE_API void throw_sizes_differ(std::size_t host, std::int64_t array);
[[noreturn]] CUTTLE_API void throw_not_inside(const char* what, std::int64_t begin, std::int64_t end, int dimension, std::int64_t extent);
[[noreturn]] CUTTLE_API void throw_launch_error(const char* message);

}  // namespace detail

}  // namespace cuttle
