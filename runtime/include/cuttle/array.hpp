// Array<T, N>: N-dimensional data in a device's memory, owned. What a kernel sees of it is a view.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuttle/dsl/view.hpp"
#include "device.hpp"
#include "error.hpp"

namespace cuttle {

/// Contiguous, row-major data on the device that was current when it was made. Move-only; copy() copies.
/// T is trivially copyable. Sizes and shapes are in elements.
template <class T, int N = 1>
class Array {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>, "an Array holds trivially copyable, non-const elements");
  static_assert(N >= 0);

 public:
  using value_type = T;
  static constexpr int ndim = N;

  Array() = default;

  /// Uninitialised elements, one extent a dimension. Throws LaunchError for a negative extent, Error when memory is short.
  template <class... Extent>
    requires(sizeof...(Extent) == N && (std::is_integral_v<Extent> && ...))
  explicit Array(Extent... shape) : shape_{{static_cast<std::int64_t>(shape)...}} {
    allocate();
  }

  /// A copy of host data, on the current device.
  explicit Array(const std::vector<T>& host)
    requires(N == 1 && !std::is_same_v<T, bool>)
      : Array(std::span<const T>(host)) {}
  Array(std::initializer_list<T> host)
    requires(N == 1)
      : Array(std::span<const T>(host.begin(), host.size())) {}
  explicit Array(std::span<const T> host)
    requires(N == 1)
      : Array(static_cast<std::int64_t>(host.size())) {
    copy_from(host);
  }

  /// A copy of host data in row-major order, with a shape whose product is the data's size.
  template <class... Extent>
    requires(sizeof...(Extent) == N && N >= 1)
  explicit Array(std::span<const T> host, Extent... shape) : Array(shape...) {
    copy_from(host);
  }

  Array(Array&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)), data_(std::exchange(other.data_, nullptr)), shape_(std::exchange(other.shape_, {})) {}
  Array& operator=(Array&& other) noexcept {
    if (this != &other) {
      release();
      device_ = std::exchange(other.device_, nullptr);
      data_ = std::exchange(other.data_, nullptr);
      shape_ = std::exchange(other.shape_, {});
    }
    return *this;
  }
  ~Array() { release(); }

  /// The same elements in new memory of the same device.
  [[nodiscard]] Array copy() const {
    Array result;
    result.device_ = device_;
    result.shape_ = shape_;
    if (device_) {
      result.data_ = static_cast<T*>(detail::allocate(*device_, bytes()));
      detail::copy_on_device(*device_, result.data_, data_, bytes());
    }
    return result;
  }

  [[nodiscard]] std::int64_t size() const {
    std::int64_t count = device_ ? 1 : 0;
    if constexpr (N > 0) {
      for (const std::int64_t extent : shape_.value) count *= extent;
    }
    return count;
  }
  [[nodiscard]] std::int64_t shape(int d) const { return shape_.value[d]; }
  [[nodiscard]] bool empty() const { return size() == 0; }

  /// The elements in row-major order, once all earlier work on them is done.
  [[nodiscard]] std::vector<T> to_vector() const {
    std::vector<T> host(static_cast<std::size_t>(size()));
    copy_to(host);
    return host;
  }

  /// Copies all elements to or from host memory of exactly this size, and waits. Throws LaunchError for another size.
  void copy_to(std::span<T> host) const {
    require_same_size(host.size());
    if (!empty()) detail::copy_to_host(*device_, host.data(), data_, bytes());
  }
  void copy_from(std::span<const T> host) {
    require_same_size(host.size());
    if (!empty()) detail::copy_to_device(*device_, data_, host.data(), bytes());
  }

  /// The one element of an array of size 1.
  [[nodiscard]] T item() const {
    require_same_size(1);
    T value;
    detail::copy_to_host(*device_, &value, data_, sizeof(T));
    return value;
  }

  /// Device pointer to the first element; null where there is none.
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }

  /// What a kernel gets.
  [[nodiscard]] cuttle::view<T, N> view() { return {data_, shape_, {}}; }
  [[nodiscard]] cuttle::view<const T, N> view() const { return {data_, shape_, {}}; }

  /// Elements [begin, end) of the outermost dimension. Throws LaunchError where they are not inside.
  [[nodiscard]] cuttle::view<T, N> part(std::int64_t begin, std::int64_t end)
    requires(N >= 1)
  {
    auto shape = part_shape(begin, end);
    return {data_ + begin * row_size(), shape, {}};
  }
  [[nodiscard]] cuttle::view<const T, N> part(std::int64_t begin, std::int64_t end) const
    requires(N >= 1)
  {
    auto shape = part_shape(begin, end);
    return {data_ + begin * row_size(), shape, {}};
  }

  [[nodiscard]] Device device() const { return device_ ? Device(*device_) : Device::current(); }

 private:
  void allocate() {
    std::int64_t count = 1;
    if constexpr (N > 0) {
      for (const std::int64_t extent : shape_.value) {
        if (extent < 0) throw LaunchError("an Array was asked for with an extent of " + std::to_string(extent) + "; extents are 0 or more.");
        if (__builtin_mul_overflow(count, extent, &count)) throw LaunchError("an Array was asked for with more than 2^63 elements.");
      }
    }
    std::size_t size_in_bytes = 0;
    if (__builtin_mul_overflow(static_cast<std::size_t>(count), sizeof(T), &size_in_bytes)) {
      throw LaunchError("an Array was asked for with more than 2^64 bytes.");
    }
    device_ = &Device::current().state();
    data_ = static_cast<T*>(detail::allocate(*device_, size_in_bytes));
  }

  void release() noexcept {
    if (data_) detail::deallocate(*device_, data_);
    data_ = nullptr;
  }

  void require_same_size(std::size_t host_size) const {
    if (host_size != static_cast<std::size_t>(size())) {
      throw LaunchError("a copy between " + std::to_string(host_size) + " host elements and an Array of " + std::to_string(size()) +
                        " was asked for; sizes must be equal.");
    }
  }

  [[nodiscard]] std::int64_t row_size() const { return shape_.value[0] == 0 ? 0 : size() / shape_.value[0]; }

  [[nodiscard]] detail::Extents<N> part_shape(std::int64_t begin, std::int64_t end) const {
    if (begin < 0 || begin > end || end > shape_.value[0]) {
      throw LaunchError("part(" + std::to_string(begin) + ", " + std::to_string(end) + ") is not inside an Array whose first extent is " +
                        std::to_string(shape_.value[0]) + ".");
    }
    auto shape = shape_;
    shape.value[0] = end - begin;
    return shape;
  }

  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(size()) * sizeof(T); }

  detail::DeviceState* device_ = nullptr;
  T* data_ = nullptr;
  detail::Extents<N> shape_{};
};

template <class T>
Array(const std::vector<T>&) -> Array<T, 1>;
template <class T>
Array(std::span<const T>) -> Array<T, 1>;

}  // namespace cuttle
