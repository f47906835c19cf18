#include "compiler_run.h"

#include <memory>
#include <optional>
#include <vector>

#include "bundle.h"
#include "compiler_library.h"
#include "cuttle/error.hpp"
#include "dsl/text/module_symbols.h"
#include "dump.h"
#include "error_text.h"
#include "events.h"
#include "libdevice.h"
#include "progress.h"

namespace cuttle::detail {
namespace {

cuttle_text text_of(const std::string& text) { return {text.data(), text.size()}; }
std::string string_of(cuttle_text text) { return {text.data, text.size}; }

std::vector<Diagnostic> diagnostics_of(const cuttle_compile_output& output) {
  std::vector<Diagnostic> diagnostics;
  for (std::size_t i = 0; i < output.diagnostic_count; ++i) {
    const cuttle_diagnostic& d = output.diagnostics[i];
    diagnostics.push_back(
        {static_cast<Severity>(d.severity), string_of(d.file), d.line, d.column, string_of(d.message), string_of(d.source_line), string_of(d.hint)});
  }
  return diagnostics;
}

// Where nothing can be compiled, the cache was all there is: say what it does not have.
const CompilerLibrary& compiler_for(const Compilation& kernel) {
  try {
    return compiler_library();
  } catch (const InternalError& error) {
    const std::string& bundle = Bundle::instance().path();
    throw InternalError("kernel " + kernel.entry + " " + kernel.signature + " is not in the cache" +
                        (bundle.empty() ? "" : " or in the bundle " + bundle) + ", and cannot be compiled: " + error.what());
  }
}

// A module's warnings are kept with its symbols.
std::string symbols_of(const cuttle_compile_output& output) {
  if (output.symbols.size == 0) return {};
  std::optional<text::ModuleSymbols> symbols = text::decode_symbols({output.symbols.data, output.symbols.size});
  if (!symbols) throw InternalError("cuttle's compiler gives a list of symbols that cannot be read");
  symbols->log = diagnostics_text(diagnostics_of(output));
  if (!symbols->log.empty()) symbols->log.erase(0, 1);
  return encode(*symbols);
}

template <class Request, class Compile>
void run(Compilation& result, Request& request, const Compile& compile, const std::string& place, const std::string& headline) {
  request.abi = CUTTLE_COMPILER_ABI;
  const Libdevice& libdevice = Libdevice::instance();
  request.libdevice = text_of(libdevice.path());
  request.libdevice_searched = text_of(libdevice.searched());

  const Progress progress(result.entry + " " + result.signature);
  const CompilerLibrary& compiler = compiler_for(result);
  const std::unique_ptr<cuttle_compile_result, decltype(compiler.cuttle_compile_result_free)> compiled(compile(compiler, &request),
                                                                                                       compiler.cuttle_compile_result_free);
  const cuttle_compile_output& output = *compiler.cuttle_compile_get(compiled.get());
  const cuttle_stage_times& times = output.times;
  record(output.status == CUTTLE_COMPILE_OK ? Event::compiled : Event::failed_to_compile, result.entry, result.signature,
         {.parse = times.assemble + times.parse, .optimise = times.link + times.optimise, .lower = times.lower});
  if (output.status == CUTTLE_COMPILE_USER_ERROR) {
    auto diagnostics = diagnostics_of(output);
    const std::string text = headline + diagnostics_text(diagnostics);
    throw CompileError(text, result.signature, std::move(diagnostics));
  }
  if (output.status != CUTTLE_COMPILE_OK) {
    throw InternalError("cuttle's compiler failed on " + place + " " + result.signature + ": " + string_of(output.message));
  }
  result.source = string_of(output.source);
  result.llvm_ir = string_of(output.llvm_ir);
  result.code = string_of(output.code);
  result.binary = string_of(output.object);
  result.symbols = symbols_of(output);
  result.static_shared_bytes = output.static_shared_bytes;
  result.least_shared_bytes = output.least_shared_bytes;
  result.cooperative = output.cooperative != 0;
  if (output.uses_libdevice) result.libdevice = libdevice.identity();
  result.times = output.times;
  dump(result);
}

}  // namespace

void run_compiler_library(Compilation& result, cuttle_compile_request& request, const std::string& place, const std::string& headline) {
  run(result, request, [](const CompilerLibrary& compiler, const auto* asked) { return compiler.cuttle_compile(asked); }, place, headline);
}

void run_compiler_library(Compilation& result, cuttle_module_request& request, const std::string& place, const std::string& headline) {
  run(result, request, [](const CompilerLibrary& compiler, const auto* asked) { return compiler.cuttle_compile_module(asked); }, place, headline);
}

}  // namespace cuttle::detail
