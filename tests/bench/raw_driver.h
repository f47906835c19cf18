// A launch as a program that calls the driver itself does it.
#pragma once

#include "runtime/src/cuda_driver.h"

namespace cuttle::bench {

/// The first GPU's primary context, current for a scope.
[[nodiscard]] inline detail::cuda::ContextScope enter_primary_context() {
  const detail::cuda::Driver& driver = *detail::cuda::find_driver();
  detail::cuda::DeviceHandle device = 0;
  detail::cuda::Context context = nullptr;
  detail::cuda::check(driver.cuDeviceGet(&device, 0), "opening the GPU");
  detail::cuda::check(driver.cuDevicePrimaryCtxRetain(&context, device), "creating the GPU's context");
  return {driver, context};
}

/// The function of a PTX text or a cubin. The module stays loaded.
[[nodiscard]] inline detail::cuda::Function load_function(const void* image, const char* entry) {
  const detail::cuda::Driver& driver = *detail::cuda::find_driver();
  detail::cuda::ModuleHandle module = nullptr;
  detail::cuda::Function function = nullptr;
  detail::cuda::check(driver.cuModuleLoadData(&module, image), "loading the kernel");
  detail::cuda::check(driver.cuModuleGetFunction(&function, module, entry), "finding the kernel");
  return function;
}

inline void launch_raw(detail::cuda::Function function, unsigned grid, unsigned block, void** arguments,
                       detail::cuda::StreamHandle stream = nullptr) {
  const detail::cuda::Driver& driver = *detail::cuda::find_driver();
  detail::cuda::check(driver.cuLaunchKernel(function, grid, 1, 1, block, 1, 1, 0, stream, arguments, nullptr), "launching");
}

}  // namespace cuttle::bench
