// The host compiler's layout of the class that a parameter is, or shows elements of.
#pragma once

#include <string>
#include <vector>

#include "codegen/compiler.h"
#include "cuttle/dsl/signature.hpp"

namespace cuttle::detail {

struct ClassLayout {
  std::size_t size = 0, align = 0;  // 0 where there is no class
  std::vector<cuttle_member> members;
};

[[nodiscard]] ClassLayout class_layout(const TypeInfo& parameter);

/// The same as part of a key: code that was made for another layout is not for this program. Empty where there is no class.
[[nodiscard]] std::string layout_text(const TypeInfo& parameter);

}  // namespace cuttle::detail
