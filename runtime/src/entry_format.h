// The bytes of a cache entry: what the file of one compiled kernel holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cuttle::detail {

/// What an entry's code is.
enum class CodeKind : std::uint32_t { ptx = 0, cubin = 1, object = 2 };

/// A compiled kernel as it is stored. A field more or less is another `format` in entry_format.cpp: entries of other formats are not read.
struct Entry {
  std::string key_text;
  std::string entry;         // name of the entry point
  std::string signature;     // "(view<f32>, u32)", for people
  std::string symbols = {};  // of a module (dsl/text/module_symbols.h), empty for a kernel
  std::string libdevice;     // identity of the math library in it, empty where it uses none
  CodeKind kind = CodeKind::ptx;
  bool cooperative = false;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t least_shared_bytes = 0;
  std::string code;
};

/// No kernel's code is as large: a file that is was not written by us.
inline constexpr std::uint64_t largest_entry = 256ull << 20;

/// The entry as bytes, with a checksum.
[[nodiscard]] std::string encode(const Entry& entry);

/// The entry again, or nothing where `bytes` are anything else than what encode() of this version made: cut, altered, of another format.
[[nodiscard]] std::optional<Entry> decode(std::string_view bytes);

}  // namespace cuttle::detail
