// libcuttle-compiler.so, opened at the first cache miss: a process that compiles nothing never loads it.
#pragma once

#include <string>

#include "codegen/compiler.h"

namespace cuttle::detail {

#define CUTTLE_COMPILER_FUNCTIONS(X)                                                                        \
  X(cuttle_compiler_abi) X(cuttle_compiler_build_id) X(cuttle_compiler_max_ptx) \
      X(cuttle_compile) X(cuttle_compile_module) X(cuttle_compile_get) X(cuttle_compile_result_free)

/// The library's functions, by their own names.
struct CompilerLibrary {
#define CUTTLE_MEMBER(function) decltype(&::function) function;
  CUTTLE_COMPILER_FUNCTIONS(CUTTLE_MEMBER)
#undef CUTTLE_MEMBER
};

/// Opens the library at the first call. Throws InternalError that says where it was looked for.
[[nodiscard]] const CompilerLibrary& compiler_library();

/// Where libcuttle.so itself stands, with a slash behind it: what belongs to it is there too, wherever it was moved to.
[[nodiscard]] std::string library_folder();

}  // namespace cuttle::detail
