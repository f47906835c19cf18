#include "dsl/text/tokens.h"

#include <array>

namespace cuttle::text {
namespace {

bool is_identifier_start(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u == '_' || u == '$' || u >= 0x80;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier_part(char c) { return is_identifier_start(c) || is_digit(c); }

// Longest first, so that the first match is the right one.
constexpr std::array<std::string_view, 27> punctuators = {"<=>", "...", "<<=", ">>=", "->*", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
                                                          "!=",  "&&",  "||",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "##", ".*"};

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (skip_blanks()) {
      const std::size_t start = position_;
      const std::uint32_t line = line_;
      const auto column = static_cast<std::uint32_t>(start - line_start_ + 1);
      const TokenKind kind = scan();
      tokens.push_back({kind, line, column, start, source_.substr(start, position_ - start)});
    }
    return tokens;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const { return position_ + ahead < source_.size() ? source_[position_ + ahead] : '\0'; }

  void advance() {
    if (source_[position_] == '\n') {
      ++line_;
      line_start_ = position_ + 1;
    }
    ++position_;
  }

  // Moves to the next token; false at the end.
  bool skip_blanks() {
    while (position_ < source_.size()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || (c == '\\' && peek(1) == '\n')) {
        advance();
      } else if (c == '/' && peek(1) == '/') {
        while (position_ < source_.size() && peek() != '\n') advance();
      } else if (c == '/' && peek(1) == '*') {
        advance(), advance();
        while (position_ < source_.size() && !(peek() == '*' && peek(1) == '/')) advance();
        for (int i = 0; i < 2 && position_ < source_.size(); ++i) advance();
      } else {
        return true;
      }
    }
    return false;
  }

  TokenKind scan() {
    if (const std::size_t prefix = literal_prefix(); prefix != std::string_view::npos) {
      position_ += prefix;
      if (peek() == 'R') {
        advance();
        scan_raw_string();
        return TokenKind::string;
      }
      const char quote = peek();
      scan_quoted(quote);
      return quote == '"' ? TokenKind::string : TokenKind::character;
    }
    if (is_identifier_start(peek())) {
      while (is_identifier_part(peek())) advance();
      return TokenKind::identifier;
    }
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
      scan_number();
      return TokenKind::number;
    }
    for (const std::string_view p : punctuators) {
      if (p[0] == peek() && source_.substr(position_, p.size()) == p) {
        position_ += p.size();
        return TokenKind::punctuation;
      }
    }
    advance();
    return TokenKind::punctuation;
  }

  // Length of the encoding prefix (u8, u, U, L, none) where a literal starts here, else npos. R is left for the caller.
  [[nodiscard]] std::size_t literal_prefix() const {
    std::size_t n = 0;
    if (peek() == 'u' && peek(1) == '8') {
      n = 2;
    } else if (peek() == 'u' || peek() == 'U' || peek() == 'L') {
      n = 1;
    }
    const bool raw = peek(n) == 'R' && peek(n + 1) == '"';
    return raw || peek(n) == '"' || peek(n) == '\'' ? n : std::string_view::npos;
  }

  void scan_quoted(char quote) {
    advance();
    while (position_ < source_.size() && peek() != quote && peek() != '\n') {
      if (peek() == '\\' && position_ + 1 < source_.size()) advance();
      advance();
    }
    if (peek() == quote) advance();
  }

  void scan_raw_string() {
    const std::size_t open = source_.find('(', position_);
    std::size_t end = source_.size();
    if (open != std::string_view::npos) {
      const std::string_view delimiter = source_.substr(position_ + 1, open - position_ - 1);
      for (std::size_t close = source_.find(')', open); close != std::string_view::npos; close = source_.find(')', close + 1)) {
        if (source_.substr(close + 1, delimiter.size()) == delimiter && close + 1 + delimiter.size() < source_.size() &&
            source_[close + 1 + delimiter.size()] == '"') {
          end = close + delimiter.size() + 2;
          break;
        }
      }
    }
    while (position_ < end) advance();
  }

  void scan_number() {
    while (is_identifier_part(peek()) || peek() == '.' || (peek() == '\'' && is_identifier_part(peek(1))) ||
           ((peek() == '+' || peek() == '-') && is_exponent(source_[position_ - 1]))) {
      advance();
    }
  }

  // Whether a sign may follow `c` inside a number. Hex digits e and E end up here too: the scanner of the standard does the same.
  static bool is_exponent(char c) { return c == 'e' || c == 'E' || c == 'p' || c == 'P'; }

  std::string_view source_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) { return Scanner(source).run(); }

bool starts_directive(const std::vector<Token>& tokens, std::size_t i) {
  return (tokens[i].text == "#" || tokens[i].text == "%:") && (i == 0 || tokens[i - 1].line < tokens[i].line);
}

std::size_t directive_end(std::string_view source, const std::vector<Token>& tokens, std::size_t i) {
  std::size_t end = source.find('\n', tokens[i].offset);
  while (end != std::string_view::npos && end > 0 && source[end - 1] == '\\') end = source.find('\n', end + 1);
  while (i < tokens.size() && tokens[i].offset < end) ++i;
  return i;
}

}  // namespace cuttle::text
