// Compilations in the cache on disk and in the bundle.
#pragma once

#include <memory>

#include "compilation.h"
#include "device_state.h"
#include "entry_format.h"
#include "key.h"

namespace cuttle::detail {

/// What is kept under the key, in the bundle or on disk; null where there is nothing.
[[nodiscard]] std::shared_ptr<Compilation> find_stored(const Key& key, const cuttle_target& target);

void store(const Key& key, CodeKind kind, const Compilation& compilation);

/// The compiler's result as the device loads it, kept where `keep`.
[[nodiscard]] std::shared_ptr<const Compilation> link_and_store(std::shared_ptr<Compilation> result, const Key& key, DeviceState& device, bool keep);

}  // namespace cuttle::detail
