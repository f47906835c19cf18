// CUTTLE_KERNEL and CUTTLE_KERNEL_WITH: turn a lambda expression into its own source text, its place and its parameters.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "device_code.hpp"
#include "half.hpp"
#include "parameters.hpp"
#include "signature.hpp"
#include "vector_types.hpp"

#include "hide_macros.hpp"

namespace cuttle::detail {

struct Variant;

/// Where the compiled variants of the kernels of one macro are found again without a lock: a list that only grows. It is a place to look,
/// not an identity: linkers merge it for equal types of different files, and every entry is compared in full (variant.h).
struct Site {
  std::atomic<const Variant*> variants{nullptr};
};

template <class Lambda>
inline constinit Site site_of{};

/// A kernel as written: text after macro expansion, place, and surroundings.
struct KernelText {
  const char* text;
  const char* file;
  unsigned line;
  const char* captures;         ///< "(TILE, type(T))", or ""
  const char* function;         ///< the enclosing function's name as the compiler has it: shows namespaces
  const TranslationUnit* unit;  ///< whose device blocks the kernel sees
};

// ---- captured values and types ------------------------------------------------------------------------------------------------------

inline constexpr std::size_t most_captures = 64;  // of one kernel

/// `type(T)` in a capture list.
template <class T>
struct CapturedType {};

template <class T>
struct IsCapturedType : std::false_type {};
template <class T>
struct IsCapturedType<CapturedType<T>> : std::true_type {};

/// What the elements of a capture list are: their types, one after the other, and where each value lies in Captures::bytes.
struct CaptureTypes {
  const TypeInfo* const* types;
  const std::size_t* offsets;
  std::size_t count;
  std::size_t size;  ///< of all values
};

template <class T>
struct CaptureElement {
  static_assert(std::is_trivially_copyable_v<T>, "a captured value must be trivially copyable: it becomes a constant of the kernel");
  static_assert(!std::is_pointer_v<T>, "a captured value cannot be a pointer: pass it as an argument");
  static constexpr const TypeInfo* type = &type_info<T>;
  static constexpr std::size_t size = sizeof(T);
};
template <class T>
struct CaptureElement<CapturedType<T>> {
  static constexpr const TypeInfo* type = &type_info<T>;
  static constexpr std::size_t size = 0;
};

/// A captured value where the host compiler knows it, for CUTTLE_HOST_CHECK.
template <bool is_known, auto value>
struct HostConstant {};
template <class...>
struct HostConstants {};

template <class T>
constexpr T zero_value() {
  struct Bytes {
    unsigned char value[sizeof(T)];
  };
  return __builtin_bit_cast(T, Bytes{});
}
template <auto>
struct TemplateArgument {};
/// Whether T's values can be template arguments, which no trait tells: numbers, enumerators, and classes all of whose members are public.
template <class T>
concept MayBeHostConstant = requires { typename TemplateArgument<zero_value<std::remove_cvref_t<T>>()>; };

/// No constant expression unless the value is one: the copy reads it.
template <MayBeHostConstant T>
constexpr bool host_knows(const T& value) {
  [[maybe_unused]] const T copy = value;
  return true;
}
template <class T>
bool host_knows(const T& value);

template <class T>
constexpr auto host_value([[maybe_unused]] const T& value) {
  if constexpr (MayBeHostConstant<T>) {
    return value;
  } else {
    return 0;
  }
}
template <class T>
using HostValue = decltype(host_value(std::declval<T>()));

/// The captured values' bytes, kept in the kernel: run-time words of its signature.
template <class... T>
class Captures {
  static constexpr std::size_t size = (CaptureElement<T>::size + ... + 0);

  struct Offsets {
    std::size_t value[sizeof...(T) + 1] = {};
    constexpr Offsets() {
      const std::size_t sizes[] = {CaptureElement<T>::size..., 0};
      for (std::size_t i = 0; i < sizeof...(T); ++i) value[i + 1] = value[i] + sizes[i];
    }
  };
  static constexpr Offsets offsets{};
  static constexpr const TypeInfo* infos[sizeof...(T) + 1] = {CaptureElement<T>::type..., nullptr};

 public:
  static constexpr CaptureTypes types{infos, offsets.value, sizeof...(T), size};

  explicit Captures(T... values) {
    std::size_t i = 0;
    (put(values, offsets.value[i++]), ...);
  }

  [[nodiscard]] const unsigned char* bytes() const { return bytes_; }

 private:
  template <class V>
  void put(V& value, std::size_t offset) {
    if constexpr (CaptureElement<V>::size > 0) {
#if __has_builtin(__builtin_clear_padding)
      __builtin_clear_padding(&value);  // padding is no part of a value, and would make equal ones differ
#endif
      std::memcpy(bytes_ + offset, &value, sizeof(V));
    }
  }

  unsigned char bytes_[size + 1] = {};
};

/// The captures of a kernel without any.
template <>
class Captures<> {
 public:
  static constexpr CaptureTypes types{nullptr, nullptr, 0, 0};
  [[nodiscard]] static constexpr const unsigned char* bytes() { return nullptr; }
};

/// The captured values of a kernel whose type is erased.
class SharedCaptures {
 public:
  constexpr SharedCaptures() = default;
  SharedCaptures(const unsigned char* bytes, std::size_t size) : bytes_(size ? new unsigned char[size] : nullptr) {
    if (size) std::memcpy(bytes_.get(), bytes, size);
  }
  [[nodiscard]] const unsigned char* bytes() const { return bytes_.get(); }

 private:
  std::shared_ptr<unsigned char[]> bytes_;
};

// ---- parameters ---------------------------------------------------------------------------------------------------------------------

/// A lambda whose parameter types the call gives, except those that the text shows.
template <ParameterList List>
struct Deduced {};

/// The same where the host compiler is to check the body at every call (CUTTLE_HOST_CHECK), for which it needs the lambda's type.
template <ParameterList List, class Lambda>
struct Checked {};

/// A lambda with declared parameter types only: arguments are converted to them. List tells which are defaulted.
template <ParameterList List, class... T>
struct Declared {};

template <class R>
constexpr void require_no_result() {
  static_assert(std::is_void_v<R>, "a kernel returns nothing: write results through a view");
}

template <ParameterList List, class Member>
struct CallOperator;
template <ParameterList List, class L, class R, class... A>
struct CallOperator<List, R (L::*)(A...) const> {
  static_assert((require_no_result<R>(), true));
  using Parameters = Declared<List, A...>;
};
template <ParameterList List, class L, class R, class... A>
struct CallOperator<List, R (L::*)(A...)> {
  static_assert((require_no_result<R>(), true));
  using Parameters = Declared<List, A...>;
};

template <class Lambda, ParameterList List, class = void>
struct ParametersOf {
#ifdef CUTTLE_HOST_CHECK
  using type = Checked<List, Lambda>;
#else
  using type = Deduced<List>;
#endif
};
template <class Lambda, ParameterList List>
struct ParametersOf<Lambda, List, decltype(static_cast<void>(&Lambda::operator()))> {
  using type = typename CallOperator<List, decltype(&Lambda::operator())>::Parameters;
};

/// The parameters of the lambda that `Wrapper`, a template of the captured values, returns: looked at where it is to be checked and all values are
/// known.
template <ParameterList List, class Wrapper, class Constants>
struct ParametersWithin {
  using type = Deduced<List>;
};
#ifdef CUTTLE_HOST_CHECK
template <ParameterList List, class Wrapper, auto... values>
struct ParametersWithin<List, Wrapper, HostConstants<HostConstants<>, HostConstant<true, values>...>> {
  using Lambda = decltype(std::declval<const Wrapper&>().template operator()<values...>());
  static constexpr bool is_declared = requires { &Lambda::operator(); };
  using type = std::conditional_t<is_declared, Deduced<List>, Checked<List, Lambda>>;
};
#endif

consteval bool equal_texts(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

consteval const char* behind_spaces(const char* text) {
  while (*text == ' ') ++text;
  return text;
}
/// Behind the identifier that a text begins with: the text itself where there is none.
consteval const char* behind_name(const char* text) {
  if (*text >= '0' && *text <= '9') return text;
  while ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') || (*text >= '0' && *text <= '9') || *text == '_' || *text < 0) ++text;
  return text;
}

/// Whether a list of captures, "(TILE, type(T))", has nothing but names.
consteval bool captures_names(const char* list) {
  if (*list != '(' || *behind_spaces(list + 1) == ')') return true;
  do {
    const char* name = behind_spaces(list + 1);
    list = behind_spaces(behind_name(name));
    if (list == name) return false;
    if (*list == '(') {
      name = behind_spaces(list + 1);
      list = behind_spaces(behind_name(name));
      if (list == name || *list != ')') return false;
      list = behind_spaces(list + 1);
    }
  } while (*list == ',');
  return *list == ')';
}

/// Whether a lambda's text begins with an empty capture list.
consteval bool captures_nothing(const char* lambda) {
  if (*lambda == '[') ++lambda;
  while (*lambda == ' ') ++lambda;
  return *lambda == ']';
}

}  // namespace cuttle::detail

#define CUTTLE_STRINGIFY_EXPANDED(...) #__VA_ARGS__
#define CUTTLE_STRINGIFY(...) CUTTLE_STRINGIFY_EXPANDED(__VA_ARGS__)

// The vocabulary's names, opened in the function that holds the lambda. Names that CUDA's own headers declare too are taken one by one: a
// declaration in the block hides theirs.
#define CUTTLE_OPEN_VOCABULARY              \
  using namespace ::cuttle::dsl; /* NOLINT */ \
  namespace cuda = ::cuttle::dsl::cuda;     \
  using ::cuttle::dsl::blockDim;            \
  using ::cuttle::dsl::blockIdx;            \
  using ::cuttle::dsl::gridDim;             \
  using ::cuttle::dsl::threadIdx;           \
  using ::cuttle::dsl::warpSize;            \
  using ::cuttle::dsl::half, ::cuttle::dsl::half2, ::cuttle::dsl::__half, ::cuttle::dsl::__half2;  \
  using ::cuttle::dsl::__nv_bfloat16, ::cuttle::dsl::__nv_bfloat162;                               \
  CUTTLE_VECTOR_FAMILIES(CUTTLE_TAKE_VECTORS)
#define CUTTLE_TAKE_VECTORS(name, T)                                                                      \
  using ::cuttle::dsl::name##1, ::cuttle::dsl::name##2, ::cuttle::dsl::name##3, ::cuttle::dsl::name##4, \
      ::cuttle::dsl::make_##name##1, ::cuttle::dsl::make_##name##2, ::cuttle::dsl::make_##name##3, ::cuttle::dsl::make_##name##4;

// The first that the compiler meets: before names of the lambda that are not there, and in no template, where clang would never look at it.
#define CUTTLE_CHECK_CAPTURES(captures, text)                                                                             \
  static_assert(sizeof(captures) == 1 || captures[0] == '(',                                                              \
                "captured names stand in parentheses of their own: CUTTLE_KERNEL_WITH((name), [](...) {...})");           \
  static_assert(::cuttle::detail::captures_names(captures),                                                               \
                "a capture is a name, type(name) or constant(name): give anything else a name before, const auto n = s.n;"); \
  static_assert(::cuttle::detail::captures_nothing(text),                                                                 \
                "a kernel cannot capture: write [](...) and pass the value as an argument, or as a constant: "            \
                "CUTTLE_KERNEL_WITH((name), [](...) {...})");

#define CUTTLE_KERNEL_TEXT(captures, ...)                                                                        \
  ::cuttle::detail::KernelText {                                                                                 \
    CUTTLE_STRINGIFY(__VA_ARGS__), __FILE__, __LINE__, captures, [] {                                            \
      CUTTLE_CHECK_CAPTURES(captures, CUTTLE_STRINGIFY(__VA_ARGS__))                                             \
      return static_cast<const char*>(__PRETTY_FUNCTION__);                                                      \
    }(), &::cuttle::detail::this_unit                                                                            \
  }

/// A kernel from a lambda expression: `auto copy = CUTTLE_KERNEL([](auto x, auto n, auto y) { ... });`, at namespace, class or function
/// scope. The host compiler parses the lambda, and never runs it; the embedded Clang compiles its text at the first launch for each
/// set of argument types. A lambda must not capture: pass values as arguments, or use CUTTLE_KERNEL_WITH.
#define CUTTLE_KERNEL(...)                                                                                \
  (::cuttle::detail::make_kernel<::cuttle::detail::parameters_of(CUTTLE_STRINGIFY(__VA_ARGS__))>(         \
      CUTTLE_KERNEL_TEXT("", __VA_ARGS__), [] {                                                           \
        CUTTLE_OPEN_VOCABULARY                                                                            \
        return __VA_ARGS__;                                                                               \
      }()))

/// A kernel with constants: `CUTTLE_KERNEL_WITH((TILE, alpha, type(T)), [](view<T> u, auto v) {...})`. Each named value, constexpr or known only
/// at run time, is a compile-time constant in the kernel; each `type(T)` names a type of the surrounding code. Every other value or
/// type is compiled for itself. `constant(N)` captures a template parameter of the enclosing template, which no inner name may hide.
///
/// On the host the lambda stands in a template that is never instantiated, with the values as its parameters: they may size arrays there too. It
/// stands inside of what opens the vocabulary, so that a captured `half` is not CUDA's.
#define CUTTLE_KERNEL_WITH(list, ...)                                                                                   \
  (::cuttle::detail::make_kernel_with<::cuttle::detail::parameters_of(CUTTLE_STRINGIFY(__VA_ARGS__)),                   \
                                      ::cuttle::detail::equal_texts(#list, CUTTLE_STRINGIFY(list))>(                    \
      CUTTLE_KERNEL_TEXT(#list, __VA_ARGS__), CUTTLE_HOST_CONSTANTS(CUTTLE_ELEMENTS(list)), [] {                        \
        CUTTLE_OPEN_VOCABULARY                                                                                          \
        return []<CUTTLE_FOR_EACH(CUTTLE_CAPTURE_PARAMETER, CUTTLE_ELEMENTS(list)) class...>() { return __VA_ARGS__; }; \
      }() CUTTLE_FOR_EACH(CUTTLE_CAPTURE_VALUE, CUTTLE_ELEMENTS(list))))

// An element of a capture list is a name, type(T) or constant(N): told apart by what CUTTLE_ELEMENT_<element> expands to.
#define CUTTLE_ELEMENTS(list) CUTTLE_JOIN(CUTTLE_ELEMENTS_, CUTTLE_SECOND_EXPANDED(CUTTLE_LIST_PROBE list, NONE, ~))(list)
#define CUTTLE_LIST_PROBE(...) ~, UNWRAP
#define CUTTLE_ELEMENTS_UNWRAP(list) CUTTLE_UNWRAP list
#define CUTTLE_ELEMENTS_NONE(list)  // without its parentheses: the sentence about it is to be all that is said
#define CUTTLE_UNWRAP(...) __VA_ARGS__
#define CUTTLE_SECOND(first, second, ...) second
#define CUTTLE_SECOND_EXPANDED(...) CUTTLE_SECOND(__VA_ARGS__)
#define CUTTLE_ELEMENT_type(...) ~, TYPE
#define CUTTLE_ELEMENT_constant(...) ~, CONSTANT
#define CUTTLE_ELEMENT_KIND(element) CUTTLE_SECOND_EXPANDED(CUTTLE_ELEMENT_##element, VALUE, ~)
#define CUTTLE_JOIN_EXPANDED(a, b) a##b
#define CUTTLE_JOIN(a, b) CUTTLE_JOIN_EXPANDED(a, b)

#define CUTTLE_CAPTURE_PARAMETER(element) CUTTLE_JOIN(CUTTLE_CAPTURE_PARAMETER_, CUTTLE_ELEMENT_KIND(element))(element)
#define CUTTLE_CAPTURE_PARAMETER_VALUE(element) auto element,
#define CUTTLE_CAPTURE_PARAMETER_TYPE(element)
#define CUTTLE_CAPTURE_PARAMETER_CONSTANT(element)

#define CUTTLE_CAPTURE_VALUE(element) CUTTLE_JOIN(CUTTLE_CAPTURE_VALUE_, CUTTLE_ELEMENT_KIND(element))(element)
#define CUTTLE_CAPTURE_VALUE_VALUE(element) , element
#define CUTTLE_CAPTURE_VALUE_TYPE(element) , CUTTLE_CAPTURED_##element
#define CUTTLE_CAPTURE_VALUE_CONSTANT(element) , CUTTLE_CAPTURED_##element
#define CUTTLE_CAPTURED_type(...) \
  ::cuttle::detail::CapturedType<__VA_ARGS__> {}
#define CUTTLE_CAPTURED_constant(...) __VA_ARGS__

// m(x) for each x, for more than a hundred of them: what a round leaves behind is expanded again (most_captures is checked by make_kernel_with).
#define CUTTLE_FOR_EACH(m, ...) __VA_OPT__(CUTTLE_AGAIN(CUTTLE_FOR_EACH_ROUND(m, __VA_ARGS__)))
#define CUTTLE_FOR_EACH_ROUND(m, x, ...) m(x) __VA_OPT__(CUTTLE_FOR_EACH_NEXT CUTTLE_PARENTHESES(m, __VA_ARGS__))
#define CUTTLE_FOR_EACH_NEXT() CUTTLE_FOR_EACH_ROUND
#define CUTTLE_PARENTHESES ()
#define CUTTLE_AGAIN(...) CUTTLE_AGAIN_3(CUTTLE_AGAIN_3(CUTTLE_AGAIN_3(CUTTLE_AGAIN_3(__VA_ARGS__))))
#define CUTTLE_AGAIN_3(...) CUTTLE_AGAIN_2(CUTTLE_AGAIN_2(CUTTLE_AGAIN_2(CUTTLE_AGAIN_2(__VA_ARGS__))))
#define CUTTLE_AGAIN_2(...) CUTTLE_AGAIN_1(CUTTLE_AGAIN_1(CUTTLE_AGAIN_1(CUTTLE_AGAIN_1(__VA_ARGS__))))
#define CUTTLE_AGAIN_1(...) __VA_ARGS__

// For CUTTLE_HOST_CHECK: the captured values as template arguments.
#ifdef CUTTLE_HOST_CHECK
#define CUTTLE_HOST_CONSTANTS(...) \
  ::cuttle::detail::HostConstants<::cuttle::detail::HostConstants<> CUTTLE_FOR_EACH(CUTTLE_HOST_CONSTANT, __VA_ARGS__)>()
#else
#define CUTTLE_HOST_CONSTANTS(...) ::cuttle::detail::HostConstants<>()
#endif
#define CUTTLE_HOST_CONSTANT(element) CUTTLE_JOIN(CUTTLE_HOST_CONSTANT_, CUTTLE_ELEMENT_KIND(element))(element)
#define CUTTLE_HOST_CONSTANT_TYPE(element)
#define CUTTLE_HOST_CONSTANT_CONSTANT(element)
#define CUTTLE_HOST_CONSTANT_VALUE(element)                                                                                     \
  , ::cuttle::detail::HostConstant<__builtin_constant_p(::cuttle::detail::host_knows(element)) == 1,                            \
                                   (__builtin_constant_p(::cuttle::detail::host_knows(element))                                 \
                                        ? ::cuttle::detail::host_value(element)                                                 \
                                        : ::cuttle::detail::zero_value<::cuttle::detail::HostValue<decltype(element)>>())>

// In a kernel's text the host's macro is already expanded when the text is taken: what it leaves is a mark that the device prelude knows.
#ifndef __shared__
#define __shared__ __attribute__((tls_model("local-dynamic"))) thread_local
#endif

#include "restore_macros.hpp"
