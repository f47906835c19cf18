// Lays captured text, which stringising put on one line, back onto the lines and columns of the file that it came from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cuttle::codegen {

struct LaidText {
  std::string text;
  std::uint32_t first_line;  // of the user's file: what #line should say
  bool from_file;            // false where the file was not at hand or did not match: the text is still one line
};

/// `captured` is the truth; `file_text` only supplies the breaks. Macros that were expanded in `captured` stand on the line of
/// their name. `line` is what __LINE__ said in the macro: the invocation's first line in g++, its last in clang.
[[nodiscard]] LaidText lay_back(std::string_view captured, std::string_view file_text, std::uint32_t line);

}  // namespace cuttle::codegen
