// From the arguments of a launch to the parameter types and values that a kernel gets.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "array.hpp"
#include "cuttle/dsl/capture.hpp"
#include "cuttle/dsl/signature.hpp"
#include "export.hpp"
#include "options.hpp"

namespace cuttle::detail {

// Argument types that kernels cannot take get a sentence each.
template <class T>
inline constexpr bool is_host_container = false;
template <class T, class A>
inline constexpr bool is_host_container<std::vector<T, A>> = true;
template <class C, class T, class A>
inline constexpr bool is_host_container<std::basic_string<C, T, A>> = true;
template <class C, class T>
inline constexpr bool is_host_container<std::basic_string_view<C, T>> = true;
template <class T, std::size_t E>
inline constexpr bool is_host_container<std::span<T, E>> = true;

template <class T>
inline constexpr bool is_array = false;
template <class T, int N>
inline constexpr bool is_array<Array<T, N>> = true;

/// How an argument of type T is passed where the parameter does not say otherwise.
template <class T>
struct Argument {
  static_assert(!is_host_container<T>, "a kernel cannot read a host container: make a cuttle::Array of it");
  static_assert(!std::is_same_v<T, long double>, "there is no long double in a kernel: use double");
  static_assert(is_host_container<T> || std::is_trivially_copyable_v<T>,
                "a kernel argument must be trivially copyable, since it is copied byte by byte: pass plain structs, numbers, views and Arrays");
  static const T& pass(const T& value) { return value; }
};
template <class T, int N>
struct Argument<Array<T, N>> {
  static view<T, N> pass(Array<T, N>& array) { return array.view(); }
  static view<const T, N> pass(const Array<T, N>& array) { return array.view(); }
};

/// The value of a declared parameter from an argument: as in a C++ call, and a pointer from an Array.
template <class To, class Given>
To convert(Given& given) {
  if constexpr (is_array<std::remove_const_t<Given>> && std::is_pointer_v<To>) {
    static_assert(std::is_convertible_v<decltype(given.data()), To>,
                  "the kernel's parameter is a pointer of another type than the Array's elements; a const Array needs a const T*");
    return given.data();
  } else if constexpr (is_array<std::remove_const_t<Given>>) {
    static_assert(std::is_convertible_v<decltype(given.view()), To>,
                  "the kernel's parameter does not take this Array: element type, dimensions or const differ");
    return given.view();
  } else {
    static_assert(std::is_convertible_v<Given&, To>, "the argument does not convert to the kernel's parameter");
    return static_cast<To>(given);  // 5 for a float parameter, as a call of a function would; narrowing is the caller's own
  }
}

template <ParameterKind Kind>
struct ScalarOfKind;
#define CUTTLE_SCALAR(kind, scalar)          \
  template <>                                \
  struct ScalarOfKind<ParameterKind::kind> { \
    using type = scalar;                     \
  };
CUTTLE_SCALAR(boolean, bool)
CUTTLE_SCALAR(character, char)
CUTTLE_SCALAR(signed_char, signed char)
CUTTLE_SCALAR(unsigned_char, unsigned char)
CUTTLE_SCALAR(short_int, short)
CUTTLE_SCALAR(unsigned_short, unsigned short)
CUTTLE_SCALAR(int_, int)
CUTTLE_SCALAR(unsigned_int, unsigned int)
CUTTLE_SCALAR(long_int, long)
CUTTLE_SCALAR(unsigned_long, unsigned long)
CUTTLE_SCALAR(long_long, long long)
CUTTLE_SCALAR(unsigned_long_long, unsigned long long)
CUTTLE_SCALAR(float_, float)
CUTTLE_SCALAR(double_, double)
#undef CUTTLE_SCALAR

/// The value of a parameter of which only the text is known.
template <ParameterKind Kind, class Given>
decltype(auto) convert_to_kind(Given& given) {
  if constexpr (Kind == ParameterKind::pointer && is_array<std::remove_const_t<Given>>) {
    return given.data();
  } else if constexpr (Kind == ParameterKind::deduced || Kind == ParameterKind::pointer) {
    return Argument<std::remove_const_t<std::remove_pointer_t<std::decay_t<Given*>>>>::pass(given);
  } else {
    return convert<typename ScalarOfKind<Kind>::type>(given);
  }
}

/// Calls `use(signature, pointers)` with the parameter types and the values' addresses.
template <class Use, class... T>
decltype(auto) with_values(const Use& use, const T&... values) {
  const void* pointers[] = {static_cast<const void*>(&values)..., nullptr};
  return use(SignatureOf<T...>::value, pointers);
}

/// A kernel with all that its variants depend on besides argument types and captured values.
struct KernelHandle {
  KernelText text;
  Site* site;
  const CaptureTypes* capture_types;
  DeviceBlocks blocks;
  const Signature* declared;  // parameter types as written; null where the call gives them
  std::size_t parameter_count;
  Options options{};
};

template <std::size_t Given, ParameterList List>
constexpr void require_count() {
  static_assert(Given >= List.required, "too few arguments: the kernel has more parameters");
  static_assert(Given <= List.count, "too many arguments: the kernel has fewer parameters");
}

// The ways to arrive at parameter types: the arguments' types, the declared ones, or, where the type of the kernel is erased, what its handle says.
template <class Parameters>
struct Binding;

template <ParameterList List>
struct Binding<Deduced<List>> {
  static constexpr std::size_t count = List.count;
  static constexpr const Signature* declared = nullptr;

  template <class Use, class... Args>
  static decltype(auto) bind(const KernelHandle&, const Use& use, Args&... arguments) {
    require_count<sizeof...(Args), List>();
    return bind_each(use, std::index_sequence_for<Args...>(), arguments...);
  }
  template <class... T>
  static const Signature& signature(const KernelHandle&) {
    require_count<sizeof...(T), List>();
    return SignatureOf<T...>::value;
  }

 private:
  template <class Use, std::size_t... I, class... Args>
  static decltype(auto) bind_each(const Use& use, std::index_sequence<I...>, Args&... arguments) {
    return with_values(use, convert_to_kind<List.kinds[I]>(arguments)...);
  }
};

template <ParameterList List, class... P>
struct Binding<Declared<List, P...>> {
  static constexpr std::size_t count = sizeof...(P);
  static constexpr const Signature* declared = &SignatureOf<std::remove_cvref_t<P>...>::value;

  template <class Use, class... Args>
  static decltype(auto) bind(const KernelHandle&, const Use& use, Args&... arguments) {
    require_count<sizeof...(Args), List>();
    if constexpr (sizeof...(Args) >= List.required && sizeof...(Args) <= sizeof...(P)) {  // else the message above is all that is said
      return bind_each(use, std::index_sequence_for<Args...>(), arguments...);
    }
  }
  template <class... T>
  static const Signature& signature(const KernelHandle&) {
    require_count<sizeof...(T), List>();
    return *declared;
  }

 private:
  template <std::size_t I>
  using Parameter = std::remove_cvref_t<std::tuple_element_t<I, std::tuple<P...>>>;

  template <class Use, std::size_t... I, class... Args>
  static decltype(auto) bind_each(const Use& use, std::index_sequence<I...>, Args&... arguments) {
    return with_values(use, convert<Parameter<I>>(arguments)...);
  }
};

/// The signature that a call of `kernel` with arguments of the types `given` has. Where parameters are declared, arguments are converted to them:
/// `pointers` gets the values' addresses, converted scalars lie in `scalars`, of which there is one an argument. Without `values` only types
/// are looked at. Throws LaunchError for a wrong number, and for a type that does not convert.
CUTTLE_API const Signature& convert_arguments(const KernelHandle& kernel, const Signature& given, const void* const* values, std::uint64_t* scalars,
                                              const void** pointers);

struct AnyParameters {};

template <>
struct Binding<AnyParameters> {
  template <class Use, class... Args>
  static decltype(auto) bind(const KernelHandle& kernel, const Use& use, Args&... arguments) {
    const auto convert_and_use = [&](const Signature& given, const void* const* values) -> decltype(auto) {
      std::uint64_t scalars[sizeof...(Args) + 1];
      const void* pointers[sizeof...(Args) + 1];
      const Signature& signature = convert_arguments(kernel, given, values, scalars, pointers);
      return use(signature, pointers);
    };
    return with_values(convert_and_use, convert_to_kind<ParameterKind::deduced>(arguments)...);
  }
  template <class... T>
  static const Signature& signature(const KernelHandle& kernel) {
    return convert_arguments(kernel, SignatureOf<T...>::value, nullptr, nullptr, nullptr);
  }
};

}  // namespace cuttle::detail
