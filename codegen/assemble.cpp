#include "codegen/assemble.h"

#include <algorithm>

#include "codegen/read_file.h"
#include "codegen/relayout.h"
#include "codegen/text_view.h"
#include "dsl/include/cuttle/dsl/facts.hpp"
#include "dsl/include/cuttle/dsl/parameters.hpp"

namespace cuttle::codegen {
namespace {

// The captured text has the host's expansion of __shared__ (dsl/include/cuttle/dsl/capture.hpp): the user's word again, before the text is
// laid back on the file, which has it too.
std::string restore_shared(std::string_view text) {
  constexpr std::string_view mark = "__attribute__((tls_model(\"local-dynamic\"))) thread_local";
  std::string restored;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark)) {
    restored.append(text.substr(0, at)).append("__shared__");
    text.remove_prefix(at + mark.size());
  }
  return restored.append(text);
}

void append_laid_text(Unit& unit, std::string_view text, std::string_view file, std::uint32_t line, bool is_kernel) {
  const LaidText laid = lay_back(restore_shared(text), read_file(std::string(file)), line);
  append_line_directive(unit.source, laid.first_line, file);
  unit.source += laid.text;
  const auto breaks = static_cast<std::uint32_t>(std::count(laid.text.begin(), laid.text.end(), '\n'));
  unit.texts.push_back({std::string(file), laid.first_line, laid.first_line + breaks, is_kernel, laid.from_file});
}

void append_header(Unit& unit, const cuttle_block& block) {
  const std::string_view text = view_of(block.text);
  append_line_directive(unit.source, block.line, view_of(block.file));
  unit.source += text;
  const auto breaks = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
  unit.texts.push_back({std::string(view_of(block.file)), block.line, block.line + breaks, /*is_kernel=*/false, /*from_file=*/true});
}

// Headers may ask who reads them, and for which architecture: the PCH knows only its own.
void append_macros_of_headers(std::string& out, const cuttle_compile_request& request) {
  const cuttle_block* end = request.blocks + request.block_count;
  if (std::none_of(request.blocks, end, [](const cuttle_block& block) { return block.is_header != 0; })) return;
  out += "#define CUTTLE_DEVICE_CODE 1\n#undef __CUDA_ARCH__\n";
  if (request.target.backend == CUTTLE_BACKEND_PTX) out += "#define __CUDA_ARCH__ " + std::to_string(request.target.sm * 10) + "\n";
}

// A value that differs between the two compilers would be read wrongly by the kernel: a refusal at compile time instead. Of classes layouts.h says
// which member it is.
void append_layout_checks(std::string& out, const cuttle_compile_request& request) {
  for (std::size_t i = 0; i < request.parameter_count; ++i) {
    const cuttle_parameter& p = request.parameters[i];
    if (p.class_size > 0) continue;
    const std::string type(view_of(p.type));
    out += "static_assert(sizeof(" + type + ") == " + std::to_string(p.size) + " && alignof(" + type + ") == " + std::to_string(p.align) +
           ", \"the host compiler lays out " + std::string(view_of(p.short_type)) + " differently\");\n";
  }
}

// Opens the namespaces of a scope ("sim/detail/"); their number.
std::size_t open_scope(std::string& out, std::string_view scope) {
  std::size_t depth = 0;
  while (!scope.empty()) {
    const std::size_t slash = scope.find('/');
    out += "namespace " + std::string(scope.substr(0, slash)) + " {";
    scope.remove_prefix(slash + 1);
    ++depth;
  }
  return depth;
}

bool is_strided_view(const cuttle_parameter& parameter) { return is_view(parameter) && view_of(parameter.type).ends_with("cuttle::strided>"); }

std::string argument_name(std::size_t i) { return "argument" + std::to_string(i); }

// `T0 argument0, T1 argument1`
std::string parameter_list(const cuttle_compile_request& request) {
  std::string list;
  for (std::size_t i = 0; i < request.parameter_count; ++i) {
    list += (i > 0 ? ", " : "") + std::string(view_of(request.parameters[i].type)) + " " + argument_name(i);
  }
  return list;
}

// The parameters' names, or those of what stands in their place with what is known of the arguments, which is declared in `out`. An array's view for
// `auto* y`: who calls through a cuttle::Kernel does not know that the lambda takes a pointer.
std::string argument_list(std::string& out, const cuttle_compile_request& request) {
  const detail::ParameterList written = detail::ParameterReader(std::string(view_of(request.kernel)).c_str()).read();
  std::string list;
  for (std::size_t i = 0; i < request.parameter_count; ++i) {
    std::string name = argument_name(i);
    if ((request.target.facts & detail::unit_inner_stride) && is_strided_view(request.parameters[i])) {
      out += "  auto known" + std::to_string(i) + " = cuttle::detail::with_unit_inner_stride(" + name + ");\n";
      name = "known" + std::to_string(i);
    }
    const bool is_pointer = i < written.count && written.kinds[i] == detail::ParameterKind::pointer;
    if (is_pointer && is_view(request.parameters[i]) && !is_strided_view(request.parameters[i])) name += ".data()";
    list += (i > 0 ? ", " : "") + name;
  }
  return list;
}

// Views compare their indices; what the comparison calls is codegen/check.cpp's on the CPU device.
void append_checks(std::string& out, std::uint32_t backend) {
  out += "template <class T> inline constexpr bool cuttle::detail::checks_views<T*> = true;\n";
  if (backend != CUTTLE_BACKEND_PTX) return;
  out +=
      "extern \"C\" __attribute__((device, noinline)) void cuttle_check_view_index(const void*, long long index, long long extent, int dimension, "
      "const char* file, unsigned line) {\n  cuttle::device::check_index(index, extent, dimension, file, line);\n}\n";
}

// The lambda stands inside a device function, which makes it device code by itself.
void append_kernel_call(Unit& unit, const cuttle_compile_request& request) {
  const std::string arguments = argument_list(unit.source, request);
  unit.source += "  auto kernel = ";
  append_laid_text(unit, view_of(request.kernel), view_of(request.file), request.line, /*is_kernel=*/true);
  append_line_directive(unit.source, 1, generated_file);
  unit.source += ";\n  kernel(" + arguments + ");\n}\n";
}

void append_ptx_entry(Unit& unit, const cuttle_compile_request& request) {
  unit.kernel_function = view_of(request.entry);
  unit.source += "extern \"C\" __attribute__((global)) void " + unit.kernel_function + "(" + parameter_list(request) + ") {\n";
  append_kernel_call(unit, request);
}

// One function for a thread, one for a block: the latter reads the arguments once and calls the former once, which the SIMT lowering
// (thread_loop.h) makes a call for every thread of the block.
void append_cpu_entry(Unit& unit, const cuttle_compile_request& request) {
  std::string& out = unit.source;
  unit.kernel_function = "cuttle_thread";
  out += "extern \"C\" __attribute__((device)) void cuttle_thread(" + parameter_list(request) + ") {\n";
  append_kernel_call(unit, request);
  out += "extern \"C\" __attribute__((device)) void " + std::string(view_of(request.entry)) + "(const cuttle::cpu::BlockContext* block) {\n";
  out += "  cuttle_thread(";
  for (std::size_t i = 0; i < request.parameter_count; ++i) {
    // East const: a pointer's own, not its elements'.
    out += (i == 0 ? "*static_cast<" : ", *static_cast<") + std::string(view_of(request.parameters[i].type)) + " const*>(block->arguments[" +
           std::to_string(i) + "])";
  }
  out += ");\n}\n";
}

}  // namespace

void append_line_directive(std::string& out, std::uint32_t line, std::string_view file) {
  out += "\n#line " + std::to_string(line) + " \"";
  for (const char c : file) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += "\"\n";
}

bool is_view(const cuttle_parameter& parameter) { return view_of(parameter.type).starts_with("cuttle::view<"); }

Unit assemble(const cuttle_compile_request& request) {
  Unit unit;
  std::string& out = unit.source;
  out += "#pragma clang force_cuda_host_device begin\n";
  out += "using namespace cuttle::dsl;\n";
  if (request.target.check) append_checks(out, request.target.backend);
  if (request.target.facts & detail::short_offsets) out += "template <class T> inline constexpr bool cuttle::detail::has_short_offsets<T*> = true;\n";
  append_macros_of_headers(out, request);
  for (std::size_t i = 0; i < request.block_count; ++i) {
    const cuttle_block& block = request.blocks[i];
    const std::size_t depth = open_scope(out, view_of(block.scope));
    if (block.is_header) {
      append_header(unit, block);
    } else {
      append_laid_text(unit, view_of(block.text), view_of(block.file), block.line, /*is_kernel=*/false);
    }
    out += '\n' + std::string(depth, '}');
  }
  append_line_directive(out, 1, generated_file);
  append_layout_checks(out, request);

  // Captured names come first where the kernel looks names up, as template parameters do on the host.
  const std::size_t depth = open_scope(out, view_of(request.scope));
  out += "namespace cuttle_captures {\n" + std::string(view_of(request.constants));
  if (request.target.backend == CUTTLE_BACKEND_PTX) {
    append_ptx_entry(unit, request);
  } else {
    append_cpu_entry(unit, request);
  }
  out += std::string(depth + 1, '}') + "\n";
  out += "#pragma clang force_cuda_host_device end\n";
  return unit;
}

}  // namespace cuttle::codegen
