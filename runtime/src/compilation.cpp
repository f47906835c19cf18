#include "compilation.h"

#include <cctype>
#include <exception>
#include <future>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codegen/stopwatch.h"
#include "compiler_library.h"
#include "disk_cache.h"
#include "dump.h"
#include "environment.h"
#include "error_text.h"
#include "events.h"
#include "kernel_source.h"
#include "key.h"
#include "progress.h"

namespace cuttle::detail {
namespace {

using CompilationPtr = std::shared_ptr<const Compilation>;

std::vector<TypeName> parameter_names(const Signature& signature) {
  std::vector<TypeName> names;
  names.reserve(signature.count);
  for (std::size_t i = 0; i < signature.count; ++i) names.push_back(signature.parameters[i]->name());
  return names;
}

std::string signature_text(const std::vector<TypeName>& names, const KernelSource& source) {
  std::string text = "(";
  for (const TypeName& name : names) text += (text.size() == 1 ? "" : ", ") + name.short_form;
  text += ')';
  return source.captured.empty() ? text : text + " with " + source.captured;
}

cuttle_text text_of(std::string_view text) { return {text.data(), text.size()}; }
std::string string_of(cuttle_text text) { return {text.data, text.size}; }

std::vector<Diagnostic> diagnostics_of(const cuttle_compile_output& output) {
  std::vector<Diagnostic> diagnostics;
  for (std::size_t i = 0; i < output.diagnostic_count; ++i) {
    const cuttle_diagnostic& d = output.diagnostics[i];
    diagnostics.push_back({static_cast<Severity>(d.severity), string_of(d.file), d.line, d.column, string_of(d.message), string_of(d.source_line)});
  }
  return diagnostics;
}

struct Task {
  const KernelText& kernel;
  const Signature& signature;
  std::vector<TypeName> names;
  KernelSource source;
  cuttle_target target;
  Key code_key;
  bool want_ir;
};

Task task_for(const KernelCall& call, const Signature& signature, const cuttle_target& target, bool want_ir) {
  const KernelText& kernel = call.kernel.text;
  std::vector<TypeName> names = parameter_names(signature);
  KernelSource source = kernel_source(call, names);
  Key key = make_key(kernel, source, signature, names, target);
  return {kernel, signature, std::move(names), std::move(source), target, std::move(key), want_ir};
}

// `looked_for` is how long the kernel was looked for before.
std::shared_ptr<Compilation> run_compiler(const Task& task, double looked_for) {
  auto result = std::make_shared<Compilation>();
  result->key = task.code_key.hash;
  result->entry = file_stem(task.kernel.file) + "_" + task.code_key.hash.substr(0, 12);
  if (std::isdigit(static_cast<unsigned char>(result->entry[0]))) result->entry.insert(0, "k");
  result->signature = signature_text(task.names, task.source);
  result->target = task.target;

  std::vector<cuttle_parameter> parameters;
  parameters.reserve(task.names.size());
  for (std::size_t i = 0; i < task.names.size(); ++i) {
    parameters.push_back(
        {text_of(task.names[i].device), text_of(task.names[i].short_form), task.signature.parameters[i]->size, task.signature.parameters[i]->align});
  }
  std::vector<cuttle_block> blocks;
  for (const NeededBlock& needed : task.source.blocks) {
    blocks.push_back({text_of(needed.block->text), text_of(needed.block->file), needed.block->line, text_of(needed.scope)});
  }
  cuttle_compile_request request{};
  request.abi = CUTTLE_COMPILER_ABI;
  request.target = task.target;
  request.kernel = text_of(task.kernel.text);
  request.file = text_of(task.kernel.file);
  request.line = task.kernel.line;
  request.entry = text_of(result->entry);
  request.scope = text_of(task.source.scope);
  request.constants = text_of(task.source.constants);
  request.blocks = blocks.data();
  request.block_count = blocks.size();
  request.parameters = parameters.data();
  request.parameter_count = parameters.size();
  request.want_llvm_ir = task.want_ir ? 1 : 0;

  const Progress progress(result->entry + " " + result->signature);
  const CompilerLibrary& compiler = compiler_library();
  const std::unique_ptr<cuttle_compile_result, decltype(compiler.cuttle_compile_result_free)> compiled(compiler.cuttle_compile(&request),
                                                                                                       compiler.cuttle_compile_result_free);
  const cuttle_compile_output& output = *compiler.cuttle_compile_get(compiled.get());
  const cuttle_stage_times& times = output.times;
  record(output.status == CUTTLE_COMPILE_OK ? Event::compiled : Event::failed_to_compile, result->entry, result->signature,
         {.read = looked_for, .parse = times.assemble + times.parse, .optimise = times.link + times.optimise, .lower = times.lower});
  if (output.status == CUTTLE_COMPILE_USER_ERROR) {
    auto diagnostics = diagnostics_of(output);
    const std::string text = compile_error_text(diagnostics, result->signature);
    throw CompileError(text, result->signature, std::move(diagnostics));
  }
  if (output.status != CUTTLE_COMPILE_OK) {
    throw InternalError("cuttle's compiler failed on the kernel at " + std::string(task.kernel.file) + ":" + std::to_string(task.kernel.line) + " " +
                        result->signature + ": " + string_of(output.message));
  }
  result->source = string_of(output.source);
  result->llvm_ir = string_of(output.llvm_ir);
  result->code = string_of(output.code);
  result->binary = string_of(output.object);
  result->static_shared_bytes = output.static_shared_bytes;
  result->times = output.times;
  dump(*result);
  return result;
}

CompilationPtr from_entry(Entry&& entry, const Key& key, const Task& task) {
  auto result = std::make_shared<Compilation>();
  result->key = key.hash;
  result->entry = std::move(entry.entry);
  result->signature = std::move(entry.signature);
  result->target = task.target;
  result->binary = std::move(entry.code);
  result->static_shared_bytes = entry.static_shared_bytes;
  return result;
}

CompilationPtr find_or_compile(const Task& task, const Key& key, DeviceState& device) {
  const DiskCache& disk = DiskCache::instance();
  const bool use_disk = !task.want_ir;
  codegen::Stopwatch watch;
  if (use_disk) {
    if (std::optional<Entry> entry = disk.find(key)) {
      record(Event::found_on_disk, entry->entry, entry->signature, {.read = watch.lap()});
      return from_entry(std::move(*entry), key, task);
    }
  }
  const std::shared_ptr<Compilation> result = run_compiler(task, watch.lap());
  result->key = key.hash;
  watch.lap();
  result->binary = device.link(*result);
  if (device.is_cuda()) record(Event::linked, result->entry, result->signature, {.link = watch.lap()});
  if (use_disk) {
    watch.lap();
    const bool kept = disk.publish(key, {.key_text = key.text,
                                         .entry = result->entry,
                                         .signature = result->signature,
                                         .kind = task.target.backend == CUTTLE_BACKEND_PTX ? CodeKind::cubin : CodeKind::object,
                                         .static_shared_bytes = result->static_shared_bytes,
                                         .code = result->binary});
    if (kept) record(Event::kept_on_disk, result->entry, result->signature, {.write = watch.lap()});
  }
  return result;
}

struct Table {
  std::mutex mutex;
  std::unordered_map<std::string, std::shared_future<CompilationPtr>> entries;
};

Table& table() {
  static auto* instance = new Table;  // threads may still compile while the process exits
  return *instance;
}

// The compilation of this name, made by the first thread that asks.
template <class Make>
CompilationPtr once(const std::string& name, const Make& make) {
  std::promise<CompilationPtr> promise;
  {
    std::unique_lock lock(table().mutex);
    if (const auto found = table().entries.find(name); found != table().entries.end()) {
      const std::shared_future<CompilationPtr> future = found->second;
      lock.unlock();
      CompilationPtr result = future.get();  // waits for the thread that compiles; a kernel's error is thrown to all
      record(Event::found_in_memory, result->entry, result->signature, {});
      return result;
    }
    table().entries.emplace(name, promise.get_future().share());
  }
  try {
    CompilationPtr result = make();
    promise.set_value(result);
    return result;
  } catch (const CompileError&) {
    promise.set_exception(std::current_exception());  // remembered: the same text fails the same way
    throw;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(table().mutex);
    table().entries.erase(name);  // the installation may be mended
    throw;
  }
}

}  // namespace

CompilationPtr compile(const KernelCall& call, const Signature& signature, DeviceState& device) {
  const Task task = task_for(call, signature, device.target(), !environment::dump_directory().empty());
  const Key key = key_of_binary(task.code_key, device.linker_identity());
  return once(key.text, [&] { return find_or_compile(task, key, device); });
}

CompilationPtr compile_to_read(const KernelCall& call, const Signature& signature, const cuttle_target& target) {
  const Task task = task_for(call, signature, target, /*want_ir=*/true);
  return once(task.code_key.text + "to read", [&] { return run_compiler(task, 0); });
}

}  // namespace cuttle::detail
