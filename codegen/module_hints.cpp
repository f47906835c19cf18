#include "codegen/module_hints.h"

#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticLex.h>

#include <string>
#include <string_view>

#include "codegen/hints.h"

namespace cuttle::codegen {
namespace {

constexpr std::string_view library_hint =
    "is not compiled here: build that kernel by nvcc and load it by Module::from_cubin, or write it with cooperative groups (docs/groups.md)";
constexpr std::string_view random_hint = "random numbers come from Philox4x32 rng(seed, thread, offset), which needs no header (docs/groups.md)";
constexpr std::string_view texture_hint =
    "there are no textures or surfaces here: pass a pointer and read through __ldg(), or build that kernel by nvcc and load it by Module::from_cubin";
constexpr std::string_view host_hint =
    "a module is device code: leave host code out, or between #ifndef __CUDACC_RTC__ and #endif; the host launches by module.function(\"name\")";
constexpr std::string_view managed_hint = "make it a cuttle::Managed<T> of the host, and pass its view()";
constexpr std::string_view heap_hint = "a kernel has no heap and no streams: use arrays, shared memory and printf; leave host code out";

struct Known {
  std::string_view name;  // "tex2D*": of everything that begins so
  std::string_view hint;
};

constexpr Known names[] = {
    {"cudaTextureObject_t", texture_hint},
    {"cudaSurfaceObject_t", texture_hint},
    {"texture", texture_hint},
    {"surface", texture_hint},
    {"tex1D*", texture_hint},
    {"tex2D*", texture_hint},
    {"tex3D*", texture_hint},
    {"texCubemap*", texture_hint},
    {"surf1D*", texture_hint},
    {"surf2D*", texture_hint},
    {"surf3D*", texture_hint},
    {"__managed__", managed_hint},
    {"curand*", random_hint},
    {"cub", library_hint},
    {"thrust", library_hint},
    {"cuda*", host_hint},
};

constexpr Known headers[] = {
    {"curand*", random_hint}, {"cub/*", library_hint}, {"thrust/*", library_hint}, {"cutlass/*", library_hint},
    {"cute/*", library_hint}, {"helper_*", host_hint}, {"cublas*", host_hint},     {"cufft*", host_hint},
};

// Of C++: what has no extension and no folder.
bool is_standard_header(std::string_view name) { return name.find_first_of("./") == std::string_view::npos; }

template <std::size_t N>
std::string_view hint_of(const Known (&table)[N], std::string_view name) {
  for (const Known& entry : table) {
    const bool is_beginning = entry.name.ends_with('*');
    if (is_beginning ? name.starts_with(entry.name.substr(0, entry.name.size() - 1)) : name == entry.name) return entry.hint;
  }
  return {};
}

std::string header_hint(const std::string& name) {
  const std::string_view known = hint_of(headers, name);
  if (known == library_hint) return "<" + name + "> " + std::string(known);
  if (!known.empty()) return std::string(known);
  return std::string(is_standard_header(name) ? heap_hint : "name the folder that it is in: {.include = {\"folder\"}}, SourceOptions");
}

}  // namespace

void add_module_hints(std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic& d : diagnostics) {
    if (d.severity != CUTTLE_SEVERITY_ERROR || !d.hint.empty()) continue;
    std::string name = quoted_word(d.message);
    if (name.empty()) name = d.message.substr(d.message.rfind(' ') + 1);  // Clang puts no quotes around what k<<<grid, block>>>() calls
    if (d.id == clang::diag::err_pp_file_not_found) {
      d.hint = header_hint(name);
    } else if (is_unknown_name(d.id)) {
      d.hint = hint_of(names, name);
      if (d.hint.empty()) d.hint = name_hint(name);
      if (d.hint == library_hint) d.hint = name + " " + d.hint;
      if (!d.hint.empty()) drop_suggestion(d);
    }
  }
}

}  // namespace cuttle::codegen
