// One compilation, stage by stage: assemble, parse, lower. Called by the C boundary below, on a rescued thread.

#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "codegen/assemble.h"
#include "codegen/compiler.h"
#include "codegen/cpu.h"
#include "codegen/discover.h"
#include "codegen/explain.h"
#include "codegen/frontend.h"
#include "codegen/guard.h"
#include "codegen/lowerable.h"
#include "codegen/module_hints.h"
#include "codegen/module_source.h"
#include "codegen/optimise.h"
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
  std::string message, source, symbols;
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

// Which parameters are views.
std::vector<unsigned> views_of(const cuttle_compile_request& request) {
  std::vector<unsigned> views;
  for (unsigned i = 0; i < request.parameter_count; ++i) {
    if (is_view(request.parameters[i])) views.push_back(i);
  }
  return views;
}

// Such a pointer shows memory that no argument does, and what is known of the arguments says nothing of it.
bool makes_pointers_of_numbers(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (llvm::isa<llvm::IntToPtrInst>(instruction)) return true;
    }
  }
  return false;
}

// One compilation: what its stages share.
class Compiler {
 public:
  explicit Compiler(cuttle_compile_result& result) : result_(result), times_(result.output.times) {
    context_.setDiagnosticHandler(std::make_unique<BackendDiagnostics>(collector_));
  }

  uint32_t compile(const cuttle_compile_request& request) {
    file_ = view_of(request.file);
    line_ = request.line;
    kernel_ = &request;
    cuttle_target target = request.target;
    if (auto refusal = complete_target(target)) return user_error(std::move(*refusal));
    if (auto refusal = too_many_bytes(request)) return user_error(std::move(*refusal));
    if (refused_by_guard(request, collector_)) return user_error({});

    initialise_targets();
    auto module = parse_kernel(request, target);
    if (module && target.facts && makes_pointers_of_numbers(*module)) {
      cuttle_compile_request without_facts = request;
      without_facts.target.facts = target.facts = 0;
      static_cast<void>(collector_.take());  // warnings come again
      module = parse_kernel(without_facts, target);
    }
    if (collector_.has_error() || !module) {
      // Operands of PTX are none of x86's as a rule: say that first of all.
      const bool has_assembly = target.backend == CUTTLE_BACKEND_CPU && cuttle::text::identifiers(view_of(request.kernel)).contains("asm");
      return user_error(has_assembly ? assembly_on_cpu : "");
    }
    // Clang emits of the prelude what is called (dsl/device/grid.h).
    result_.output.cooperative = module->getFunction("cuttle_grid_barrier") ? 1 : 0;
    return lower(*module, {.target = target,
                           .entries = {{std::string(view_of(request.entry)), "cuttle_thread"}},
                           .variables = {},
                           .views = views_of(request),
                           .want_llvm_ir = request.want_llvm_ir != 0,
                           .libdevice = std::string(view_of(request.libdevice)),
                           .libdevice_searched = std::string(view_of(request.libdevice_searched))});
  }

  uint32_t compile(const cuttle_module_request& request) {
    file_ = view_of(request.name);
    line_ = 1;
    cuttle_target target = request.target;
    if (auto refusal = complete_target(target)) return user_error(std::move(*refusal));
    if (auto broken = broken_module_limit(view_of(request.source))) return user_error(std::move(*broken));
    for (std::size_t i = 0; i < request.header_count; ++i) {
      file_ = view_of(request.headers[i].path);
      if (auto broken = broken_module_limit(view_of(request.headers[i].text))) return user_error(std::move(*broken));
    }
    file_ = view_of(request.name);

    initialise_targets();
    Stopwatch watch;
    result_.source = assemble_module(request, target);
    times_.assemble = watch.lap();
    Discovered found;
    auto module = parse_module(request, target, &found);
    if (collector_.has_error() || !module) return user_error({});
    std::vector<EntryPoint> entries = target.backend == CUTTLE_BACKEND_PTX ? entries_of(found) : add_cpu_entries(found);
    if (target.backend == CUTTLE_BACKEND_CPU) module = parse_module(request, target, nullptr);
    times_.parse = watch.lap();
    if (collector_.has_error() || !module) return user_error({});

    LoweringRequest lowering{.target = target,
                             .entries = std::move(entries),
                             .variables = {},
                             .want_llvm_ir = request.want_llvm_ir != 0,
                             .libdevice = std::string(view_of(request.libdevice)),
                             .libdevice_searched = std::string(view_of(request.libdevice_searched))};
    for (const auto& variable : found.symbols.variables) lowering.variables.push_back(variable.symbol);
    const uint32_t status = lower(*module, lowering);
    for (std::size_t i = 0; i < result_.lowered.static_shared_bytes.size(); ++i) {
      found.symbols.kernels[i].static_shared_bytes = result_.lowered.static_shared_bytes[i];
    }
    result_.symbols = encode(found.symbols);
    return status;
  }

 private:
  uint32_t user_error(std::string message) {
    if (!message.empty()) collector_.add_error(std::move(message), line_, std::string(file_));
    result_.diagnostics = take_diagnostics();
    return CUTTLE_COMPILE_USER_ERROR;
  }

  std::vector<Diagnostic> take_diagnostics() {
    if (kernel_) return explain(collector_.take(), unit_, *kernel_);
    std::vector<Diagnostic> diagnostics = collector_.take();
    add_module_hints(diagnostics);
    return diagnostics;
  }

  std::unique_ptr<llvm::Module> parse_kernel(const cuttle_compile_request& request, const cuttle_target& target) {
    Stopwatch watch;
    unit_ = assemble(request);
    result_.source = unit_.source;
    times_.assemble += watch.lap();
    auto module = parse({.source = unit_.source,
                         .kernel = unit_.kernel_function,
                         .parameters = {request.parameters, request.parameter_count},
                         .captures = {request.captures, request.capture_count}},
                        target, context_, collector_);
    times_.parse += watch.lap();
    return module;
  }

  std::unique_ptr<llvm::Module> parse_module(const cuttle_module_request& request, const cuttle_target& target, Discovered* found) {
    ParseInput input{.source = result_.source,
                     .has_headers = true,
                     .folders = {request.folders, request.folder_count},
                     .headers = {request.headers, request.header_count}};
    if (found) input.observer = [&](clang::DiagnosticsEngine& engine) { return discover_symbols(request, engine, *found); };
    auto module = parse(input, target, context_, collector_);
    // Only marks kernels (dsl/device/prelude.h).
    if (module) {
      if (auto* annotations = module->getGlobalVariable("llvm.global.annotations")) annotations->eraseFromParent();
    }
    return module;
  }

  static std::vector<EntryPoint> entries_of(const Discovered& found) {
    std::vector<EntryPoint> entries;
    for (const auto& kernel : found.symbols.kernels) entries.push_back({kernel.symbol, kernel.symbol});
    return entries;
  }

  // A block function for each kernel, for which the unit is parsed a second time: what the kernels are is known only now.
  std::vector<EntryPoint> add_cpu_entries(Discovered& found) {
    std::vector<EntryPoint> entries;
    std::vector<CpuEntry> texts;
    for (std::size_t i = 0; i < found.expressions.size(); ++i) {
      std::string& symbol = found.symbols.kernels[i].symbol;
      entries.push_back({"cuttle_block_" + std::to_string(i), symbol});
      symbol = entries.back().name;
      texts.push_back({found.expressions[i], symbol});
    }
    result_.source += cpu_entries(texts);
    static_cast<void>(collector_.take());  // warnings come again
    return entries;
  }

  uint32_t lower(llvm::Module& module, const LoweringRequest& request) {
    if (auto reason = why_not_lowerable(module, request.target.backend)) return user_error(std::move(*reason));
    Lowered& lowered = result_.lowered;
    keep_roundings(module);
    lowered = request.target.backend == CUTTLE_BACKEND_PTX ? lower_to_ptx(module, request, times_) : lower_to_cpu(module, request, times_);
    if (!lowered.internal_error.empty()) {
      result_.message = std::move(lowered.internal_error);
      return CUTTLE_COMPILE_INTERNAL_ERROR;
    }
    if (!lowered.user_error.empty() || collector_.has_error()) return user_error(std::move(lowered.user_error));
    for (const std::size_t bytes : lowered.static_shared_bytes) {
      if (bytes <= max_static_shared) continue;
      return user_error("the kernel declares " + std::to_string(bytes) + " bytes of static shared memory; the limit is " +
                        std::to_string(max_static_shared) + ". Use dynamic_shared<T>(count) and .shared = bytes at the launch.");
    }
    result_.diagnostics = take_diagnostics();
    return CUTTLE_COMPILE_OK;
  }

  cuttle_compile_result& result_;
  cuttle_stage_times& times_;
  llvm::LLVMContext context_;
  DiagnosticCollector collector_;
  const cuttle_compile_request* kernel_ = nullptr;  // and its unit; null for a module
  Unit unit_;
  std::string_view file_;  // where what concerns no line is reported
  unsigned line_ = 0;
};

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
  output.symbols = text_of(result.symbols);
  output.static_shared_bytes = result.lowered.static_shared_bytes.empty() ? 0 : result.lowered.static_shared_bytes[0];
  output.least_shared_bytes = result.lowered.least_shared_bytes.empty() ? 0 : result.lowered.least_shared_bytes[0];
  output.uses_libdevice = result.lowered.uses_libdevice ? 1 : 0;
}

template <class Request>
cuttle_compile_result* compile(const Request& request) {
  auto result = std::make_unique<cuttle_compile_result>();
  result->output.status = CUTTLE_COMPILE_INTERNAL_ERROR;
  if (request.abi != CUTTLE_COMPILER_ABI) {
    result->message = "the compiler library is of another version than libcuttle";
  } else {
    const auto failure = run_rescued([&] { result->output.status = Compiler(*result).compile(request); });
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

}  // namespace

cuttle_compile_result* cuttle_compile(const cuttle_compile_request* request) { return compile(*request); }

cuttle_compile_result* cuttle_compile_module(const cuttle_module_request* request) { return compile(*request); }

const cuttle_compile_output* cuttle_compile_get(const cuttle_compile_result* result) { return &result->output; }

void cuttle_compile_result_free(cuttle_compile_result* result) { delete result; }

uint32_t cuttle_compiler_abi(void) { return CUTTLE_COMPILER_ABI; }

const char* cuttle_compiler_build_id(void) { return CUTTLE_BUILD_ID; }

uint32_t cuttle_compiler_max_ptx(void) { return max_ptx; }
