#include "report.h"

#include <cstdio>

namespace cuttle::bench {
namespace {

constexpr char summary_mark = '*';

std::string number(const std::optional<double>& value, const char* unit) {
  if (!value) return "-";
  char text[32];
  std::snprintf(text, sizeof(text), *value < 100 ? "%.2f %s" : "%.0f %s", *value, unit);
  return text;
}

std::string interval(const std::optional<Median>& median) {
  if (!median) return "-";
  char text[48];
  std::snprintf(text, sizeof(text), "%.3f [%.3f %.3f]", median->value, median->low, median->high);
  return text;
}

}  // namespace

void print_heading(const std::string& section) {
  std::printf("\n%s\n  %-34s %12s %12s  %-21s  %-21s  %s\n", section.c_str(), "", "cuttle", "reference", "ratio [95 %]", "by CPU time", "budget");
}

void print(const Line& line) {
  std::printf("%c %-34s %12s %12s  %-21s  %-21s", line.budget ? summary_mark : ' ', line.what.c_str(), number(line.ours, line.unit).c_str(),
              number(line.theirs, line.unit).c_str(), interval(line.ratio).c_str(), interval(line.cpu_ratio).c_str());
  if (line.budget) {
    const double measured = line.ratio ? line.ratio->value : *line.ours;
    std::printf("  <= %g%s", *line.budget, measured <= *line.budget ? "" : "  OVER");
  }
  std::printf("\n");
  std::fflush(stdout);
}

void print_skipped(const std::string& what, const std::string& reason) {
  std::printf("%c %-34s skipped: %s\n", summary_mark, what.c_str(), reason.c_str());
  std::fflush(stdout);
}

bool is_for_summary(const std::string& printed) { return printed.starts_with(summary_mark); }

}  // namespace cuttle::bench
