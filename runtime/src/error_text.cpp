#include "error_text.h"

#include <string_view>

#include "dsl/text/declarations.h"

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

// "x: view<f32>, n: i32"
std::string arguments_text(const KernelText& kernel, const std::vector<TypeName>& types) {
  const std::vector<std::string_view> names = text::parameter_names(kernel.text);
  std::string list;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i > 0) list += ", ";
    if (i < names.size() && !names[i].empty()) list += std::string(names[i]) + ": ";
    list += types[i].short_form;
  }
  return list;
}

std::string place_text(const Diagnostic& d) {
  if (d.file.empty()) return {};
  std::string place = d.file + ":";
  if (d.line) place += std::to_string(d.line) + ":";
  if (d.column) place += std::to_string(d.column) + ":";
  return place + ' ';
}

// A terminal shows the line, and what() of an exception ends at a NUL.
std::string shown_line(std::string line) {
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' && c != '\t') c = '?';
  }
  return line;
}

// What stands under the source line: a caret below the column, however wide the tabs before it are shown.
std::string caret_line(const Diagnostic& d) {
  if (d.column == 0 || d.column > d.source_line.size()) return {};
  std::string blanks = d.source_line.substr(0, d.column - 1);
  for (char& c : blanks) c = c == '\t' ? '\t' : ' ';
  return blanks + '^';
}

}  // namespace

std::string place_in_source(const KernelText& kernel) { return std::string(kernel.file) + ":" + std::to_string(kernel.line); }

std::string compile_error_headline(const KernelText& kernel, const std::vector<TypeName>& types, const std::string& captured) {
  std::string text = "the kernel at " + place_in_source(kernel) + " does not compile";
  const std::string arguments = arguments_text(kernel, types);
  if (!arguments.empty()) text += " with " + arguments;
  if (!captured.empty()) text += (arguments.empty() ? " with " : " and ") + captured;
  return text;
}

std::string diagnostics_text(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  std::size_t lines = 1;
  const auto add = [&](const std::string& line) {
    text += '\n' + line;
    ++lines;
  };
  for (const Diagnostic& d : diagnostics) {
    if (lines >= most_lines) {
      add("... and more: see diagnostics()");
      break;
    }
    add(place_text(d) + severity_name(d.severity) + ": " + d.message);
    if (!d.source_line.empty()) {
      add("    " + shown_line(d.source_line));
      if (const std::string caret = caret_line(d); !caret.empty()) add("    " + caret);
    }
    if (!d.hint.empty()) add("  hint: " + d.hint);
  }
  return text;
}

}  // namespace cuttle::detail
