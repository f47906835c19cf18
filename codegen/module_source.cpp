#include "codegen/module_source.h"

#include "codegen/assemble.h"
#include "codegen/text_view.h"
#include "dsl/text/known_headers.h"

namespace cuttle::codegen {
namespace {

// The user's names come before the vocabulary's: a kernel named `reduce` is none of cuttle::dsl. Inline, so that ::name means them too.
constexpr std::string_view open_user_scope = "inline namespace cuttle_module {\n";

// The architecture that the text may ask for; on the CPU device, which has no inline PTX, the oldest with atomics on double.
std::uint32_t cuda_arch(const cuttle_target& target) { return target.backend == CUTTLE_BACKEND_PTX ? target.sm * 10 : 600; }

// "N=4" as "#define N 4".
void append_define(std::string& out, std::string_view define) {
  const std::size_t equals = define.find('=');
  out += "#define " + std::string(define.substr(0, equals)) + " " +
         (equals == std::string_view::npos ? "1" : std::string(define.substr(equals + 1))) + "\n";
}

}  // namespace

std::string assemble_module(const cuttle_module_request& request, const cuttle_target& target) {
  std::string out;
  // The precompiled prelude was made for one architecture.
  out += "#undef __CUDA_ARCH__\n#define __CUDA_ARCH__ " + std::to_string(cuda_arch(target)) + "\n#define __CUDACC__ 1\n#define __CUDACC_RTC__ 1\n";
  out += text::implicit_header();
  append_line_directive(out, 1, "<define>");
  for (std::size_t i = 0; i < request.define_count; ++i) append_define(out, view_of(request.defines[i]));
  append_line_directive(out, 1, generated_file);
  out += "#pragma clang force_cuda_host_device begin\nusing namespace cuttle::dsl;\n";
  out += open_user_scope;
  append_line_directive(out, 1, view_of(request.name));
  out += view_of(request.source);
  append_line_directive(out, 1, generated_file);
  out += "}\n#pragma clang force_cuda_host_device end\n";
  out += open_user_scope;
  for (std::size_t i = 0; i < request.kernel_count; ++i) {
    append_line_directive(out, 1, view_of(request.kernels[i]));
    out += "__attribute__((device)) constexpr auto " + std::string(instance_prefix) + std::to_string(i) + " = &" +
           std::string(view_of(request.kernels[i])) + ";\n";
  }
  append_line_directive(out, 1, generated_file);
  out += "}\n";
  return out;
}

std::string cpu_entries(std::span<const CpuEntry> entries) {
  std::string out(open_user_scope);
  for (const CpuEntry& entry : entries) {
    out += "extern \"C\" __attribute__((device)) void " + entry.name + "(const cuttle::cpu::BlockContext* block) { cuttle::cpu::call_kernel<" +
           entry.expression + ">(block); }\n";
  }
  return out + "}\n";
}

}  // namespace cuttle::codegen
