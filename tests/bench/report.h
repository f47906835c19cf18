// The lines of a benchmark's table.
#pragma once

#include <optional>
#include <string>

#include "paired.h"

namespace cuttle::bench {

/// One line: what was measured, both medians in `unit`, and the ratio with its interval. A line with a budget is repeated in the summary.
struct Line {
  std::string what;
  const char* unit;
  std::optional<double> ours = {};
  std::optional<double> theirs = {};
  std::optional<Median> ratio = {};
  std::optional<Median> cpu_ratio = {};  // the same by processor time, which a busy machine disturbs less
  std::optional<double> budget = {};     // of the ratio, or of `ours` where there is none
};

void print_heading(const std::string& section);
void print(const Line& line);
/// For what cannot be measured here.
void print_skipped(const std::string& what, const std::string& reason);

/// Whether a printed line belongs in the summary.
[[nodiscard]] bool is_for_summary(const std::string& printed);

}  // namespace cuttle::bench
