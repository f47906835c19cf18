// Writes the translation unit of a module: what CUDA sources find without an #include, and the user's text on its own lines.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "codegen/compiler.h"

namespace cuttle::codegen {

/// The variable of this name and number takes the address of the kernel that a name expression means, which instantiates a template
/// (discover.cpp reads it).
inline constexpr std::string_view instance_prefix = "cuttle_instance_";

/// What follows the prelude. The target is complete.
[[nodiscard]] std::string assemble_module(const cuttle_module_request& request, const cuttle_target& target);

/// A kernel as source text can name it where there are overloads: "static_cast<void (*)(float *, int)>(&sim::step)".
struct CpuEntry {
  std::string expression;
  std::string name;  // of the block function to make
};

/// A block function for each kernel: more text for the end of the unit.
[[nodiscard]] std::string cpu_entries(std::span<const CpuEntry> entries);

}  // namespace cuttle::codegen
