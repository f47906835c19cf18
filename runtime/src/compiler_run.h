// One run of the compiler library, and what becomes of its output.
#pragma once

#include <string>

#include "codegen/compiler.h"
#include "compilation.h"

namespace cuttle::detail {

/// Compiles and fills in all but the names and the key of `result`, which are set. `place` says in a bug's message what was compiled, `headline`
/// stands above the diagnostics of what is wrong. The request's ABI and libdevice are filled in here. Throws CompileError or InternalError.
void run_compiler_library(Compilation& result, cuttle_compile_request& request, const std::string& place, const std::string& headline);
void run_compiler_library(Compilation& result, cuttle_module_request& request, const std::string& place, const std::string& headline);

}  // namespace cuttle::detail
