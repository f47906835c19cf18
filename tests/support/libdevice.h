// Whether NVIDIA's libdevice is here: without it kernels for a GPU take their math functions from libclc, which has other bounds and other code.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>

namespace cuttle::test {

inline constexpr const char* no_libdevice = "NVIDIA's libdevice is not here";

/// Its path as libcuttle would find it; empty where there is none.
inline std::string libdevice() {
  if (const char* given = std::getenv("CUTTLE_LIBDEVICE")) return std::string(given).find("libdevice") == std::string::npos ? "" : given;
  for (const char* root : std::initializer_list<const char*>{std::getenv("CUDA_HOME"), std::getenv("CUDA_PATH"), "/usr/local/cuda"}) {
    if (std::string path = std::string(root ? root : "") + "/nvvm/libdevice/libdevice.10.bc"; root && std::filesystem::exists(path)) return path;
  }
  const char* packaged = "/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc";
  return std::filesystem::exists(packaged) ? packaged : "";
}

}  // namespace cuttle::test
