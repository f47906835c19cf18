// A parameter in a message: by its place and, where it has one, by its name.
#pragma once

#include <cstddef>
#include <string>

#include "cuttle/dsl/capture.hpp"

namespace cuttle::detail {

/// "parameter 2 (y)", with `what` as the first word; of an empty kernel without a name.
[[nodiscard]] inline std::string numbered(const char* what, const KernelText& kernel, std::size_t index) {
  const std::string name = kernel.text ? ParameterReader(kernel.text).read().name(index).text : "";
  return std::string(what) + " " + std::to_string(index + 1) + (name.empty() ? "" : " (" + name + ")");
}

}  // namespace cuttle::detail
