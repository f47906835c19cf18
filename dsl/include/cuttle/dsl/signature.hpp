// Signatures: what a kernel's argument types are called, by the embedded Clang and in messages, and how large they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "half.hpp"
#include "layout.hpp"
#include "vector_types.hpp"
#include "view.hpp"

#include "hide_macros.hpp"

namespace cuttle::detail {

/// How a type is called: in the source that Clang compiles, and in a signature.
struct TypeName {
  std::string device;      // "cuttle::view<const float, 1>"
  std::string short_form;  // "view<const f32>"
};

/// The types among which a call converts by value, as C++ does.
enum class Scalar : std::uint8_t { none, boolean, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };

/// How a parameter shows elements that live elsewhere.
enum class Window : std::uint8_t { none, pointer, contiguous_view, strided_view };

/// One parameter type of a kernel. Constant-initialised, one for each type; names are made only when a kernel is compiled. The members after
/// `name` are for calls through Kernel, which convert arguments at run time.
struct TypeInfo {
  std::size_t size;
  std::size_t align;
  TypeName (*name)();
  Scalar scalar;
  Window window;
  int dimensions;                              // of a view
  bool read_only;                              // the elements of a window
  const TypeInfo* element;                     // without const; null where there is no window, and for void*
  const TypeInfo* constant_of;                 // what constant(v) is a constant of; null for all other types
  std::size_t (*members)(MemberBits* result);  // of a class, for which room is for most_members; null for all other types
};

/// The parameter types of a call, known at compile time. Its address is the static part of a signature.
struct Signature {
  const TypeInfo* const* parameters;
  std::size_t count;
  std::size_t constant_bytes;  // of all constants among the parameters, whose values are part of the signature
};

/// An argument for whose value the kernel is compiled: constant(v).
template <class T>
struct Constant {
  T value;
  constexpr operator T() const { return value; }  // NOLINT(google-explicit-constructor): for a declared parameter it is a plain value
};

template <class T>
struct ConstantOf {
  using type = void;
};
template <class T>
struct ConstantOf<Constant<T>> {
  using type = T;
};

/// A class name as a signature shows it: c64 for std::complex<float>, whose header is too large to be included here.
[[nodiscard]] __attribute__((visibility("default"))) std::string short_type_name(const std::string& name);

/// The name of a class or an enumeration as Clang writes it in the global namespace, from this compiler's name of it.
[[nodiscard]] __attribute__((visibility("default"))) std::string normalized_type_name(const char* pretty_function);

template <class T>
struct Named {
  static TypeName name() {
    std::string text = normalized_type_name(__PRETTY_FUNCTION__);
    return {text, short_type_name(text)};
  }
};

#define CUTTLE_NAMED(type, short_form)                        \
  template <>                                                 \
  struct Named<type> {                                        \
    static TypeName name() { return {#type, #short_form}; }   \
  };
CUTTLE_NAMED(bool, bool)
CUTTLE_NAMED(char, char)
CUTTLE_NAMED(signed char, i8)
CUTTLE_NAMED(unsigned char, u8)
CUTTLE_NAMED(short, i16)
CUTTLE_NAMED(unsigned short, u16)
CUTTLE_NAMED(int, i32)
CUTTLE_NAMED(unsigned int, u32)
CUTTLE_NAMED(long, i64)
CUTTLE_NAMED(unsigned long, u64)
CUTTLE_NAMED(long long, long long)
CUTTLE_NAMED(unsigned long long, unsigned long long)
CUTTLE_NAMED(float, f32)
CUTTLE_NAMED(double, f64)
CUTTLE_NAMED(cuttle::half, f16)
CUTTLE_NAMED(cuttle::bfloat16, bf16)
#undef CUTTLE_NAMED
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UnsignedInt128;
template <>
struct Named<Int128> {
  static TypeName name() { return {"__int128", "i128"}; }
};
template <>
struct Named<UnsignedInt128> {
  static TypeName name() { return {"unsigned __int128", "u128"}; }
};

template <class T>
struct Named<const T> {
  static TypeName name() {
    const TypeName n = Named<T>::name();
    return {"const " + n.device, "const " + n.short_form};
  }
};

template <class T>
struct Named<T*> {
  static TypeName name() {
    const TypeName n = Named<T>::name();
    // East const, so that a pointer to pointer reads right.
    if constexpr (std::is_const_v<T>) {
      const TypeName base = Named<std::remove_const_t<T>>::name();
      return {base.device + " const*", "ptr<" + n.short_form + ">"};
    } else {
      return {n.device + "*", "ptr<" + n.short_form + ">"};
    }
  }
};

template <class T, int N, class Layout>
struct Named<view<T, N, Layout>> {
  static TypeName name() {
    const TypeName n = Named<T>::name();
    constexpr bool is_strided = std::is_same_v<Layout, strided>;
    const std::string dimensions = std::to_string(N);
    return {"cuttle::view<" + n.device + ", " + dimensions + (is_strided ? ", cuttle::strided>" : ">"),
            "view<" + n.short_form + (N == 1 && !is_strided ? "" : "," + dimensions) + (is_strided ? ",strided>" : ">")};
  }
};

template <class T, int N>
struct Named<vec<T, N>> {
  static TypeName name() {
    const TypeName n = Named<T>::name();
    const std::string count = std::to_string(N);
    return {"cuttle::vec<" + n.device + ", " + count + ">", n.short_form + "x" + count};
  }
};

#ifdef __VECTOR_TYPES_H__
// CUDA's own structs are laid out alike.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define CUTTLE_VECTOR_FAMILY(name, T)           \
  template <>                                   \
  struct Named<name##1> : Named<vec<T, 1>> {};  \
  template <>                                   \
  struct Named<name##2> : Named<vec<T, 2>> {};  \
  template <>                                   \
  struct Named<name##3> : Named<vec<T, 3>> {};  \
  template <>                                   \
  struct Named<name##4> : Named<vec<T, 4>> {};
CUTTLE_VECTOR_FAMILIES(CUTTLE_VECTOR_FAMILY)
#undef CUTTLE_VECTOR_FAMILY
#pragma GCC diagnostic pop
#endif

template <class T, std::size_t N>
struct Named<std::array<T, N>> {
  static TypeName name() {
    const TypeName n = Named<T>::name();
    const std::string count = std::to_string(N);
    return {"std::array<" + n.device + ", " + count + ">", "array<" + n.short_form + "," + count + ">"};
  }
};

template <class T>
struct Named<Constant<T>> {
  // With its value, which only a call has, the name is made where the kernel is compiled (runtime/src/kernel_source.h).
  static TypeName name() {
    const TypeName n = Named<T>::name();
    return {"constant " + n.device, "const<" + n.short_form + ">"};
  }
};

template <class T>
constexpr Scalar scalar_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return Scalar::boolean;
  } else if constexpr (std::is_same_v<T, float>) {
    return Scalar::f32;
  } else if constexpr (std::is_same_v<T, double>) {
    return Scalar::f64;
  } else if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
    constexpr Scalar of_size[] = {Scalar::i8, Scalar::i16, Scalar::i32, Scalar::i64};
    constexpr int log2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<Scalar>(static_cast<int>(of_size[log2]) + (std::is_unsigned_v<T> ? 1 : 0));
  } else {
    return Scalar::none;
  }
}

template <class T>
struct WindowOf {
  using element = void;
  static constexpr Window kind = Window::none;
  static constexpr int dimensions = 0;
};
template <class T>
struct WindowOf<T*> {
  using element = T;
  static constexpr Window kind = Window::pointer;
  static constexpr int dimensions = 0;
};
template <class T, int N, class Layout>
struct WindowOf<view<T, N, Layout>> {
  using element = T;
  static constexpr Window kind = std::is_same_v<Layout, strided> ? Window::strided_view : Window::contiguous_view;
  static constexpr int dimensions = N;
};

template <class T>
constexpr auto members_or_null() -> std::size_t (*)(MemberBits*) {
  if constexpr (std::is_class_v<T> && WindowOf<T>::kind == Window::none && std::is_void_v<typename ConstantOf<T>::type>) {
    return &member_bits<T>;
  } else {
    return nullptr;
  }
}

/// The type's description; null for void.
template <class T>
constexpr const TypeInfo* type_info_or_null();

template <class T>
inline constexpr TypeInfo type_info{.size = sizeof(T),
                                    .align = alignof(T),
                                    .name = &Named<T>::name,
                                    .scalar = scalar_of<T>(),
                                    .window = WindowOf<T>::kind,
                                    .dimensions = WindowOf<T>::dimensions,
                                    .read_only = std::is_const_v<typename WindowOf<T>::element>,
                                    .element = type_info_or_null<std::remove_const_t<typename WindowOf<T>::element>>(),
                                    .constant_of = type_info_or_null<typename ConstantOf<T>::type>(),
                                    .members = members_or_null<T>()};

template <class T>
constexpr const TypeInfo* type_info_or_null() {
  if constexpr (std::is_void_v<T>) {
    return nullptr;
  } else {
    return &type_info<T>;
  }
}

template <class T>
inline constexpr std::size_t constant_bytes_of = 0;
template <class T>
inline constexpr std::size_t constant_bytes_of<Constant<T>> = sizeof(T);

template <class... T>
struct SignatureOf {
  static constexpr const TypeInfo* parameters[sizeof...(T) + 1] = {&type_info<T>..., nullptr};
  static constexpr Signature value{parameters, sizeof...(T), (constant_bytes_of<T> + ... + 0)};
};

}  // namespace cuttle::detail

#include "restore_macros.hpp"
