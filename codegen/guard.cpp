#include "codegen/guard.h"

#include <algorithm>
#include <vector>

#include "codegen/macro_growth.h"
#include "dsl/text/tokens.h"

namespace cuttle::codegen {
namespace {

using text::Token;
using text::TokenKind;

std::string refusal(std::string_view what, std::size_t count, std::size_t limit, std::string_view advice) {
  return "the kernel has " + std::string(what) + " " + std::to_string(count) + "; the limit is " + std::to_string(limit) + ". " + std::string(advice);
}

/// What the limits are about, measured in one walk over the tokens.
class Measure {
 public:
  explicit Measure(const std::vector<Token>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) add(tokens[i], i + 1 < tokens.size() ? tokens[i + 1].text : std::string_view());
  }

  std::size_t nesting = 0, statement = 0, else_chain = 0, cases = 0, number = 0;  // the largest of each
  bool has_directive = false, has_inclusion = false;

 private:
  struct Bracket {
    bool is_brace;
    std::size_t else_chain, cases;
  };

  void add(const Token& token, std::string_view next) {
    const std::string_view t = token.text;
    if (t == "(" || t == "[" || t == "{") {
      brackets_.push_back({t == "{", 0, 0});
      nesting = std::max(nesting, brackets_.size() - 1);
    } else if (t == ")" || t == "]" || t == "}") {
      if (brackets_.size() > 1) brackets_.pop_back();
      if (t == "}") end_branch(next);
      return;
    } else if (t == ";" && brackets_.back().is_brace) {  // not those of a for loop's head
      statement_ = 0;
      end_branch(next);
      return;
    }
    Bracket& inner = brackets_.back();
    if (t == "else") else_chain = std::max(else_chain, ++inner.else_chain);
    if (t == "case") cases = std::max(cases, ++inner.cases);
    if (token.kind == TokenKind::number) number = std::max(number, t.size());
    if (token.kind == TokenKind::identifier || (token.kind == TokenKind::punctuation && t != "," && t != "{")) {
      statement = std::max(statement, ++statement_);
    }
    const bool is_hash = t == "#" || t == "%:";
    has_directive = has_directive || (is_hash && next != "pragma");
    // A file that includes itself twice does so without end.
    has_inclusion = has_inclusion || (is_hash && (next == "include" || next == "include_next" || next == "import" || next == "embed"));
  }

  void end_branch(std::string_view next) {
    if (next != "else") brackets_.back().else_chain = 0;
  }

  std::vector<Bracket> brackets_{{true, 0, 0}};  // the outermost stands for the file
  std::size_t statement_ = 0;
};

std::optional<std::string> broken_limit_but_count(const Measure& measure) {
  if (measure.nesting > max_nesting) {
    return refusal("brackets nested to a depth of", measure.nesting, max_nesting, "Name parts of the expression, or move them into a function.");
  }
  if (measure.statement > max_statement) {
    return refusal("a statement whose names and operators number", measure.statement, max_statement, "Split it into several, or use a loop.");
  }
  if (measure.else_chain > max_else_chain) {
    return refusal("a chain of else whose length is", measure.else_chain, max_else_chain, "Use a switch or a table.");
  }
  if (measure.cases > max_cases) return refusal("a switch whose cases number", measure.cases, max_cases, "Use a table.");
  if (measure.number > max_number) return refusal("a number whose digits number", measure.number, max_number, "Write it shorter.");
  return std::nullopt;
}

}  // namespace

std::optional<std::string> broken_limit(std::string_view text, bool is_header) {
  const auto tokens = text::tokenize(text);
  if (tokens.size() > max_tokens) return refusal("this many tokens:", tokens.size(), max_tokens, "Use a loop, or split the kernel.");
  const Measure measure(tokens);
  if (auto broken = broken_limit_but_count(measure)) return broken;
  if (is_header && measure.has_inclusion)
    return "a device header has an inclusion by #include_next, #import, #embed or a macro; write #include \"name\".";
  if (!is_header && measure.has_directive) {
    return "the kernel has a preprocessor directive; only #pragma may stand in a kernel. Put #define and its like before CUTTLE_KERNEL.";
  }
  return std::nullopt;
}

std::optional<std::string> broken_macro_limit(std::string_view texts) {
  if (expanded_size(texts, max_tokens) <= max_tokens) return std::nullopt;
  return "the kernel with its device headers has more than " + std::to_string(max_tokens) +
         " tokens when their macros are expanded. Use functions and templates in place of macros.";
}

std::optional<std::string> broken_module_limit(std::string_view source) {
  const auto tokens = text::tokenize(source);
  if (tokens.size() > max_module_tokens) return refusal("this many tokens:", tokens.size(), max_module_tokens, "Split the module.");
  return broken_limit_but_count(Measure(tokens));
}

}  // namespace cuttle::codegen
