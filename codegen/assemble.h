// Writes the translation unit that Clang compiles: device blocks, the lambda on its own lines, and one entry point around it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/compiler.h"

namespace cuttle::codegen {

/// A piece of the user's text in the unit, and the lines of his file that #line gives it.
struct UserText {
  std::string file;
  std::uint32_t first_line, last_line;
  bool is_kernel;  // the lambda; else a device block
  bool from_file;  // false where the file was not at hand: all on one line, columns without a meaning
};

struct Unit {
  std::string source;
  std::string kernel_function;  // what calls the lambda, in one thread
  std::vector<UserText> texts;
};

/// What follows the prelude. The prelude itself is a PCH (frontend.cpp).
[[nodiscard]] Unit assemble(const cuttle_compile_request& request);

/// Whether a parameter is a view, and no struct that has one.
[[nodiscard]] bool is_view(const cuttle_parameter& parameter);

/// Says that what follows in `out` is line `line` of `file`.
void append_line_directive(std::string& out, std::uint32_t line, std::string_view file);

/// The file name that #line gives to the parts of the unit that no user wrote.
inline constexpr const char* generated_file = "<cuttle>";

}  // namespace cuttle::codegen
