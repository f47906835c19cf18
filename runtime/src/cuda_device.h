// A GPU through the CUDA driver.
#pragma once

#include <memory>

#include "device_state.h"

namespace cuttle::detail {

namespace cuda {
struct Driver;
}

/// Retains the primary context of the GPU, the one that the CUDA runtime, PyTorch and other libraries share.
[[nodiscard]] std::unique_ptr<DeviceState> make_cuda_device(const cuda::Driver& driver, int index);

}  // namespace cuttle::detail
