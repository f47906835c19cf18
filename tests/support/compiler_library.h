// The compiler library through its C boundary, for tests of texts that a host compiler need not parse.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/compiler_functions.h"

namespace cuttle::test {

struct CompilerDiagnostic {
  uint32_t severity, line, column;
  std::string file, message;
};

/// What cuttle_compile returned, copied.
struct Outcome {
  uint32_t status;
  std::string message, code;
  std::vector<CompilerDiagnostic> diagnostics;

  [[nodiscard]] std::string text() const {
    std::string all = message;
    for (const CompilerDiagnostic& d : diagnostics) all += (all.empty() ? "" : "\n") + d.message;
    return all;
  }
};

class CompilerLibrary {
 public:
  static const CompilerLibrary& instance() {
    static const CompilerLibrary library;
    return library;
  }

  /// Compiles `kernel`, a lambda of (view<float>, int), as if it stood at line 100 of a file that is not there.
  [[nodiscard]] Outcome compile(std::string_view kernel, uint32_t backend) const {
    const cuttle_parameter parameters[] = {{text("cuttle::view<float, 1>"), text("view<f32>"), 16, 8}, {text("int"), text("i32"), 4, 4}};
    cuttle_compile_request request{};
    request.abi = CUTTLE_COMPILER_ABI;
    request.target.backend = backend;
    request.target.sm = backend == CUTTLE_BACKEND_PTX ? 90 : 0;
    request.target.contract = 1;
    request.kernel = text(kernel);
    request.file = text("/nonexistent/hostile.cpp");
    request.line = 100;
    request.entry = text("hostile_kernel");
    request.parameters = parameters;
    request.parameter_count = 2;

    cuttle_compile_result* result = functions_.compile(&request);
    const cuttle_compile_output& output = *functions_.get(result);
    Outcome outcome{output.status, string(output.message), string(output.code), {}};
    for (std::size_t i = 0; i < output.diagnostic_count; ++i) {
      const cuttle_diagnostic& d = output.diagnostics[i];
      outcome.diagnostics.push_back({d.severity, d.line, d.column, string(d.file), string(d.message)});
    }
    functions_.free(result);
    return outcome;
  }

 private:
  CompilerLibrary() = default;

  static cuttle_text text(std::string_view view) { return {view.data(), view.size()}; }
  static std::string string(cuttle_text view) { return {view.data, view.size}; }

  const CompilerFunctions& functions_ = CompilerFunctions::instance();
};

}  // namespace cuttle::test
