// Loop fission at barriers: a thread's code becomes regions, each from one barrier to the next, that can be run for one thread after the other.
// What is said of barriers here holds for those of a warp too.
#pragma once

#include <string>
#include <vector>

#include "codegen/simt_slots.h"
#include "codegen/simt_thread.h"
#include "codegen/warp_state.h"

namespace cuttle::codegen {

/// The part of a thread's code from its start (region 0) or from a barrier to the next barriers. Its function has the body's parameters and
/// returns the number of the region to go on with, or Regions::exit().
struct Region {
  llvm::Function* function;
};

/// A value that is the same in every thread: its slot, of which any thread's element will do, and its place in ThreadPlace::uniform.
struct UniformValue {
  llvm::Type* type;
  Slot slot;
  std::uint64_t offset;
};

struct Regions {
  std::vector<Region> list;
  std::vector<UniformValue> uniform;
  unsigned first_wait = 1;   // the regions before it, but for region 0, stand behind steps
  bool threads_part = true;  // whether threads that enter a region together may leave it for different ones
  RegionNumbers numbers{};
  std::vector<llvm::Constant*> sites;  // under checks: the CheckSite of the wait in front of each region but the first
  Slot masks{};                        // i32: the lanes that a thread waits for at a warp barrier
  [[nodiscard]] unsigned exit() const { return static_cast<unsigned>(list.size()); }
  [[nodiscard]] bool has_warp_barriers() const { return numbers.first_block_barrier > first_wait; }
};

/// Splits the body, which is used up. Values that outlive a region go to slots. With `check`, every thread notes where it waits.
[[nodiscard]] Regions split_into_regions(ThreadBody& body, SlotLayout& slots, bool check);

/// Where a thread stops: at a step of a loop, for nobody (simt_loops.h); for any lane of its warp that can still join it; for lanes of its warp;
/// for the block.
enum class WaitKind { step, converge, warp, block };

struct Wait {
  llvm::CallInst* call;
  WaitKind kind;
};

/// The waits in `function`, by kind, each kind in the order of the text, steps by their number.
[[nodiscard]] std::vector<Wait> waits_of(llvm::Function& function);

}  // namespace cuttle::codegen
