#include "cuttle/memory.hpp"

#include <string>

#include "cuttle/error.hpp"
#include "cuttle/stream.hpp"
#include "device_state.h"

namespace cuttle {

MemoryInfo memory_info(Device device) { return device.state().memory_info(); }

void reset(Device device) { device.state().reset(); }

namespace detail {

void* allocate(DeviceState& device, std::size_t bytes) { return bytes == 0 ? nullptr : device.allocate(bytes); }

void deallocate(DeviceState& device, void* data) noexcept { device.deallocate(data); }

void* allocate_shared(DeviceState& device, SharedMemory kind, std::size_t bytes) {
  return bytes == 0 ? nullptr : device.allocate_shared(kind, bytes);
}

void deallocate_shared(DeviceState& device, SharedMemory kind, void* data) noexcept { device.deallocate_shared(kind, data); }

void copy(DeviceState& device, void* to, const void* from, std::size_t bytes, void* stream) {
  if (bytes > 0) device.copy(to, from, bytes, stream);
}

void copy_rows(DeviceState& device, void* to, std::int64_t to_pitch, const void* from, std::int64_t from_pitch, std::size_t width, std::size_t rows,
               void* stream) {
  const auto least = static_cast<std::int64_t>(width);
  if (rows > 1 && to_pitch >= least && from_pitch >= least) {
    device.copy_rows(to, static_cast<std::size_t>(to_pitch), from, static_cast<std::size_t>(from_pitch), width, rows, stream);
    return;
  }
  // Rows in reverse order, or one row again and again.
  for (std::size_t row = 0; row < rows; ++row) {
    const auto offset = static_cast<std::int64_t>(row);
    device.copy(static_cast<char*>(to) + offset * to_pitch, static_cast<const char*>(from) + offset * from_pitch, width, stream);
  }
}

void copy_and_wait(DeviceState& device, void* to, const void* from, std::size_t bytes) {
  void* stream = current_stream(device);
  device.copy(to, from, bytes, stream);
  device.synchronize_stream(stream);
}

void copy_between(DeviceState& to_device, void* to, DeviceState& from_device, const void* from, std::size_t bytes) {
  if (&to_device == &from_device) {
    to_device.copy(to, from, bytes, current_stream(to_device));
    return;
  }
  // One of the two may be the CPU device, for which a GPU does the copy. What is still to write the source is done first.
  from_device.synchronize();
  DeviceState& copier = to_device.is_cuda() ? to_device : from_device;
  void* stream = current_stream(copier);
  copier.copy(to, from, bytes, stream);
  copier.synchronize_stream(stream);
}

void fill(DeviceState& device, void* to, const void* element, std::size_t element_size, std::size_t count, void* stream) {
  device.fill(to, element, element_size, count, stream);
}

std::size_t checked_bytes(const std::int64_t* shape, int ndim, std::size_t element_size) {
  auto bytes = static_cast<std::int64_t>(element_size);
  for (int d = 0; d < ndim; ++d) {
    if (shape[d] < 0) throw LaunchError("an Array was asked for with an extent of " + std::to_string(shape[d]) + "; extents are 0 or more.");
    if (__builtin_mul_overflow(bytes, shape[d], &bytes)) throw LaunchError("an Array was asked for with more than 2^63 - 1 bytes.");
  }
  return static_cast<std::size_t>(bytes);
}

void throw_sizes_differ(std::size_t host, std::int64_t array) {
  throw LaunchError("a copy between " + std::to_string(host) + " host elements and an Array of " + std::to_string(array) +
                    " was asked for; sizes must be equal.");
}

void throw_not_inside(const char* what, std::int64_t begin, std::int64_t end, int dimension, std::int64_t extent) {
  throw LaunchError(std::string(what) + " of [" + std::to_string(begin) + ", " + std::to_string(end) + ") was asked for in dimension " +
                    std::to_string(dimension) + ", whose extent is " + std::to_string(extent) + ".");
}

void throw_launch_error(const char* message) { throw LaunchError(message); }

}  // namespace detail

}  // namespace cuttle
