#include "compilation.h"

#include <cctype>
#include <exception>
#include <future>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "build_id.h"
#include "compiler_library.h"
#include "counters.h"
#include "dump.h"
#include "environment.h"
#include "error_text.h"

namespace cuttle::detail {
namespace {

using CompilationPtr = std::shared_ptr<const Compilation>;

std::vector<TypeName> parameter_names(const Signature& signature) {
  std::vector<TypeName> names;
  for (std::size_t i = 0; i < signature.count; ++i) names.push_back(signature.parameters[i]->name());
  return names;
}

std::string signature_text(const std::vector<TypeName>& names) {
  std::string text = "(";
  for (const TypeName& name : names) text += (text.size() == 1 ? "" : ", ") + name.short_form;
  return text + ")";
}

// "stencil" of "/src/stencil.cpp", as an identifier: what a profiler shows.
std::string file_stem(std::string_view file) {
  file.remove_prefix(file.rfind('/') + 1);
  std::string stem(file.substr(0, file.find('.')));
  for (char& c : stem) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return stem;
}

// All that can change the code, as text: what is hashed, and what a cache entry is compared with.
std::string key_text(const KernelText& kernel, const Signature& signature, const std::vector<TypeName>& names, const cuttle_target& target,
                     bool want_ir) {
  std::string text = std::string("cuttle ") + build_id;
  const auto add = [&text](std::string_view part) {
    text += '\0';
    text += part;
  };
#define CUTTLE_ADD(field) add(#field "=" + std::to_string(target.field));
  CUTTLE_TARGET_FIELDS(CUTTLE_ADD)
#undef CUTTLE_ADD
  if (target.backend == CUTTLE_BACKEND_CPU) add(compiler_library().cuttle_compiler_host_cpu());
  if (want_ir) add("ir");
  add(file_stem(kernel.file));
  add(kernel.text);
  for (std::size_t i = 0; i < names.size(); ++i) {
    add(names[i].device);
    add(std::to_string(signature.parameters[i]->size) + "@" + std::to_string(signature.parameters[i]->align));
  }
  return text;
}

std::string hex_hash(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  char digits[33];
  std::snprintf(digits, sizeof(digits), "%016llx%016llx", static_cast<unsigned long long>(hash.high64), static_cast<unsigned long long>(hash.low64));
  return digits;
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

CompilationPtr run_compiler(const KernelText& kernel, const Signature& signature, const std::vector<TypeName>& names, const cuttle_target& target,
                            const std::string& key, bool want_ir) {
  auto result = std::make_shared<Compilation>();
  result->key = key;
  result->entry = file_stem(kernel.file) + "_" + key.substr(0, 12);
  if (std::isdigit(static_cast<unsigned char>(result->entry[0]))) result->entry.insert(0, "k");
  result->signature = signature_text(names);

  std::vector<cuttle_parameter> parameters;
  for (std::size_t i = 0; i < names.size(); ++i) {
    parameters.push_back({text_of(names[i].device), text_of(names[i].short_form), signature.parameters[i]->size, signature.parameters[i]->align});
  }
  cuttle_compile_request request{};
  request.abi = CUTTLE_COMPILER_ABI;
  request.target = target;
  request.kernel = text_of(kernel.text);
  request.file = text_of(kernel.file);
  request.line = kernel.line;
  request.entry = text_of(result->entry);
  request.parameters = parameters.data();
  request.parameter_count = parameters.size();
  request.want_llvm_ir = want_ir ? 1 : 0;

  const CompilerLibrary& compiler = compiler_library();
  const std::unique_ptr<cuttle_compile_result, decltype(compiler.cuttle_compile_result_free)> compiled(compiler.cuttle_compile(&request),
                                                                                                       compiler.cuttle_compile_result_free);
  counters.compilations.fetch_add(1, std::memory_order_relaxed);
  const cuttle_compile_output& output = *compiler.cuttle_compile_get(compiled.get());
  if (output.status == CUTTLE_COMPILE_USER_ERROR) {
    auto diagnostics = diagnostics_of(output);
    const std::string text = compile_error_text(diagnostics, result->signature);
    throw CompileError(text, result->signature, std::move(diagnostics));
  }
  if (output.status != CUTTLE_COMPILE_OK) {
    throw InternalError("cuttle's compiler failed on the kernel at " + std::string(kernel.file) + ":" + std::to_string(kernel.line) + " " +
                        result->signature + ": " + string_of(output.message));
  }
  result->source = string_of(output.source);
  result->llvm_ir = string_of(output.llvm_ir);
  result->code = string_of(output.code);
  result->object = string_of(output.object);
  result->static_shared_bytes = output.static_shared_bytes;
  result->times = output.times;
  dump(*result);
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

}  // namespace

std::shared_ptr<const Compilation> compile(const KernelText& kernel, const Signature& signature, const cuttle_target& target, bool want_ir) {
  want_ir = want_ir || !environment::dump_directory().empty();
  const std::vector<TypeName> names = parameter_names(signature);
  const std::string key = hex_hash(key_text(kernel, signature, names, target, want_ir));

  std::promise<CompilationPtr> promise;
  {
    std::unique_lock lock(table().mutex);
    if (const auto found = table().entries.find(key); found != table().entries.end()) {
      const std::shared_future<CompilationPtr> future = found->second;
      lock.unlock();
      counters.memory_hits.fetch_add(1, std::memory_order_relaxed);
      return future.get();  // waits for the thread that compiles; a kernel's error is thrown to all
    }
    table().entries.emplace(key, promise.get_future().share());
  }
  try {
    CompilationPtr result = run_compiler(kernel, signature, names, target, key, want_ir);
    promise.set_value(result);
    return result;
  } catch (const CompileError&) {
    promise.set_exception(std::current_exception());  // remembered: the same text fails the same way
    throw;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(table().mutex);
    table().entries.erase(key);  // the installation may be mended
    throw;
  }
}

}  // namespace cuttle::detail
