#include "cuttle/module.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "cuttle/error.hpp"
#include "dsl/text/module_symbols.h"
#include "dsl/text/tokens.h"
#include "file.h"
#include "fork_gate.h"
#include "function_arguments.h"
#include "key.h"
#include "launched.h"
#include "module_source.h"

namespace cuttle {
namespace detail {

struct FunctionState {
  std::string name;
  DeviceState& device;
  std::unique_ptr<const Executable> executable;
  std::optional<std::vector<text::ParameterSymbol>> parameters;  // of a source
  std::optional<std::vector<std::size_t>> sizes;                 // of PTX and cubins, where the driver tells
  // What a launch hands on, for a graph that copies it.
  std::vector<TypeInfo> types;
  std::vector<const TypeInfo*> type_pointers;
};

struct ModuleState {
  DeviceState& device;
  void* module;
  std::string name;                            // for messages
  std::optional<text::ModuleSymbols> symbols;  // of a source
  std::string source;                          // for messages; empty of PTX and cubins
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<FunctionState>> functions;  // by symbol
};

namespace {

// Modules of this process: none is ever unloaded, since its kernels may be running or recorded in a graph.
ModuleState& add_module(DeviceState& device, const std::string& binary, const std::string& name,
                        std::optional<text::ModuleSymbols> symbols = std::nullopt, const std::string& source = {}) {
  const ForkGate gate;
  static std::mutex mutex;
  static auto* modules = new std::vector<std::unique_ptr<ModuleState>>;
  void* module = device.load_module(binary, name);
  const std::lock_guard lock(mutex);
  modules->push_back(std::unique_ptr<ModuleState>(new ModuleState{device, module, name, std::move(symbols), source, {}, {}}));
  return *modules->back();
}

DeviceState& gpu_for(const char* what) {
  DeviceState& device = current_device();
  if (!device.is_cuda()) throw Error(std::string(what) + " was given, which only a GPU runs; the CPU device takes modules from source.");
  return device;
}

TypeInfo type_of(std::size_t size, std::size_t align, Window window) {
  return {.size = size,
          .align = align,
          .name = nullptr,
          .scalar = Scalar::none,
          .window = window,
          .dimensions = 0,
          .read_only = false,
          .element = nullptr,
          .constant_of = nullptr,
          .members = nullptr};
}

std::unique_ptr<FunctionState> make_function(const ModuleState& module, const std::string& name, const text::KernelSymbol* kernel) {
  FunctionName wanted{.symbol = kernel ? kernel->symbol : name, .title = name + " of " + module.name};
  if (kernel) wanted.static_shared_bytes = kernel->static_shared_bytes;
  auto executable = module.device.find_function(module.module, wanted);
  if (!executable) return nullptr;
  std::unique_ptr<FunctionState> function(new FunctionState{name, module.device, std::move(executable), {}, {}, {}, {}});
  if (kernel) {
    function->parameters = kernel->parameters;
    for (const text::ParameterSymbol& parameter : kernel->parameters) {
      const text::SymbolType& type = parameter.type;
      function->types.push_back(type_of(type.size, type.align, type.is_pointer ? Window::pointer : Window::none));
    }
  } else if ((function->sizes = module.device.parameter_sizes(*function->executable))) {
    for (const std::size_t size : *function->sizes) function->types.push_back(type_of(size, 1, Window::none));
  }
  for (const TypeInfo& type : function->types) function->type_pointers.push_back(&type);
  return function;
}

// "scale<float,4>" and "scale< float, 4 >" are one name.
const text::KernelSymbol* find_kernel(const ModuleState& module, const std::string& name) {
  const text::KernelSymbol* found = nullptr;
  for (const text::KernelSymbol& kernel : module.symbols->kernels) {
    if (text_without_layout(kernel.name) != text_without_layout(name)) continue;
    if (found) throw Error(module.name + " has several kernels of the name " + name + "; give them different ones.");
    found = &kernel;
  }
  return found;
}

[[noreturn]] void refuse_name(const ModuleState& module, const std::string& what, const std::string& name, const std::vector<std::string>& names,
                              const std::string& advice) {
  std::string message = module.name + " has no " + what + " " + name + ".";
  if (module.symbols) {
    std::string list;
    for (const std::string& other : names) list += (list.empty() ? " It has " : ", ") + other;
    message += list.empty() ? "" : list + ".";
    message += advice;
  }
  throw Error(message);
}

// Why there is no kernel of that name in a source, where it shows.
std::string why_no_kernel(const ModuleState& module, const std::string& name) {
  if (module.symbols->kernels.empty()) return " It has none: a kernel is a function that is declared __global__.";
  if (name.find('<') != std::string::npos) {
    return " An instance of a template is named when the module is made: {.kernels = {\"" + name + "\"}}.";
  }
  const std::vector<text::Token> tokens = text::tokenize(module.source);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text == name && tokens[i + 1].text == "(") return " Its function " + name + " is not declared __global__, as a kernel is.";
  }
  return {};
}

}  // namespace

void launch_function(const FunctionState& function, const FunctionLaunch& launch, const Signature& given, const void* const* values,
                     std::uint64_t* scalars, const void** pointers) {
  const Place place = place_of(launch.configuration.stream);
  if (&place.device != &function.device) {
    throw LaunchError("kernel " + function.name + " of a module on " + function.device.name() + " was launched on " + place.device.name() +
                      "; make the module with that device current, or launch under Use(module.device()).");
  }
  if (function.parameters) {
    convert_to_parameters(function.name, *function.parameters, given, values, scalars, pointers);
  } else {
    if (function.sizes) check_sizes(function.name, *function.sizes, given);
    std::copy_n(values, given.count, pointers);
  }
  const Launched kernel{function.device, *function.executable, function.device.limits().threads};
  const Signature signature{function.type_pointers.data(), function.type_pointers.size(), 0};
  if (launch.is_over) {
    launch_checked(kernel, configuration_over(kernel, launch.configuration.grid), place.stream, signature, pointers);
  } else {
    launch_checked(kernel, launch.configuration, place.stream, signature, pointers);
  }
}

Variable find_variable(const ModuleState& module, const std::string& name, const TypeInfo& element) {
  const text::VariableSymbol* variable = nullptr;
  std::vector<std::string> names;
  if (module.symbols) {
    for (const text::VariableSymbol& candidate : module.symbols->variables) {
      names.push_back(candidate.name);
      if (candidate.name == name) variable = &candidate;
    }
  }
  const MemoryRange range =
      module.symbols && !variable ? MemoryRange{} : module.device.find_variable(module.module, variable ? variable->symbol : name);
  if (!range.data) refuse_name(module, "variable", name, names, variable ? " No kernel uses this one, so that it was left out." : "");
  const bool are_numbers = variable && variable->type.element != Scalar::none && element.scalar != Scalar::none;
  const bool fits = are_numbers ? variable->type.element == element.scalar : range.bytes % element.size == 0;
  if (!fits) {
    throw Error("variable " + name + " of " + module.name + " is " + (variable ? variable->type.spelling : std::to_string(range.bytes) + " bytes") +
                " and was asked for as " + element.name().short_form + ".");
  }
  return {range.data, range.bytes};
}

}  // namespace detail

Module Module::from_source(const std::string& text, const SourceOptions& options) {
  const detail::ForkGate gate;
  detail::DeviceState& device = detail::current_device();
  const auto compilation = detail::compile(detail::ModuleSource(text, options), device);
  auto symbols = text::decode_symbols(compilation->symbols);
  if (!symbols) throw InternalError("the symbols of " + options.name + " in the cache cannot be read");
  return Module(detail::add_module(device, compilation->binary, options.name, std::move(symbols), text));
}

Module Module::from_ptx(const std::string& text) {
  detail::DeviceState& device = detail::gpu_for("PTX");
  detail::Compilation compilation;
  compilation.entry = "module";
  compilation.target = device.target();
  compilation.code = text;
  return Module(detail::add_module(device, device.link(compilation), "the PTX module"));
}

Module Module::from_cubin(const std::string& bytes) { return Module(detail::add_module(detail::gpu_for("a cubin"), bytes, "the cubin")); }

Module Module::from_file(const std::string& path, SourceOptions options) {
  const std::filesystem::path file(path);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) throw Error("there is no file " + path + " to make a module of.");
  const std::string text = detail::read_file(path);
  if (file.extension() == ".ptx") return from_ptx(text);
  if (file.extension() == ".cubin" || file.extension() == ".fatbin") return from_cubin(text);
  options.name = path;
  options.include.insert(options.include.begin(), file.has_parent_path() ? file.parent_path().string() : ".");
  return from_source(text, options);
}

Function Module::function(const std::string& name) const {
  detail::ModuleState& module = *state_;
  const text::KernelSymbol* kernel = module.symbols ? detail::find_kernel(module, name) : nullptr;
  if (module.symbols && !kernel) detail::refuse_name(module, "kernel", name, kernels(), detail::why_no_kernel(module, name));
  const detail::ForkGate gate;
  const std::lock_guard lock(module.mutex);
  std::unique_ptr<detail::FunctionState>& function = module.functions[kernel ? kernel->symbol : name];
  if (!function) function = detail::make_function(module, name, kernel);
  if (!function) detail::refuse_name(module, "kernel", name, {}, "");
  return Function(*function);
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  if (state_->symbols) {
    for (const text::KernelSymbol& kernel : state_->symbols->kernels) names.push_back(kernel.name);
  }
  return names;
}

const std::string& Module::compile_log() const {
  static const std::string none;
  return state_->symbols ? state_->symbols->log : none;
}

Device Module::device() const { return Device(state_->device); }

const std::string& Function::name() const { return state_->name; }

FunctionAttributes Function::attributes() const {
  const detail::DeviceState& device = state_->device;
  if (!device.is_cuda()) return {0, state_->executable->static_shared_bytes, 0, 0, static_cast<int>(device.limits().threads), 0, 0};
  const detail::Resources resources = device.resources(*state_->executable);
  return {resources.registers,   resources.static_shared_bytes, resources.local_bytes,   resources.constant_bytes,
          resources.max_threads, resources.ptx_version,         resources.binary_version};
}

}  // namespace cuttle
