// Memory that the host and a GPU both use: Pinned<T>, which copies on a stream need, and Managed<T>, which kernels and the host read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "device.hpp"
#include "memory.hpp"
#include "views.hpp"

#include "cuttle/dsl/hide_macros.hpp"

namespace cuttle {

namespace detail {

/// What both are: a contiguous container of a fixed size, made for the current device; ordinary memory where that is the CPU device. Elements begin
/// uninitialised.
template <class T, SharedMemory kind>
class SharedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit SharedBuffer(std::size_t size)
      : device_(&Device::current().state()), data_(static_cast<T*>(allocate_shared(*device_, kind, size * sizeof(T)))), size_(size) {}
  SharedBuffer(SharedBuffer&& other) noexcept
      : device_(other.device_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  SharedBuffer& operator=(SharedBuffer&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~SharedBuffer() {
    if (data_) deallocate_shared(*device_, kind, data_);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] T* begin() { return data_; }
  [[nodiscard]] T* end() { return data_ + size_; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] const T* end() const { return data_ + size_; }
  [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  DeviceState* device_;
  T* data_;
  std::size_t size_;
};

}  // namespace detail

/// Page-locked host memory, usable with every device, so that copies on a stream do not hold up the host. It goes wherever a span does. Making one is
/// slow: keep it.
template <class T>
class Pinned : public detail::SharedBuffer<T, detail::SharedMemory::pinned> {
 public:
  using detail::SharedBuffer<T, detail::SharedMemory::pinned>::SharedBuffer;
};

/// Memory that the driver moves to where it is used. Kernels take its view(); the host may touch it once the kernels that use it have ended
/// (synchronize() first).
template <class T>
class Managed : public detail::SharedBuffer<T, detail::SharedMemory::managed> {
 public:
  using detail::SharedBuffer<T, detail::SharedMemory::managed>::SharedBuffer;

  [[nodiscard]] cuttle::view<T, 1> view() { return {this->data(), {static_cast<std::int64_t>(this->size())}, {}}; }
  [[nodiscard]] cuttle::view<const T, 1> view() const { return {this->data(), {static_cast<std::int64_t>(this->size())}, {}}; }
};

}  // namespace cuttle

#include "cuttle/dsl/restore_macros.hpp"
