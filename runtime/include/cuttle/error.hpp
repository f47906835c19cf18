// What cuttle throws, by whose doing it was. Messages are sentences that say what was asked, what is possible and what to change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "export.hpp"

namespace cuttle {

/// Base of every exception that cuttle throws.
class CUTTLE_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Severity : std::uint8_t { note, warning, error };

/// One message of the compiler about a kernel, at a place in the user's own file.
struct Diagnostic {
  Severity severity;
  std::string file;
  unsigned line;    ///< 1-based; 0 where there is no place
  unsigned column;  ///< 1-based, in bytes; 0 where unknown
  std::string message;
  std::string source_line;  ///< the line that it is about; may be empty
  std::string hint;         ///< what to write instead; may be empty
};

/// The kernel is wrong. what() is what a person wants to read, diagnostics() the same as data.
class CUTTLE_API CompileError : public Error {
 public:
  CompileError(const std::string& what, std::string signature, std::vector<Diagnostic> diagnostics);

  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  /// The argument types that the kernel was being compiled for: "(view<f32>, u32, view<f32>)".
  [[nodiscard]] const std::string& signature() const { return signature_; }

 private:
  std::string signature_;
  std::vector<Diagnostic> diagnostics_;
};

/// A launch, a copy or an allocation asked for what cannot be. Nothing was sent to the device.
class CUTTLE_API LaunchError : public Error {
 public:
  using Error::Error;
};

/// The device, or the machine, has less memory free than was asked for. Nothing was allocated.
class CUTTLE_API OutOfMemory : public Error {
 public:
  OutOfMemory(const std::string& what, std::size_t asked, std::size_t free) : Error(what), asked_(asked), free_(free) {}

  [[nodiscard]] std::size_t asked() const { return asked_; }  ///< bytes
  [[nodiscard]] std::size_t free() const { return free_; }    ///< bytes

 private:
  std::size_t asked_, free_;
};

/// The CUDA driver refused a call or reports a fault of an earlier kernel.
class CUTTLE_API DriverError : public Error {
 public:
  DriverError(const std::string& what, int code) : Error(what), code_(code) {}

  /// The driver's CUresult.
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

/// An assert of a kernel failed: thrown by the next wait for the launch. what() names condition, file, line, kernel, block and thread. A GPU can do
/// nothing more for the process (CUDA's rule); the CPU device goes on.
class CUTTLE_API AssertionError : public DriverError {
 public:
  using DriverError::DriverError;
};

/// What CUTTLE_CHECK=1 and Options{.check} look for.
enum class Check : std::uint8_t {
  out_of_bounds,      ///< an access outside of a view, of the array that a pointer points into, or of a shared variable
  freed_array,        ///< an access to an array that was freed
  race,               ///< two accesses to the same bytes that nothing orders, one of them a write
  uninitialised,      ///< a read of shared memory that nothing was written to
  divergent_barrier,  ///< a barrier that not all threads of a block reach
  endless_wait,       ///< threads that wait for a value which no thread can write before they have it
  division,           ///< of an integer by zero, or of the smallest one by -1
  inactive_lane,      ///< a shuffle from a lane of the warp that does not take part in it
  trap,               ///< __trap(), which ended the launch
};

/// A mistake that a kernel made under checks. On the CPU device the launch throws it; what the kernel had written until then stays. On a GPU, which
/// checks the indices of views alone, the next wait throws it, and the GPU can do nothing more for the process.
class CUTTLE_API CheckError : public Error {
 public:
  struct Finding {
    Check check;
    std::string kernel = {};       ///< entry point and signature
    std::string file = {};         ///< where in the source, with the line
    unsigned line = 0;             ///< 1-based
    std::uint32_t block[3] = {};   ///< blockIdx
    std::uint32_t thread[3] = {};  ///< threadIdx
    int argument = 0;              ///< of the launch, counted from 1; 0 where it is none, as for shared memory
    std::int64_t index = 0;        ///< in elements of what is accessed; in bytes for shared memory
  };

  CheckError(const std::string& what, Finding finding) : Error(what), finding_(std::move(finding)) {}

  [[nodiscard]] const Finding& finding() const { return finding_; }

 private:
  Finding finding_;
};

/// A bug of cuttle or a broken installation.
class CUTTLE_API InternalError : public Error {
 public:
  using Error::Error;
};

}  // namespace cuttle
