#include "dsl/text/declarations.h"

#include <algorithm>
#include <span>
#include <vector>

#include "dsl/text/tokens.h"

namespace cuttle::text {
namespace {

using Tokens = std::span<const Token>;

bool opens(std::string_view t) { return t == "(" || t == "[" || t == "{"; }
bool closes(std::string_view t) { return t == ")" || t == "]" || t == "}"; }

// Index of the bracket that closes the one at `open`, or the end.
std::size_t closing(Tokens tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (opens(tokens[i].text)) ++depth;
    if (closes(tokens[i].text) && --depth == 0) return i;
  }
  return tokens.size();
}

// Past `template <...>`, whose arguments may hold brackets and comparisons in parentheses.
std::size_t skip_template_head(Tokens tokens, std::size_t at) {
  while (at < tokens.size() && tokens[at].text == "template") {
    int angle = 0;
    for (++at; at < tokens.size(); ++at) {
      if (tokens[at].text == "(") at = closing(tokens, at);
      if (at >= tokens.size()) break;
      if (tokens[at].text == "<") ++angle;
      if (tokens[at].text == ">") --angle;
      if (tokens[at].text == ">>") angle -= 2;
      if (angle <= 0) {
        ++at;
        break;
      }
    }
  }
  return at;
}

class DeclarationReader {
 public:
  explicit DeclarationReader(Names& names) : names_(names) {}

  void read(Tokens tokens) {
    std::size_t at = 0;
    while (at < tokens.size()) {
      const std::size_t end = declaration_end(tokens, at);
      read_declaration(tokens.subspan(at, end - at));
      at = end;
    }
  }

 private:
  // One past the `;` or the body that ends the declaration that starts at `at`.
  static std::size_t declaration_end(Tokens tokens, std::size_t at) {
    bool has_initializer = false;
    for (std::size_t i = at; i < tokens.size(); ++i) {
      const std::string_view t = tokens[i].text;
      if (t == ";") return i + 1;
      if (t == "=") has_initializer = true;
      if (t == "{") {
        i = closing(tokens, i);
        // A function's or a namespace's body ends it; after a class's or an initializer's comes a semicolon.
        if (!has_initializer && (i + 1 >= tokens.size() || tokens[i + 1].text != ";") && !starts_class(tokens, at))
          return std::min(i + 1, tokens.size());
      } else if (opens(t)) {
        i = closing(tokens, i);
      }
    }
    return tokens.size();
  }

  static bool starts_class(Tokens tokens, std::size_t at) {
    at = skip_template_head(tokens, at);
    if (at >= tokens.size()) return false;
    const std::string_view t = tokens[at].text;
    return t == "struct" || t == "class" || t == "union" || t == "enum" || t == "typedef";
  }

  void read_declaration(Tokens tokens) {
    std::size_t at = skip_template_head(tokens, 0);
    if (at >= tokens.size()) return;
    const std::string_view first = tokens[at].text;
    if (first == "namespace" || (first == "inline" && at + 1 < tokens.size() && tokens[at + 1].text == "namespace")) {
      read_namespace(tokens.subspan(at));
    } else if (first == "using") {
      read_using(tokens.subspan(at));
    } else if (first == "struct" || first == "class" || first == "union") {
      read_class(tokens.subspan(at + 1));
    } else if (first == "enum") {
      read_enum(tokens.subspan(at + 1));
    } else if (first != "static_assert" && first != ";") {
      read_function_or_variable(tokens.subspan(at));
    }
  }

  void read_namespace(Tokens tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].text == "{") {
        read(tokens.subspan(i + 1, closing(tokens, i) - i - 1));
        return;
      }
    }
  }

  // `using T = ...;` and `using ns::name;`
  void read_using(Tokens tokens) {
    std::string_view last;
    for (const Token& token : tokens) {
      if (token.text == "=" || token.text == ";") break;
      if (token.kind == TokenKind::identifier) last = token.text;
    }
    names_.insert(last);
  }

  // The last name before the bases or the body: attributes and alignas come first, a specialisation's arguments after it.
  void read_class(Tokens tokens) {
    std::string_view name;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string_view t = tokens[i].text;
      if (t == "{" || t == ":" || t == ";" || t == "<") break;
      if (opens(t)) {
        i = closing(tokens, i);
      } else if (tokens[i].kind == TokenKind::identifier && t != "alignas" && t != "final" && !t.starts_with("__")) {
        name = t;
      }
    }
    names_.insert(name);
  }

  void read_enum(Tokens tokens) {
    if (!tokens.empty() && (tokens[0].text == "class" || tokens[0].text == "struct")) tokens = tokens.subspan(1);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].text == "{") {
        // Enumerators, and what their values mention: harmless.
        for (const Token& token : tokens.subspan(i, closing(tokens, i) - i)) {
          if (token.kind == TokenKind::identifier) names_.insert(token.text);
        }
        return;
      }
      if (tokens[i].kind == TokenKind::identifier) names_.insert(tokens[i].text);
    }
  }

  // A function's name stands before its parameters, a variable's before its initializer; anything else declares nothing that we know.
  void read_function_or_variable(Tokens tokens) {
    std::string_view name;
    int angle = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Token& token = tokens[i];
      if (token.text == "operator") {
        read_operator(tokens.subspan(i + 1));
        return;
      }
      if (token.text == "<") ++angle;
      if (token.text == ">" && angle > 0) --angle;
      if (token.text == ">>" && angle > 0) angle = angle > 1 ? angle - 2 : 0;
      if (token.text == "(" && (name == "decltype" || name == "alignas" || name == "__attribute__" || name == "explicit")) {
        i = closing(tokens, i);
        continue;
      }
      if (token.text == "[" && i + 1 < tokens.size() && tokens[i + 1].text == "[") {  // an attribute
        i = closing(tokens, i);
        continue;
      }
      if (angle == 0 && (token.text == "(" || token.text == "=" || token.text == "{" || token.text == ";" || token.text == "[")) break;
      if (angle == 0 && token.text == ",") names_.insert(name);
      if (angle == 0 && token.kind == TokenKind::identifier) name = token.text;
    }
    if (!name.empty()) names_.insert(name);
  }

  void read_operator(Tokens tokens) {
    // `operator""_km` is called by its suffix, which GCC's spelling of a text may set apart.
    if (tokens.size() > 1 && tokens[0].kind == TokenKind::string) {
      names_.insert(tokens[1].text);
      return;
    }
    // `operator()` is a member, so that the first parenthesis after the symbol opens the parameters.
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].text != "(") continue;
      for (const Token& token : tokens.subspan(i, closing(tokens, i) - i)) {
        if (token.kind == TokenKind::identifier) names_.insert(token.text);
      }
      return;
    }
  }

  Names& names_;
};

// The parameter list of a lambda is the first one in parentheses that a body or a specifier follows: a requires-clause may stand before it.
Tokens parameter_tokens(Tokens tokens) {
  for (std::size_t i = tokens.empty() ? 0 : closing(tokens, 0) + 1; i < tokens.size(); ++i) {
    if (tokens[i].text == "{") break;
    if (tokens[i].text != "(") continue;
    const std::size_t end = closing(tokens, i);
    const std::string_view next = end + 1 < tokens.size() ? tokens[end + 1].text : std::string_view();
    if (next == "{" || next == "->" || next == "mutable" || next == "constexpr" || next == "noexcept" || next == "requires" || next == "[") {
      return tokens.subspan(i + 1, end - i - 1);
    }
    i = end;
  }
  return {};
}

// The name in `const T& x = value`: the last identifier of two or more before the default, where nothing but an array's length follows.
std::string_view parameter_name(Tokens tokens) {
  std::size_t words = 0;
  std::string_view name;
  int angle = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.text == "[" && i + 1 < tokens.size() && tokens[i + 1].text == "[") {  // an attribute
      i = closing(tokens, i);
      continue;
    }
    if (token.text == "=" || token.text == "[") break;
    if (token.text == "<") ++angle;
    if (token.text == ">") --angle;
    if (token.text == ">>") angle -= 2;
    name = {};
    if (angle == 0 && token.kind == TokenKind::identifier) {
      ++words;
      name = token.text;
    } else {
      words += angle == 0 ? 1 : 0;
    }
  }
  return words > 1 ? name : std::string_view();
}

}  // namespace

std::vector<std::string_view> parameter_names(std::string_view lambda) {
  const std::vector<Token> tokens = tokenize(lambda);
  const Tokens list = parameter_tokens(tokens);
  std::vector<std::string_view> names;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string_view t = list[i].text;
    if (opens(t) || t == "<") ++depth;
    if (closes(t) || t == ">") --depth;
    if (t == ">>") depth -= 2;
    if (t != "," || depth > 0) continue;
    names.push_back(parameter_name(list.subspan(begin, i - begin)));
    begin = i + 1;
  }
  if (!list.empty()) names.push_back(parameter_name(list.subspan(begin)));
  return names;
}

Names identifiers(std::string_view source) {
  Names names;
  for (const Token& token : tokenize(source)) {
    if (token.kind == TokenKind::identifier) names.insert(token.text);
    // The suffix of `3_km`, which calls the operator of that name. That of a string or a character is a token of its own.
    if (const std::size_t suffix = token.text.find('_'); token.kind == TokenKind::number && suffix != std::string_view::npos) {
      names.insert(token.text.substr(suffix));
    }
  }
  return names;
}

// The tokens between the preprocessor directives; a macro that one defines is a name too.
std::vector<Token> without_directives(std::string_view source, Names& names) {
  const std::vector<Token> tokens = tokenize(source);
  std::vector<Token> rest;
  rest.reserve(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!starts_directive(tokens, i)) {
      rest.push_back(tokens[i]);
      continue;
    }
    if (i + 2 < tokens.size() && tokens[i + 1].text == "define") names.insert(tokens[i + 2].text);
    i = directive_end(source, tokens, i) - 1;
  }
  return rest;
}

Names declared_names(std::string_view source) {
  Names names;
  const std::vector<Token> tokens = without_directives(source, names);
  DeclarationReader(names).read(tokens);
  names.erase("");
  return names;
}

}  // namespace cuttle::text
