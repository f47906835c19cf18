// Target machines, kept from one compilation to the next: making one fills tables of all that the target can do.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "codegen/llvm.h"

namespace cuttle::codegen {

/// A target machine for one compilation at a time.
class Machine {
 public:
  /// One that was kept under `name`, else what `make` makes. The name says everything that `make` depends on.
  Machine(std::string name, const std::function<std::unique_ptr<llvm::TargetMachine>()>& make);

  llvm::TargetMachine& operator*() const { return *machine_; }

  /// Leaves the machine to later compilations. Not for one that crashed, or that the machine would remember in its code.
  void keep() &&;

 private:
  std::string name_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

}  // namespace cuttle::codegen
