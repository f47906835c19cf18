// Compilations in the cache on disk and in the bundle.
#pragma once

#include <memory>

#include "compilation.h"
#include "entry_format.h"
#include "key.h"

namespace cuttle::detail {

/// What is kept under the key, in the bundle or on disk; null where there is nothing.
[[nodiscard]] std::shared_ptr<Compilation> find_stored(const Key& key, const cuttle_target& target);

void store(const Key& key, CodeKind kind, const Compilation& compilation);

}  // namespace cuttle::detail
