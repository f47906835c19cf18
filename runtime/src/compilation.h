// Compilations: the code of one kernel for one signature and one target, made once in a process however many threads ask.
#pragma once

#include <memory>
#include <string>

#include "codegen/compiler.h"
#include "cuttle/dsl/signature.hpp"
#include "cuttle/kernel.hpp"

namespace cuttle::detail {

/// Immutable once made; shared by variants and by CompiledKernel.
struct Compilation {
  std::string key;        // 32 hex digits
  std::string entry;      // name of the entry point
  std::string signature;  // "(view<f32>, u32)"
  std::string source, llvm_ir, code, object;
  std::size_t static_shared_bytes = 0;
  cuttle_stage_times times{};
};

/// The compilation of `kernel` for the signature and the target. Single flight for each key: a second thread that asks for the same one waits
/// for the first, every other goes on. With `want_ir` the result holds llvm_ir (and CPU assembly), compiled again if it did not.
/// Throws CompileError or InternalError.
[[nodiscard]] std::shared_ptr<const Compilation> compile(const KernelText& kernel, const Signature& signature, const cuttle_target& target,
                                                         bool want_ir);

}  // namespace cuttle::detail
