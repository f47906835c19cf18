// From the arguments of a launch to the parameter types and values that a kernel gets.
#pragma once

#include <array>
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
#include "cuttle/dsl/facts.hpp"
#include "cuttle/dsl/signature.hpp"
#include "export.hpp"
#include "options.hpp"

#include "cuttle/dsl/hide_macros.hpp"

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

/// Whether a class, which has no name for the other compiler then, is local to a function or a lambda: by its name here, since no trait tells.
template <class T>
consteval bool is_local_class() {
  if constexpr (!std::is_class_v<T>) {
    return false;
  } else {
    const std::string_view name = __PRETTY_FUNCTION__;
    const std::size_t type = name.find("T = ");
    for (const std::string_view part : {"lambda", ")::", "]::"}) {
      for (std::size_t at = name.find(part, type); at != name.npos; at = name.find(part, at + 1)) {
        // Not the unnamed namespace's parenthesis; of "lambda", what the compilers' brackets make of it.
        if (part == "lambda" ? name[at - 1] == '<' || name[at - 1] == '(' : !name.substr(0, at).ends_with("(anonymous namespace")) return true;
      }
    }
    return false;
  }
}

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

template <class T>
inline constexpr bool is_constant = false;
template <class T>
inline constexpr bool is_constant<Constant<T>> = true;
template <class T>
inline constexpr bool is_constant<Constant<T>()> = true;

/// constant<16> names a function that makes the constant: as an argument it need not be called.
template <class Given>
decltype(auto) made(Given& given) {
  static_assert(!std::is_function_v<Given> || is_constant<Given>, "a kernel cannot call a host function: put the function in CUTTLE_DEVICE(...)");
  if constexpr (std::is_function_v<Given> && is_constant<Given>) {
    return given();
  } else if constexpr (std::is_function_v<Given>) {
    return 0;  // the message above is all that is said
  } else {
    return static_cast<Given&>(given);
  }
}

/// What a pointer parameter can point into: an Array, and a view whose elements lie one behind the other.
template <class T>
inline constexpr bool is_contiguous = is_array<T> || WindowOf<T>::kind == Window::contiguous_view;
template <class T>
inline constexpr bool is_strided = WindowOf<T>::kind == Window::strided_view;

/// What of an argument converts to a parameter of type To: the data of an Array or a contiguous view, an Array's view, else the argument itself.
template <class To, class Given>
decltype(auto) convertible_part(Given& given) {
  if constexpr (std::is_pointer_v<To> && is_contiguous<std::remove_const_t<Given>>) {
    return given.data();
  } else if constexpr (is_array<std::remove_const_t<Given>>) {
    return given.view();
  } else {
    return static_cast<Given&>(given);
  }
}
template <class To, class Given>
inline constexpr bool converts = std::is_convertible_v<decltype(convertible_part<To>(std::declval<Given&>())), To>;

/// The value of a declared parameter from an argument: as in a C++ call, and a pointer from an Array.
template <class To, class Given>
To convert(Given& given) {
  return static_cast<To>(convertible_part<To>(given));  // 5 for a float parameter, as a call of a function would; narrowing is the caller's own
}

// The name of the parameter in the message itself, where the compiler takes messages that are made; else its note on where an error comes from
// shows the name.
#if defined(__clang__) && __clang_major__ >= 17
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
struct ArgumentMessage {
  char text[192] = {};
  std::size_t length = 0;

  consteval ArgumentMessage(ParameterName parameter, const char* what) {
    for (const char* part : {"parameter ", static_cast<const char*>(parameter.text), ": ", what}) {
      while (*part != '\0') text[length++] = *part++;
    }
  }
  [[nodiscard]] constexpr std::size_t size() const { return length; }
  [[nodiscard]] constexpr const char* data() const { return text; }
};
#define CUTTLE_ARGUMENT_MESSAGE(parameter, what) (ArgumentMessage(parameter, what))
#else
#define CUTTLE_ARGUMENT_MESSAGE(parameter, what) "the parameter named above: " what
#endif

/// Says that a pointer shows no strides.
template <ParameterName Parameter, class Given>
constexpr void require_no_strides() {
  static_assert(!is_strided<std::remove_const_t<Given>>,
                CUTTLE_ARGUMENT_MESSAGE(Parameter,
                                        "it is a pointer, and the elements of this view do not lie one behind the other; declare the "
                                        "parameter as auto or view<T, N, strided>, or pass a part of the outermost dimension"));
}

/// Says what is wrong with an argument that does not convert.
template <ParameterName Parameter, class To, class Given>
constexpr void require_argument() {
  constexpr bool is_of_array = is_array<std::remove_const_t<Given>> || WindowOf<std::remove_const_t<Given>>::dimensions > 0;
  if constexpr (std::is_pointer_v<To>) require_no_strides<Parameter, Given>();
  static_assert(!is_of_array || !std::is_pointer_v<To> || is_strided<std::remove_const_t<Given>> || converts<To, Given>,
                CUTTLE_ARGUMENT_MESSAGE(Parameter, "it is a pointer of another type than the Array's elements; a const Array needs a const T*"));
  static_assert(!is_of_array || std::is_pointer_v<To> || converts<To, Given>,
                CUTTLE_ARGUMENT_MESSAGE(Parameter, "it does not take this Array: element type, dimensions or const differ"));
  static_assert(is_of_array || converts<To, Given>, CUTTLE_ARGUMENT_MESSAGE(Parameter, "the argument does not convert to it"));
}

#undef CUTTLE_ARGUMENT_MESSAGE
#if defined(__clang__) && __clang_major__ >= 17
#pragma clang diagnostic pop
#endif

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

/// The value of parameter I of the list for an argument, where only the text is known of the parameter.
template <ParameterList List, std::size_t I, class Given>
decltype(auto) convert_to_kind(Given&& given) {
  constexpr ParameterKind kind = List.kinds[I];
  using Plain = std::remove_reference_t<Given>;
  if constexpr (kind == ParameterKind::pointer) require_no_strides<List.name(I), Plain>();
  if constexpr (kind == ParameterKind::pointer && is_contiguous<std::remove_const_t<Plain>>) {
    return given.data();
  } else if constexpr (is_constant<std::remove_const_t<Plain>> && kind == ParameterKind::deduced) {
    return Plain(given);
  } else if constexpr (kind == ParameterKind::deduced || kind == ParameterKind::pointer) {
    return Argument<std::remove_const_t<std::remove_pointer_t<std::decay_t<Plain*>>>>::pass(given);
  } else {
    using To = typename ScalarOfKind<kind>::type;
    if constexpr (converts<To, Plain>) {
      return convert<To>(given);
    } else {
      require_argument<List.name(I), To, Plain>();
      return To();
    }
  }
}

/// Calls `use(signature, pointers, facts)` with the parameter types, the values' addresses and what holds for the views among them.
template <class Use, class... T>
decltype(auto) with_values(const Use& use, const T&... values) {
  const void* pointers[] = {static_cast<const void*>(&values)..., nullptr};
  return use(SignatureOf<T...>::value, pointers, facts_of(values...));
}

/// A kernel with all that its variants depend on besides argument types and captured values.
struct KernelHandle {
  KernelText text;
  Site* site;
  const CaptureTypes* capture_types;
  DeviceBlocks blocks;
  const Signature* const* declared;  // parameter types as written, for each number of arguments; null where the call gives them
  std::size_t parameter_count;
  std::size_t required_count;  // without defaulted parameters
  Options options{};
};

template <std::size_t Given, ParameterList List>
constexpr void require_count() {
  static_assert(Given >= List.required, "too few arguments: the kernel has more parameters");
  static_assert(Given <= List.most, "too many arguments: the kernel has fewer parameters");
}

// The ways to arrive at parameter types: the arguments' types, the declared ones, or, where the type of the kernel is erased, what its handle says.
template <class Parameters>
struct Binding;

template <ParameterList List>
struct Binding<Deduced<List>> {
  static constexpr std::size_t count = List.most;
  static constexpr std::size_t required = List.required;
  static constexpr const Signature* const* declared = nullptr;

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
    static_assert(!(is_local_class<std::remove_const_t<Args>>() || ...),
                  "the class of a kernel argument cannot be a lambda, nor local to a function: declare it in CUTTLE_DEVICE(...)");
    return with_values(use, convert_to_kind<List, I>(made(arguments))...);
  }
};

/// With -DCUTTLE_HOST_CHECK a call also instantiates the body for its argument types, so that mistakes in an `auto` body are errors of the host
/// compiler, as they are in a body with declared parameters. It makes no code. Left alone are bodies of CUTTLE_KERNEL_WITH with a captured
/// value that is no constant of the host (ParametersWithin), calls with a constant(v), whose type does not show v here, and bodies of lambdas that
/// say `-> void`.
template <ParameterList List, class Lambda>
struct Binding<Checked<List, Lambda>> : Binding<Deduced<List>> {
  template <class Use, class... Args>
  static decltype(auto) bind(const KernelHandle& kernel, const Use& use, Args&... arguments) {
    constexpr bool has_constant = (is_constant<std::remove_cv_t<Args>> || ...);
    if constexpr (!has_constant && sizeof...(Args) >= List.required && sizeof...(Args) <= List.most)
      check(std::index_sequence_for<Args...>(), arguments...);
    return Binding<Deduced<List>>::bind(kernel, use, arguments...);
  }

 private:
  template <std::size_t I, class Given>
  using Passed = std::remove_cvref_t<decltype(convert_to_kind<List, I>(made(std::declval<Given&>())))>;

  template <std::size_t... I, class... Args>
  static void check(std::index_sequence<I...>, Args&...) {
    require_no_result<decltype(std::declval<Lambda&>()(std::declval<Passed<I, Args>&>()...))>();
  }
};

template <ParameterList List, class... P>
struct Binding<Declared<List, P...>> {
 private:
  template <std::size_t I>
  using Parameter = std::remove_cvref_t<std::tuple_element_t<I, std::tuple<P...>>>;

  // The signature of a call that leaves defaulted parameters out.
  template <std::size_t... I>
  static constexpr const Signature* of_first(std::index_sequence<I...>) {
    return &SignatureOf<Parameter<I>...>::value;
  }
  template <std::size_t... N>
  static constexpr std::array<const Signature*, sizeof...(N)> by_number(std::index_sequence<N...>) {
    return {(N >= List.required ? of_first(std::make_index_sequence<N>()) : nullptr)...};
  }
  static constexpr auto signatures = by_number(std::make_index_sequence<sizeof...(P) + 1>());

 public:
  static constexpr std::size_t count = sizeof...(P);
  static constexpr std::size_t required = List.required;
  static constexpr const Signature* const* declared = signatures.data();

  template <class Use, class... Args>
  static decltype(auto) bind(const KernelHandle&, const Use& use, Args&... arguments) {
    require_count<sizeof...(Args), List>();
    if constexpr (sizeof...(Args) >= List.required && sizeof...(Args) <= sizeof...(P)) {  // else the message above is all that is said
      return bind_each(use, std::index_sequence_for<Args...>(), made(arguments)...);
    }
  }
  template <class... T>
  static const Signature& signature(const KernelHandle&) {
    require_count<sizeof...(T), List>();
    return *declared[sizeof...(T)];
  }

 private:
  template <class Use, std::size_t... I, class... Args>
  static decltype(auto) bind_each(const Use& use, std::index_sequence<I...>, Args&&... arguments) {
    if constexpr ((converts<Parameter<I>, std::remove_reference_t<Args>> && ...)) {
      return with_values(use, convert<Parameter<I>>(arguments)...);
    } else {
      (require_argument<List.name(I), Parameter<I>, std::remove_reference_t<Args>>(), ...);
    }
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
    const auto convert_and_use = [&](const Signature& given, const void* const* values, std::uint32_t facts) -> decltype(auto) {
      std::uint64_t scalars[sizeof...(Args) + 1];
      const void* pointers[sizeof...(Args) + 1];
      const Signature& signature = convert_arguments(kernel, given, values, scalars, pointers);
      return use(signature, pointers, facts);
    };
    return with_values(convert_and_use, convert_to_kind<ParameterList{}, 0>(made(arguments))...);
  }
  template <class... T>
  static const Signature& signature(const KernelHandle& kernel) {
    return convert_arguments(kernel, SignatureOf<T...>::value, nullptr, nullptr, nullptr);
  }
};

}  // namespace cuttle::detail

#include "cuttle/dsl/restore_macros.hpp"
