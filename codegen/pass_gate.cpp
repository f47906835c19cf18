#include "codegen/pass_gate.h"

#include <llvm/IR/OptBisect.h>

namespace cuttle::codegen {
namespace {

constexpr std::size_t long_block = 1024;

// Straight-line strength reduction compares every multiplication-like instruction with all before it: on the 3,000 instructions of an
// unrolled SHA-256 it took 185 of 307 ms, and left the kernel with 40 registers where it needs 32. On short blocks it helps (stencils).
class WithoutStraightLineReduction final : public llvm::OptPassGate {
 public:
  [[nodiscard]] bool isEnabled() const override { return true; }
  [[nodiscard]] bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override { return pass != "slsr"; }
};

}  // namespace

void leave_out_quadratic_passes(llvm::Module& module) {
  static WithoutStraightLineReduction gate;  // no state; LLVM takes it by a non-const reference
  for (const llvm::Function& function : module) {
    for (const llvm::BasicBlock& block : function) {
      if (block.size() > long_block) {
        module.getContext().setOptPassGate(gate);
        return;
      }
    }
  }
}

}  // namespace cuttle::codegen
