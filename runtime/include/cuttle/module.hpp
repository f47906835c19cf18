// Modules: kernels and variables of a whole CUDA C++ source, a PTX text or a cubin, taken by their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "argument.hpp"
#include "array.hpp"
#include "device.hpp"
#include "export.hpp"
#include "kernel.hpp"
#include "launch.hpp"

#include "cuttle/dsl/hide_macros.hpp"

namespace cuttle {

/// How a source is compiled. Floating-point choices mean what nvcc's switches of the same names do.
struct SourceOptions {
  std::string name = "module.cu";    ///< of the source in messages; from_file gives the path
  std::vector<std::string> kernels;  ///< instances of kernel templates that are wanted: "scale<float, 4>"
  std::vector<std::string> include;  ///< folders in which #include looks
  std::vector<std::string> define;   ///< macros: "N=4", "DEBUG"
  bool fast_math = false;
  bool flush_denormals = false;
  bool contract = true;   ///< a * b + c may become one fused operation
  int max_registers = 0;  ///< of a thread; 0 for no limit
  bool line_info = false;
};

/// What a thread and a block of a function take. What only a GPU has is 0 on the CPU device.
struct FunctionAttributes {
  int registers;                    ///< of a thread
  std::size_t static_shared_bytes;  ///< of a block
  std::size_t local_bytes;          ///< of a thread: spilled registers, and arrays that are indexed at run time
  std::size_t constant_bytes;       ///< __constant__ variables of the user
  int max_threads_per_block;
  int ptx_version;     ///< 83 for PTX ISA 8.3
  int binary_version;  ///< 90 for sm_90
};

namespace detail {

struct ModuleState;
struct FunctionState;

/// A launch of a function: as configured, or over at least `configuration.grid` threads, with a block that suits the device.
struct FunctionLaunch {
  Launch configuration;
  bool is_over;
};

/// Checks the arguments of types `given` against the function's parameters, converts scalars into `scalars`, of which there is one an argument as
/// of `pointers`, and launches. Throws LaunchError, which names the parameter.
CUTTLE_API void launch_function(const FunctionState& function, const FunctionLaunch& launch, const Signature& given, const void* const* values,
                                std::uint64_t* scalars, const void** pointers);

struct Variable {
  void* data;
  std::size_t bytes;
};
/// Throws Error where the module has no such variable, or where its elements are no T.
[[nodiscard]] CUTTLE_API Variable find_variable(const ModuleState& module, const std::string& name, const TypeInfo& element);

}  // namespace detail

/// A kernel of a module: small, copied freely, valid until the process ends.
class CUTTLE_API Function {
 public:
  /// For cuttle's own headers.
  explicit Function(const detail::FunctionState& state) : state_(&state) {}

  /// A launch that waits for its arguments.
  class Bound {
   public:
    Bound(const detail::FunctionState& function, const detail::FunctionLaunch& launch) : function_(&function), launch_(launch) {}

    /// Launches on the module's device, and does not wait for the end. Numbers convert to a parameter's type where that keeps their value (a
    /// double for a float is rounded); pointers and arrays must be of the parameter's elements. Throws LaunchError or DriverError.
    template <class... Args>
    void operator()(Args&&... arguments) const {
      constexpr detail::KernelText no_text{};  // the parameters' names are the module's own
      detail::with_staged(
          no_text, launch_.configuration.stream,
          [this](const detail::Place&, auto&... staged) {
            detail::with_values(
                [this](const detail::Signature& given, const void* const* values, std::uint32_t) {
                  std::uint64_t scalars[sizeof...(staged) + 1];
                  const void* pointers[sizeof...(staged) + 1];
                  detail::launch_function(*function_, launch_, given, values, scalars, pointers);
                },
                detail::convert_to_kind<detail::ParameterList{}, 0>(detail::made(staged))...);
          },
          arguments...);
    }

   private:
    const detail::FunctionState* function_;
    detail::FunctionLaunch launch_;
  };

  /// As a kernel's: `f[{.grid = 10, .block = 256}](x, n, y)`.
  [[nodiscard]] Bound operator[](const Launch& configuration) const { return {*state_, {configuration, false}}; }
  /// At least n threads, or `{columns, rows}` of them, with block and grid chosen by cuttle.
  [[nodiscard]] Bound over(const Dim& n, const StreamRef& stream = {}) const { return {*state_, {{.grid = n, .block = 1, .stream = stream}, true}}; }

  /// "scale<float, 4>"
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] FunctionAttributes attributes() const;

 private:
  const detail::FunctionState* state_;
};

/// Code on the device that was current when it was made. A handle: small, copied freely. A module stays loaded until the process ends, since a
/// kernel of it may run at any time; each has variables of its own.
class CUTTLE_API Module {
 public:
  /// CUDA C++ as nvcc takes it for device code, compiled by cuttle for the GPU or for the CPU device and kept in the cache on disk. Every
  /// __global__ function is there by its name, extern "C" or not; instances of templates are those that the options name. Throws CompileError
  /// with the text's own lines.
  [[nodiscard]] static Module from_source(const std::string& text, const SourceOptions& options = {});
  /// PTX, for the current GPU. Throws DriverError with the log of the driver's assembler.
  [[nodiscard]] static Module from_ptx(const std::string& text);
  /// A cubin or fatbin, for the current GPU.
  [[nodiscard]] static Module from_cubin(const std::string& bytes);
  /// A file: .ptx, .cubin and .fatbin are what they are called, all else is source, whose own folder is the first of its include folders.
  [[nodiscard]] static Module from_file(const std::string& path, SourceOptions options = {});

  /// Throws Error where there is none of that name; of a source the message lists those that there are.
  [[nodiscard]] Function function(const std::string& name) const;

  /// The __device__ or __constant__ variable as an array on the device, of one element where it is no array: read by item() or to_vector(), written
  /// by fill() or copy_from(), passed to kernels. Throws Error where there is no such variable, or where it does not consist of Ts.
  template <class T>
  [[nodiscard]] Array<T> global(const std::string& name) const {
    const detail::Variable variable = detail::find_variable(*state_, name, detail::type_info<T>);
    return Array<T>::borrow(static_cast<T*>(variable.data), {static_cast<std::int64_t>(variable.bytes / sizeof(T))}, device());
  }

  /// The names of the kernels of a source; empty for PTX and cubins.
  [[nodiscard]] std::vector<std::string> kernels() const;
  /// What the compiler warned of; empty where it did not.
  [[nodiscard]] const std::string& compile_log() const;
  [[nodiscard]] Device device() const;

 private:
  explicit Module(detail::ModuleState& state) : state_(&state) {}

  detail::ModuleState* state_;
};

}  // namespace cuttle

#include "cuttle/dsl/restore_macros.hpp"
