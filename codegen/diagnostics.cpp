#include "codegen/diagnostics.h"

#include "codegen/assemble.h"
#include "codegen/compiler.h"

namespace cuttle::codegen {
namespace {

std::string line_text(const clang::SourceManager& sources, clang::SourceLocation location) {
  const auto [file, offset] = sources.getDecomposedLoc(location);
  bool invalid = false;
  const llvm::StringRef buffer = sources.getBufferData(file, &invalid);
  if (invalid) return {};
  const std::size_t begin = buffer.rfind('\n', offset);
  const std::size_t start = begin == llvm::StringRef::npos ? 0 : begin + 1;
  // A kernel whose file was not at hand is one long line: show the part around the place.
  llvm::StringRef line = buffer.substr(start, buffer.find('\n', offset) - start);
  constexpr std::size_t widest = 200;
  if (line.size() > widest) {
    const std::size_t at = offset - start;
    line = line.substr(at > widest / 2 ? at - widest / 2 : 0, widest);
  }
  return line.str();
}

}  // namespace

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
  clang::DiagnosticConsumer::HandleDiagnostic(level, info);
  Diagnostic d{};
  switch (level) {
    case clang::DiagnosticsEngine::Ignored:
    case clang::DiagnosticsEngine::Remark:
      return;
    case clang::DiagnosticsEngine::Note:
      d.severity = CUTTLE_SEVERITY_NOTE;
      break;
    case clang::DiagnosticsEngine::Warning:
      d.severity = CUTTLE_SEVERITY_WARNING;
      break;
    case clang::DiagnosticsEngine::Error:
    case clang::DiagnosticsEngine::Fatal:
      d.severity = CUTTLE_SEVERITY_ERROR;
      has_error_ = true;
      break;
  }
  d.id = info.getID();
  d.origin = Origin::user;
  llvm::SmallString<256> message;
  info.FormatDiagnostic(message);
  d.message = message.str().str();
  if (info.hasSourceManager() && info.getLocation().isValid()) {
    const clang::SourceManager& sources = info.getSourceManager();
    const clang::SourceLocation location = sources.getExpansionLoc(info.getLocation());
    if (const clang::PresumedLoc place = sources.getPresumedLoc(location); place.isValid()) {
      d.file = place.getFilename();
      d.line = place.getLine();
      d.column = place.getColumn();
      d.source_line = line_text(sources, location);
      d.origin = sources.getFileID(location) != sources.getMainFileID() ? Origin::prelude
                 : d.file == generated_file                             ? Origin::generated
                                                                        : Origin::user;
    }
  }
  diagnostics_.push_back(std::move(d));
}

void DiagnosticCollector::add_error(std::string message, unsigned line, std::string file) {
  has_error_ = true;
  diagnostics_.push_back({CUTTLE_SEVERITY_ERROR, line, 0, std::move(file), std::move(message), {}, {}, 0, Origin::user});
}

void DiagnosticCollector::add_hint(std::string hint) {
  if (!diagnostics_.empty()) diagnostics_.back().hint = std::move(hint);
}

}  // namespace cuttle::codegen
