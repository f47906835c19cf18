#include "codegen/macro_growth.h"

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dsl/text/tokens.h"

namespace cuttle::codegen {
namespace {

using text::Token;
using text::TokenKind;
using Tokens = std::span<const Token>;

struct Macro {
  bool is_function = false;
  std::vector<std::string_view> parameters;
  Tokens body;
};

using Sizes = std::unordered_map<std::string_view, std::size_t>;

class Expansion {
 public:
  explicit Expansion(std::size_t limit) : limit_(limit) {}

  /// Defines what `#define` says, and counts the rest.
  std::size_t count(Tokens tokens, const std::vector<std::size_t>& directive_ends) {
    std::size_t total = 0, begin = 0;
    for (std::size_t i = 0; i < tokens.size() && !exceeded_; ++i) {
      if (directive_ends[i] == 0) continue;
      total += size(tokens.subspan(begin, i - begin), {});
      begin = directive_ends[i];
      define(tokens.subspan(i, begin - i));
      i = begin - 1;
    }
    if (!exceeded_) total += size(tokens.subspan(begin), {});
    return exceeded_ || total > limit_ ? limit_ + 1 : total;
  }

 private:
  // `# define NAME ( a , b ) body`; a parenthesis that touches the name makes it a function.
  void define(Tokens tokens) {
    if (tokens.size() < 3 || tokens[1].text != "define" || tokens[2].kind != TokenKind::identifier) return;
    Macro macro;
    std::size_t body = 3;
    if (body < tokens.size() && tokens[3].text == "(" && tokens[3].offset == tokens[2].offset + tokens[2].text.size()) {
      macro.is_function = true;
      for (++body; body < tokens.size() && tokens[body].text != ")"; ++body) {
        if (tokens[body].text == "...") macro.parameters.emplace_back("__VA_ARGS__");
        if (tokens[body].kind == TokenKind::identifier) macro.parameters.push_back(tokens[body].text);
      }
      if (body < tokens.size()) ++body;
    }
    macro.body = tokens.subspan(body);
    macros_[tokens[2].text] = macro;
  }

  std::size_t size(Tokens tokens, const Sizes& arguments) {
    std::size_t total = 0;
    for (std::size_t i = 0; i < tokens.size() && !exceeded_; ++i) {
      const std::string_view name = tokens[i].text;
      if (const auto argument = arguments.find(name); argument != arguments.end()) {
        total += argument->second;
      } else if (const auto macro = macros_.find(name); macro == macros_.end() || active_.contains(name)) {
        ++total;
      } else if (!macro->second.is_function) {
        total += body_size(macro->first, macro->second, {});
      } else if (i + 1 < tokens.size() && tokens[i + 1].text == "(") {
        const std::size_t end = closing(tokens, i + 1);
        total += body_size(macro->first, macro->second, bind(macro->second, tokens.subspan(i + 2, end - i - 2), arguments));
        i = end;
      } else {
        ++total;
      }
      if (++steps_ > limit_ || total > limit_) exceeded_ = true;
    }
    return total;
  }

  std::size_t body_size(std::string_view name, const Macro& macro, const Sizes& arguments) {
    active_.insert(name);
    const std::size_t result = size(macro.body, arguments);
    active_.erase(name);
    return result;
  }

  // Sizes of a call's arguments, by parameter; what is more than the parameters belongs to the last.
  Sizes bind(const Macro& macro, Tokens list, const Sizes& outer) {
    Sizes sizes;
    if (macro.parameters.empty()) return sizes;
    std::size_t parameter = 0, begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
      const std::string_view t = i < list.size() ? list[i].text : ",";
      if (t == "(") ++depth;
      if (t == ")") --depth;
      if (i < list.size() && (t != "," || depth > 0)) continue;
      sizes[macro.parameters[parameter]] += size(list.subspan(begin, i - begin), outer);
      if (parameter + 1 < macro.parameters.size()) ++parameter;
      begin = i + 1;
    }
    return sizes;
  }

  static std::size_t closing(Tokens tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
      if (tokens[i].text == "(") ++depth;
      if (tokens[i].text == ")" && --depth == 0) return i;
    }
    return tokens.size();
  }

  std::size_t limit_, steps_ = 0;
  bool exceeded_ = false;
  std::unordered_map<std::string_view, Macro> macros_;
  std::unordered_set<std::string_view> active_;
};

}  // namespace

std::size_t expanded_size(std::string_view source, std::size_t limit) {
  const std::vector<Token> tokens = text::tokenize(source);
  // For the first token of a directive, one past its last.
  std::vector<std::size_t> directive_ends(tokens.size(), 0);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!text::starts_directive(tokens, i)) continue;
    const std::size_t end = text::directive_end(source, tokens, i);
    directive_ends[i] = end;
    i = end - 1;
  }
  return Expansion(limit).count(tokens, directive_ends);
}

}  // namespace cuttle::codegen
