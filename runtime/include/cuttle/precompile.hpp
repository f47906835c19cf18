// Compiling before the first call: for this machine or for others, one kernel or many on all cores, or in the background.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "kernel.hpp"

namespace cuttle {

/// A kernel for the parameter types of a call: what the call would compile. compile() is Kernel::compile() for these types.
class Specialization {
 public:
  Specialization(Kernel kernel, const detail::Signature& signature) : kernel_(std::move(kernel)), signature_(&signature) {}

  CUTTLE_API CompiledKernel compile() const;
  CUTTLE_API CompiledKernel compile(Architecture architecture) const;

 private:
  Kernel kernel_;
  const detail::Signature* signature_;
};

/// `specialize(k, x, n, y)`: arguments only give their types.
template <class Parameters, class Captures, class... Args>
[[nodiscard]] Specialization specialize(const TypedKernel<Parameters, Captures>& kernel, const Args&... arguments) {
  static_assert(!(detail::is_constant<std::remove_cvref_t<decltype(detail::made(arguments))>> || ...),
                "a specialization keeps no values: compile a kernel with constants by k.compile(arguments...)");
  return detail::Binding<Parameters>::bind(
      kernel.handle(), [&](const detail::Signature& signature, const void* const*, std::uint32_t) { return Specialization(kernel, signature); },
      arguments...);
}
/// `specialize<view<float>, unsigned, view<float>>(k)`.
template <class First, class... Rest, class Parameters, class Captures>
[[nodiscard]] Specialization specialize(const TypedKernel<Parameters, Captures>& kernel) {
  return Specialization(kernel, detail::Binding<Parameters>::template signature<First, Rest...>(kernel.handle()));
}

namespace detail {
using ProgressFunction = void (*)(void* context, std::size_t done, std::size_t total);
CUTTLE_API void precompile(std::span<const Specialization> kernels, std::span<const Architecture> architectures, ProgressFunction progress,
                           void* context);
}  // namespace detail

/// Compiles every kernel for every architecture, or, where none is given, for the current device, as Kernel::compile() does; on all cores.
/// `progress(done, total)` is called after each, by one thread at a time. All are tried; then the first error is thrown.
template <class Progress>
void precompile(std::span<const Specialization> kernels, std::span<const Architecture> architectures, Progress progress) {
  detail::precompile(
      kernels, architectures, [](void* context, std::size_t done, std::size_t total) { (*static_cast<Progress*>(context))(done, total); }, &progress);
}
inline void precompile(std::span<const Specialization> kernels, std::span<const Architecture> architectures = {}) {
  precompile(kernels, architectures, [](std::size_t, std::size_t) {});
}

/// A kernel that is being compiled on another thread. Its destruction waits for the end.
class CUTTLE_API PendingKernel {
 public:
  struct State;
  explicit PendingKernel(std::unique_ptr<State> state);
  PendingKernel(PendingKernel&&) noexcept;
  PendingKernel& operator=(PendingKernel&&) noexcept;
  ~PendingKernel();

  /// Whether get() returns at once.
  [[nodiscard]] bool ready() const;
  /// Waits; throws what the compilation threw.
  [[nodiscard]] CompiledKernel get() const;

 private:
  std::unique_ptr<State> state_;
};

/// Compiles and loads for the current device as Kernel::compile() does, on a thread of its own: a call that comes before the end waits for it.
[[nodiscard]] CUTTLE_API PendingKernel compile_async(const Specialization& kernel);

}  // namespace cuttle
