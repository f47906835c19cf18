#include "key.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "build_id.h"
#include "class_layout.h"
#include "cpu_identity.h"
#include "dsl/text/tokens.h"
#include "file.h"

namespace cuttle::detail {

std::string text_without_layout(std::string_view source) {
  const std::vector<text::Token> tokens = text::tokenize(source);
  const bool has_directives = std::any_of(tokens.begin(), tokens.end(), [](const text::Token& token) { return token.text == "#"; });
  if (has_directives) return std::string(source);  // where a line ends decides what a directive says
  std::string out;
  out.reserve(source.size());
  for (const text::Token& token : tokens) {
    if (!out.empty()) out += ' ';
    out += token.text;
  }
  return out;
}

std::string as_identifier(std::string_view text) {
  std::string identifier(text);
  for (char& c : identifier) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return identifier;
}

std::string file_stem(std::string_view file) {
  file.remove_prefix(file.rfind('/') + 1);
  return as_identifier(file.substr(0, file.find('.')));
}

std::string hex_hash(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  char digits[33];
  std::snprintf(digits, sizeof(digits), "%016llx%016llx", static_cast<unsigned long long>(hash.high64), static_cast<unsigned long long>(hash.low64));
  return digits;
}

namespace {

// The #pragma unroll lines of a kernel's file, some of which may be the kernel's: g++ drops them from the captured text, and compiling puts them
// back (codegen/relayout.cpp).
std::string unroll_pragmas(const KernelText& kernel) {
  std::string pragmas;
  if (!std::strstr(kernel.text, "for") && !std::strstr(kernel.text, "while")) return pragmas;
  const std::string file = read_file(kernel.file);
  for (std::string_view rest = file; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] != '#' || line.find("unroll") == std::string_view::npos) continue;
    pragmas += line.substr(begin);
    pragmas += '\n';
  }
  return pragmas;
}

}  // namespace

Key::Key(std::string key_text) : text(std::move(key_text)), hash(hex_hash(text)) {}

KeyText::KeyText(const std::string& what, const cuttle_target& target) {
  add(what + " " + build_id);
#define CUTTLE_ADD(field) add(#field "=" + std::to_string(target.field));
  CUTTLE_TARGET_FIELDS(CUTTLE_ADD)
#undef CUTTLE_ADD
  if (target.backend == CUTTLE_BACKEND_CPU) add(cpu_identity());
}

void KeyText::add(std::string_view part) {
  text_ += part;
  text_ += '\0';
}

Key KeyText::key() && { return Key(std::move(text_)); }

Key make_key(const KernelText& kernel, const std::string& title, const KernelSource& source, const Signature& signature,
             const std::vector<TypeName>& names, const cuttle_target& target) {
  KeyText text("cuttle", target);
  text.add(title);
  text.add(text_without_layout(kernel.text));
  text.add(unroll_pragmas(kernel));
  text.add(source.scope);
  text.add(source.constants);
  for (const CapturedValue& value : source.values) text.add(layout_text(*value.type));
  for (const NeededBlock& needed : source.blocks) {
    text.add(needed.scope);
    text.add(text_without_layout(needed.text));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    text.add(names[i].device);
    text.add(std::to_string(signature.parameters[i]->size) + "@" + std::to_string(signature.parameters[i]->align));
    text.add(layout_text(*signature.parameters[i]));
  }
  const auto asserts = [](std::string_view code) { return code.find("__assert_fail") != std::string_view::npos; };
  const bool has_asserts = asserts(kernel.text) || std::any_of(source.blocks.begin(), source.blocks.end(), [&](const NeededBlock& needed) {
                             return needed.is_header ? needed.text.find("assert") != std::string_view::npos : asserts(needed.text);
                           });
  if (target.line_info || target.check || has_asserts) {
    // The code then names lines, and those are the files'.
    const auto add_place = [&](std::string_view file, unsigned line) {
      text.add(std::string(file) + ":" + std::to_string(line) + " " + hex_hash(read_file(std::string(file))));
    };
    add_place(kernel.file, kernel.line);
    for (const NeededBlock& needed : source.blocks) add_place(needed.file, needed.line);
  }
  return std::move(text).key();
}

Key key_of_binary(const Key& code, const std::string& maker) { return maker.empty() ? code : Key(code.text + maker + '\0'); }

}  // namespace cuttle::detail
