#include "kernel_source.h"

#include <algorithm>
#include <cctype>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <set>

#include "cuttle/error.hpp"
#include "dsl/text/declarations.h"

namespace cuttle::detail {
namespace {

// ---- captured constants --------------------------------------------------------------------------------------------------------------

// The elements of "(TILE, type(T), constant(N))", by name.
std::vector<std::string> capture_names(std::string_view list) {
  std::vector<std::string> names;
  list = list.substr(1, list.size() - 2);
  while (!list.empty()) {
    std::string_view element = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), element.size() + 1));
    if (const std::size_t open = element.find('('); open != std::string_view::npos) element = element.substr(open + 1, element.find(')') - open - 1);
    while (!element.empty() && element.front() == ' ') element.remove_prefix(1);
    while (!element.empty() && element.back() == ' ') element.remove_suffix(1);
    names.emplace_back(element);
  }
  return names;
}

template <class T>
T read(const unsigned char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

std::string hex(const unsigned char* bytes, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, size);
  char text[32];
  std::snprintf(text, sizeof(text), "0x%" PRIx64, value);
  return text;
}

bool is_signed(Scalar scalar) { return scalar == Scalar::i8 || scalar == Scalar::i16 || scalar == Scalar::i32 || scalar == Scalar::i64; }
bool is_floating(Scalar scalar) { return scalar == Scalar::f32 || scalar == Scalar::f64; }

std::int64_t read_signed(const unsigned char* bytes, std::size_t size) {
  switch (size) {
    case 1:
      return read<std::int8_t>(bytes);
    case 2:
      return read<std::int16_t>(bytes);
    case 4:
      return read<std::int32_t>(bytes);
    default:
      return read<std::int64_t>(bytes);
  }
}

// An expression of the value, bits and all: floating-point numbers and structs as their representation, whatever the locale prints.
std::string value_expression(const TypeInfo& type, const std::string& name, const unsigned char* bytes) {
  if (type.scalar == Scalar::boolean) return bytes[0] ? "true" : "false";
  if (is_signed(type.scalar)) {
    const std::int64_t value = read_signed(bytes, type.size);
    // The smallest number has no literal of its own type.
    return "static_cast<" + name + ">(" + (value == INT64_MIN ? "-9223372036854775807LL - 1" : std::to_string(value) + "LL") + ")";
  }
  if (is_floating(type.scalar)) return "__builtin_bit_cast(" + name + ", " + hex(bytes, type.size) + (type.size == 8 ? "UL)" : "U)");
  if (type.scalar != Scalar::none) return "static_cast<" + name + ">(" + hex(bytes, type.size) + "ULL)";
  std::string list;
  for (std::size_t i = 0; i < type.size; ++i) list += (i ? "," : "") + std::to_string(bytes[i]);
  return "__builtin_bit_cast(" + name + ", cuttle::detail::Bytes<" + std::to_string(type.size) + ">{{" + list + "}})";
}

std::string value_for_people(const TypeInfo& type, const unsigned char* bytes) {
  if (type.scalar == Scalar::boolean) return bytes[0] ? "true" : "false";
  if (type.scalar == Scalar::none) return "...";
  if (is_signed(type.scalar)) return std::to_string(read_signed(bytes, type.size));
  if (is_floating(type.scalar)) {
    char text[32];
    std::snprintf(text, sizeof(text), "%g", type.size == 4 ? read<float>(bytes) : read<double>(bytes));
    return text;
  }
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, type.size);
  return std::to_string(value);
}

void add_constants(const KernelCall& call, KernelSource& source, std::vector<TypeName>& captured_types) {
  const CaptureTypes& types = *call.kernel.capture_types;
  if (types.count == 0) return;
  const std::vector<std::string> names = capture_names(call.kernel.text.captures);
  for (std::size_t i = 0; i < types.count; ++i) {
    const TypeInfo& type = *types.types[i];
    captured_types.push_back(type.name());
    const TypeName& type_name = captured_types.back();
    const bool is_type = types.offsets[i + 1] == types.offsets[i];
    const unsigned char* bytes = call.captures + types.offsets[i];
    source.captured += (i ? ", " : "") + names[i] + " = ";
    if (is_type) {
      source.constants += "using " + names[i] + " = " + type_name.device + ";\n";
      source.captured += type_name.short_form;
    } else {
      source.constants += "constexpr " + type_name.device + " " + names[i] + " = " + value_expression(type, type_name.device, bytes) + ";\n";
      source.captured += value_for_people(type, bytes);
      source.values.push_back({&type, type_name});
    }
  }
}

// ---- device blocks -------------------------------------------------------------------------------------------------------------------

// A registered block or header with what choosing it needs.
struct Candidate {
  explicit Candidate(NeededBlock needed) : block(std::move(needed)), declared(text::declared_names(block.text)) {}

  NeededBlock block;
  text::Names declared;
  bool chosen = false;
};

std::vector<Candidate> candidates(const KernelCall& call, std::deque<DeviceHeader>& headers) {
  std::vector<const DeviceBlock*> blocks;
  for (const DeviceBlock* const* entry = call.kernel.blocks.begin; entry != call.kernel.blocks.end; ++entry) {
    if ((*entry)->unit == call.kernel.text.unit) blocks.push_back(*entry);
  }
  // The linker keeps no order within a unit.
  std::sort(blocks.begin(), blocks.end(), [](const DeviceBlock* a, const DeviceBlock* b) { return a->order < b->order; });

  std::vector<Candidate> result;
  std::set<std::string> seen;
  for (const DeviceBlock* block : blocks) {
    if (block->kind == DeviceBlockKind::declarations) {
      result.emplace_back(NeededBlock{block->text, block->file, block->line, false, enclosing_scope(block->function)});
      continue;
    }
    for (DeviceHeader& header : device_headers(*block, call.kernel.blocks, seen)) {
      const DeviceHeader& kept = headers.emplace_back(std::move(header));
      result.emplace_back(NeededBlock{kept.text, kept.path, 1, true, {}});
    }
  }
  return result;
}

// Chooses every block that declares a needed name, until no chosen block needs more.
void choose(std::vector<Candidate>& blocks, text::Names needed) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Candidate& candidate : blocks) {
      const auto is_needed = [&](std::string_view name) { return needed.contains(name); };
      if (candidate.chosen || std::none_of(candidate.declared.begin(), candidate.declared.end(), is_needed)) continue;
      candidate.chosen = changed = true;
      needed.merge(text::identifiers(candidate.block.text));
    }
  }
}

// "sim/" of "sim/detail/".
std::string enclosing(const std::string& scope) {
  const std::size_t slash = scope.rfind('/', scope.size() - 2);
  return scope.size() < 2 || slash == std::string::npos ? "" : scope.substr(0, slash + 1);
}

}  // namespace

std::string enclosing_scope(std::string_view pretty) {
  if (pretty.starts_with("auto ")) pretty.remove_prefix(5);
  std::string scope;
  const auto add = [&scope](std::string_view part) { (scope += part) += '/'; };
  constexpr std::string_view unnamed[] = {"{anonymous}::", "(anonymous namespace)::"};
  for (;;) {
    bool is_unnamed = false;
    for (const std::string_view prefix : unnamed) {
      if (pretty.starts_with(prefix)) {
        add("");
        pretty.remove_prefix(prefix.size());
        is_unnamed = true;
      }
    }
    if (is_unnamed) continue;
    std::size_t length = 0;
    while (length < pretty.size() && (std::isalnum(static_cast<unsigned char>(pretty[length])) || pretty[length] == '_')) ++length;
    if (length == 0 || pretty.substr(length, 2) != "::") return scope;
    add(pretty.substr(0, length));
    pretty.remove_prefix(length + 2);
  }
}

TypeName constant_name(const TypeInfo& value_type, const void* value) {
  const TypeName name = value_type.name();
  const auto* bytes = static_cast<const unsigned char*>(value);
  return {"cuttle::constant_value<" + value_expression(value_type, name.device, bytes) + ">",
          "const<" + name.short_form + "," + value_for_people(value_type, bytes) + ">"};
}

KernelSource kernel_source(const KernelCall& call, const std::vector<TypeName>& type_names) {
  KernelSource source;
  std::vector<TypeName> captured_types;
  text::Names needed = text::identifiers(call.kernel.text.text);
  add_constants(call, source, captured_types);
  // Names of types: views into strings that outlive the choice.
  for (const std::vector<TypeName>* names : {&type_names, static_cast<const std::vector<TypeName>*>(&captured_types)}) {
    for (const TypeName& name : *names) needed.merge(text::identifiers(name.device));
  }

  std::vector<Candidate> blocks = candidates(call, source.headers);
  choose(blocks, std::move(needed));
  std::set<std::string> namespaces{""};
  for (Candidate& candidate : blocks) {
    for (std::string outer = candidate.block.scope; !outer.empty(); outer = enclosing(outer)) namespaces.insert(outer);
    if (candidate.chosen) source.blocks.push_back(std::move(candidate.block));
  }
  // A kernel's own name ends in functions and classes, which look like namespaces: only what a block shows to be a namespace is taken as one.
  source.scope = enclosing_scope(call.kernel.text.function);
  while (!namespaces.contains(source.scope)) source.scope = enclosing(source.scope);
  return source;
}

}  // namespace cuttle::detail
