#include "opencl.h"

#include <dlfcn.h>
#include <cstdint>
#include <stdexcept>

namespace cuttle::bench {
namespace {

using Handle = void*;
using Status = std::int32_t;

constexpr std::uint64_t cpu_device = 2, read_write = 1, use_host_pointer = 8;
constexpr std::uint32_t platform_version = 0x0901, build_log = 0x1183;

// The functions used, as cl.h declares them but for the types of handles.
struct Api {
  Status (*clGetPlatformIDs)(std::uint32_t, Handle*, std::uint32_t*);
  Status (*clGetPlatformInfo)(Handle, std::uint32_t, std::size_t, void*, std::size_t*);
  Status (*clGetDeviceIDs)(Handle, std::uint64_t, std::uint32_t, Handle*, std::uint32_t*);
  Handle (*clCreateContext)(const void*, std::uint32_t, const Handle*, void (*)(), void*, Status*);
  Handle (*clCreateCommandQueue)(Handle, Handle, std::uint64_t, Status*);
  Handle (*clCreateProgramWithSource)(Handle, std::uint32_t, const char**, const std::size_t*, Status*);
  Status (*clBuildProgram)(Handle, std::uint32_t, const Handle*, const char*, void (*)(), void*);
  Status (*clGetProgramBuildInfo)(Handle, Handle, std::uint32_t, std::size_t, void*, std::size_t*);
  Handle (*clCreateKernel)(Handle, const char*, Status*);
  Handle (*clCreateBuffer)(Handle, std::uint64_t, std::size_t, void*, Status*);
  Status (*clSetKernelArg)(Handle, std::uint32_t, std::size_t, const void*);
  Status (*clEnqueueNDRangeKernel)(Handle, Handle, std::uint32_t, const std::size_t*, const std::size_t*, const std::size_t*, std::uint32_t,
                                   const Handle*, Handle*);
  Status (*clFinish)(Handle);
  Status (*clReleaseMemObject)(Handle);
  Status (*clReleaseKernel)(Handle);
  Status (*clReleaseProgram)(Handle);
};

void require(Status status, const char* what) {
  if (status != 0) throw std::runtime_error(std::string("OpenCL's ") + what + " failed with " + std::to_string(status));
}

// PoCL's CPU: opened once and kept to the end of the program.
struct Pocl {
  Api api{};
  std::string name;
  Handle device = nullptr, context = nullptr, queue = nullptr;

  Pocl() {
    void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    const auto find = [&](auto& function, const char* symbol) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, symbol));
      if (!function) throw std::runtime_error(std::string("libOpenCL.so.1 lacks ") + symbol);
    };
#define CUTTLE_FIND(function) find(api.function, #function)
    CUTTLE_FIND(clGetPlatformIDs), CUTTLE_FIND(clGetPlatformInfo), CUTTLE_FIND(clGetDeviceIDs), CUTTLE_FIND(clCreateContext);
    CUTTLE_FIND(clCreateCommandQueue), CUTTLE_FIND(clCreateProgramWithSource), CUTTLE_FIND(clBuildProgram), CUTTLE_FIND(clGetProgramBuildInfo);
    CUTTLE_FIND(clCreateKernel), CUTTLE_FIND(clCreateBuffer), CUTTLE_FIND(clSetKernelArg), CUTTLE_FIND(clEnqueueNDRangeKernel);
    CUTTLE_FIND(clFinish), CUTTLE_FIND(clReleaseMemObject), CUTTLE_FIND(clReleaseKernel), CUTTLE_FIND(clReleaseProgram);
#undef CUTTLE_FIND
    Handle platforms[8];
    std::uint32_t count = 0;
    if (api.clGetPlatformIDs(8, platforms, &count) != 0) return;
    for (std::uint32_t i = 0; i < count && i < 8 && !device; ++i) {
      char version[256] = "";
      api.clGetPlatformInfo(platforms[i], platform_version, sizeof(version), version, nullptr);
      if (std::string(version).find("pocl") == std::string::npos && std::string(version).find("PoCL") == std::string::npos) continue;
      if (api.clGetDeviceIDs(platforms[i], cpu_device, 1, &device, nullptr) == 0) name = version;
    }
    if (!device) return;
    Status status = 0;
    context = api.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    require(status, "clCreateContext");
    queue = api.clCreateCommandQueue(context, device, 0, &status);
    require(status, "clCreateCommandQueue");
  }
};

const Pocl& pocl() {
  static const auto* opened = new Pocl;
  return *opened;
}

class PoclKernel final : public OpenClKernel {
 public:
  PoclKernel(const char* source, const char* name) {
    Status status = 0;
    program_ = api_.clCreateProgramWithSource(pocl().context, 1, &source, nullptr, &status);
    require(status, "clCreateProgramWithSource");
    if (api_.clBuildProgram(program_, 1, &pocl().device, "", nullptr, nullptr) != 0) {
      std::string log(1 << 14, '\0');
      api_.clGetProgramBuildInfo(program_, pocl().device, build_log, log.size(), log.data(), nullptr);
      throw std::runtime_error(log.c_str());
    }
    kernel_ = api_.clCreateKernel(program_, name, &status);
    require(status, "clCreateKernel");
  }
  ~PoclKernel() override {
    for (Handle buffer : buffers_) api_.clReleaseMemObject(buffer);
    api_.clReleaseKernel(kernel_);
    api_.clReleaseProgram(program_);
  }
  PoclKernel(const PoclKernel&) = delete;
  PoclKernel& operator=(const PoclKernel&) = delete;

  void add(void* array, std::size_t bytes) override {
    Status status = 0;
    buffers_.push_back(api_.clCreateBuffer(pocl().context, read_write | use_host_pointer, bytes, array, &status));
    require(status, "clCreateBuffer");
    require(api_.clSetKernelArg(kernel_, next_++, sizeof(Handle), &buffers_.back()), "clSetKernelArg");
  }
  void add(int value) override { require(api_.clSetKernelArg(kernel_, next_++, sizeof(value), &value), "clSetKernelArg"); }

  void run(std::vector<std::size_t> global, std::vector<std::size_t> local) override {
    const auto dimensions = static_cast<std::uint32_t>(global.size());
    require(api_.clEnqueueNDRangeKernel(pocl().queue, kernel_, dimensions, nullptr, global.data(), local.data(), 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    require(api_.clFinish(pocl().queue), "clFinish");
  }

 private:
  const Api& api_ = pocl().api;
  Handle program_ = nullptr, kernel_ = nullptr;
  std::vector<Handle> buffers_;
  std::uint32_t next_ = 0;
};

}  // namespace

std::string opencl_name() { return pocl().name; }

std::unique_ptr<OpenClKernel> opencl_kernel(const char* source, const char* name) { return std::make_unique<PoclKernel>(source, name); }

}  // namespace cuttle::bench
