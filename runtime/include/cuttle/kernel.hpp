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
#include "host_arguments.hpp"
#include "launch.hpp"

#include "cuttle/dsl/hide_macros.hpp"

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

/// A kernel, its captured values and how it is compiled, borrowed for one call.
struct KernelCall {
  const KernelHandle& kernel;
  const unsigned char* captures;
  const Options& options;
  const void* const* arguments;  // addresses of the values; null where only their types are known
  std::uint32_t facts;           // that hold for the views among them (dsl/facts.hpp)
};

CUTTLE_API void launch(const KernelCall& call, const Launch& configuration, const Signature& signature, const Place& place);
CUTTLE_API void launch_over(const KernelCall& call, const Dim& count, const Signature& signature, const Place& place);

[[noreturn]] CUTTLE_API void throw_wrong_home(const KernelText& kernel, const DeviceState* home, const DeviceState* device, std::size_t index);
[[noreturn]] CUTTLE_API void throw_null_data(const KernelText& kernel, std::size_t index);

/// Throws LaunchError for an array that is not on the device of the launch, and for a view of elements that are nowhere.
template <class... A>
void require_usable(const KernelText& kernel, [[maybe_unused]] const DeviceState* device, const A&... arguments) {
  [[maybe_unused]] std::size_t index = 0;
  [[maybe_unused]] const auto check = [&](const auto& argument) {
    using Given = std::remove_cvref_t<decltype(argument)>;
    if constexpr (is_array<Given>) {
      if (argument.home() != device) [[unlikely]]
        throw_wrong_home(kernel, argument.home(), device, index);
    } else if constexpr (is_view<Given>) {
      if (!argument.data() && argument.size() > 0) [[unlikely]]
        throw_null_data(kernel, index);
    }
    ++index;
  };
  (check(arguments), ...);
}

/// Hands the place of the launch and the arguments to `submit`, once they are known to be usable; host containers as arrays that live as long as
/// the launch.
template <class Submit, class... Args>
[[gnu::always_inline]] inline void with_staged(const KernelText& kernel, const StreamRef& stream, const Submit& submit, Args&... arguments) {
  if constexpr ((is_host_argument<std::remove_cv_t<Args>> || ...)) {
    const Use use(stream);
    launch_staged([&](auto&... staged) { with_staged(kernel, stream, submit, staged...); }, stage(arguments)...);
  } else {
    const Place place = place_of(stream);
    require_usable(kernel, &place.device, arguments...);
    submit(place, arguments...);
  }
}

}  // namespace detail

/// The code of a kernel for one signature and one target, compiled and not launched.
class CUTTLE_API CompiledKernel {
 public:
  /// For cuttle's own headers: loaded on `device` at need, where that is not null.
  explicit CompiledKernel(std::shared_ptr<const detail::Compilation> compilation, detail::DeviceState* device = nullptr);
  /// What a call would compile, without an architecture for the current device.
  [[nodiscard]] static CompiledKernel inspect(const detail::KernelCall& call, const detail::Signature& signature, const Architecture* architecture);
  /// The same, kept: loaded on the current device, or on disk for machines of the architecture.
  static CompiledKernel compile(const detail::KernelCall& call, const detail::Signature& signature, const Architecture* architecture);

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

  // What the GPU's own assembler made of it. The first of these calls assembles and loads the kernel. They throw Error where it was compiled for
  // another architecture, or on a machine without a GPU.

  /// Registers of a thread.
  [[nodiscard]] int registers() const;
  /// Bytes of a thread's local memory: spilled registers, and arrays that are indexed at run time.
  [[nodiscard]] std::size_t local_bytes() const;
  /// Threads that a block may have, by the registers that they need.
  [[nodiscard]] int max_threads_per_block() const;
  /// Blocks that a multiprocessor holds at once, and what part of its threads they are (0 to 1).
  [[nodiscard]] int blocks_per_multiprocessor(const Dim& block, std::size_t dynamic_shared_bytes = 0) const;
  [[nodiscard]] double occupancy(const Dim& block, std::size_t dynamic_shared_bytes = 0) const;

 private:
  struct Loadable;

  std::shared_ptr<const detail::Compilation> compilation_;
  std::shared_ptr<Loadable> loadable_;
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
      kernel_.launch_with(
          configuration_.stream,
          [this](const detail::Place& place, const detail::Signature& signature, const void* const* values, std::uint32_t facts) {
            detail::launch(kernel_.call(values, facts), configuration_, signature, place);
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
    constexpr BoundOver(const TypedKernel& kernel, const Dim& count, const StreamRef& stream) : kernel_(kernel), count_(count), stream_(stream) {}

    template <class... Args>
    void operator()(Args&&... arguments) const {
      kernel_.launch_with(
          stream_,
          [this](const detail::Place& place, const detail::Signature& signature, const void* const* values, std::uint32_t facts) {
            detail::launch_over(kernel_.call(values, facts), count_, signature, place);
          },
          arguments...);
    }

   private:
    const TypedKernel& kernel_;
    Dim count_;
    StreamRef stream_;
  };

  /// The same kernel, compiled another way: `k.with({.fast_math = true})`. In place of the options that it had. Cheap: nothing is compiled yet.
  [[nodiscard]] constexpr TypedKernel with(const Options& options) const {
    TypedKernel kernel = *this;
    kernel.handle_.options = options;
    return kernel;
  }

  [[nodiscard]] constexpr Bound operator[](const Launch& configuration) const { return {*this, configuration}; }

  /// At least n threads, or `{columns, rows}` of them, with block and grid chosen by cuttle: the kernel must check its indices against n.
  [[nodiscard]] constexpr BoundOver over(const Dim& n, const StreamRef& stream = {}) const { return {*this, n, stream}; }

  /// The code for the current device (without a GPU: for sm_90), to read: what a call with these arguments would run.
  template <class... Args>
  [[nodiscard]] CompiledKernel inspect(Args&&... arguments) const {
    return from_arguments(CompiledKernel::inspect, nullptr, arguments...);
  }
  /// The same for an architecture that need not be in the machine: `k.inspect(sm(75), x, n, y)`.
  template <class... Args>
  [[nodiscard]] CompiledKernel inspect(Architecture architecture, Args&&... arguments) const {
    return from_arguments(CompiledKernel::inspect, &architecture, arguments...);
  }
  /// From types alone, and so for all arguments of these types: `k.inspect<view<float>, unsigned, view<float>>()`.
  template <class First, class... Rest>
  [[nodiscard]] CompiledKernel inspect() const {
    return from_types<First, Rest...>(CompiledKernel::inspect, nullptr);
  }
  template <class First, class... Rest>
  [[nodiscard]] CompiledKernel inspect(Architecture architecture) const {
    return from_types<First, Rest...>(CompiledKernel::inspect, &architecture);
  }

  /// Compiles and loads for the current device, so that the first call only launches: for calls with arguments like these, as far as their views
  /// overlap, are aligned and so on (docs/pipeline.md). Many kernels on all cores: precompile.hpp.
  template <class... Args>
  CompiledKernel compile(Args&&... arguments) const {
    return from_arguments(CompiledKernel::compile, nullptr, arguments...);
  }
  /// Compiles for an architecture that need not be in the machine, and keeps the result in the cache on disk: PTX that the driver there links at
  /// the first call. The cache, or a bundle of it (`cuttle cache bundle`), then serves machines that have no compiler library.
  template <class... Args>
  CompiledKernel compile(Architecture architecture, Args&&... arguments) const {
    return from_arguments(CompiledKernel::compile, &architecture, arguments...);
  }
  /// From types alone, and so for all arguments of these types: `k.compile<view<float>, unsigned, view<float>>(sm(75))`. Such code serves every
  /// later call.
  template <class First, class... Rest>
  CompiledKernel compile() const {
    return from_types<First, Rest...>(CompiledKernel::compile, nullptr);
  }
  template <class First, class... Rest>
  CompiledKernel compile(Architecture architecture) const {
    return from_types<First, Rest...>(CompiledKernel::compile, &architecture);
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
  [[nodiscard]] detail::KernelCall call(const void* const* arguments = nullptr, std::uint32_t facts = 0) const {
    return {handle_, captures_.bytes(), handle_.options, arguments, facts};
  }

 private:
  template <class Submit, class... Args>
  void launch_with(const StreamRef& stream, const Submit& submit, Args&... arguments) const {
    const auto bind = [&](const detail::Place& place, auto&... staged) {
      const auto submit_there = [&](const detail::Signature& signature, const void* const* values, std::uint32_t facts) {
        submit(place, signature, values, facts);
      };
      Binding::bind(handle_, submit_there, staged...);
    };
    detail::with_staged(handle_.text, stream, bind, arguments...);
  }

  using Maker = CompiledKernel (*)(const detail::KernelCall&, const detail::Signature&, const Architecture*);

  template <class... Args>
  CompiledKernel from_arguments(Maker make, const Architecture* architecture, Args&... arguments) const {
    return Binding::bind(
        handle_,
        [&](const detail::Signature& signature, const void* const* values, std::uint32_t facts) {
          return make(call(values, facts), signature, architecture);
        },
        arguments...);
  }

  template <class... T>
  CompiledKernel from_types(Maker make, const Architecture* architecture) const {
    static_assert(!(detail::is_constant<T> || ...), "the type of a constant does not say its value: give arguments, k.inspect(x, constant(16))");
    return make(call(), Binding::template signature<T...>(handle_), architecture);
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

  [[nodiscard]] Kernel with(const Options& options) const { return Kernel(Shared{}, TypedKernel::with(options)); }

 private:
  struct Shared {};
  Kernel(Shared, TypedKernel kernel) : TypedKernel(std::move(kernel)) {}
};

/// An argument that the kernel is compiled for: what the parameter shows is a constant, of which arrays can be made: `k[...](x, constant(n))`, or
/// constant<16> for what is known when the program is written. Every other value is another compilation.
template <class T>
[[nodiscard]] constexpr detail::Constant<T> constant(T value) {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>, "a constant is a number, an enumerator or a plain struct");
  return {value};
}
template <auto value>
[[nodiscard]] constexpr detail::Constant<std::remove_cv_t<decltype(value)>> constant() {
  return {value};
}

namespace detail {

template <class Parameters, class Captures>
constexpr KernelHandle make_handle(const KernelText& text, Site* site) {
  return {text, site, &Captures::types, device_blocks(), Binding<Parameters>::declared, Binding<Parameters>::count, Binding<Parameters>::required,
          {}};
}

// Called by the macros of capture.hpp.
template <ParameterList List, class Lambda>
constexpr auto make_kernel(const KernelText& text, Lambda) {
  using Parameters = typename ParametersOf<Lambda, List>::type;
  return TypedKernel<Parameters>(make_handle<Parameters, Captures<>>(text, &site_of<Lambda>));
}

template <ParameterList List, bool IsWithoutMacros, class Constants, class Wrapper, class... T>
auto make_kernel_with(const KernelText& text, Constants, Wrapper, const T&... captured) {
  static_assert(IsWithoutMacros, "a name in the capture list is a macro: it needs no capture, since macros are expanded in the kernel's text");
  static_assert(sizeof...(T) <= most_captures,
                "a kernel captures at most 64 values and types: put more into a std::array or a struct of CUTTLE_DEVICE");
  using Parameters = typename ParametersWithin<List, Wrapper, Constants>::type;
  return TypedKernel<Parameters, Captures<T...>>(make_handle<Parameters, Captures<T...>>(text, &site_of<Wrapper>), Captures<T...>(captured...));
}

}  // namespace detail

}  // namespace cuttle

#include "cuttle/dsl/restore_macros.hpp"
