// NVRTC, the compiler library of the CUDA toolkit, where the machine has it: the measure of our compile times.
#pragma once

#include <cstddef>
#include <string>

namespace cuttle::bench {

// name, parameters; declarations are our own, so that building needs no CUDA header.
#define CUTTLE_NVRTC_FUNCTIONS(X)                                                                                                \
  X(nvrtcVersion, (int* major, int* minor))                                                                                      \
  X(nvrtcCreateProgram, (NvrtcProgram * program, const char* source, const char* name, int header_count, const char* const* headers, \
                         const char* const* include_names))                                                                      \
  X(nvrtcCompileProgram, (NvrtcProgram program, int option_count, const char* const* options))                                   \
  X(nvrtcGetPTXSize, (NvrtcProgram program, std::size_t* size))                                                                  \
  X(nvrtcGetPTX, (NvrtcProgram program, char* ptx))                                                                              \
  X(nvrtcGetCUBINSize, (NvrtcProgram program, std::size_t* size))                                                                \
  X(nvrtcGetCUBIN, (NvrtcProgram program, char* cubin))                                                                          \
  X(nvrtcGetProgramLogSize, (NvrtcProgram program, std::size_t* size))                                                           \
  X(nvrtcGetProgramLog, (NvrtcProgram program, char* log))                                                                       \
  X(nvrtcDestroyProgram, (NvrtcProgram * program))

using NvrtcProgram = struct NvrtcProgramTag*;

struct Nvrtc {
#define CUTTLE_MEMBER(name, parameters) int(*name) parameters;
  CUTTLE_NVRTC_FUNCTIONS(CUTTLE_MEMBER)
#undef CUTTLE_MEMBER

  [[nodiscard]] std::string version() const;
  /// PTX for "compute_90", a cubin for "sm_90". Throws std::runtime_error with NVRTC's log.
  [[nodiscard]] std::string compile(const std::string& source, const std::string& architecture) const;
};

/// libnvrtc.so.13 or .12, from the loader's path or /usr/local/cuda; null where there is none.
[[nodiscard]] const Nvrtc* find_nvrtc();

}  // namespace cuttle::bench
