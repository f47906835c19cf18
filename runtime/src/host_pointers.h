// Pointers that a launch would give to a GPU although they are the host's: found before the launch, since the fault ends the use of the GPU.
#pragma once

#include <cstddef>
#include <string>

#include "cuda_driver.h"
#include "cuttle/dsl/signature.hpp"
#include "cuttle/error.hpp"

namespace cuttle::detail {

/// A pointer or a view is of memory that no GPU reaches.
class HostPointer : public LaunchError {
 public:
  HostPointer(std::size_t argument, const std::string& which, const std::string& kernel);

  const std::size_t argument;  // counted from 0
  const std::string kernel;
};

/// Throws HostPointer for the first pointer, or data of a view, that the driver does not know and the host can read: on a GPU that does not reach
/// the host's memory by itself, an access is a fault. All else passes: null, a place just behind an array, and what only the driver can know.
void refuse_host_pointers(const cuda::Driver& driver, const std::string& kernel, const Signature& signature, const void* const* arguments);

}  // namespace cuttle::detail
