// std::atomic_ref with memory orders, as <atomic> has it: system-wide, sequentially consistent where nothing is said.
#pragma once

namespace std {

enum class memory_order : int { relaxed, consume, acquire, release, acq_rel, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_consume = memory_order::consume;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

inline void atomic_thread_fence(memory_order order) { __atomic_thread_fence(static_cast<int>(order)); }

template <class T>
class atomic_ref {
 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;
  static constexpr size_t required_alignment = alignof(T);

  explicit atomic_ref(T& object) : address_(&object) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;

  bool is_lock_free() const { return is_always_lock_free; }
  T load(memory_order order = memory_order_seq_cst) const {
    T value;
    __atomic_load(address_, &value, static_cast<int>(order));
    return value;
  }
  void store(T value, memory_order order = memory_order_seq_cst) const { __atomic_store(address_, &value, static_cast<int>(order)); }
  T exchange(T value, memory_order order = memory_order_seq_cst) const {
    T old;
    __atomic_exchange(address_, &value, &old, static_cast<int>(order));
    return old;
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure) const {
    return __atomic_compare_exchange(address_, &expected, &desired, true, static_cast<int>(success), static_cast<int>(failure));
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order order = memory_order_seq_cst) const {
    return compare_exchange_weak(expected, desired, order, failure_order(order));
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure) const {
    return __atomic_compare_exchange(address_, &expected, &desired, false, static_cast<int>(success), static_cast<int>(failure));
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, desired, order, failure_order(order));
  }

  T fetch_add(T value, memory_order order = memory_order_seq_cst) const { return __atomic_fetch_add(address_, value, static_cast<int>(order)); }
  T fetch_sub(T value, memory_order order = memory_order_seq_cst) const { return __atomic_fetch_sub(address_, value, static_cast<int>(order)); }
  T fetch_and(T value, memory_order order = memory_order_seq_cst) const { return __atomic_fetch_and(address_, value, static_cast<int>(order)); }
  T fetch_or(T value, memory_order order = memory_order_seq_cst) const { return __atomic_fetch_or(address_, value, static_cast<int>(order)); }
  T fetch_xor(T value, memory_order order = memory_order_seq_cst) const { return __atomic_fetch_xor(address_, value, static_cast<int>(order)); }

  operator T() const { return load(); }  // NOLINT(google-explicit-constructor): as std::atomic_ref
  T operator=(T value) const {           // NOLINT(misc-unconventional-assign-operator)
    store(value);
    return value;
  }
  T operator++() const { return fetch_add(1) + 1; }
  T operator++(int) const { return fetch_add(1); }
  T operator--() const { return fetch_sub(1) - 1; }
  T operator--(int) const { return fetch_sub(1); }
  T operator+=(T value) const { return fetch_add(value) + value; }
  T operator-=(T value) const { return fetch_sub(value) - value; }
  T operator&=(T value) const { return fetch_and(value) & value; }
  T operator|=(T value) const { return fetch_or(value) | value; }
  T operator^=(T value) const { return fetch_xor(value) ^ value; }

 private:
  static constexpr memory_order failure_order(memory_order success) {
    return success == memory_order::acq_rel ? memory_order::acquire : success == memory_order::release ? memory_order::relaxed : success;
  }

  T* address_;
};
template <class T>
atomic_ref(T&) -> atomic_ref<T>;

}  // namespace std
