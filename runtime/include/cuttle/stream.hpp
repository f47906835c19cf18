// Streams and events: in what order a device does what it is given, and when.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "device.hpp"
#include "export.hpp"
#include "memory.hpp"

namespace cuttle {

class Stream;

/// A point in a stream's work. On the CPU device, where work is done when the call returns, the time at which it was recorded.
class CUTTLE_API Event {
 public:
  /// An event of the current device. Until it is recorded it counts as done.
  Event();
  Event(Event&& other) noexcept : device_(std::exchange(other.device_, nullptr)), handle_(std::exchange(other.handle_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Event();

  /// Waits on the host. Throws DriverError for a fault of a kernel that ran before.
  void synchronize() const;
  [[nodiscard]] bool done() const;
  /// Time from an earlier event of the same device, both recorded and done. Throws DriverError where one is not.
  [[nodiscard]] double milliseconds_since(const Event& earlier) const;

  /// CUevent, for other libraries.
  [[nodiscard]] void* handle() const { return handle_; }

 private:
  friend class Stream;

  detail::DeviceState* device_;
  void* handle_;
};

struct StreamOptions {
  int priority = 0;           ///< lower is more urgent; a device has few levels (Device::properties) and takes the nearest
  bool non_blocking = false;  ///< true: not ordered with the default stream, whose work neither waits for it nor holds it up
};

/// An ordered queue of a device's work. The CPU device does everything at once and in order: its streams exist so that programs run.
class CUTTLE_API Stream {
 public:
  /// A stream of the current device.
  explicit Stream(const StreamOptions& options = {});
  /// The default stream, which is ordered with the CUDA runtime's and with every stream that is not non-blocking.
  [[nodiscard]] static Stream legacy(Device device = Device::current());
  /// A stream of another library (cudaStream_t, CUstream), which must outlive it and is not destroyed.
  [[nodiscard]] static Stream borrow(void* handle, Device device = Device::current());

  Stream(Stream&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)), handle_(std::exchange(other.handle_, nullptr)), is_owner_(other.is_owner_) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    std::swap(is_owner_, other.is_owner_);
    return *this;
  }
  /// Does not wait: the device finishes what the stream was given.
  ~Stream();

  /// Waits on the host. Throws DriverError for a fault of a kernel that ran before.
  void synchronize() const;
  [[nodiscard]] bool done() const;

  void record(Event& event) const;
  [[nodiscard]] Event record() const;
  /// What the stream is given from now on starts after the event, or after all that the other stream has been given so far. Does not wait on the
  /// host.
  void wait(const Event& event) const;
  void wait(const Stream& other) const;

  /// Calls `function()` on a thread of the driver once all earlier work of the stream is done; later work waits for it. It must not
  /// call the device. What it throws is thrown by the next wait for the stream or the device.
  template <class Function>
  void on_host(Function function) const {
    static_assert(std::is_nothrow_move_constructible_v<Function>);
    call_on_host(
        [](void* closure) {
          const std::unique_ptr<Function> held(static_cast<Function*>(closure));
          (*held)();
        },
        [](void* closure) noexcept { delete static_cast<Function*>(closure); }, new Function(std::move(function)));
  }

  /// CUstream, for cuBLAS, cuFFT and their like; null for the default stream.
  [[nodiscard]] void* handle() const { return handle_; }
  [[nodiscard]] Device device() const { return Device(*device_); }

 private:
  Stream(detail::DeviceState& device, void* handle, bool is_owner) : device_(&device), handle_(handle), is_owner_(is_owner) {}
  /// Takes the closure over; `discard` is for the case that it cannot be queued.
  void call_on_host(void (*function)(void*), void (*discard)(void*) noexcept, void* closure) const;

  detail::DeviceState* device_;
  void* handle_;
  bool is_owner_;
};

/// What a launch is told: a stream, or none for the current one of the thread.
struct StreamRef {
  detail::DeviceState* device = nullptr;
  void* handle = nullptr;

  constexpr StreamRef() = default;
  StreamRef(const Stream& stream) : device(&stream.device().state()), handle(stream.handle()) {}  // NOLINT(google-explicit-constructor)
};

namespace detail {

/// The stream that this thread's copies and launches on a device use unless told otherwise.
[[nodiscard]] CUTTLE_API void* current_stream(const DeviceState& device);

/// Where a launch goes.
struct Place {
  DeviceState& device;
  void* stream;
};
/// The stream that a launch names, or this thread's current one.
[[nodiscard]] CUTTLE_API Place place_of(const StreamRef& stream);

}  // namespace detail

}  // namespace cuttle
