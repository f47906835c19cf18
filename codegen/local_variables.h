// How many bytes of local variables a thread needs at once, as the kernel is written.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/clang.h"

namespace cuttle::codegen {

struct LocalVariable {
  const clang::VarDecl* declaration;
  std::uint64_t bytes;
};

struct LocalVariables {
  std::uint64_t bytes = 0;               // in all
  std::vector<LocalVariable> variables;  // the largest first
};

/// The most that exist at one time in `function` and what it calls: variables of scopes that follow one another share their place. A recursion counts
/// once.
[[nodiscard]] LocalVariables most_at_once(const clang::FunctionDecl& function);

}  // namespace cuttle::codegen
