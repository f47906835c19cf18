#include "compilation.h"

#include <cctype>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "class_layout.h"
#include "compiler_run.h"
#include "cuttle/error.hpp"
#include "environment.h"
#include "error_text.h"
#include "events.h"
#include "fork_gate.h"
#include "kernel_source.h"
#include "key.h"
#include "stored_code.h"

namespace cuttle::detail {
namespace {

using CompilationPtr = std::shared_ptr<const Compilation>;

std::vector<TypeName> parameter_names(const Signature& signature, const void* const* arguments) {
  std::vector<TypeName> names;
  names.reserve(signature.count);
  for (std::size_t i = 0; i < signature.count; ++i) {
    const TypeInfo& type = *signature.parameters[i];
    names.push_back(type.constant_of ? constant_name(*type.constant_of, arguments[i]) : type.name());
  }
  return names;
}

// "fast_math, max_registers = 32": what is not as usual.
std::string options_text(const Options& options) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (options.fast_math) add("fast_math");
  if (!options.contract) add("no contract");
  if (options.flush_denormals) add("flush_denormals");
  if (options.launch_bounds.max_threads) add("max_threads = " + std::to_string(options.launch_bounds.max_threads));
  if (options.launch_bounds.min_blocks) add("min_blocks = " + std::to_string(options.launch_bounds.min_blocks));
  if (options.max_registers) add("max_registers = " + std::to_string(options.max_registers));
  if (options.line_info) add("line_info");
  if (options.check) add("check");
  return text;
}

// "(view<f32>, u32) with TILE = 16 [fast_math]"
std::string signature_text(const std::vector<TypeName>& names, const KernelSource& source, const Options& options) {
  std::string text = "(";
  for (const TypeName& name : names) text += (text.size() == 1 ? "" : ", ") + name.short_form;
  text += ')';
  if (!source.captured.empty()) text += " with " + source.captured;
  const std::string choices = options_text(options);
  return choices.empty() ? text : text + " [" + choices + "]";
}

cuttle_text text_of(std::string_view text) { return {text.data(), text.size()}; }

// The target with the call's own choices.
cuttle_target with_choices(cuttle_target target, const KernelCall& call) {
  const Options& options = call.options;
  target.contract = options.contract;
  target.fast_math = options.fast_math;
  target.flush_denormals = options.flush_denormals || options.fast_math;
  target.max_threads = options.launch_bounds.max_threads;
  target.min_blocks = options.launch_bounds.min_blocks;
  target.max_registers = options.max_registers;
  target.check = options.check || environment::check_is_on();
  target.line_info = options.line_info || target.check;
  target.facts = target.check ? 0 : call.facts & (target.backend == CUTTLE_BACKEND_CPU ? cpu_facts : gpu_facts);
  return target;
}

// What the entry point's name begins with.
std::string title_of(const KernelCall& call) {
  const std::string title = call.options.name.view().empty() ? file_stem(call.kernel.text.file) : as_identifier(call.options.name.view());
  return std::isdigit(static_cast<unsigned char>(title[0])) ? "k" + title : title;
}

struct Task {
  const KernelText& kernel;
  const Signature& signature;
  const Options& options;
  std::string title;
  std::vector<TypeName> names;
  KernelSource source;
  cuttle_target target;
  Key code_key;
  bool want_ir;
};

Task task_for(const KernelCall& call, const Signature& signature, const cuttle_target& device_target, bool want_ir) {
  const KernelText& kernel = call.kernel.text;
  const cuttle_target target = with_choices(device_target, call);
  std::string title = title_of(call);
  std::vector<TypeName> names = parameter_names(signature, call.arguments);
  KernelSource source = kernel_source(call, names);
  Key key = make_key(kernel, title, source, signature, names, target);
  return {kernel, signature, call.options, std::move(title), std::move(names), std::move(source), target, std::move(key), want_ir};
}

// A type as the compiler library is told of it; `classes` keeps what is borrowed.
cuttle_parameter described(const TypeInfo& type, const TypeName& name, std::deque<ClassLayout>& classes) {
  const ClassLayout& layout = classes.emplace_back(class_layout(type));
  return {text_of(name.device),  text_of(name.short_form), type.size, type.align, layout.size, layout.align,
          layout.members.data(), layout.members.size()};
}

std::shared_ptr<Compilation> run_compiler(const Task& task) {
  auto result = std::make_shared<Compilation>();
  result->key = task.code_key.hash;
  result->entry = task.title + "_" + task.code_key.hash.substr(0, 12);
  result->signature = signature_text(task.names, task.source, task.options);
  result->target = task.target;

  std::vector<cuttle_parameter> parameters, captures;
  std::deque<ClassLayout> classes;
  for (std::size_t i = 0; i < task.names.size(); ++i) parameters.push_back(described(*task.signature.parameters[i], task.names[i], classes));
  for (const CapturedValue& value : task.source.values) captures.push_back(described(*value.type, value.type_name, classes));
  std::vector<cuttle_block> blocks;
  for (const NeededBlock& needed : task.source.blocks) {
    blocks.push_back({text_of(needed.text), text_of(needed.file), needed.line, text_of(needed.scope), needed.is_header ? 1u : 0u});
  }
  cuttle_compile_request request{};
  request.target = task.target;
  request.kernel = text_of(task.kernel.text);
  request.file = text_of(task.kernel.file);
  request.line = task.kernel.line;
  request.entry = text_of(result->entry);
  request.scope = text_of(task.source.scope);
  request.constants = text_of(task.source.constants);
  request.captures = captures.data();
  request.capture_count = captures.size();
  request.blocks = blocks.data();
  request.block_count = blocks.size();
  request.parameters = parameters.data();
  request.parameter_count = parameters.size();
  request.want_llvm_ir = task.want_ir ? 1 : 0;
  run_compiler_library(*result, request, "the kernel at " + place_in_source(task.kernel),
                       compile_error_headline(task.kernel, task.names, task.source.captured));
  return result;
}

// PTX that was made ahead of time, for the architecture and no particular driver.
std::shared_ptr<Compilation> find_ptx(const Task& task) {
  cuttle_target target = task.target;
  target.ptx = 0;
  return find_stored(make_key(task.kernel, task.title, task.source, task.signature, task.names, target), task.target);
}

Key key_on(const Task& task, const DeviceState& device) { return key_of_binary(task.code_key, device.linker_identity()); }

// What is kept for the task: the binary, or PTX that was made ahead of time.
CompilationPtr find_kept(const Task& task, DeviceState& device) {
  const Key key = key_on(task, device);
  if (CompilationPtr found = find_stored(key, task.target)) return found;
  std::shared_ptr<Compilation> ptx = device.is_cuda() ? find_ptx(task) : nullptr;
  return ptx ? link_and_store(std::move(ptx), key, device, /*keep=*/true) : nullptr;
}

// The task for all arguments of its types.
Task without_facts(Task task) {
  task.target.facts = 0;
  task.code_key = make_key(task.kernel, task.title, task.source, task.signature, task.names, task.target);
  return task;
}

CompilationPtr find_or_compile(const Task& task, DeviceState& device) {
  const bool use_cache = !task.want_ir;
  if (use_cache) {
    if (CompilationPtr found = find_kept(task, device)) return found;
    // Who compiled from types alone, ahead of all calls, does not want to wait for a better compilation in one.
    CompilationPtr found = task.target.facts ? find_kept(without_facts(task), device) : nullptr;
    if (found) return found;
  }
  std::shared_ptr<Compilation> result;
  {
    const std::future<void> linker = device.start_linker();  // while the compiler runs
    result = run_compiler(task);
  }
  return link_and_store(std::move(result), key_on(task, device), device, use_cache);
}

CompilationPtr find_or_compile_ahead(const Task& task) {
  if (CompilationPtr found = find_stored(task.code_key, task.target)) return found;
  const CompilationPtr result = run_compiler(task);
  store(task.code_key, task.target.backend == CUTTLE_BACKEND_PTX ? CodeKind::ptx : CodeKind::object, *result);
  return result;
}

// A compilation, and where the kernel stands that it was made for.
struct Made {
  std::shared_future<CompilationPtr> compilation;
  std::string place;
};

struct Table {
  std::mutex mutex;
  std::unordered_map<std::string, Made> entries;
};

Table& table() {
  static auto* instance = new Table;  // threads may still compile while the process exits
  return *instance;
}

// The compilation of this name, made by the first thread that asks. Code is shared by all places with the same text; an error, whose diagnostics
// point at a place, is remembered for that place.
template <class Make>
CompilationPtr once(const std::string& name, const std::string& place, const Make& make) {
  const std::string name_of_error = name + '\0' + place;
  std::promise<CompilationPtr> promise;
  const Made made{promise.get_future().share(), place};
  auto& entries = table().entries;
  for (;;) {
    std::unique_lock lock(table().mutex);
    auto found = entries.find(name_of_error);
    if (found == entries.end()) found = entries.find(name);
    if (found == entries.end()) {
      entries.emplace(name, made);
      break;
    }
    const Made other = found->second;
    lock.unlock();
    try {
      CompilationPtr result = other.compilation.get();  // waits for the thread that compiles
      record(Event::found_in_memory, result->entry, result->signature, {});
      return result;
    } catch (const CompileError&) {
      if (other.place == place) throw;
    }
  }
  try {
    CompilationPtr result = make();
    promise.set_value(result);
    return result;
  } catch (const CompileError&) {
    {
      const std::lock_guard lock(table().mutex);
      entries.erase(name);
      entries.emplace(name_of_error, made);
    }
    promise.set_exception(std::current_exception());
    throw;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(table().mutex);
    entries.erase(name);  // the installation may be mended
    throw;
  }
}

}  // namespace

cuttle_target target_of(Architecture architecture) {
  cuttle_target target{};
  target.backend = architecture.sm == 0 ? CUTTLE_BACKEND_CPU : CUTTLE_BACKEND_PTX;
  target.sm = static_cast<std::uint32_t>(architecture.sm);
  target.sm_suffix = static_cast<std::uint32_t>(architecture.suffix);
  target.ptx = static_cast<std::uint32_t>(architecture.ptx);
  target.contract = 1;
  return target;
}

CompilationPtr compile(const KernelCall& call, const Signature& signature, DeviceState& device) {
  const Task task = task_for(call, signature, device.target(), !environment::dump_directory().empty());
  return once(key_on(task, device).text, place_in_source(call.kernel.text), [&] { return find_or_compile(task, device); });
}

CompilationPtr compile_ahead(const KernelCall& call, const Signature& signature, const cuttle_target& target) {
  const ForkGate gate;
  const Task task = task_for(call, signature, target, /*want_ir=*/false);
  const auto compile_once = [&](const Task& each) {
    return once(each.code_key.text + "ahead", place_in_source(call.kernel.text), [&] { return find_or_compile_ahead(each); });
  };
  // A machine without a compiler has to find code for every call.
  if (task.target.facts) static_cast<void>(compile_once(without_facts(task)));
  return compile_once(task);
}

CompilationPtr compile_to_read(const KernelCall& call, const Signature& signature, const cuttle_target& target) {
  const ForkGate gate;
  const Task task = task_for(call, signature, target, /*want_ir=*/true);
  return once(task.code_key.text + "to read", place_in_source(call.kernel.text), [&] { return run_compiler(task); });
}

}  // namespace cuttle::detail
