// LLVM's pass manager set up for a target machine: used by both back ends.
#pragma once

#include <functional>

#include "codegen/llvm.h"
#include "codegen/lowered.h"

namespace cuttle::codegen {

/// The analysis managers of one pipeline run, wired together in the order that LLVM asks for.
class PassContext {
 public:
  PassContext(llvm::TargetMachine& machine, const llvm::PipelineTuningOptions& tuning,
              std::optional<llvm::TargetLibraryInfoImpl> library = std::nullopt);

  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager call_graph;
  llvm::ModuleAnalysisManager modules;
};

/// Makes everything internal but the entries of the request and its variables, which are in memory that the host writes.
void internalize(llvm::Module& module, const LoweringRequest& request);

/// Leaves conversions to a smaller floating-point type out of contraction. Of two in a row, double to float to half, LLVM would make one, which
/// rounds once where C++, the host compiler and nvcc round twice.
void keep_roundings(llvm::Module& module);

/// What LLVM's verifier says of `module`, or nothing.
[[nodiscard]] std::optional<std::string> verify(const llvm::Module& module);

/// The module as text.
[[nodiscard]] std::string print(const llvm::Module& module);

/// Machine code or assembly. Destroys `module`'s IR for every further use.
[[nodiscard]] std::string emit(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType type);

}  // namespace cuttle::codegen
