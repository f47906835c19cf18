// Compilations: the code of one kernel for one signature and one target, made once in a process however many threads ask.
#pragma once

#include <memory>
#include <string>

#include "codegen/compiler.h"
#include "cuttle/dsl/signature.hpp"
#include "cuttle/kernel.hpp"
#include "device_state.h"

namespace cuttle::detail {

/// Immutable once made; shared by variants and by CompiledKernel.
struct Compilation {
  std::string key;        // 32 hex digits
  std::string entry;      // name of the entry point
  std::string signature;  // "(view<f32>, u32) with TILE = 16"
  cuttle_target target{};
  std::string source, llvm_ir, code;  // empty where the binary was found in the cache
  std::string binary;                 // what the device loads: a cubin, or the CPU's object
  std::size_t static_shared_bytes = 0;
  std::size_t least_shared_bytes = 0;  // of dynamic shared memory, that a launch has to give
  bool cooperative = false;            // its blocks wait for each other: every launch runs all of them at once
  std::string symbols;                 // of a module (dsl/text/module_symbols.h), empty for a kernel
  std::string libdevice;               // identity of the math library that is in it, empty where it uses none
  cuttle_stage_times times{};
};

/// The choices for an architecture that need not be in the machine.
[[nodiscard]] cuttle_target target_of(Architecture architecture);

/// The code of the kernel for the signature on the device: from this process's memory, else from the cache on disk, else compiled. Single flight
/// for each key: a second thread that asks for the same one waits for the first, every other goes on.
/// Throws CompileError (again for each call with a kernel that failed), DriverError or InternalError.
[[nodiscard]] std::shared_ptr<const Compilation> compile(const KernelCall& call, const Signature& signature, DeviceState& device);

/// Code for a target that need not be in the machine, into the cache on disk: PTX, which the driver there will link, or the CPU's object.
[[nodiscard]] std::shared_ptr<const Compilation> compile_ahead(const KernelCall& call, const Signature& signature, const cuttle_target& target);

/// The same for people to read, with the source, the IR, and the PTX or assembly, for a target that need not be in the machine. Has no
/// binary, and is kept in memory only.
[[nodiscard]] std::shared_ptr<const Compilation> compile_to_read(const KernelCall& call, const Signature& signature, const cuttle_target& target);

}  // namespace cuttle::detail
