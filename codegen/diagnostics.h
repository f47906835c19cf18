// Clang's diagnostics as data, in the user's files and lines.
#pragma once

#include <string>
#include <vector>

#include "codegen/clang.h"

namespace cuttle::codegen {

/// Who wrote the text that a diagnostic is about.
enum class Origin { user, generated, prelude };

struct Diagnostic {
  unsigned severity;  // CUTTLE_SEVERITY_*
  unsigned line, column;
  std::string file, message, source_line;
  std::string hint;  // what to write instead; may be empty
  unsigned id;       // Clang's number of the message, 0 for one of ours
  Origin origin;
};

/// Keeps what Clang reports; prints nothing.
class DiagnosticCollector final : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

  /// Adds one of our own, about no place or a whole line.
  void add_error(std::string message, unsigned line = 0, std::string file = {});

  /// Gives the diagnostic that was reported last its hint.
  void add_hint(std::string hint);

  [[nodiscard]] bool has_error() const { return has_error_; }
  [[nodiscard]] std::vector<Diagnostic> take() { return std::move(diagnostics_); }

 private:
  std::vector<Diagnostic> diagnostics_;
  bool has_error_ = false;
};

}  // namespace cuttle::codegen
