#include "codegen/assemble.h"

#include <fstream>
#include <iterator>

#include "codegen/relayout.h"
#include "codegen/text_view.h"

namespace cuttle::codegen {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

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

void append_laid_text(std::string& out, std::string_view text, std::string_view file, std::uint32_t line) {
  const LaidText laid = lay_back(restore_shared(text), read_file(std::string(file)), line);
  append_line_directive(out, laid.first_line, file);
  out += laid.text;
}

// A value that differs between the two compilers would be read wrongly by the kernel: a refusal at compile time instead.
void append_layout_checks(std::string& out, const cuttle_compile_request& request) {
  for (std::size_t i = 0; i < request.parameter_count; ++i) {
    const cuttle_parameter& p = request.parameters[i];
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

// `T0 argument0, T1 argument1`, or with `declared` false only the names.
std::string parameter_list(const cuttle_compile_request& request, bool declared) {
  std::string list;
  for (std::size_t i = 0; i < request.parameter_count; ++i) {
    if (i > 0) list += ", ";
    if (declared) list += std::string(view_of(request.parameters[i].type)) + " ";
    list += "argument" + std::to_string(i);
  }
  return list;
}

// The lambda stands inside a device function, which makes it device code by itself.
void append_kernel_call(std::string& out, const cuttle_compile_request& request) {
  out += "  auto kernel = ";
  append_laid_text(out, view_of(request.kernel), view_of(request.file), request.line);
  append_line_directive(out, 1, generated_file);
  out += ";\n  kernel(" + parameter_list(request, false) + ");\n}\n";
}

void append_ptx_entry(std::string& out, const cuttle_compile_request& request) {
  out += "extern \"C\" __attribute__((global)) void " + std::string(view_of(request.entry)) + "(" + parameter_list(request, true) + ") {\n";
  append_kernel_call(out, request);
}

// One function for a thread, one for a block: the latter reads the arguments once and calls the former once, which the SIMT lowering
// (thread_loop.h) makes a call for every thread of the block.
void append_cpu_entry(std::string& out, const cuttle_compile_request& request) {
  out += "extern \"C\" __attribute__((device)) void cuttle_thread(" + parameter_list(request, true) + ") {\n";
  append_kernel_call(out, request);
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

std::string assemble(const cuttle_compile_request& request) {
  std::string out;
  out += "#pragma clang force_cuda_host_device begin\n";
  out += "using namespace cuttle::dsl;\n";
  for (std::size_t i = 0; i < request.block_count; ++i) {
    const cuttle_block& block = request.blocks[i];
    const std::size_t depth = open_scope(out, view_of(block.scope));
    append_laid_text(out, view_of(block.text), view_of(block.file), block.line);
    out += '\n' + std::string(depth, '}');
  }
  append_line_directive(out, 1, generated_file);
  append_layout_checks(out, request);

  // Captured names come first where the kernel looks names up, as template parameters do on the host.
  const std::size_t depth = open_scope(out, view_of(request.scope));
  out += "namespace cuttle_captures {\n" + std::string(view_of(request.constants));
  if (request.target.backend == CUTTLE_BACKEND_PTX) {
    append_ptx_entry(out, request);
  } else {
    append_cpu_entry(out, request);
  }
  out += std::string(depth + 1, '}') + "\n";
  out += "#pragma clang force_cuda_host_device end\n";
  return out;
}

}  // namespace cuttle::codegen
