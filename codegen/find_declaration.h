// Where a user's file declares a name, and as what: for the hint about a name that a kernel does not see.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cuttle::codegen {

enum class DeclaredAs { constant, variable, c_array, alias, function, structure, enumeration, enumerator, type_parameter, name_space };

struct Declaration {
  DeclaredAs kind;
  bool is_local;  // in a function or a class, where no CUTTLE_DEVICE block can stand
  std::string file;
  std::uint32_t line;
  std::string line_text;  // without its indentation
};

/// The declaration of `name` that is nearest before `line` of `file`, or, where there is none, in the files that it includes in quotes. By tokens
/// and not by the grammar: enough for a hint.
[[nodiscard]] std::optional<Declaration> find_declaration(const std::string& file, std::string_view name, std::uint32_t line);

}  // namespace cuttle::codegen
