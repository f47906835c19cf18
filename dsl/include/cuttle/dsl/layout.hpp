// Where the host compiler puts the members of a class: compared with the embedded Clang's places when a kernel is compiled (codegen/layouts.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "hide_macros.hpp"

namespace cuttle::detail {

/// The bits of an object that belong to one initialiser of an aggregate: a base, a member, or an element of a member that is an array. All zero
/// where it has none.
struct MemberBits {
  std::uint32_t first;
  std::uint32_t end;
};

inline constexpr std::size_t most_members = 32;  // of a class that are looked at

/// Initialises any member: with ones throughout, or with zeros.
struct AnyMember {
  bool is_marked;

  template <class T>
    requires(std::is_trivially_copyable_v<T>)
  operator T() const {  // NOLINT(google-explicit-constructor)
    if constexpr (std::is_same_v<T, bool>) {
      return is_marked;
    } else {
      struct Bytes {
        unsigned char value[sizeof(T)];
      } bytes;
      std::memset(&bytes, is_marked ? 0xff : 0, sizeof(bytes));
      return __builtin_bit_cast(T, bytes);
    }
  }
};

template <class T, std::size_t... I>
constexpr bool takes_initialisers(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), AnyMember{})...}; };
}

/// How many initialisers an aggregate takes, most_members at most.
template <class T, std::size_t count = 0>
constexpr std::size_t initialisers() {
  if constexpr (count < most_members && takes_initialisers<T>(std::make_index_sequence<count + 1>())) {
    return initialisers<T, count + 1>();
  } else {
    return count;
  }
}

// Elements of arrays are initialised without braces of their own, since their number is not known.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wmissing-braces"
#endif
template <class T, std::size_t... I>
void initialise(void* object, std::size_t marked, std::index_sequence<I...>) {
  auto* made = new (object) T{AnyMember{I == marked}...};
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(made);  // which is left as it happens to be
#else
  static_cast<void>(made);
#endif
}

#ifdef __clang__
#pragma clang diagnostic pop
#endif

inline MemberBits differing_bits(const unsigned char* a, const unsigned char* b, std::size_t size) {
  MemberBits bits{0, 0};
  for (std::uint32_t i = 0; i < size * 8; ++i) {
    if ((((a[i / 8] ^ b[i / 8]) >> (i % 8)) & 1) == 0) continue;
    if (bits.end == 0) bits.first = i;
    bits.end = i + 1;
  }
  return bits;
}

/// Writes the bits of each initialiser of T to `result`, which has room for most_members of them; their number, 0 for what is no aggregate.
template <class T>
std::size_t member_bits(MemberBits* result) {
  if constexpr (!std::is_class_v<T> || !std::is_aggregate_v<T>) {
    return 0;
  } else {
    constexpr std::size_t count = initialisers<T>();
    constexpr auto all = std::make_index_sequence<count>();
    alignas(T) unsigned char unmarked[sizeof(T)] = {}, marked[sizeof(T)] = {};
    initialise<T>(unmarked, count, all);
    for (std::size_t i = 0; i < count; ++i) {
      std::memset(marked, 0, sizeof(T));
      initialise<T>(marked, i, all);
      result[i] = differing_bits(unmarked, marked, sizeof(T));
    }
    return count;
  }
}

}  // namespace cuttle::detail

#include "restore_macros.hpp"
