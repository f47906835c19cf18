// Pinned<T>: host memory that a GPU reads and writes by itself, so that copies on a stream do not hold up the host.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "device.hpp"
#include "memory.hpp"

namespace cuttle {

/// Page-locked host memory, made for the current device and usable with every other; ordinary memory where that is the CPU device. Elements begin
/// uninitialised. It is a contiguous container: it goes wherever a span does. Making one is slow: keep it.
template <class T>
class Pinned {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Pinned(std::size_t size)
      : device_(&Device::current().state()), data_(static_cast<T*>(detail::allocate_host(*device_, size * sizeof(T)))), size_(size) {}
  Pinned(Pinned&& other) noexcept : device_(other.device_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Pinned& operator=(Pinned&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Pinned() {
    if (data_) detail::deallocate_host(*device_, data_);
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
  detail::DeviceState* device_;
  T* data_;
  std::size_t size_;
};

}  // namespace cuttle
