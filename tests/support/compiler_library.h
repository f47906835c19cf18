// The compiler library through its C boundary, for tests of texts that a host compiler need not parse.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/compiler_functions.h"

namespace cuttle::test {

struct CompilerDiagnostic {
  uint32_t severity, line, column;
  std::string file, message, hint;
};

struct CompilerParameter {
  std::string type, short_type;
  std::size_t size, align;
  std::size_t class_size = 0, class_align = 0;  // of the class that it is or shows elements of
  std::vector<cuttle_member> members = {};
};

/// Where a kernel's text stands, what it is called with, and the device header before it: by default (view<float>, int) at line 100 of a file that is
/// not there, and none. For a GPU, a library of math functions (libdevice's path).
struct CompilerInput {
  std::string file = "/nonexistent/hostile.cpp";
  uint32_t line = 100;
  std::vector<CompilerParameter> parameters = {{"cuttle::view<float, 1>", "view<f32>", 16, 8}, {"int", "i32", 4, 4}};
  std::string header = {}, libdevice = {};
  std::string constants = {};  // declarations of captured values, of these types:
  std::vector<CompilerParameter> captures = {};
};

/// What cuttle_compile returned, copied.
struct Outcome {
  uint32_t status;
  std::string message, code, source;
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

  [[nodiscard]] Outcome compile(std::string_view kernel, uint32_t backend, const CompilerInput& input = {}) const {
    const std::vector<cuttle_parameter> parameters = borrowed(input.parameters), captures = borrowed(input.captures);
    cuttle_compile_request request{};
    request.abi = CUTTLE_COMPILER_ABI;
    request.target.backend = backend;
    request.target.sm = backend == CUTTLE_BACKEND_PTX ? 90 : 0;
    request.target.contract = 1;
    request.kernel = text(kernel);
    request.file = text(input.file);
    request.line = input.line;
    request.entry = text("hostile_kernel");
    const cuttle_block header{text(input.header), text("/nonexistent/header.h"), 1, {}, 1};
    request.blocks = &header;
    request.block_count = input.header.empty() ? 0 : 1;
    request.parameters = parameters.data();
    request.parameter_count = parameters.size();
    request.constants = text(input.constants);
    request.captures = captures.data();
    request.capture_count = captures.size();
    request.libdevice = text(input.libdevice);
    request.libdevice_searched = text("/nowhere");

    cuttle_compile_result* result = functions_.compile(&request);
    const cuttle_compile_output& output = *functions_.get(result);
    Outcome outcome{output.status, string(output.message), string(output.code), string(output.source), {}};
    for (std::size_t i = 0; i < output.diagnostic_count; ++i) {
      const cuttle_diagnostic& d = output.diagnostics[i];
      outcome.diagnostics.push_back({d.severity, d.line, d.column, string(d.file), string(d.message), string(d.hint)});
    }
    functions_.free(result);
    return outcome;
  }

 private:
  CompilerLibrary() = default;

  static std::vector<cuttle_parameter> borrowed(const std::vector<CompilerParameter>& given) {
    std::vector<cuttle_parameter> result;
    for (const CompilerParameter& p : given) {
      result.push_back({text(p.type), text(p.short_type), p.size, p.align, p.class_size, p.class_align, p.members.data(), p.members.size()});
    }
    return result;
  }
  static cuttle_text text(std::string_view view) { return {view.data(), view.size()}; }
  static std::string string(cuttle_text view) { return {view.data, view.size}; }

  const CompilerFunctions& functions_ = CompilerFunctions::instance();
};

}  // namespace cuttle::test
