#include "dsl/text/module_symbols.h"

#include <charconv>

namespace cuttle::text {
namespace {

// A sequence of strings, each with its length before it: "5:scale". Numbers are written as strings too.
class Writer {
 public:
  void put(std::string_view value) { ((text_ += std::to_string(value.size())) += ':') += value; }
  void put(const std::string& value) { put(std::string_view(value)); }
  void put(std::size_t value) { put(std::to_string(value)); }
  void put(const SymbolType& type) {
    put(type.spelling);
    for (const std::size_t number : {type.size, type.align, static_cast<std::size_t>(type.scalar), static_cast<std::size_t>(type.is_pointer),
                                     static_cast<std::size_t>(type.element), type.element_size, static_cast<std::size_t>(type.is_read_only)}) {
      put(number);
    }
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  void get(std::string& value) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
    const auto digits = static_cast<std::size_t>(end - rest_.data());
    if (error != std::errc() || digits >= rest_.size() || *end != ':' || size > rest_.size() - digits - 1) {
      failed_ = true;
      return;
    }
    value = rest_.substr(digits + 1, size);
    rest_.remove_prefix(digits + 1 + size);
  }
  template <class T>
  void get_number(T& value) {
    std::string digits;
    get(digits);
    std::size_t number = 0;
    failed_ = failed_ || std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc();
    value = static_cast<T>(number);
  }
  void get(SymbolType& type) {
    get(type.spelling);
    get_number(type.size), get_number(type.align), get_number(type.scalar), get_number(type.is_pointer);
    get_number(type.element), get_number(type.element_size), get_number(type.is_read_only);
  }
  /// Makes room for as many elements as the next number says, one byte of text each at least.
  template <class T>
  void get_count(std::vector<T>& elements) {
    std::size_t count = 0;
    get_number(count);
    failed_ = failed_ || count > rest_.size();
    if (!failed_) elements.resize(count);
  }
  [[nodiscard]] bool is_done() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

std::string encode(const ModuleSymbols& symbols) {
  Writer out;
  out.put(symbols.kernels.size());
  for (const KernelSymbol& kernel : symbols.kernels) {
    out.put(kernel.name), out.put(kernel.symbol), out.put(kernel.static_shared_bytes), out.put(kernel.parameters.size());
    for (const ParameterSymbol& parameter : kernel.parameters) out.put(parameter.name), out.put(parameter.type);
  }
  out.put(symbols.variables.size());
  for (const VariableSymbol& variable : symbols.variables) out.put(variable.name), out.put(variable.symbol), out.put(variable.type);
  out.put(symbols.log);
  return out.take();
}

std::optional<ModuleSymbols> decode_symbols(std::string_view text) {
  Reader in(text);
  ModuleSymbols symbols;
  in.get_count(symbols.kernels);
  for (KernelSymbol& kernel : symbols.kernels) {
    in.get(kernel.name), in.get(kernel.symbol), in.get_number(kernel.static_shared_bytes);
    in.get_count(kernel.parameters);
    for (ParameterSymbol& parameter : kernel.parameters) in.get(parameter.name), in.get(parameter.type);
  }
  in.get_count(symbols.variables);
  for (VariableSymbol& variable : symbols.variables) in.get(variable.name), in.get(variable.symbol), in.get(variable.type);
  in.get(symbols.log);
  if (!in.is_done()) return std::nullopt;
  return symbols;
}

}  // namespace cuttle::text
