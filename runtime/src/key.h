// Keys: all that decides a kernel's code, as text and as a hash. Made without the compiler library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/compiler.h"
#include "cuttle/dsl/signature.hpp"
#include "cuttle/kernel.hpp"
#include "kernel_source.h"

namespace cuttle::detail {

struct Key {
  explicit Key(std::string key_text);

  std::string text;  // parts, each ended by NUL; what a cache entry is compared with
  std::string hash;  // 32 hex digits of its 128 bits: names the entry
};

/// The parts of a key's text: what it is of, cuttle's build and the target, and then what is added.
class KeyText {
 public:
  KeyText(const std::string& what, const cuttle_target& target);

  void add(std::string_view part);
  [[nodiscard]] Key key() &&;

 private:
  std::string text_;
};

/// The key of what the compiler makes of `kernel` for parameters of the given names. `title` is what the entry point's name begins with.
[[nodiscard]] Key make_key(const KernelText& kernel, const std::string& title, const KernelSource& source, const Signature& signature,
                           const std::vector<TypeName>& names, const cuttle_target& target);

/// The key of what is made of that in turn: a cubin depends on the driver's version too. `maker` is empty where nothing is.
[[nodiscard]] Key key_of_binary(const Key& code, const std::string& maker);

/// Source text as its tokens, so that comments and layout do not count. A text with preprocessor directives is left as it is.
[[nodiscard]] std::string text_without_layout(std::string_view source);

/// `text` with an underscore in place of what an identifier cannot have.
[[nodiscard]] std::string as_identifier(std::string_view text);

/// "stencil" of "/src/stencil.cpp", as an identifier: the first part of an entry point's name, which profilers show.
[[nodiscard]] std::string file_stem(std::string_view file);

/// 128 bits as 32 hex digits.
[[nodiscard]] std::string hex_hash(std::string_view bytes);

}  // namespace cuttle::detail
