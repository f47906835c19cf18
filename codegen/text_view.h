// Views of the boundary's C texts.
#pragma once

#include <string_view>

#include "codegen/compiler.h"

namespace cuttle::codegen {

[[nodiscard]] inline std::string_view view_of(cuttle_text text) { return {text.data, text.size}; }
[[nodiscard]] inline cuttle_text text_of(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace cuttle::codegen
