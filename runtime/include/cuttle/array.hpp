// Array<T, N>: N-dimensional data in a device's memory, owned. What a kernel sees of it is a view.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "device.hpp"
#include "memory.hpp"
#include "stream.hpp"
#include "views.hpp"

#include "cuttle/dsl/hide_macros.hpp"

namespace cuttle {

/// Contiguous, row-major data on the device that was current when it was made. Move-only; copy() copies. T is trivially copyable.
/// Sizes, shapes and strides are in elements. An array that was default-constructed or moved from has no device, and no kernel takes it.
template <class T, int N = 1>
class Array {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>, "an Array holds trivially copyable, non-const elements");
  static_assert(N >= 0);

 public:
  using value_type = T;
  static constexpr int ndim = N;

  Array() = default;

  /// Uninitialised elements, one extent a dimension. Throws LaunchError for a negative extent, OutOfMemory when memory is short.
  template <class... Extent>
    requires(sizeof...(Extent) == N && (std::is_integral_v<Extent> && ...))
  explicit Array(Extent... shape) : Array(Shape<N>{static_cast<std::int64_t>(shape)...}, Uninitialised{}) {}

  /// A copy of host data, on the current device.
  explicit Array(const std::vector<T>& host)
    requires(N == 1)
      : Array(static_cast<std::int64_t>(host.size())) {
    if constexpr (std::is_same_v<T, bool>) {
      const auto bytes = std::make_unique<bool[]>(host.size());
      for (std::size_t i = 0; i < host.size(); ++i) bytes[i] = host[i];
      copy_from(bytes.get());
    } else {
      copy_from(host);
    }
  }
  Array(std::initializer_list<T> host)
    requires(N == 1)
      : Array(std::span<const T>(host.begin(), host.size())) {}
  explicit Array(std::span<const T> host)
    requires(N == 1)
      : Array(host.data(), host.size()) {}

  /// The rows of a matrix: `Array<float, 2> a{{1, 2}, {3, 4}}`. Throws LaunchError where they are not equally long.
  Array(std::initializer_list<std::initializer_list<T>> rows)
    requires(N == 2)
      : Array(rows.size(), rows.size() == 0 ? 0 : rows.begin()->size()) {
    const auto host = std::make_unique<T[]>(static_cast<std::size_t>(size()));
    T* to = host.get();
    for (const auto& row : rows) {
      if (row.size() != rows.begin()->size()) detail::throw_launch_error("an Array was asked for whose rows are not equally long.");
      for (const T& element : row) *to++ = element;
    }
    copy_from(host.get());
  }

  /// A copy of host data in row-major order, with a shape whose product is the data's size.
  template <class... Extent>
    requires(sizeof...(Extent) == N && N >= 1)
  explicit Array(std::span<const T> host, Extent... shape) : Array(shape...) {
    copy_from(host);
  }

  /// A copy of as many host elements as the shape says.
  template <class... Extent>
    requires(sizeof...(Extent) == N && N >= 1)
  explicit Array(const T* host, Extent... shape) : Array(shape...) {
    copy_from(host);
  }

  Array(Array&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)),
        data_(std::exchange(other.data_, nullptr)),
        shape_(std::exchange(other.shape_, {})),
        is_owner_(std::exchange(other.is_owner_, true)) {}
  Array& operator=(Array&& other) noexcept {
    if (this != &other) {
      Array old(std::move(*this));
      device_ = std::exchange(other.device_, nullptr);
      data_ = std::exchange(other.data_, nullptr);
      shape_ = std::exchange(other.shape_, {});
      is_owner_ = std::exchange(other.is_owner_, true);
    }
    return *this;
  }
  ~Array() {
    if (data_ && is_owner_) detail::deallocate(*device_, data_);
  }

  /// An array over memory of another library on the given device, which must outlive it and is not freed.
  [[nodiscard]] static Array borrow(T* data, const Shape<N>& shape, Device device = Device::current()) {
    Array result;
    if (detail::checked_bytes(shape.data(), N, sizeof(T)) > 0 && !data) {
      detail::throw_launch_error("an Array over a null pointer was asked for, with elements; give the address of memory that holds them.");
    }
    result.device_ = &device.state();
    result.data_ = data;
    result.set_shape(shape);
    result.is_owner_ = false;
    return result;
  }

  /// Uninitialised elements of a shape that is a value: what generic code needs.
  [[nodiscard]] static Array uninitialised(const Shape<N>& shape) { return Array(shape, Uninitialised{}); }

  /// The same elements in new memory of the same device.
  [[nodiscard]] Array copy() const {
    if (!device_) return {};
    const Use use{Device(*device_)};
    Array result(shape(), Uninitialised{});
    detail::copy(*device_, result.data_, data_, bytes(), detail::current_stream(*device_));
    return result;
  }

  [[nodiscard]] std::int64_t size() const { return device_ ? view().size() : 0; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::int64_t shape(int d) const { return view().shape(d); }
  [[nodiscard]] Shape<N> shape() const { return shape_of(view()); }
  [[nodiscard]] std::int64_t stride(int d) const { return view().stride(d); }
  [[nodiscard]] Shape<N> strides() const { return strides_of(view()); }

  /// The elements in row-major order, once all earlier work on them is done.
  [[nodiscard]] std::vector<T> to_vector() const {
    const auto count = static_cast<std::size_t>(size());
    if constexpr (std::is_same_v<T, bool>) {
      const auto bytes = std::make_unique<bool[]>(count);
      copy_to(bytes.get());
      return std::vector<bool>(bytes.get(), bytes.get() + count);
    } else {
      std::vector<T> host(count);
      copy_to(host);
      return host;
    }
  }

  /// Copies all elements to or from host memory of exactly this size, and waits. Throws LaunchError for another size.
  void copy_to(std::span<T> host) const {
    require_same_size(host.size());
    copy_to(host.data());
  }
  void copy_from(std::span<const T> host) {
    require_same_size(host.size());
    copy_from(host.data());
  }
  /// The same from and to a pointer to size() elements.
  void copy_to(T* host) const {
    if (!empty()) detail::copy_and_wait(*device_, host, data_, bytes());
  }
  void copy_from(const T* host) {
    if (!empty()) detail::copy_and_wait(*device_, data_, host, bytes());
  }

  /// The elements of another array of the same size, of any device, in the order of this device's current stream.
  void copy_from(const Array& other) {
    require_same_size(static_cast<std::size_t>(other.size()));
    if (!empty()) detail::copy_between(*device_, data_, *other.device_, other.data_, bytes());
  }

  /// The same in the order of a stream: host memory must stay as it is until the stream has come so far.
  void copy_to(std::span<T> host, const Stream& stream) const {
    require_same_size(host.size());
    if (!empty()) detail::copy(*device_, host.data(), data_, bytes(), stream.handle());
  }
  void copy_from(std::span<const T> host, const Stream& stream) {
    require_same_size(host.size());
    if (!empty()) detail::copy(*device_, data_, host.data(), bytes(), stream.handle());
  }

  /// Sets every element, in the order of the current stream.
  void fill(T value) {
    if (!empty()) {
      detail::fill(*device_, data_, &value, sizeof(T), static_cast<std::size_t>(size()), detail::current_stream(*device_));
    }
  }

  /// The one element of an array of size 1.
  [[nodiscard]] T item() const {
    require_same_size(1);
    T value;
    copy_to(&value);
    return value;
  }

  /// Device pointer to the first element; null where there is none.
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }

  /// What a kernel gets.
  [[nodiscard]] cuttle::view<T, N> view() { return {data_, shape_, {}}; }
  [[nodiscard]] cuttle::view<const T, N> view() const { return {data_, shape_, {}}; }

  // Views of the elements, as the functions of views.hpp make them: `x.part(2, 5)`, `x.slice(1, {0, 10, 2})`, `x.reshape(4, -1)`.
  [[nodiscard]] auto part(std::int64_t begin, std::int64_t end) { return cuttle::part(view(), begin, end); }
  [[nodiscard]] auto part(std::int64_t begin, std::int64_t end) const { return cuttle::part(view(), begin, end); }
  [[nodiscard]] auto slice(int d, const Slice& which) { return cuttle::slice(view(), d, which); }
  [[nodiscard]] auto slice(int d, const Slice& which) const { return cuttle::slice(view(), d, which); }
  template <class... Extent>
  [[nodiscard]] auto reshape(Extent... shape) {
    return cuttle::reshape(view(), shape...);
  }
  template <class... Extent>
  [[nodiscard]] auto reshape(Extent... shape) const {
    return cuttle::reshape(view(), shape...);
  }
  [[nodiscard]] auto transpose() { return cuttle::transpose(view()); }
  [[nodiscard]] auto transpose() const { return cuttle::transpose(view()); }
  template <class U>
  [[nodiscard]] auto view_as() {
    return cuttle::view_as<U>(view());
  }
  template <class U>
  [[nodiscard]] auto view_as() const {
    return cuttle::view_as<const U>(view());
  }
  template <class... Extent>
  [[nodiscard]] auto broadcast(Extent... shape) const {
    return cuttle::broadcast(view(), shape...);
  }

  [[nodiscard]] Device device() const { return device_ ? Device(*device_) : Device::current(); }

  /// For cuttle's own headers: null where the array was default-constructed or moved from.
  [[nodiscard]] detail::DeviceState* home() const { return device_; }

 private:
  struct Uninitialised {};

  Array(const Shape<N>& shape, Uninitialised) : device_(&Device::current().state()) {
    set_shape(shape);
    data_ = static_cast<T*>(detail::allocate(*device_, detail::checked_bytes(shape.data(), N, sizeof(T))));
  }

  void set_shape(const Shape<N>& shape) {
    if constexpr (N > 0) {
      for (int d = 0; d < N; ++d) shape_.value[d] = shape[static_cast<std::size_t>(d)];
    }
  }

  void require_same_size(std::size_t host_size) const {
    if (host_size != static_cast<std::size_t>(size())) detail::throw_sizes_differ(host_size, size());
  }

  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(size()) * sizeof(T); }

  detail::DeviceState* device_ = nullptr;
  T* data_ = nullptr;
  detail::Extents<N> shape_{};
  bool is_owner_ = true;
};

template <class T>
Array(const std::vector<T>&) -> Array<T, 1>;
template <class T>
Array(std::span<const T>) -> Array<T, 1>;
template <class T>
Array(std::span<T>) -> Array<T, 1>;
template <class T, class... Extent>
Array(const std::vector<T>&, Extent...) -> Array<T, static_cast<int>(sizeof...(Extent))>;

}  // namespace cuttle

#include "cuttle/dsl/restore_macros.hpp"
