#include "nvrtc.h"

#include <dlfcn.h>

#include <optional>
#include <stdexcept>

namespace cuttle::bench {
namespace {

std::optional<Nvrtc> open_nvrtc() {
  for (const char* folder : {"", "/usr/local/cuda/lib64/"}) {
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"}) {
      void* library = dlopen((std::string(folder) + name).c_str(), RTLD_NOW | RTLD_LOCAL);
      if (!library) continue;
      Nvrtc nvrtc{};
#define CUTTLE_LOAD(function, parameters) nvrtc.function = reinterpret_cast<int(*) parameters>(dlsym(library, #function));
      CUTTLE_NVRTC_FUNCTIONS(CUTTLE_LOAD)
#undef CUTTLE_LOAD
      return nvrtc;
    }
  }
  return std::nullopt;
}

}  // namespace

const Nvrtc* find_nvrtc() {
  static const std::optional<Nvrtc> nvrtc = open_nvrtc();
  return nvrtc ? &*nvrtc : nullptr;
}

std::string Nvrtc::version() const {
  int major = 0, minor = 0;
  nvrtcVersion(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string Nvrtc::compile(const std::string& source, const std::string& architecture) const {
  NvrtcProgram program = nullptr;
  nvrtcCreateProgram(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr);
  const std::string option = "--gpu-architecture=" + architecture;
  const char* options[] = {option.c_str()};
  const bool to_cubin = architecture.starts_with("sm_");
  const bool compiled = nvrtcCompileProgram(program, 1, options) == 0;
  const auto size_of = compiled ? (to_cubin ? nvrtcGetCUBINSize : nvrtcGetPTXSize) : nvrtcGetProgramLogSize;
  const auto bytes_of = compiled ? (to_cubin ? nvrtcGetCUBIN : nvrtcGetPTX) : nvrtcGetProgramLog;
  std::size_t size = 0;
  size_of(program, &size);
  std::string bytes(size, '\0');
  bytes_of(program, bytes.data());
  nvrtcDestroyProgram(&program);
  if (!compiled) throw std::runtime_error("NVRTC does not compile: " + bytes + "\n" + source);
  return bytes;
}

}  // namespace cuttle::bench
