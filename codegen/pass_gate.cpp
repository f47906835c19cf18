#include "codegen/pass_gate.h"

#include <llvm/IR/OptBisect.h>

namespace cuttle::codegen {
namespace {

constexpr std::size_t long_block = 1024;

// A gate has no state that changes; LLVM takes it by a non-const reference.
class Without final : public llvm::OptPassGate {
 public:
  explicit Without(llvm::StringRef pass) : pass_(pass) {}
  [[nodiscard]] bool isEnabled() const override { return true; }
  [[nodiscard]] bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override { return pass != pass_; }

 private:
  llvm::StringRef pass_;
};

}  // namespace

// Straight-line strength reduction compares every multiplication-like instruction with all before it: on the 3,000 instructions of an
// unrolled SHA-256 it took 185 of 307 ms, and left the kernel with 40 registers where it needs 32. On short blocks it helps (stencils).
void leave_out_quadratic_passes(llvm::Module& module) {
  static Without gate("slsr");
  for (const llvm::Function& function : module) {
    for (const llvm::BasicBlock& block : function) {
      if (block.size() > long_block) {
        module.getContext().setOptPassGate(gate);
        return;
      }
    }
  }
}

// A kernel's loops are vectorised several times over, with remainders: of the copy kernel's 57 ms in the back end loop strength reduction took 26,
// and without it 22 are left and the code is a fifth shorter, since x86 adds a base, a scaled index and an offset in its addresses.
void leave_out_strength_reduction(llvm::Module& module) {
  static Without gate("loop-reduce");
  module.getContext().setOptPassGate(gate);
}

}  // namespace cuttle::codegen
