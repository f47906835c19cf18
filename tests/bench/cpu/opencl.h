// The same kernels in OpenCL on the CPU by PoCL, where libOpenCL.so.1 and PoCL are installed (Debian: pocl-opencl-icd). Declares what it uses, so
// that building needs no header of OpenCL's.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace cuttle::bench {

/// One kernel, compiled and with its arguments set. Arrays are used where they lie.
class OpenClKernel {
 public:
  virtual ~OpenClKernel() = default;
  /// An argument, in the order of the parameters.
  virtual void add(void* array, std::size_t bytes) = 0;
  virtual void add(int value) = 0;
  /// Runs it to its end; `global` threads in groups of `local`, two dimensions.
  virtual void run(std::vector<std::size_t> global, std::vector<std::size_t> local) = 0;
};

/// PoCL's name and version, empty where it is not installed.
[[nodiscard]] std::string opencl_name();
[[nodiscard]] std::unique_ptr<OpenClKernel> opencl_kernel(const char* source, const char* name);

}  // namespace cuttle::bench
