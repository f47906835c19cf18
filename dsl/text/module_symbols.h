// What a module has that programs ask for by name: its kernels with their parameters, and its variables. The compiler finds them in the source;
// the runtime checks arguments against them, and keeps them in the cache beside the code.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dsl/include/cuttle/dsl/signature.hpp"

namespace cuttle::text {

/// A type as far as an argument is checked against it.
struct SymbolType {
  std::string spelling;  // as the source has it: "const float *"
  std::size_t size = 0;  // of the value
  std::size_t align = 1;
  detail::Scalar scalar = detail::Scalar::none;  // of the value, where it is one
  bool is_pointer = false;
  detail::Scalar element = detail::Scalar::none;  // of what a pointer points at, or of what an array consists of
  std::size_t element_size = 0;                   // 0 for void
  bool is_read_only = false;                      // what a pointer points at, or the variable itself
};

struct ParameterSymbol {
  std::string name;  // empty where the source gives none
  SymbolType type;
};

struct KernelSymbol {
  std::string name;    // "scale<float, 4>", "sim::step": what a program asks for
  std::string symbol;  // its name in the binary
  std::size_t static_shared_bytes = 0;
  std::vector<ParameterSymbol> parameters;
};

struct VariableSymbol {
  std::string name, symbol;
  SymbolType type;
};

struct ModuleSymbols {
  std::vector<KernelSymbol> kernels;
  std::vector<VariableSymbol> variables;
  std::string log;  // what the compiler warned of
};

/// As text, and back again; nothing where `text` is not what encode() made.
[[nodiscard]] std::string encode(const ModuleSymbols& symbols);
[[nodiscard]] std::optional<ModuleSymbols> decode_symbols(std::string_view text);

}  // namespace cuttle::text
