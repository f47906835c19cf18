// Atomic operations: CUDA's atomicAdd and its kin for every arithmetic type, and std::atomic_ref. Both devices: Clang's scoped builtins.
#pragma once

namespace cuttle::detail {

/// Which threads see an operation as one step.
struct BlockScope {
  static constexpr int value = __MEMORY_SCOPE_WRKGRP;
};
struct DeviceScope {
  static constexpr int value = __MEMORY_SCOPE_DEVICE;
};
struct SystemScope {
  static constexpr int value = __MEMORY_SCOPE_SYSTEM;
};

/// What the hardware's atomics work on for a T: half and bfloat16 are stored as the compiler's own 16-bit types.
template <class T>
struct AtomicStorage {
  using type = T;
};
template <>
struct AtomicStorage<half> {
  using type = _Float16;
};
template <>
struct AtomicStorage<bfloat16> {
  using type = __bf16;
};
template <class T>
using atomic_storage = typename AtomicStorage<T>::type;

template <unsigned bytes>
struct Bits;
template <>
struct Bits<1> {
  using type = unsigned char;
};
template <>
struct Bits<2> {
  using type = unsigned short;
};
template <>
struct Bits<4> {
  using type = unsigned;
};
template <>
struct Bits<8> {
  using type = unsigned long long;
};
template <class T>
using bits_of = typename Bits<sizeof(T)>::type;

// The operations of the hardware.
#define CUTTLE_FETCH(operation)                                                                          \
  template <class Scope, class T>                                                                        \
  T fetch_##operation(Scope, T* address, T value) {                                                      \
    return __scoped_atomic_fetch_##operation(address, value, __ATOMIC_RELAXED, Scope::value);            \
  }
CUTTLE_FETCH(add)
CUTTLE_FETCH(min)
CUTTLE_FETCH(max)
CUTTLE_FETCH(and)
CUTTLE_FETCH(or)
CUTTLE_FETCH(xor)
CUTTLE_FETCH(uinc)
CUTTLE_FETCH(udec)
#undef CUTTLE_FETCH
template <class Scope, class T>
T fetch_exchange(Scope, T* address, T value) {
  return __scoped_atomic_exchange_n(address, value, __ATOMIC_RELAXED, Scope::value);
}

#ifdef CUTTLE_BACKEND_PTX
// Clang 22 drops the scope of all but compare-and-swap, which it makes system-wide: for block and system there are NVVM's own builtins.
#define CUTTLE_SCOPED(Scope, scope, operation, builtin, T, V) \
  inline T fetch_##operation(Scope, T* address, T value) {    \
    return static_cast<T>(__nvvm_atom_##scope##_##builtin(reinterpret_cast<V*>(address), static_cast<V>(value))); \
  }
#define CUTTLE_SCOPED_INTEGER(Scope, scope, T, V, s, U)                        \
  CUTTLE_SCOPED(Scope, scope, add, add_gen_##s, T, V)                          \
  CUTTLE_SCOPED(Scope, scope, add, add_gen_##s, U, V)                          \
  CUTTLE_SCOPED(Scope, scope, exchange, xchg_gen_##s, T, V)                    \
  CUTTLE_SCOPED(Scope, scope, exchange, xchg_gen_##s, U, V)                    \
  CUTTLE_SCOPED(Scope, scope, and, and_gen_##s, T, V)                          \
  CUTTLE_SCOPED(Scope, scope, and, and_gen_##s, U, V)                          \
  CUTTLE_SCOPED(Scope, scope, or, or_gen_##s, T, V)                            \
  CUTTLE_SCOPED(Scope, scope, or, or_gen_##s, U, V)                            \
  CUTTLE_SCOPED(Scope, scope, xor, xor_gen_##s, T, V)                          \
  CUTTLE_SCOPED(Scope, scope, xor, xor_gen_##s, U, V)                          \
  CUTTLE_SCOPED(Scope, scope, min, min_gen_##s, T, V)                          \
  CUTTLE_SCOPED(Scope, scope, max, max_gen_##s, T, V)
// Unsigned minima and maxima under a scope are those of signed numbers in LLVM 22, whichever builtin is called.
#define CUTTLE_SCOPED_UNSIGNED(Scope, scope, operation, U, bits, letter)                       \
  inline U fetch_##operation(Scope, U* address, U value) {                                     \
    U old;                                                                                     \
    asm volatile("atom." #scope "." #operation ".u" #bits " %0, [%1], %2;"                     \
                 : "=" #letter(old)                                                            \
                 : "l"(address), #letter(value)                                                \
                 : "memory");                                                                  \
    return old;                                                                                \
  }
#define CUTTLE_SCOPED_ALL(Scope, scope)                                                                        \
  CUTTLE_SCOPED_INTEGER(Scope, scope, int, int, i, unsigned)                                                   \
  CUTTLE_SCOPED_INTEGER(Scope, scope, long, long long, ll, unsigned long)                                      \
  CUTTLE_SCOPED_INTEGER(Scope, scope, long long, long long, ll, unsigned long long)                            \
  CUTTLE_SCOPED_UNSIGNED(Scope, scope, min, unsigned, 32, r)                                                   \
  CUTTLE_SCOPED_UNSIGNED(Scope, scope, max, unsigned, 32, r)                                                   \
  CUTTLE_SCOPED_UNSIGNED(Scope, scope, min, unsigned long, 64, l)                                              \
  CUTTLE_SCOPED_UNSIGNED(Scope, scope, max, unsigned long, 64, l)                                              \
  CUTTLE_SCOPED_UNSIGNED(Scope, scope, min, unsigned long long, 64, l)                                         \
  CUTTLE_SCOPED_UNSIGNED(Scope, scope, max, unsigned long long, 64, l)                                         \
  CUTTLE_SCOPED(Scope, scope, add, add_gen_f, float, float)                                                    \
  CUTTLE_SCOPED(Scope, scope, add, add_gen_d, double, double)                                                  \
  CUTTLE_SCOPED(Scope, scope, uinc, inc_gen_ui, unsigned, unsigned)                                            \
  CUTTLE_SCOPED(Scope, scope, udec, dec_gen_ui, unsigned, unsigned)
CUTTLE_SCOPED_ALL(BlockScope, cta)
CUTTLE_SCOPED_ALL(SystemScope, sys)
#undef CUTTLE_SCOPED_ALL
#undef CUTTLE_SCOPED_UNSIGNED
#undef CUTTLE_SCOPED_INTEGER
#undef CUTTLE_SCOPED
#endif

template <class Scope, class T>
T atomic_compare_exchange(Scope, T* address, T compare, T value) {
  auto expected = __builtin_bit_cast(bits_of<T>, compare);
  __scoped_atomic_compare_exchange_n(reinterpret_cast<bits_of<T>*>(address), &expected, __builtin_bit_cast(bits_of<T>, value), false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED, Scope::value);
  return __builtin_bit_cast(T, expected);
}

/// Stores operation(old) until it was the old value that was replaced. Compares bits, so that a NaN ends the loop like any other value.
template <class Scope, class T, class F>
T atomic_update(Scope scope, T* address, const F& operation) {
  T old = __builtin_bit_cast(T, *reinterpret_cast<volatile bits_of<T>*>(address));
  while (true) {
    const T seen = atomic_compare_exchange(scope, address, old, static_cast<T>(operation(old)));
    if (__builtin_bit_cast(bits_of<T>, seen) == __builtin_bit_cast(bits_of<T>, old)) return seen;
    old = seen;
  }
}

/// Minimum or maximum of floating-point values by the integer order of their bits: -0.0 is below 0.0, and one instruction does it. A NaN
/// operand changes nothing and a NaN in memory is replaced, as fmin and fmax have it.
template <bool maximum, class Scope, class T>
T atomic_extremum(Scope scope, T* address, T value) {
  using U = bits_of<T>;
  using I = std::make_signed_t<U>;
  auto* as_unsigned = reinterpret_cast<U*>(address);
  auto* as_signed = reinterpret_cast<I*>(address);
  if (value != value) return __builtin_bit_cast(T, __scoped_atomic_load_n(as_unsigned, __ATOMIC_RELAXED, Scope::value));
  const U bits = __builtin_bit_cast(U, value);
  const bool negative = static_cast<I>(bits) < 0;
  U old;
  // Bits of positive values are ordered as the values are; those of negative ones in reverse and, unsigned, above all positive ones.
  if constexpr (maximum) {
    old = negative ? fetch_min(scope, as_unsigned, bits) : static_cast<U>(fetch_max(scope, as_signed, static_cast<I>(bits)));
  } else {
    old = negative ? fetch_max(scope, as_unsigned, bits) : static_cast<U>(fetch_min(scope, as_signed, static_cast<I>(bits)));
  }
  const T before = __builtin_bit_cast(T, old);
  if (before == before) return before;
  return atomic_update(scope, address, [value](T now) { return now != now || (maximum ? now < value : value < now) ? value : now; });
}

template <bool maximum, class Scope, class T>
T atomic_bound(Scope scope, T* address, T value) {
  if constexpr (!std::is_integral_v<T>) {
    return atomic_extremum<maximum>(scope, address, value);
  } else if constexpr (maximum) {
    return fetch_max(scope, address, value);
  } else {
    return fetch_min(scope, address, value);
  }
}

}  // namespace cuttle::detail

namespace cuttle::dsl {

// Each returns the old value, orders nothing else (relaxed, as in CUDA), and comes for the device, the block and the whole system. On the CPU
// device the three are one.
#define CUTTLE_ATOMIC(name, suffix, call)                              \
  template <class T>                                                   \
  T name##suffix(T* address, std::type_identity_t<T> value) {          \
    return call;                                                       \
  }
#define CUTTLE_ATOMICS(suffix, Scope)                                                                                          \
  CUTTLE_ATOMIC(atomicAdd, suffix,                                                                                             \
                __builtin_bit_cast(T, fetch_add(detail::Scope{}, reinterpret_cast<detail::atomic_storage<T>*>(address),        \
                                                __builtin_bit_cast(detail::atomic_storage<T>, value))))                        \
  CUTTLE_ATOMIC(atomicSub, suffix, atomicAdd##suffix(address, static_cast<T>(-value)))                                         \
  CUTTLE_ATOMIC(atomicExch, suffix,                                                                                            \
                __builtin_bit_cast(T, fetch_exchange(detail::Scope{}, reinterpret_cast<detail::bits_of<T>*>(address),          \
                                                     __builtin_bit_cast(detail::bits_of<T>, value))))                          \
  CUTTLE_ATOMIC(atomicMin, suffix, detail::atomic_bound<false>(detail::Scope{}, address, value))                               \
  CUTTLE_ATOMIC(atomicMax, suffix, detail::atomic_bound<true>(detail::Scope{}, address, value))                                \
  CUTTLE_ATOMIC(atomicInc, suffix, fetch_uinc(detail::Scope{}, address, value))                                                \
  CUTTLE_ATOMIC(atomicDec, suffix, fetch_udec(detail::Scope{}, address, value))                                                \
  CUTTLE_ATOMIC(atomicAnd, suffix, fetch_and(detail::Scope{}, address, value))                                                 \
  CUTTLE_ATOMIC(atomicOr, suffix, fetch_or(detail::Scope{}, address, value))                                                   \
  CUTTLE_ATOMIC(atomicXor, suffix, fetch_xor(detail::Scope{}, address, value))                                                 \
  template <class T>                                                                                                           \
  T atomicCAS##suffix(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {                            \
    return detail::atomic_compare_exchange(detail::Scope{}, address, compare, value);                                          \
  }
CUTTLE_ATOMICS(, DeviceScope)
CUTTLE_ATOMICS(_block, BlockScope)
CUTTLE_ATOMICS(_system, SystemScope)
#undef CUTTLE_ATOMICS
#undef CUTTLE_ATOMIC

}  // namespace cuttle::dsl
