// A variant: one kernel's code for one signature on one device, and the lock-free list on which a launch finds it again.
#pragma once

#include <cstring>
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
  const TranslationUnit* unit;
  const Signature* signature;
  DeviceState* device;
  const CaptureTypes* capture_types;
  std::unique_ptr<unsigned char[]> captures;
  std::unique_ptr<unsigned char[]> constants;  // among the arguments, one after the other
  Options options;
  std::uint32_t facts;  // of the call that it was made for; the code assumes these, or none
  // What it is.
  std::shared_ptr<const Compilation> compilation;
  const Executable* executable;
  std::int64_t max_threads;  // of a block: the device's limit, or the launch bounds that it was compiled with

  [[nodiscard]] bool is_for(const KernelCall& call, const Signature& wanted, const DeviceState& on) const {
    return facts == (call.facts & on.useful_facts()) && is_for_other_facts(call, wanted, on);
  }

  /// Whether it would be, were the facts the call's.
  [[nodiscard, gnu::always_inline]] bool is_for_other_facts(const KernelCall& call, const Signature& wanted, const DeviceState& on) const {
    return text == call.kernel.text.text && unit == call.kernel.text.unit && signature == &wanted && device == &on &&
           capture_types == call.kernel.capture_types && options == call.options &&
           (capture_types->size == 0 || std::memcmp(captures.get(), call.captures, capture_types->size) == 0) &&
           (wanted.constant_bytes == 0 || has_constants(call.arguments));
  }

  [[nodiscard]] bool has_constants(const void* const* arguments) const {
    const unsigned char* kept = constants.get();
    for (std::size_t i = 0; i < signature->count; ++i) {
      const TypeInfo& type = *signature->parameters[i];
      if (!type.constant_of) continue;
      if (std::memcmp(kept, arguments[i], type.size) != 0) return false;
      kept += type.size;
    }
    return true;
  }
};

/// The variant of the kernel for the signature on the device; compiled and loaded where it is new. The warm path takes no lock and allocates
/// nothing.
[[nodiscard]] const Variant& find_variant(const KernelCall& call, const Signature& signature, DeviceState& device);

}  // namespace cuttle::detail
