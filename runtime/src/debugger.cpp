#include "debugger.h"

#include <cstdint>
#include <mutex>
#include <utility>

// The names and layouts are gdb's: https://sourceware.org/gdb/current/onlinedocs/gdb.html/JIT-Interface.html
extern "C" {

struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  std::uint64_t symfile_size;
};

struct jit_descriptor {
  std::uint32_t version;
  std::uint32_t action_flag;
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};

// A debugger puts a breakpoint here, and reads the descriptor.
[[gnu::noinline, gnu::visibility("default")]] void __jit_debug_register_code() { __asm__ volatile("" ::: "memory"); }

[[gnu::visibility("default")]] jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
}

namespace cuttle::detail {

void show_debugger(std::string object) {
  constexpr std::uint32_t register_code = 1;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  // Kernels stay loaded until the process ends.
  const auto* kept = new std::string(std::move(object));
  auto* entry = new jit_code_entry{__jit_debug_descriptor.first_entry, nullptr, kept->data(), kept->size()};
  if (entry->next_entry) entry->next_entry->prev_entry = entry;
  __jit_debug_descriptor.first_entry = __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_descriptor.action_flag = register_code;
  __jit_debug_register_code();
}

}  // namespace cuttle::detail
