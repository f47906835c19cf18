#include "codegen/find_declaration.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "codegen/read_file.h"
#include "dsl/text/tokens.h"

namespace cuttle::codegen {
namespace {

using text::Token;
using text::TokenKind;

template <std::size_t N>
bool is_any(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_class_key(std::string_view t) { return t == "struct" || t == "class" || t == "union"; }

class DeclarationFinder {
 public:
  DeclarationFinder(const std::vector<Token>& tokens, std::string_view name) : tokens_(tokens), name_(name) {}

  struct Found {
    DeclaredAs kind;
    bool is_local;
    std::uint32_t line;
  };

  // The last declaration at or before `line` whose scope is still open there.
  std::optional<Found> before(std::uint32_t line) {
    for (at_ = 0; at_ < tokens_.size() && tokens_[at_].line <= line; ++at_) {
      const std::string_view t = tokens_[at_].text;
      if (t == "#") {
        skip_directive();
      } else if (t == "{") {
        scopes_.push_back(kind_of_scope());
        start_statement();
      } else if (t == "}") {
        close_scope();
        start_statement();
      } else if (t == ";") {
        if (parentheses_ <= 0) start_statement();
      } else if (t == "(") {
        ++parentheses_;
      } else if (t == ")") {
        --parentheses_;
      } else if (t == name_) {
        // A parameter belongs to the scope that opens next, or to none.
        const bool is_parameter = parentheses_ > 0;
        if (const auto kind = kind_here()) {
          const bool is_local = is_parameter || is_in(Scope::function) || is_in(Scope::type);
          found_.push_back({*kind, is_local, tokens_[at_].line, scopes_.size() + (is_parameter ? 1 : 0)});
        }
      }
    }
    if (found_.empty()) return std::nullopt;
    return Found{found_.back().kind, found_.back().is_local, found_.back().line};
  }

 private:
  enum class Scope { name_space, type, enumeration, function };
  struct Candidate {
    DeclaredAs kind;
    bool is_local;
    std::uint32_t line;
    std::size_t depth;
  };

  [[nodiscard]] std::string_view text(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }
  // Between the name and the beginning of its statement or, for a parameter, of the parameter.
  [[nodiscard]] bool in_declaration(std::string_view word) const {
    for (std::size_t i = at_; i > statement_; --i) {
      const std::string_view t = tokens_[i - 1].text;
      if (t == word) return true;
      if (parentheses_ > 0 && (t == "(" || t == ",")) break;
    }
    return false;
  }
  [[nodiscard]] bool in_statement(std::string_view word) const {
    for (std::size_t i = statement_; i < at_; ++i) {
      if (tokens_[i].text == word) return true;
    }
    return false;
  }
  [[nodiscard]] bool is_in(Scope scope) const { return std::find(scopes_.begin(), scopes_.end(), scope) != scopes_.end(); }

  void start_statement() {
    statement_ = at_ + 1;
    parentheses_ = 0;
    forget_deeper_than(scopes_.size());
  }

  void forget_deeper_than(std::size_t depth) {
    while (!found_.empty() && found_.back().depth > depth) found_.pop_back();
  }

  void skip_directive() {
    const std::uint32_t line = tokens_[at_].line;
    while (at_ + 1 < tokens_.size() && tokens_[at_ + 1].line == line) ++at_;
    statement_ = at_ + 1;
  }

  // What a scope closes over is out of sight: locals of a function, not what a class, an enumeration or a namespace holds.
  void close_scope() {
    if (scopes_.empty()) return;
    if (scopes_.back() == Scope::function) forget_deeper_than(scopes_.size() - 1);
    scopes_.pop_back();
    for (Candidate& candidate : found_) candidate.depth = std::min(candidate.depth, scopes_.size());
  }

  // By the words between the last statement and the brace.
  [[nodiscard]] Scope kind_of_scope() const {
    for (std::size_t i = statement_; i < at_; ++i) {
      const std::string_view t = tokens_[i].text;
      if (t == "(" || t == "=") return Scope::function;  // or an initialiser, which declares nothing
      if (t == "namespace" || t == "extern") return Scope::name_space;
      if (t == "enum") return Scope::enumeration;
      if (is_class_key(t) && !is_template_parameter(i)) return Scope::type;
    }
    return Scope::function;
  }

  // Whether the `class` at `i` stands in `template <class T>`.
  [[nodiscard]] bool is_template_parameter(std::size_t i) const {
    return i > 0 && (text(i - 1) == "<" || (text(i - 1) == "," && text(statement_) == "template"));
  }

  // Whether the name stands in `template <...>`, at angle brackets that are still open.
  [[nodiscard]] bool is_in_template_head() const {
    int angle = 0;
    bool seen = false;
    for (std::size_t i = statement_; i < at_; ++i) {
      if (tokens_[i].text == "template") seen = true, angle = 0;
      if (tokens_[i].text == "<") ++angle;
      if (tokens_[i].text == ">") --angle;
    }
    return seen && angle > 0;
  }

  // Whether the token before the name can end a type.
  [[nodiscard]] bool follows_a_type() const {
    if (at_ == statement_ || at_ == 0) return false;
    constexpr std::array<std::string_view, 12> not_types = {"return", "new",   "delete",    "throw",     "else",     "case",
                                                            "goto",   "using", "namespace", "co_return", "typename", "operator"};
    const Token& previous = tokens_[at_ - 1];
    if (previous.kind == TokenKind::identifier) return !is_any(previous.text, not_types);
    if (previous.text == "]") return text(at_ - 2) == "]";  // an attribute
    if (previous.text == ">") return true;
    // `T* name`, or a product in a call.
    return (previous.text == "*" || previous.text == "&" || previous.text == "&&") && !(parentheses_ > 0 && is_in(Scope::function));
  }

  [[nodiscard]] std::optional<DeclaredAs> kind_here() const {
    const std::string_view before = at_ > 0 ? text(at_ - 1) : std::string_view();
    const std::string_view after = text(at_ + 1);
    const bool ends = after == "," || after == ">" || after == "=";
    if (is_in_template_head()) {
      if ((before == "class" || before == "typename") && ends) return DeclaredAs::type_parameter;
      if (ends && follows_a_type()) return DeclaredAs::constant;
      return std::nullopt;
    }
    if (before == "namespace") return DeclaredAs::name_space;
    if (before == "using" && after == "=") return DeclaredAs::alias;
    if (text(statement_) == "typedef" && after == ";") return DeclaredAs::alias;
    if (!scopes_.empty() && scopes_.back() == Scope::enumeration && (before == "{" || before == ",")) return DeclaredAs::enumerator;
    if (after == "{" || after == ":" || after == "final" || (after == ";" && at_ == statement_ + 1)) {
      if (text(statement_) == "enum" || in_statement("enum")) return DeclaredAs::enumeration;
      for (std::size_t i = statement_; i < at_; ++i) {
        if (is_class_key(tokens_[i].text) && !is_template_parameter(i)) return DeclaredAs::structure;
      }
    }
    const bool is_constant = in_declaration("constexpr") || in_declaration("const");
    if (after == "(" && follows_a_type() && !is_in(Scope::function) && parentheses_ == 0) return DeclaredAs::function;
    if (after == "[" && follows_a_type()) return DeclaredAs::c_array;
    const bool declares = after == "=" || after == ";" || after == "{" || after == "," || after == ")" || after == ":" || after == "(";
    if (declares && (follows_a_type() || (before == "," && is_constant && parentheses_ == 0))) {
      return is_constant ? DeclaredAs::constant : DeclaredAs::variable;
    }
    return std::nullopt;
  }

  const std::vector<Token>& tokens_;
  std::string_view name_;
  std::size_t at_ = 0, statement_ = 0;
  int parentheses_ = 0;
  std::vector<Scope> scopes_;
  std::vector<Candidate> found_;
};

// Without its indentation, and not wider than a hint can be.
std::string short_line(std::string_view text, std::uint32_t line) {
  text = line_of(text, line);
  constexpr std::size_t widest = 100;
  text = text.substr(std::min(text.find_first_not_of(" \t"), text.size())).substr(0, widest);
  return std::string(text.substr(0, text.find_last_not_of(" \t") + 1));
}

// Files that `tokens` include in quotes, as the compiler finds them first: beside the file.
std::vector<std::string> included_files(const std::string& file, const std::vector<Token>& tokens) {
  const std::string folder = file.substr(0, file.rfind('/') + 1);
  std::vector<std::string> files;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text != "#" || tokens[i + 1].text != "include" || tokens[i + 2].kind != TokenKind::string) continue;
    const std::string_view name = tokens[i + 2].text;
    if (name.size() > 2) files.push_back((name[1] == '/' ? "" : folder) + std::string(name.substr(1, name.size() - 2)));
  }
  return files;
}

std::optional<Declaration> search(const std::string& file, std::string_view name, std::uint32_t line, std::set<std::string>& seen) {
  constexpr std::size_t most_files = 64;
  if (seen.size() >= most_files || !seen.insert(file).second) return std::nullopt;
  const std::string content = read_file(file);
  const std::vector<Token> tokens = text::tokenize(content);
  if (const auto found = DeclarationFinder(tokens, name).before(line)) {
    return Declaration{found->kind, found->is_local, file, found->line, short_line(content, found->line)};
  }
  for (const std::string& included : included_files(file, tokens)) {
    if (auto found = search(included, name, UINT32_MAX, seen)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Declaration> find_declaration(const std::string& file, std::string_view name, std::uint32_t line) {
  std::set<std::string> seen;
  return search(file, name, line, seen);
}

}  // namespace cuttle::codegen
