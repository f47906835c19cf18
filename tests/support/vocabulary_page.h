// docs/vocabulary.md as data: the rows of its tables, with the names that their first columns list.
#pragma once

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace cuttle::test {

/// `a{b,c}d` is abd, acd; every pair of braces is expanded.
inline std::vector<std::string> expand(const std::string& pattern) {
  const std::size_t open = pattern.find('{'), close = pattern.find('}', open);
  if (open == std::string::npos) return {pattern};
  std::vector<std::string> all;
  for (std::size_t at = open; at != close;) {
    const std::size_t end = std::min(pattern.find(',', at + 1), close);
    for (const std::string& rest : expand(pattern.substr(close + 1))) {
      all.push_back(pattern.substr(0, open) + pattern.substr(at + 1, end - at - 1) + rest);
    }
    at = end;
  }
  return all;
}

struct VocabularyRow {
  std::vector<std::string> names;
  std::vector<std::string> columns;  // the others, without the blanks around them
};

/// The page of the source folder; empty where it is not at hand.
inline std::vector<VocabularyRow> vocabulary_rows(const std::string& source_folder) {
  std::ifstream page(source_folder + "/docs/vocabulary.md");
  std::vector<VocabularyRow> rows;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    std::size_t bar = line.find('|', 1);
    const std::string first = line.substr(0, bar);
    VocabularyRow row;
    for (std::size_t begin = first.find('`'); begin != std::string::npos; begin = first.find('`', begin)) {
      const std::size_t end = first.find('`', begin + 1);
      const std::string name = first.substr(begin + 1, end - begin - 1);
      // Headers and macros are no names that a kernel can be asked for.
      if (!name.starts_with('<') && !name.starts_with("M_")) {
        for (std::string& one : expand(name)) row.names.push_back(std::move(one));
      }
      begin = end + 1;
    }
    for (std::size_t next = line.find('|', bar + 1); next != std::string::npos; bar = next, next = line.find('|', bar + 1)) {
      const std::string text = line.substr(bar + 1, next - bar - 1);
      const std::size_t begin = text.find_first_not_of(' ');
      row.columns.push_back(begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace cuttle::test
