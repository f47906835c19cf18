// Clang's diagnostics as data, in the user's files and lines.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "codegen/clang.h"

namespace cuttle::codegen {

struct Diagnostic {
  unsigned severity;  // CUTTLE_SEVERITY_*
  unsigned line, column;
  std::string file, message, source_line;
};

/// Keeps what Clang reports; prints nothing.
class DiagnosticCollector final : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

  /// Adds one of our own; `where` may be invalid.
  void add_error(std::string message, unsigned line = 0, std::string file = {});

  [[nodiscard]] bool has_error() const { return has_error_; }
  [[nodiscard]] std::vector<Diagnostic> take() { return std::move(diagnostics_); }

 private:
  std::vector<Diagnostic> diagnostics_;
  bool has_error_ = false;
};

}  // namespace cuttle::codegen
