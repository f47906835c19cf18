#include "codegen/hints.h"

#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticSema.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <vector>

#include "codegen/find_declaration.h"
#include "codegen/text_view.h"
#include "dsl/text/tokens.h"

namespace cuttle::codegen {
namespace {

namespace diag = clang::diag;
using text::Token;

template <std::size_t N>
bool is_any(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool is_unknown_member(unsigned id) {
  switch (id) {
    case diag::err_no_member:
    case diag::err_no_member_suggest:
    case diag::err_no_member_template:
    case diag::err_no_member_template_suggest:
    case diag::err_typename_nested_not_found:
    case diag::err_unknown_nested_typename_suggest:
      return true;
    default:
      return false;
  }
}

// ---- names that only the host has ----------------------------------------------------------------------------------------------------

constexpr std::string_view streams[] = {"cout",          "cerr",         "clog",   "cin",   "endl",   "ostream",
                                        "ostringstream", "stringstream", "format", "print", "println"};
constexpr std::string_view containers[] = {"vector", "string", "map", "set", "unordered_map", "unordered_set", "list", "deque", "queue", "stack"};
constexpr std::string_view algorithms[] = {
    "shuffle",   "sample",   "next_permutation", "prev_permutation", "stable_partition", "partial_sort", "inplace_merge", "make_heap",
    "push_heap", "pop_heap", "sort_heap",        "is_permutation",   "find_end",         "for_each_n"};  // less what dsl/device/std_algorithm.h has
constexpr std::string_view pointers[] = {"unique_ptr", "shared_ptr", "make_unique", "make_shared", "function"};
constexpr std::string_view heap[] = {"malloc", "free", "calloc", "realloc"};
constexpr std::string_view printing[] = {"puts", "fprintf", "fputs", "putchar"};
constexpr std::string_view exceptions[] = {"exception",   "runtime_error", "logic_error", "invalid_argument", "out_of_range",
                                           "range_error", "domain_error",  "bad_alloc",   "overflow_error",   "terminate"};
constexpr std::string_view textures[] = {"tex1D", "tex2D", "tex3D", "tex1Dfetch", "tex2DLod", "surf2Dread", "surf2Dwrite", "cudaTextureObject_t"};
constexpr std::string_view random_numbers[] = {"rand", "srand", "random_device", "mt19937"};

/// About a name of the host's standard library; empty where there is nothing particular to say.
std::string host_library_hint(std::string_view name) {
  if (is_any(name, streams) || is_any(name, printing)) {
    return "a kernel has no streams: print with printf(\"%d\\n\", i), or write values to a view that the host reads";
  }
  if (is_any(name, containers)) {
    return "a kernel has no heap: use a local array (float a[8], std::array<float, 8>), shared memory, or a view of an Array";
  }
  if (is_any(name, heap)) return "a kernel has no heap: use a local array, shared memory, or an Array that the host makes";
  if (is_any(name, algorithms)) return "std::" + std::string(name) + " is not among a kernel's algorithms (docs/vocabulary.md): write the loop";
  if (is_any(name, pointers)) return "a kernel owns nothing: pass views and plain structs; a callable is a lambda or a template parameter";
  if (is_any(name, exceptions)) return no_exceptions_hint;
  if (is_any(name, textures))
    return "a kernel has no textures and surfaces: read elements through a view<const T>, which goes through the same cache";
  if (is_any(name, random_numbers)) return "a kernel has no random device: compute numbers from a seed and the thread's index";
  return {};
}

// Names of CUDA and of other languages that are called otherwise here, beyond what Clang finds by spelling.
struct Renamed {
  std::string_view wrong, right;
};
constexpr Renamed renamed[] = {
    {"barrier", "__syncthreads()"},
    {"workgroupBarrier", "__syncthreads()"},
    {"__shfl", "__shfl_sync(mask, value, lane)"},
    {"__shfl_up", "__shfl_up_sync(mask, value, delta)"},
    {"__shfl_down", "__shfl_down_sync(mask, value, delta)"},
    {"__shfl_xor", "__shfl_xor_sync(mask, value, lane_mask)"},
    {"__ballot", "__ballot_sync(mask, predicate)"},
    {"__any", "__any_sync(mask, predicate)"},
    {"__all", "__all_sync(mask, predicate)"},
    {"clock", "clock64()"},
    {"get_global_id", "blockIdx.x * blockDim.x + threadIdx.x"},
    {"get_local_id", "threadIdx.x"},
    {"get_group_id", "blockIdx.x"},
    {"atomic_add", "atomicAdd(&x[i], value)"},
    {"atomic_max", "atomicMax(&x[i], value)"},
    {"atomic_min", "atomicMin(&x[i], value)"},
    {"atomic_cas", "atomicCAS(&x[i], expected, desired)"},
};

std::string renamed_hint(std::string_view name) {
  for (const Renamed& entry : renamed) {
    if (entry.wrong == name) return "write " + std::string(entry.right);
  }
  return {};
}

// ---- names of the enclosing file -----------------------------------------------------------------------------------------------------

const UserText* text_at(const Unit& unit, const Diagnostic& d) {
  for (const UserText& text : unit.texts) {
    if (text.file == d.file && text.first_line <= d.line && d.line <= text.last_line) return &text;
  }
  return nullptr;
}

// "helper" of `sim::helper(1)` where the name is sim: what is looked for in the file when sim is a namespace.
std::vector<std::string> qualified_names(const std::string& source_line, const std::string& name) {
  std::vector<std::string> parts;
  const std::vector<Token> tokens = text::tokenize(source_line);
  for (std::size_t i = 0; i < tokens.size() && parts.empty(); ++i) {
    if (tokens[i].text != name) continue;
    for (; i < tokens.size() && tokens[i].kind == text::TokenKind::identifier; i += 2) {
      parts.emplace_back(tokens[i].text);
      if (i + 1 >= tokens.size() || tokens[i + 1].text != "::") break;
    }
  }
  return parts;
}

bool is_called(const std::string& source_line, const std::string& name) {
  const std::vector<Token> tokens = text::tokenize(source_line);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text == name && tokens[i + 1].text == "(") return true;
  }
  return false;
}

std::string capture(const std::string& element, const cuttle_compile_request& request) {
  const std::string others = request.constants.size > 0 ? "..., " : "";
  return "CUTTLE_KERNEL_WITH((" + others + element + "), [](...) {...})";
}

// Whether the line of a declaration names one of the host's containers.
bool is_container(const Declaration& declaration) {
  const std::vector<Token> tokens = text::tokenize(declaration.line_text);
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) { return is_any(token.text, containers); });
}

// Whether the line of a declaration has `first second` in it: "* data", "= [".
bool has_tokens(const Declaration& declaration, std::string_view first, std::string_view second) {
  const std::vector<Token> tokens = text::tokenize(declaration.line_text);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text == first && tokens[i + 1].text == second) return true;
  }
  return false;
}

constexpr const char* read_only_hint =
    "a const Array, and a parameter view<const T>, can only be read: pass an Array that is not const, to a parameter view<T> or auto";
constexpr const char* block = "CUTTLE_DEVICE(...)";

// What a declaration of the file needs to be seen by a kernel.
std::string way_in(const Declaration& declaration, const std::string& name, bool in_kernel, const cuttle_compile_request& request) {
  const std::string in_block = "put it in " + std::string(block);
  const std::string moved = declaration.is_local ? "move it to namespace scope, into " + std::string(block) : in_block;
  const std::string or_in_block = declaration.is_local ? "" : ", or " + in_block;
  if (!in_kernel) return moved;  // device code of another block
  const bool is_value = declaration.kind == DeclaredAs::constant || declaration.kind == DeclaredAs::variable;
  if (is_value && is_container(declaration)) return "a kernel cannot read a host container: make a cuttle::Array of it, and pass that";
  if (is_value && has_tokens(declaration, "*", name)) return "a kernel cannot read the host's memory: make a cuttle::Array of it, and pass that";
  if (is_value && has_tokens(declaration, "=", "[")) return "make it a function in " + std::string(block);
  switch (declaration.kind) {
    case DeclaredAs::constant:
      return "capture it, " + capture(name, request) + or_in_block;
    case DeclaredAs::variable:
      return "pass it as an argument, or capture its value, " + capture(name, request);
    case DeclaredAs::c_array:
      return "make it a std::array and capture it, " + capture(name, request) + or_in_block;
    case DeclaredAs::alias:
    case DeclaredAs::type_parameter:
      return "capture it, " + capture("type(" + name + ")", request) + (declaration.kind == DeclaredAs::alias ? or_in_block : "");
    case DeclaredAs::function:
    case DeclaredAs::structure:
    case DeclaredAs::enumeration:
    case DeclaredAs::enumerator:
    case DeclaredAs::name_space:
      break;
  }
  return moved;
}

std::string what(DeclaredAs kind) {
  switch (kind) {
    case DeclaredAs::constant:
      return "a constant";
    case DeclaredAs::variable:
      return "a variable";
    case DeclaredAs::c_array:
      return "an array";
    case DeclaredAs::alias:
      return "a type alias";
    case DeclaredAs::function:
      return "a function of the host";
    case DeclaredAs::structure:
      return "a class of the host";
    case DeclaredAs::enumeration:
      return "an enumeration";
    case DeclaredAs::enumerator:
      return "an enumerator";
    case DeclaredAs::type_parameter:
      return "a template parameter";
    case DeclaredAs::name_space:
      return "a namespace";
  }
  return {};
}

std::string host_name_hint(const Diagnostic& d, const std::string& name, const Unit& unit, const cuttle_compile_request& request) {
  const UserText* text = text_at(unit, d);
  const bool in_kernel = text == nullptr || text->is_kernel;
  std::vector<std::string> parts = qualified_names(d.source_line, name);
  if (parts.empty()) parts = {name};
  std::string full = parts.front();
  std::optional<Declaration> found;
  const std::uint32_t line = text ? text->first_line : d.line;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) full += "::" + parts[i];
    const std::optional<Declaration> part = find_declaration(d.file, parts[i], line);
    // A member of a class is what its class is, unless it is a constant, which needs no class.
    if (part && (!found || found->kind == DeclaredAs::name_space || part->kind == DeclaredAs::constant)) found = part;
    if (found && found->kind != DeclaredAs::name_space && found->kind != DeclaredAs::structure) break;
  }
  if (found) {
    const bool is_qualified = full.find("::") != std::string::npos;
    std::string way = way_in(*found, parts.back(), in_kernel && !is_qualified, request);
    if (is_qualified && in_kernel && found->kind == DeclaredAs::constant) {
      way = "capture it by a name of its own, constexpr auto " + parts.back() + " = " + full + "; and " + capture(parts.back(), request) +
            (found->is_local ? "" : ", or " + way);
    }
    return "a kernel does not see " + full + ", " + what(found->kind) + " at " + found->file + ":" + std::to_string(found->line) + ": `" +
           found->line_text + "`; " + way;
  }
  if (is_called(d.source_line, name) && in_kernel)
    return "a function that kernels call belongs in " + std::string(block) + ", in this file or one that it includes";
  if (!in_kernel) return "a block sees only what other blocks declare: put the declaration of " + name + " in " + block;
  if (full != name) return "a kernel sees only what its file has in " + std::string(block) + ": put the declaration of " + full + " there";
  if (d.id == diag::err_unknown_typename || d.id == diag::err_unknown_typename_suggest || d.id == diag::err_no_template) {
    return "if " + name + " is a type of the surrounding code, capture it, " + capture("type(" + name + ")", request) +
           "; a struct or a template of your own belongs in " + block;
  }
  return "if " + name + " is a constant of the surrounding code, capture it, " + capture(name, request) +
         "; a function or a type of your own belongs in " + block;
}

void add_unknown_name_hint(Diagnostic& d, const Unit& unit, const cuttle_compile_request& request) {
  const std::string name = quoted_word(d.message);
  const std::string particular = name_hint(name);
  const UserText* text = text_at(unit, d);
  const bool is_of_the_file = find_declaration(d.file, name, text ? text->first_line : d.line).has_value();
  const std::size_t suggestion = d.message.find("; did you mean");
  if (is_of_the_file || (particular.empty() && suggestion == std::string::npos)) {
    drop_suggestion(d);
    d.hint = host_name_hint(d, name, unit, request);
  } else if (!particular.empty()) {
    drop_suggestion(d);
    d.hint = particular;
  } else {
    d.hint = "write " + quoted_word(d.message, 1);
  }
}

void add_unknown_member_hint(Diagnostic& d, const Unit& unit, const cuttle_compile_request& request) {
  const std::string name = quoted_word(d.message);
  const std::string place = quoted_word(d.message, 1);
  if (d.message.find("namespace 'std'") != std::string::npos) {
    drop_suggestion(d);
    d.hint = host_library_hint(name);
    if (d.hint.empty())
      d.hint = "std::" + name + " is not in what kernels have of the standard library; put code of your own in " + std::string(block);
  } else if (d.message.find("in namespace '") != std::string::npos) {
    drop_suggestion(d);
    d.hint = host_name_hint(d, name, unit, request);
  } else if (place.starts_with("view<")) {
    d.hint = "a view has x[i], x(i, j), x.flat(i), size(), empty(), shape(d), stride(d), data(), begin() and end()";
  } else if (place.ends_with("Index") || place.ends_with("Dim")) {
    d.hint = "it has the members x, y and z";
  }
}

bool any_mentions(const std::vector<Diagnostic>& notes, std::string_view words) {
  return std::any_of(notes.begin(), notes.end(), [words](const Diagnostic& note) { return note.message.find(words) != std::string::npos; });
}

constexpr const char* row_hint =
    "x[i] of a view with two dimensions is a row, itself a view: write x[i][j] or x(i, j); the address of an element is &x[i]";
constexpr const char* constant_hint =
    "a constant is what CUTTLE_KERNEL_WITH captures, or the argument constant(n) of an auto parameter: what a call gives otherwise is known only "
    "when the kernel runs";

// Of a value that does not convert to the type that is wanted.
std::string conversion_hint(const std::string& message) {
  const std::string from = quoted_word(message), to = quoted_word(message, 1);
  const auto mentions = [&message](std::string_view word) { return message.find(word) != std::string::npos; };
  if (mentions("Index'") || mentions("Dim'")) return "it has the members x, y and z: threadIdx.x";
  if (mentions("view<") && to.ends_with("*")) return "the pointer to a view's elements is x.data()";
  if (mentions("view<")) return row_hint;
  if (mentions(") noexcept'") || mentions("()'")) return "it is a function: call it, f()";
  return {};
}

// The name behind `using namespace`.
std::string namespace_name(const std::string& source_line) {
  const std::vector<Token> tokens = text::tokenize(source_line);
  const auto at = std::find_if(tokens.begin(), tokens.end(), [](const Token& token) { return token.text == "namespace"; });
  return tokens.end() - at > 1 ? std::string((at + 1)->text) : std::string();
}

std::string parameter_hint() { return "the kernel is called with the types above, one argument for each parameter: a view for each Array"; }

}  // namespace

std::string quoted_word(const std::string& message, std::size_t index) {
  std::size_t begin = message.find('\'');
  for (; index > 0 && begin != std::string::npos; --index) {
    begin = message.find('\'', begin + 1);
    if (begin != std::string::npos) begin = message.find('\'', begin + 1);
  }
  if (begin == std::string::npos) return {};
  return message.substr(begin + 1, message.find('\'', begin + 1) - begin - 1);
}

bool is_unknown_name(unsigned id) {
  switch (id) {
    case diag::err_undeclared_var_use:
    case diag::err_undeclared_var_use_suggest:
    case diag::err_undeclared_use:
    case diag::err_undeclared_use_suggest:
    case diag::err_unknown_typename:
    case diag::err_unknown_typename_suggest:
    case diag::err_no_template:
    case diag::err_no_template_suggest:
    case diag::err_not_found_by_two_phase_lookup:
      return true;
    default:
      return false;
  }
}

std::string name_hint(std::string_view name) {
  const std::string renamed_to = renamed_hint(name);
  return renamed_to.empty() ? host_library_hint(name) : renamed_to;
}

void drop_suggestion(Diagnostic& d) {
  if (const std::size_t at = d.message.find("; did you mean"); at != std::string::npos) d.message.resize(at);
}

void add_hint(Diagnostic& d, const std::vector<Diagnostic>& notes, const Unit& unit, const cuttle_compile_request& request) {
  if (!d.hint.empty()) return;
  if (is_unknown_name(d.id)) return add_unknown_name_hint(d, unit, request);
  if (is_unknown_member(d.id)) return add_unknown_member_hint(d, unit, request);
  switch (d.id) {
    case diag::err_cuda_device_exceptions:
      d.hint = no_exceptions_hint;
      break;
    case diag::err_need_header_before_typeid:
    case diag::err_no_typeid_with_fno_rtti:
    case diag::err_no_dynamic_cast_with_fno_rtti:
      d.hint = by_type_hint;
      break;
    case diag::err_cuda_vla:
    case diag::err_vla_decl_has_static_storage:
      d.hint = constant_length_hint;
      break;
    case diag::err_expr_not_cce:
    case diag::err_constexpr_var_requires_const_init:
    case diag::err_constexpr_if_condition_expression_is_not_constant:
    case diag::err_static_assert_expression_is_not_constant:
      d.hint = constant_hint;
      break;
    case diag::err_expected_namespace_name:
      d.hint = host_name_hint(d, namespace_name(d.source_line), unit, request);
      break;
    case diag::err_typecheck_nonviable_condition:
    case diag::err_typecheck_convert_incompatible:
      d.hint = conversion_hint(d.message);
      break;
    case diag::err_bound_member_function:
      d.hint = "it is a function: x.size(), x.shape(0), x.stride(0)";
      break;
    case diag::err_typecheck_indirection_requires_pointer:
      if (d.message.find("view<") != std::string::npos) d.hint = "a view is no pointer: its first element is x[0], and the pointer to it x.data()";
      break;
    case diag::err_decomp_decl_unbindable_type:
      d.hint = "grid_stride(n) and range(n) give one number, grid_stride(columns, rows) two, grid_stride(nx, ny, nz) three";
      break;
    case diag::err_implied_comparison_category_type_not_found:
      d.hint = "write < and ==; a class of your own gets operator< and a defaulted operator==";
      break;
    case diag::err_shared_var_init:
      d.hint = "let the threads write it, s[threadIdx.x] = 0; and wait for them, __syncthreads();";
      break;
    case diag::err_typecheck_subscript_not_integer:
      d.hint = "convert the index: static_cast<int>(i)";
      break;
    case diag::err_typecheck_subscript_value:
      d.hint = "x[i] of a view with one dimension is an element; declare the parameter with two, view<T, 2>, to write x[i][j] or x(i, j)";
      break;
    case diag::err_auto_fn_different_deductions:
      d.hint = "a kernel returns nothing: write results through a view, and leave early by `return;`";
      break;
    case diag::err_ovl_no_viable_object_call:
      if (d.message.starts_with("the kernel")) d.hint = parameter_hint();
      break;
    case diag::err_ovl_no_viable_function_in_call:
      if (any_mentions(notes, "deduced conflicting types")) d.hint = "give both arguments one type: std::max(x[i], 1.0f), std::max<float>(x[i], n)";
      if (any_mentions(notes, "could not match 'T *' against")) d.hint = "pass an address: &x[i]";
      if (any_mentions(notes, "requires") && quoted_word(d.message).ends_with("_sync")) {
        d.hint = "the mask of the warp's lanes comes first: " + quoted_word(d.message) + "(0xffffffff, ...)";
      }
      break;
    case diag::err_lvalue_reference_bind_to_temporary:
      if (d.message.find("view<") != std::string::npos) d.hint = "a row is a view, by value: for (auto row : x), and in it for (auto& value : row)";
      break;
    case diag::err_reference_bind_drops_quals:
      d.hint = read_only_hint;
      break;
    case diag::err_typecheck_invalid_operands:
    case diag::err_ovl_no_viable_oper:
      if (d.message.find("view<") != std::string::npos || any_mentions(notes, "'view'") || any_mentions(notes, "view<")) {
        d.hint = row_hint;
      }
      break;
    default:
      break;
  }
  if (d.message == read_only_message) d.hint = read_only_hint;
  if (d.message == loop_message)
    d.hint = "over a view: grid_stride(x.size()), range(x.size()); with a step that is no integer: compute it, start + i * step";
  if (d.message == "an index of a view must be an integer")
    d.hint = "convert the index: static_cast<int>(i); threadIdx and its kin have members: threadIdx.x";
  if (d.message == "give as many indices as the view has dimensions")
    d.hint = "x(i) for view<T>, x(i, j) for view<T, 2>; x.flat(i) counts through all elements";
}

}  // namespace cuttle::codegen
