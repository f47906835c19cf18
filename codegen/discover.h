// Finds the kernels and variables of a module in Clang's syntax tree.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/clang.h"
#include "codegen/compiler.h"
#include "dsl/text/module_symbols.h"

namespace cuttle::codegen {

struct Discovered {
  text::ModuleSymbols symbols;
  std::vector<std::string> expressions;  // of each kernel, as source text can name it among overloads
};

/// Fills `found` once the unit has been parsed. Kernels are those that the text defines, and the instances that the request names; what else is
/// named as one is an error. Variables are those of a device that are not const.
[[nodiscard]] std::unique_ptr<clang::ASTConsumer> discover_symbols(const cuttle_module_request& request, clang::DiagnosticsEngine& engine,
                                                                   Discovered& found);

}  // namespace cuttle::codegen
