// Writes the translation unit that Clang compiles: device blocks, the lambda on its own lines, and one entry point around it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codegen/compiler.h"

namespace cuttle::codegen {

/// What follows the prelude. The prelude itself is a PCH (frontend.cpp).
[[nodiscard]] std::string assemble(const cuttle_compile_request& request);

/// Says that what follows in `out` is line `line` of `file`.
void append_line_directive(std::string& out, std::uint32_t line, std::string_view file);

/// The file name that #line gives to the parts of the unit that no user wrote.
inline constexpr const char* generated_file = "<cuttle>";

}  // namespace cuttle::codegen
