// Kernels: what CUTTLE_KERNEL makes, how it is launched, and how its code is looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "argument.hpp"
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

/// A kernel and its captured values, borrowed for one call.
struct KernelCall {
  const KernelHandle& kernel;
  const unsigned char* captures;
};

CUTTLE_API void launch(const KernelCall& call, const Launch& configuration, const Signature& signature, const void* const* arguments);
CUTTLE_API void launch_over(const KernelCall& call, std::int64_t count, const Signature& signature, const void* const* arguments);
CUTTLE_API std::shared_ptr<const Compilation> inspect(const KernelCall& call, const Signature& signature, const Architecture* architecture);

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

/// A kernel from CUTTLE_KERNEL. Parameters says what the host compiler knows of its parameters (detail::Deduced, detail::Declared, or
/// detail::AnyParameters in a Kernel), Captures holds the constants of CUTTLE_KERNEL_WITH.
template <class Parameters, class Captures = detail::Captures<>>
class TypedKernel {
  using Binding = detail::Binding<Parameters>;

 public:
  constexpr TypedKernel() = default;  // of an empty Kernel
  constexpr explicit TypedKernel(const detail::KernelHandle& handle) : handle_(handle) {}
  constexpr TypedKernel(const detail::KernelHandle& handle, Captures captures) : handle_(handle), captures_(std::move(captures)) {}

  /// A launch that waits for its arguments: `k[{.grid = 10, .block = 256}](x, n, y)`. Borrows the kernel.
  class Bound {
   public:
    constexpr Bound(const TypedKernel& kernel, const Launch& configuration) : kernel_(kernel), configuration_(configuration) {}

    /// Launches on the current device; the first call with new argument types compiles. Does not wait for the kernel's end.
    /// Throws CompileError, LaunchError or DriverError.
    template <class... Args>
    void operator()(Args&&... arguments) const {
      Binding::bind(
          kernel_.handle_,
          [this](const detail::Signature& signature, const void* const* values) {
            detail::launch(kernel_.call(), configuration_, signature, values);
          },
          arguments...);
    }

   private:
    const TypedKernel& kernel_;
    Launch configuration_;
  };

  /// A launch over n threads or a little more, with a block size that suits the device. Borrows the kernel.
  class BoundOver {
   public:
    constexpr BoundOver(const TypedKernel& kernel, std::int64_t count) : kernel_(kernel), count_(count) {}

    template <class... Args>
    void operator()(Args&&... arguments) const {
      Binding::bind(
          kernel_.handle_,
          [this](const detail::Signature& signature, const void* const* values) { detail::launch_over(kernel_.call(), count_, signature, values); },
          arguments...);
    }

   private:
    const TypedKernel& kernel_;
    std::int64_t count_;
  };

  [[nodiscard]] constexpr Bound operator[](const Launch& configuration) const { return {*this, configuration}; }

  /// At least n threads, block and grid chosen by cuttle: the kernel must check its index against n.
  template <class I>
    requires std::is_integral_v<I>
  [[nodiscard]] constexpr BoundOver over(I n) const {
    return {*this, Dim(n).x};
  }

  /// Compiles for the current device (without a GPU: for sm_90) without launching; arguments only give their types.
  template <class... Args>
  [[nodiscard]] CompiledKernel inspect(Args&&... arguments) const {
    return inspect_for(nullptr, arguments...);
  }
  /// The same for an architecture that need not be in the machine: `k.inspect(sm(75), x, n, y)`.
  template <class... Args>
  [[nodiscard]] CompiledKernel inspect(Architecture architecture, Args&&... arguments) const {
    return inspect_for(&architecture, arguments...);
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

  /// For cuttle's own headers.
  [[nodiscard]] constexpr const detail::KernelHandle& handle() const { return handle_; }
  [[nodiscard]] const Captures& captures() const { return captures_; }
  [[nodiscard]] detail::KernelCall call() const { return {handle_, captures_.bytes()}; }

 private:
  template <class... Args>
  CompiledKernel inspect_for(const Architecture* architecture, Args&... arguments) const {
    return Binding::bind(
        handle_,
        [&](const detail::Signature& signature, const void* const*) { return CompiledKernel(detail::inspect(call(), signature, architecture)); },
        arguments...);
  }

  template <class... T>
  CompiledKernel inspect_types(const Architecture* architecture) const {
    return CompiledKernel(detail::inspect(call(), Binding::template signature<T...>(handle_), architecture));
  }

  detail::KernelHandle handle_{};
  [[no_unique_address]] Captures captures_;
};

/// Any kernel, by a type that can be named: a member of a class, an element of a container, a function's result. Launched and inspected as
/// what it was made from; the number of arguments and the types of declared parameters are checked at the call, which throws LaunchError.
/// Scalars convert to a declared scalar parameter as in C++; other types must be the parameter's own, less const. Cheap to make and to copy.
class Kernel : public TypedKernel<detail::AnyParameters, detail::SharedCaptures> {
 public:
  /// Empty: a launch throws LaunchError.
  constexpr Kernel() = default;
  template <class Parameters>
  constexpr Kernel(const TypedKernel<Parameters>& kernel) : TypedKernel(kernel.handle()) {}  // NOLINT(google-explicit-constructor)
  template <class Parameters, class Captures>
  Kernel(const TypedKernel<Parameters, Captures>& kernel)  // NOLINT(google-explicit-constructor)
      : TypedKernel(kernel.handle(), detail::SharedCaptures(kernel.captures().bytes(), kernel.handle().capture_types->size)) {}
};

namespace detail {

template <class Parameters, class Captures>
constexpr KernelHandle make_handle(const KernelText& text, Site* site) {
  return {text, site, &Captures::types, device_blocks(), Binding<Parameters>::declared, Binding<Parameters>::count};
}

// Called by the macros of capture.hpp.
template <ParameterList List, class Lambda>
constexpr auto make_kernel(const KernelText& text, Lambda) {
  static_assert(std::is_empty_v<Lambda>,
                "a kernel cannot capture: pass the value as an argument, or as a constant: CUTTLE_KERNEL_WITH((name), [](...) {...})");
  using Parameters = typename ParametersOf<Lambda, List>::type;
  return TypedKernel<Parameters>(make_handle<Parameters, Captures<>>(text, &site_of<Lambda>));
}

template <ParameterList List, bool IsWithoutMacros, class Wrapper, class... T>
auto make_kernel_with(const KernelText& text, Wrapper, const T&... captured) {
  static_assert(IsWithoutMacros, "a name in the capture list is a macro: it needs no capture, since macros are expanded in the kernel's text");
  using Parameters = Deduced<List>;
  return TypedKernel<Parameters, Captures<T...>>(make_handle<Parameters, Captures<T...>>(text, &site_of<Wrapper>), Captures<T...>(captured...));
}

}  // namespace detail

}  // namespace cuttle
