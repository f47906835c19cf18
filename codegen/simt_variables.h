// What a debugger sees of the source's variables where a thread goes on in another region, and of shared variables.
#pragma once

#include <utility>

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// The records of what each variable of the source is at the end of `block`. None without debug information.
[[nodiscard]] llvm::SmallVector<llvm::DbgVariableRecord*> variables_at(llvm::BasicBlock& block, const llvm::DominatorTree& dominators);

/// Says at the end of `block` what the variables are: `values` has instructions' values there. A variable that is in neither memory, arguments
/// nor `values` is not to be seen.
void show_variables(llvm::BasicBlock& block, llvm::ArrayRef<llvm::DbgVariableRecord*> variables,
                    const llvm::DenseMap<const llvm::Value*, llvm::Value*>& values);

/// Says at the beginning of `body` that the shared variable lies `offset` bytes behind `base`, an argument.
void show_shared_variable(llvm::Function& body, const llvm::GlobalVariable& variable, llvm::Value& base, std::size_t offset);

}  // namespace cuttle::codegen
