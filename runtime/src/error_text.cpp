#include "error_text.h"

namespace cuttle::detail {
namespace {

constexpr std::size_t most_lines = 40;

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      break;
  }
  return "error";
}

}  // namespace

std::string diagnostics_text(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  std::size_t lines = 1;
  for (const Diagnostic& d : diagnostics) {
    if (lines >= most_lines) {
      text += "\n... and more: see diagnostics()";
      break;
    }
    text += '\n';
    if (!d.file.empty()) {
      text += d.file + ":";
      if (d.line) text += std::to_string(d.line) + ":";
      if (d.column) text += std::to_string(d.column) + ":";
      text += ' ';
    }
    text += std::string(severity_name(d.severity)) + ": " + d.message;
    ++lines;
    if (!d.source_line.empty()) {
      text += "\n    " + d.source_line;
      ++lines;
    }
  }
  return text;
}

}  // namespace cuttle::detail
