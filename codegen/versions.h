// Which PTX each LLVM, sm and driver can do: the only tables of versions (source: LLVM's NVPTX.td, the PTX ISA manual's release notes).
#pragma once

#include <optional>
#include <string>

#include "codegen/compiler.h"

namespace cuttle::codegen {

/// Newest PTX that the LLVM of this build writes, as 10 * major + minor.
inline constexpr uint32_t max_ptx = 90;

/// "sm_90a", "+ptx83".
[[nodiscard]] std::string sm_name(const cuttle_target& target);
[[nodiscard]] std::string ptx_feature(const cuttle_target& target);

/// Sets the PTX version that was left open, and refuses (a sentence) an sm or a version that cannot be.
[[nodiscard]] std::optional<std::string> complete_target(cuttle_target& target);

}  // namespace cuttle::codegen
