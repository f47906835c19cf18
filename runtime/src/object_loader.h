// Loads the relocatable object of CPU kernels into the process, without LLVM: a process that finds its kernels in the cache links nothing large.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cuttle::detail {

/// An object in memory, where it stays until the process ends. Knows what codegen/cpu.cpp makes (ELF for x86-64, position independent, small code
/// model) and calls of the functions in cpu_symbols.h.
class LoadedObject {
 public:
  struct Symbol {
    void* address;
    std::size_t bytes;
    bool is_function;
  };

  /// Throws InternalError, which names the kernel or module, on anything else.
  LoadedObject(std::string_view object, const std::string& name);

  /// A function or variable that is visible outside of the object, or null.
  [[nodiscard]] const Symbol* find(const std::string& name) const;

 private:
  std::unordered_map<std::string, Symbol> symbols_;
};

}  // namespace cuttle::detail
