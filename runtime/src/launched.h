// A kernel with the device that it is loaded on: what a launch is checked against, wherever the kernel comes from.
#pragma once

#include "cuttle/launch.hpp"
#include "device_state.h"

namespace cuttle::detail {

struct Launched {
  DeviceState& device;
  const Executable& executable;
  std::int64_t max_threads;  // of a block: the device's limit, or launch bounds
};

/// Checks the configuration against the device's limits and launches. Throws LaunchError.
void launch_checked(const Launched& kernel, const Launch& configuration, void* stream, const Signature& signature, const void* const* arguments);

/// Block and grid for at least `count` threads.
[[nodiscard]] Launch configuration_over(const Launched& kernel, const Dim& count);

}  // namespace cuttle::detail
