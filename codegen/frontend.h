// Clang: from the assembled unit to LLVM IR.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "codegen/clang.h"
#include "codegen/compiler.h"
#include "codegen/diagnostics.h"

namespace cuttle::codegen {

/// What Clang reads besides the prelude.
struct ParseInput {
  const std::string& source;
  std::string_view kernel = {};  // the function that calls a kernel's lambda, whose restrictions (restrictions.h) are checked; empty for a module
  std::span<const cuttle_parameter> parameters = {}, captures = {};  // of that function
  bool has_headers = false;  // whether CUDA's and the standard library's (dsl/text/known_headers.h) are there, and these:
  std::span<const cuttle_text> folders = {};
  std::span<const cuttle_header> headers = {};
  /// Sees the syntax tree before code is made of it.
  std::function<std::unique_ptr<clang::ASTConsumer>(clang::DiagnosticsEngine&)> observer = {};
};

/// Parses and checks the input for `target`. Null where it has errors, which `diagnostics` then holds.
[[nodiscard]] std::unique_ptr<llvm::Module> parse(const ParseInput& input, const cuttle_target& target, llvm::LLVMContext& context,
                                                  DiagnosticCollector& diagnostics);

}  // namespace cuttle::codegen
