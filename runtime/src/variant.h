// A variant: one kernel's code for one signature on one device, and the lock-free list on which a launch finds it again.
#pragma once

#include <memory>

#include "compilation.h"
#include "cuttle/kernel.hpp"
#include "device_state.h"

namespace cuttle::detail {

/// Immutable; lives until the process ends, since any thread may be reading it.
struct Variant {
  const Variant* next;
  // What it is for. A text is identified by the address of its literal: equal texts elsewhere only make a second entry.
  const char* text;
  const Signature* signature;
  DeviceState* device;
  // What it is.
  std::shared_ptr<const Compilation> compilation;
  const Executable* executable;

  [[nodiscard]] bool is_for(const KernelHandle& kernel, const Signature& wanted, const DeviceState& on) const {
    return text == kernel.text.text && signature == &wanted && device == &on;
  }
};

/// The variant of `kernel` for the signature on the device; compiled and loaded where it is new. The warm path takes no lock and allocates
/// nothing.
[[nodiscard]] const Variant& find_variant(const KernelHandle& kernel, const Signature& signature, DeviceState& device);

}  // namespace cuttle::detail
