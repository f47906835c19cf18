// One compilation, stage by stage: assemble, parse, lower. Called by the C boundary below, on a rescued thread.

#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "codegen/assemble.h"
#include "codegen/compiler.h"
#include "codegen/cpu.h"
#include "codegen/explain.h"
#include "codegen/frontend.h"
#include "codegen/guard.h"
#include "codegen/lowerable.h"
#include "codegen/ptx.h"
#include "codegen/rescue.h"
#include "codegen/stopwatch.h"
#include "codegen/targets.h"
#include "codegen/text_view.h"
#include "codegen/versions.h"
#include "dsl/text/declarations.h"

using namespace cuttle::codegen;

struct cuttle_compile_result {
  cuttle_compile_output output{};
  std::string message, source;
  Lowered lowered;
  std::vector<Diagnostic> diagnostics;
  std::vector<cuttle_diagnostic> diagnostic_views;
};

namespace {

// ptxas' own limit (0xc000), with its "uses too much shared data" said beforehand; the CPU device has the same.
constexpr std::size_t max_static_shared = 48 * 1024;

// Carries what the LLVM back end reports (a bad inline assembly, a construct that cannot be lowered) to the kernel's diagnostics.
class BackendDiagnostics final : public llvm::DiagnosticHandler {
 public:
  explicit BackendDiagnostics(DiagnosticCollector& collector) : collector_(collector) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      std::string text;
      llvm::raw_string_ostream out(text);
      llvm::DiagnosticPrinterRawOStream printer(out);
      info.print(printer);
      collector_.add_error(std::move(text));
    }
    return true;
  }

 private:
  DiagnosticCollector& collector_;
};

// What a kernel's parameters may have in all, on sm_70 and later by PTX 8.1 and later; the CPU device has the same.
constexpr std::size_t max_parameter_bytes = 32764;

std::optional<std::string> too_many_bytes(const cuttle_compile_request& request) {
  std::size_t bytes = 0;
  std::string list;
  for (std::size_t i = 0; i < request.parameter_count; ++i) {
    const cuttle_parameter& parameter = request.parameters[i];
    bytes = llvm::alignTo(bytes, parameter.align) + parameter.size;
    list += (i ? ", " : "") + std::string(view_of(parameter.short_type)) + " " + std::to_string(parameter.size);
  }
  const std::size_t limit =
      request.target.backend == CUTTLE_BACKEND_PTX && request.target.ptx && request.target.ptx < 81 ? 4096 : max_parameter_bytes;
  if (bytes <= limit) return std::nullopt;
  return "the kernel's arguments have " + std::to_string(bytes) + " bytes; the limit is " + std::to_string(limit) +
         (limit == 4096 ? " with this driver" : "") + ". Bytes of each: " + list + ". Pass large ones in an Array.";
}

// The limits that are checked before Clang sees a text; a refusal names the text's place.
bool refused_by_guard(const cuttle_compile_request& request, DiagnosticCollector& collector) {
  const auto check = [&](cuttle_text text, cuttle_text file, uint32_t line, bool is_header) {
    if (auto broken = broken_limit(view_of(text), is_header)) collector.add_error(std::move(*broken), line, std::string(view_of(file)));
  };
  const std::span blocks(request.blocks, request.block_count);
  for (const cuttle_block& block : blocks) check(block.text, block.file, block.line, block.is_header != 0);
  check(request.kernel, request.file, request.line, false);
  if (!collector.has_error() && std::any_of(blocks.begin(), blocks.end(), [](const cuttle_block& block) { return block.is_header != 0; })) {
    std::string texts;
    for (const cuttle_block& block : blocks) texts.append(view_of(block.text)) += '\n';
    texts += view_of(request.kernel);
    if (auto broken = broken_macro_limit(texts)) collector.add_error(std::move(*broken), request.line, std::string(view_of(request.file)));
  }
  return collector.has_error();
}

uint32_t compile(const cuttle_compile_request& request, cuttle_compile_result& result) {
  cuttle_stage_times& times = result.output.times;
  DiagnosticCollector collector;
  Unit unit;
  const auto user_error = [&](std::string message) {
    if (!message.empty()) collector.add_error(std::move(message), request.line, std::string(view_of(request.file)));
    result.diagnostics = explain(collector.take(), unit, request);
    return CUTTLE_COMPILE_USER_ERROR;
  };

  cuttle_target target = request.target;
  if (auto refusal = complete_target(target)) return user_error(std::move(*refusal));
  if (auto refusal = too_many_bytes(request)) return user_error(std::move(*refusal));
  if (refused_by_guard(request, collector)) return user_error({});

  initialise_targets();
  Stopwatch watch;
  unit = assemble(request);
  result.source = unit.source;
  times.assemble = watch.lap();

  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<BackendDiagnostics>(collector));
  const auto module = parse(unit, target, context, collector);
  times.parse = watch.lap();
  if (collector.has_error() || !module) {
    // Operands of PTX are none of x86's as a rule: say that first of all.
    const bool has_assembly = target.backend == CUTTLE_BACKEND_CPU && cuttle::text::identifiers(view_of(request.kernel)).contains("asm");
    return user_error(has_assembly ? assembly_on_cpu : "");
  }
  if (auto reason = why_not_lowerable(*module, target.backend)) return user_error(std::move(*reason));

  // Clang emits of the prelude what is called (dsl/device/grid.h).
  result.output.cooperative = module->getFunction("cuttle_grid_barrier") ? 1 : 0;

  const LoweringRequest lowering{.target = target,
                                 .entry = std::string(view_of(request.entry)),
                                 .want_llvm_ir = request.want_llvm_ir != 0,
                                 .libdevice = std::string(view_of(request.libdevice)),
                                 .libdevice_searched = std::string(view_of(request.libdevice_searched))};
  result.lowered = target.backend == CUTTLE_BACKEND_PTX ? lower_to_ptx(*module, lowering, times) : lower_to_cpu(*module, lowering, times);
  if (!result.lowered.internal_error.empty()) {
    result.message = std::move(result.lowered.internal_error);
    return CUTTLE_COMPILE_INTERNAL_ERROR;
  }
  if (!result.lowered.user_error.empty() || collector.has_error()) return user_error(std::move(result.lowered.user_error));
  if (result.lowered.static_shared_bytes > max_static_shared) {
    return user_error("the kernel declares " + std::to_string(result.lowered.static_shared_bytes) + " bytes of static shared memory; the limit is " +
                      std::to_string(max_static_shared) + ". Use dynamic_shared<T>(count) and .shared = bytes at the launch.");
  }
  result.diagnostics = explain(collector.take(), unit, request);
  return CUTTLE_COMPILE_OK;
}

void fill_output(cuttle_compile_result& result) {
  for (const Diagnostic& d : result.diagnostics) {
    result.diagnostic_views.push_back({d.severity, d.line, d.column, text_of(d.file), text_of(d.message), text_of(d.source_line), text_of(d.hint)});
  }
  cuttle_compile_output& output = result.output;
  output.diagnostics = result.diagnostic_views.data();
  output.diagnostic_count = result.diagnostic_views.size();
  output.message = text_of(result.message);
  output.source = text_of(result.source);
  output.llvm_ir = text_of(result.lowered.llvm_ir);
  output.code = text_of(result.lowered.code);
  output.object = text_of(result.lowered.object);
  output.static_shared_bytes = result.lowered.static_shared_bytes;
  output.uses_libdevice = result.lowered.uses_libdevice ? 1 : 0;
}

}  // namespace

cuttle_compile_result* cuttle_compile(const cuttle_compile_request* request) {
  auto result = std::make_unique<cuttle_compile_result>();
  result->output.status = CUTTLE_COMPILE_INTERNAL_ERROR;
  if (request->abi != CUTTLE_COMPILER_ABI) {
    result->message = "the compiler library is of another version than libcuttle";
  } else {
    const auto failure = run_rescued([&] { result->output.status = compile(*request, *result); });
    if (failure) {
      // What the crashed compilation half wrote is not to be read.
      auto* abandoned = result.release();
      result = std::make_unique<cuttle_compile_result>();
      (void)abandoned;
      result->output.status = CUTTLE_COMPILE_INTERNAL_ERROR;
      result->message = *failure;
    }
  }
  fill_output(*result);
  return result.release();
}

const cuttle_compile_output* cuttle_compile_get(const cuttle_compile_result* result) { return &result->output; }

void cuttle_compile_result_free(cuttle_compile_result* result) { delete result; }

uint32_t cuttle_compiler_abi(void) { return CUTTLE_COMPILER_ABI; }

const char* cuttle_compiler_build_id(void) { return CUTTLE_BUILD_ID; }

uint32_t cuttle_compiler_max_ptx(void) { return max_ptx; }
