// What checked code of the CPU device (codegen/check.h) and the checker that answers its calls (runtime/src/checker.h) tell each other.
#pragma once

#include <cstdint>

namespace cuttle {

/// A place in the kernel's source, and what stands there; constant, part of the code.
struct CheckSite {
  enum Kind : std::uint32_t {
    reads = 1,  // of an access
    writes = 2,
    atomic = 4,         // or volatile, through which threads synchronise too
    has_value = 8,      // the call says what is written
    zero_divisor = 16,  // of a division
    barrier = 32,
    is_volatile = 64,      // and no atomic operation
    dynamic_shared = 128,  // of an access: to the launch's shared memory
  };

  const char* file;
  std::uint32_t line;
  std::uint32_t kind;
  std::uint64_t variable_bytes;  // of the shared variable that is accessed; 0 where it is none, or dynamic
};

}  // namespace cuttle
