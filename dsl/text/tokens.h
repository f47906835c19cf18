// Splits C++ text into preprocessing tokens: for the key (text without its layout), for laying captured text back on its lines,
// and for the limits that are checked before Clang sees a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cuttle::text {

enum class TokenKind : std::uint8_t { identifier, number, string, character, punctuation };

struct Token {
  TokenKind kind;
  std::uint32_t line;    // 1-based
  std::uint32_t column;  // 1-based, in bytes
  std::size_t offset;
  std::string_view text;
};

/// Tokens of `source`, without comments, white space, line splices between tokens and preprocessor directives' line ends.
/// Never fails: an unterminated literal ends at its line's end (a raw string at the text's end), any other byte is a token of its own.
[[nodiscard]] std::vector<Token> tokenize(std::string_view source);

/// Whether the token at `i` is the # that begins a preprocessor directive: the first of its line.
[[nodiscard]] bool starts_directive(const std::vector<Token>& tokens, std::size_t i);

/// One past the last token of the directive that begins at `i`: at the end of its line, spliced lines included.
[[nodiscard]] std::size_t directive_end(std::string_view source, const std::vector<Token>& tokens, std::size_t i);

}  // namespace cuttle::text
