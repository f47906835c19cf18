// Headers that CUDA C++ sources include and that a kernel has no need of: what they declare is in the prelude, or is given here.
#pragma once

#include <span>
#include <string_view>

namespace cuttle::text {

struct KnownHeader {
  std::string_view name;  // as it is included: "cuda_runtime.h"
  std::string_view text;
};

/// Headers of CUDA and of the C and C++ libraries. They come before files of the same name in folders that a program names.
[[nodiscard]] std::span<const KnownHeader> known_headers();

[[nodiscard]] bool is_known_header(std::string_view name);

/// What every CUDA source finds without an #include, beyond the prelude: macros of <math.h>, which the host expands in a captured kernel, and names
/// that would meet the standard library's there.
[[nodiscard]] std::string_view implicit_header();

}  // namespace cuttle::text
