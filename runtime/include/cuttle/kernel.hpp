// Kernels: what CUTTLE_KERNEL makes, how it is launched, and how its code is looked at.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "array.hpp"
#include "cuttle/dsl/capture.hpp"
#include "cuttle/dsl/signature.hpp"
#include "cuttle/dsl/vocabulary.hpp"
#include "export.hpp"
#include "launch.hpp"

namespace cuttle {

/// What code is compiled for, where it is not for the current device: `k.inspect(sm(75), x, n, y)`.
struct Architecture {
  int sm = 0;       ///< 90 for sm_90; 0 for the CPU device
  char suffix = 0;  ///< 'a' or 'f' for sm_90a, sm_100f
  int ptx = 0;      ///< 83 for PTX ISA 8.3; 0 for the oldest that is new enough

  static constexpr Architecture cpu() { return {}; }
};

/// sm(90), sm(90, 'a').
constexpr Architecture sm(int version, char suffix = 0) { return {version, suffix, 0}; }

namespace detail {

struct Compilation;

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

/// How a host argument is passed: its parameter type in the kernel, and the value.
template <class T>
struct Argument {
  static_assert(!is_host_container<T>, "a kernel cannot read a host container: make a cuttle::Array of it");
  static_assert(!std::is_same_v<T, long double>, "there is no long double in a kernel: use double");
  static_assert(is_host_container<T> || std::is_trivially_copyable_v<T>, "a kernel argument must be trivially copyable: it is copied byte by byte");
  using type = T;
  static const T& pass(const T& value) { return value; }
};
template <class T, int N>
struct Argument<Array<T, N>> {
  using type = view<T, N>;
  static type pass(Array<T, N>& array) { return array.view(); }
};
template <class T, int N>
struct Argument<const Array<T, N>> {
  using type = view<const T, N>;
  static type pass(const Array<T, N>& array) { return array.view(); }
};

template <class Given>
using ArgumentFor = Argument<std::conditional_t<
    is_host_container<std::remove_cvref_t<Given>>, std::remove_cvref_t<Given>,
    std::conditional_t<std::is_trivially_copyable_v<std::remove_cvref_t<Given>>, std::decay_t<Given>, std::remove_reference_t<Given>>>>;

template <class T>
inline constexpr bool is_array = false;
template <class T, int N>
inline constexpr bool is_array<Array<T, N>> = true;

/// The value of a declared parameter from an argument: as in a C++ call, and a pointer from an Array.
template <class Parameter, class Given>
std::remove_cvref_t<Parameter> convert(Given&& given) {
  using To = std::remove_cvref_t<Parameter>;
  using From = std::remove_cvref_t<Given>;
  if constexpr (is_array<From> && std::is_pointer_v<To>) {
    static_assert(std::is_convertible_v<decltype(given.data()), To>,
                  "the kernel's parameter is a pointer of another type than the Array's elements; a const Array needs a const T*");
    return given.data();
  } else if constexpr (is_array<From>) {
    static_assert(std::is_convertible_v<decltype(given.view()), To>,
                  "the kernel's parameter does not take this Array: element type, dimensions or const differ");
    return given.view();
  } else {
    static_assert(std::is_convertible_v<Given&&, To>, "the argument does not convert to the kernel's parameter");
    return static_cast<To>(given);  // 5 for a float parameter, as a call of a function would; narrowing is the caller's own
  }
}

/// A kernel with all that its variants depend on besides argument types.
struct KernelHandle {
  KernelText text;
  Site* site;
  const Signature* declared;  // parameter types as written; null where the call gives them
  std::size_t parameter_count;
};

CUTTLE_API void launch(const KernelHandle& kernel, const Launch& configuration, const Signature& signature, const void* const* arguments);
CUTTLE_API void launch_over(const KernelHandle& kernel, std::int64_t count, const Signature& signature, const void* const* arguments);
CUTTLE_API std::shared_ptr<const Compilation> inspect(const KernelHandle& kernel, const Signature& signature, const Architecture* architecture);

/// Calls `use(signature, pointers)` with the parameter types and the values' addresses.
template <class Use, class... T>
decltype(auto) with_values(const Use& use, const T&... values) {
  const void* pointers[] = {static_cast<const void*>(&values)..., nullptr};
  return use(SignatureOf<T...>::value, pointers);
}

template <std::size_t Given, std::size_t Wanted>
constexpr void require_count() {
  static_assert(Given == Wanted, "the number of arguments differs from the number of the kernel's parameters");
}

// The ways to arrive at parameter types: the arguments' types, the declared ones, or, where the type of the kernel is erased, what its handle says.
template <class Parameters>
struct Binding;

template <std::size_t N>
struct Binding<Deduced<N>> {
  static constexpr std::size_t count = N;
  static constexpr const Signature* declared = nullptr;

  template <class Use, class... Args>
  static decltype(auto) bind(const KernelHandle&, const Use& use, Args&&... arguments) {
    require_count<sizeof...(Args), N>();
    return with_values<Use, std::remove_cv_t<typename ArgumentFor<Args>::type>...>(use, ArgumentFor<Args>::pass(arguments)...);
  }
  template <class... T>
  static const Signature& signature(const KernelHandle&) {
    require_count<sizeof...(T), N>();
    return SignatureOf<T...>::value;
  }
};

template <class... P>
struct Binding<Declared<P...>> {
  static constexpr std::size_t count = sizeof...(P);
  static constexpr const Signature* declared = &SignatureOf<std::remove_cvref_t<P>...>::value;

  template <class Use, class... Args>
  static decltype(auto) bind(const KernelHandle&, const Use& use, Args&&... arguments) {
    require_count<sizeof...(Args), sizeof...(P)>();
    if constexpr (sizeof...(Args) == sizeof...(P)) {  // else the message above is all that is said
      return with_values<Use, std::remove_cvref_t<P>...>(use, convert<P>(std::forward<Args>(arguments))...);
    }
  }
  template <class... T>
  static const Signature& signature(const KernelHandle&) {
    require_count<sizeof...(T), sizeof...(P)>();
    return *declared;
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
  static decltype(auto) bind(const KernelHandle& kernel, const Use& use, Args&&... arguments) {
    const auto convert_and_use = [&](const Signature& given, const void* const* values) -> decltype(auto) {
      std::uint64_t scalars[sizeof...(Args) + 1];
      const void* pointers[sizeof...(Args) + 1];
      const Signature& signature = convert_arguments(kernel, given, values, scalars, pointers);
      return use(signature, pointers);
    };
    return with_values<decltype(convert_and_use), std::remove_cv_t<typename ArgumentFor<Args>::type>...>(convert_and_use,
                                                                                                         ArgumentFor<Args>::pass(arguments)...);
  }
  template <class... T>
  static const Signature& signature(const KernelHandle& kernel) {
    return convert_arguments(kernel, SignatureOf<T...>::value, nullptr, nullptr, nullptr);
  }
};

}  // namespace detail

/// The code of a kernel for one signature and one target, compiled and not launched.
class CUTTLE_API CompiledKernel {
 public:
  explicit CompiledKernel(std::shared_ptr<const detail::Compilation> compilation) : compilation_(std::move(compilation)) {}

  /// The C++ that the embedded Clang compiled, less the prelude.
  [[nodiscard]] const std::string& source() const;
  /// "(view<f32>, u32, view<f32>)"
  [[nodiscard]] const std::string& signature() const;
  /// LLVM IR after optimisation.
  [[nodiscard]] const std::string& llvm_ir() const;
  /// PTX; for the CPU device, x86 assembly.
  [[nodiscard]] const std::string& ptx() const;
  /// The entry point's name in ptx().
  [[nodiscard]] const std::string& entry() const;
  /// Bytes of static shared memory.
  [[nodiscard]] std::size_t static_shared_bytes() const;

 private:
  std::shared_ptr<const detail::Compilation> compilation_;
};

/// A kernel from CUTTLE_KERNEL. Parameters says what the host compiler knows of its parameters: detail::Deduced, detail::Declared, or
/// detail::AnyParameters in a Kernel.
template <class Parameters>
class TypedKernel {
  using Binding = detail::Binding<Parameters>;

 public:
  constexpr explicit TypedKernel(detail::KernelHandle handle) : handle_(handle) {}

  /// A launch that waits for its arguments: `k[{.grid = 10, .block = 256}](x, n, y)`.
  class Bound {
   public:
    constexpr Bound(const detail::KernelHandle& handle, const Launch& configuration) : handle_(handle), configuration_(configuration) {}

    /// Launches on the current device; the first call with new argument types compiles. Does not wait for the kernel's end.
    /// Throws CompileError, LaunchError or DriverError.
    template <class... Args>
    void operator()(Args&&... arguments) const {
      Binding::bind(
          handle_,
          [this](const detail::Signature& signature, const void* const* values) { detail::launch(handle_, configuration_, signature, values); },
          std::forward<Args>(arguments)...);
    }

   private:
    const detail::KernelHandle& handle_;
    Launch configuration_;
  };

  /// A launch over n threads or a little more, with a block size that suits the device.
  class BoundOver {
   public:
    constexpr BoundOver(const detail::KernelHandle& handle, std::int64_t count) : handle_(handle), count_(count) {}

    template <class... Args>
    void operator()(Args&&... arguments) const {
      Binding::bind(
          handle_, [this](const detail::Signature& signature, const void* const* values) { detail::launch_over(handle_, count_, signature, values); },
          std::forward<Args>(arguments)...);
    }

   private:
    const detail::KernelHandle& handle_;
    std::int64_t count_;
  };

  [[nodiscard]] constexpr Bound operator[](const Launch& configuration) const { return {handle_, configuration}; }

  /// At least n threads, block and grid chosen by cuttle: the kernel must check its index against n.
  template <class I>
    requires std::is_integral_v<I>
  [[nodiscard]] constexpr BoundOver over(I n) const {
    return {handle_, Dim(n).x};
  }

  /// Compiles for the current device (without a GPU: for sm_90) without launching; arguments only give their types.
  template <class... Args>
  [[nodiscard]] CompiledKernel inspect(Args&&... arguments) const {
    return inspect_for(nullptr, std::forward<Args>(arguments)...);
  }
  /// The same for an architecture that need not be in the machine: `k.inspect(sm(75), x, n, y)`.
  template <class... Args>
  [[nodiscard]] CompiledKernel inspect(Architecture architecture, Args&&... arguments) const {
    return inspect_for(&architecture, std::forward<Args>(arguments)...);
  }
  /// The same from types alone: `k.inspect<view<float>, unsigned, view<float>>()`.
  template <class First, class... Rest>
  [[nodiscard]] CompiledKernel inspect() const {
    return inspect_types<First, Rest...>(nullptr);
  }
  template <class First, class... Rest>
  [[nodiscard]] CompiledKernel inspect(Architecture architecture) const {
    return inspect_types<First, Rest...>(&architecture);
  }

  template <class I>
    requires std::is_integral_v<I>
  void operator[](I) const {
    static_assert(sizeof(I) == 0, "write k[{grid, block}](...) with braces, or k[{.grid = .., .block = ..}](...)");
  }
  template <class... Args>
  void operator()(Args&&...) const {
    static_assert(sizeof...(Args) != sizeof...(Args), "a kernel needs a launch: k[{.grid = .., .block = ..}](...), or k.over(n)(...)");
  }

  [[nodiscard]] constexpr const detail::KernelHandle& handle() const { return handle_; }

 private:
  template <class... Args>
  CompiledKernel inspect_for(const Architecture* architecture, Args&&... arguments) const {
    return Binding::bind(
        handle_,
        [&](const detail::Signature& signature, const void* const*) { return CompiledKernel(detail::inspect(handle_, signature, architecture)); },
        std::forward<Args>(arguments)...);
  }

  template <class... T>
  CompiledKernel inspect_types(const Architecture* architecture) const {
    return CompiledKernel(detail::inspect(handle_, Binding::template signature<T...>(handle_), architecture));
  }

  detail::KernelHandle handle_;
};

/// Any kernel, by a type that can be named: a member of a class, an element of a container, a function's result. Launched and inspected as
/// what it was made from; the number of arguments and the types of declared parameters are checked at the call, which throws LaunchError.
/// Scalars convert to a declared scalar parameter as in C++; other types must be the parameter's own, less const. Cheap to make and to copy.
class Kernel : public TypedKernel<detail::AnyParameters> {
 public:
  /// Empty: a launch throws LaunchError.
  constexpr Kernel() : TypedKernel(detail::KernelHandle{}) {}
  template <class Parameters>
  constexpr Kernel(const TypedKernel<Parameters>& kernel) : TypedKernel(kernel.handle()) {}  // NOLINT(google-explicit-constructor)
};

namespace detail {

template <std::size_t N, class Lambda>
constexpr auto make_kernel(KernelText text, Lambda) {
  static_assert(std::is_empty_v<Lambda>, "a kernel cannot capture: pass the value as an argument");
  using Parameters = typename ParametersOf<Lambda, N>::type;
  return TypedKernel<Parameters>(KernelHandle{text, &site_of<Lambda>, Binding<Parameters>::declared, Binding<Parameters>::count});
}

}  // namespace detail

}  // namespace cuttle
