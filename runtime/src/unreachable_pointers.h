// Pointers that a launch would give to a GPU although it does not reach what they point to: found before the launch, since the fault ends the use
// of the GPU.
#pragma once

#include <cstddef>
#include <string>

#include "cuda_driver.h"
#include "cuda_memory.h"
#include "cuttle/dsl/signature.hpp"
#include "cuttle/error.hpp"

namespace cuttle::detail {

/// A pointer or a view is of memory that the launch's GPU does not reach.
class UnreachablePointer : public LaunchError {
 public:
  UnreachablePointer(std::size_t argument, const std::string& which, const std::string& title, const std::string& reason);

  const std::size_t argument;  // counted from 0
  const std::string kernel;
  const std::string why;  // the end of the message
};

/// Throws UnreachablePointer for the first pointer, or data of a view, that is
/// - unknown to the driver, and the host can read it: on a GPU that does not reach the host's memory by itself, an access is a fault;
/// - memory of another GPU that the current context may not access;
/// - where an Array lay that was freed lately, and unknown to the driver since.
/// All else passes: null, a place just behind an array, a number that is no address, and what only the driver can know.
void refuse_unreachable_pointers(const cuda::Driver& driver, const CudaMemory& memory, int device, const std::string& kernel,
                                 const Signature& signature, const void* const* arguments);

}  // namespace cuttle::detail
