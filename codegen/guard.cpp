#include "codegen/guard.h"

#include <algorithm>

#include "dsl/text/tokens.h"

namespace cuttle::codegen {
namespace {

// Brackets, and runs of prefix operators, which nest in the parser as brackets do.
bool is_prefix_operator(std::string_view token) {
  return token == "!" || token == "~" || token == "-" || token == "+" || token == "*" || token == "&" || token == "++" || token == "--" ||
         token == "&&";
}

}  // namespace

std::optional<std::string> broken_limit(std::string_view kernel) {
  const auto tokens = text::tokenize(kernel);
  if (tokens.size() > max_tokens) {
    return "the kernel has " + std::to_string(tokens.size()) + " tokens; the limit is " + std::to_string(max_tokens) +
           ". Use a loop, or split the kernel.";
  }
  std::size_t depth = 0, deepest = 0, prefix_run = 0, conditional_run = 0;
  for (const auto& token : tokens) {
    if (token.text == "(" || token.text == "[" || token.text == "{") {
      deepest = std::max(deepest, ++depth);
    } else if ((token.text == ")" || token.text == "]" || token.text == "}") && depth > 0) {
      --depth;
    }
    prefix_run = is_prefix_operator(token.text) ? prefix_run + 1 : 0;
    // `a ? b : a ? b : ...` and `if else if ...` recurse to the right; a semicolon or a brace ends the former.
    if (token.text == "?") {
      deepest = std::max(deepest, depth + ++conditional_run / 8);
    } else if (token.text == ";") {
      conditional_run = 0;
    }
    deepest = std::max(deepest, depth + prefix_run);
  }
  if (deepest > max_nesting) {
    return "the kernel nests " + std::to_string(deepest) + " levels deep; the limit is " + std::to_string(max_nesting) +
           ". Name parts of the expression, or move them into a function.";
  }
  return std::nullopt;
}

}  // namespace cuttle::codegen
