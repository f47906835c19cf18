#include "codegen/relayout.h"

#include <algorithm>
#include <optional>
#include <set>

#include "dsl/text/tokens.h"

namespace cuttle::codegen {
namespace {

using text::Token;
using Tokens = std::vector<Token>;

struct Place {
  std::uint32_t line, column;
};

// A #pragma of the file that the captured text has lost: g++ keeps none in a macro's argument.
struct Pragma {
  std::size_t before;  // which captured token
  std::uint32_t line;
  std::string text;
};

struct Alignment {
  std::vector<Place> places;  // of every captured token
  std::vector<Pragma> pragmas;
};

// How far to look ahead, in either text, for the next tokens that agree after a macro was expanded.
constexpr std::size_t max_expansion = 400;

bool agree(const Tokens& captured, std::size_t i, const Tokens& file, std::size_t j, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    if (i + k >= captured.size() || j + k >= file.size()) return k > 0 && i + k >= captured.size();
    if (captured[i + k].text != file[j + k].text) return false;
  }
  return true;
}

// The token after a macro's name and, if there is one, its argument list.
std::size_t skip_macro(const Tokens& file, std::size_t j) {
  ++j;
  if (j >= file.size() || file[j].text != "(") return j;
  std::size_t depth = 0;
  for (; j < file.size(); ++j) {
    if (file[j].text == "(") ++depth;
    if (file[j].text == ")" && --depth == 0) return j + 1;
  }
  return j;
}

// The tokens of one line with a space between them, and the index after them.
std::pair<std::string, std::size_t> line_from(const Tokens& file, std::size_t j) {
  std::string line;
  std::size_t end = j;
  for (; end < file.size() && file[end].line == file[j].line; ++end) line += (end == j ? "" : " ") + std::string(file[end].text);
  return {line, end};
}

bool begins_loop(std::string_view token) { return token == "for" || token == "while" || token == "do"; }

// The captured text on the file, if it can start at file[start]. The file may have been edited since the program was built: what stands before a
// loop there goes before that loop only, and a name that the captured text has too is no macro's, since it would have been expanded.
std::optional<Alignment> align(const Tokens& captured, const std::set<std::string_view>& names, const Tokens& file, std::size_t start) {
  Alignment result;
  std::vector<Place>& places = result.places;
  places.reserve(captured.size());
  std::size_t i = 0, j = start;
  while (i < captured.size()) {
    if (j >= file.size()) return std::nullopt;
    if (captured[i].text == file[j].text) {
      places.push_back({file[j].line, file[j].column});
      ++i, ++j;
      continue;
    }
    if (file[j].text == "#") {
      auto [directive, end] = line_from(file, j);
      const bool unrolls = directive.starts_with("# pragma unroll") || directive.starts_with("# pragma nounroll");
      if (unrolls && end < file.size() && begins_loop(file[end].text) && file[end].text == captured[i].text) {
        result.pragmas.push_back({i, file[j].line, std::move(directive)});
      }
      j = end;
      continue;
    }
    if (file[j].kind != text::TokenKind::identifier || names.contains(file[j].text)) return std::nullopt;
    // A macro's name: with its arguments where the text goes on behind them (they may stand in the expansion too, as those of assert do), else
    // alone.
    std::size_t next_i = i, next_j = j;
    for (const std::size_t candidate : {skip_macro(file, j), j + 1}) {
      for (std::size_t ahead = 0; ahead < max_expansion && next_j == j && i + ahead <= captured.size(); ++ahead) {
        if (!agree(captured, i + ahead, file, candidate, 3)) continue;
        next_i = i + ahead;
        next_j = candidate;
      }
    }
    if (next_j == j) return std::nullopt;
    for (; i < next_i; ++i) places.push_back({file[j].line, file[j].column});
    j = next_j;
  }
  return result;
}

std::string render(const Tokens& captured, const Alignment& alignment) {
  const std::vector<Place>& places = alignment.places;
  auto pragma = alignment.pragmas.begin();
  std::string out;
  std::uint32_t line = places.front().line;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < captured.size(); ++i) {
    const bool spaced = i > 0 && captured[i].offset > captured[i - 1].offset + captured[i - 1].text.size();
    for (; pragma != alignment.pragmas.end() && pragma->before == i; ++pragma) {  // on a line of its own
      out.append(pragma->line > line ? pragma->line - line : 1, '\n');
      out += pragma->text;
      line = pragma->line;
    }
    if (places[i].line > line) {
      out.append(places[i].line - line, '\n');
      line = places[i].line;
      line_start = out.size();
    } else if (spaced) {
      out += ' ';
    }
    const std::size_t column = out.size() - line_start + 1;
    if (places[i].column > column && (spaced || column == 1)) out.append(places[i].column - column, ' ');
    out += captured[i].text;
    line += static_cast<std::uint32_t>(std::count(captured[i].text.begin(), captured[i].text.end(), '\n'));
  }
  return out;
}

}  // namespace

LaidText lay_back(std::string_view captured, std::string_view file_text, std::uint32_t line) {
  const Tokens tokens = text::tokenize(captured);
  const Tokens file = text::tokenize(file_text);
  if (!tokens.empty()) {
    // Nearest first: the right place starts or ends on `line`, and a copy of the same lambda may stand a few lines away.
    std::vector<std::size_t> starts;
    for (std::size_t j = 0; j < file.size(); ++j) {
      if (file[j].text == tokens.front().text && file[j].line <= line + 1000 && file[j].line + 5000 >= line) starts.push_back(j);
    }
    std::set<std::string_view> names;
    for (const Token& token : tokens) {
      if (token.kind == text::TokenKind::identifier) names.insert(token.text);
    }
    const auto distance = [line](std::uint32_t at) { return at > line ? at - line : line - at; };
    std::optional<Alignment> best;
    for (const std::size_t start : starts) {
      auto alignment = align(tokens, names, file, start);
      if (!alignment) continue;
      const auto off = [&](const Alignment& a) { return std::min(distance(a.places.front().line), distance(a.places.back().line)); };
      if (!best || off(*alignment) < off(*best)) best = std::move(alignment);
    }
    if (best) return {render(tokens, *best), best->places.front().line, true};
  }
  return {std::string(captured), line, false};
}

}  // namespace cuttle::codegen
