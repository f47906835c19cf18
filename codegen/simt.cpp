#include "codegen/simt.h"

#include "codegen/simt_loops.h"
#include "codegen/simt_regions.h"
#include "codegen/simt_schedule.h"
#include "codegen/simt_thread.h"

namespace cuttle::codegen {
namespace {

// What only the thread function itself may call: a function that was not inlined has no place in the block.
constexpr const char* wait_markers[] = {"cuttle_cpu_barrier", "cuttle_cpu_warp_barrier", "cuttle_cpu_converge"};
constexpr const char* place_markers[] = {"cuttle_cpu_thread_index", "cuttle_cpu_block_index",   "cuttle_cpu_block_dim",
                                         "cuttle_cpu_grid_dim",     "cuttle_cpu_linear_thread", "cuttle_cpu_block_counter",
                                         "cuttle_cpu_warp_memory",  "cuttle_dynamic_shared_top"};

bool is_called_outside(const llvm::Module& module, const char* marker, const llvm::Function& thread) {
  const llvm::Function* function = module.getFunction(marker);
  return function && llvm::any_of(function->users(), [&](const llvm::User* user) {
           const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
           return !call || call->getFunction() != &thread;
         });
}

std::string refusal_of_calls(const llvm::Module& module, const llvm::Function& thread) {
  const auto outside = [&](const char* marker) { return is_called_outside(module, marker, thread); };
  const char* what = llvm::any_of(wait_markers, outside)    ? "__syncthreads() or a warp operation"
                     : llvm::any_of(place_markers, outside) ? "threadIdx, blockIdx or the like"
                                                            : nullptr;
  if (!what) return {};
  return std::string(what) +
         " stands in a function that calls itself or is called through a pointer, which the CPU device cannot run. Use it in the kernel, or in "
         "functions that are called by name and do not recurse, and pass on what they need.";
}

bool has_warp_operations(const llvm::Module& module) {
  return module.getFunction("cuttle_cpu_warp_barrier") || module.getFunction("cuttle_cpu_converge");
}

}  // namespace

SimtResult lower_simt(llvm::Function& thread, bool check, bool split_loops) {
  llvm::Module& module = *thread.getParent();
  SimtResult result;
  result.user_error = refusal_of_calls(module, thread);
  if (!result.user_error.empty()) return result;

  auto& call = *llvm::cast<llvm::CallInst>(*thread.user_begin());
  ThreadBody body(module, thread);
  result.static_shared_bytes = body.static_shared_bytes();
  if (split_loops && !has_warp_operations(module)) step_through_loops(body);  // lanes of a warp are too few to pay for a region a round
  if (waits_of(body.function()).empty()) {
    run_threads(call, body);
  } else {
    SlotLayout slots;
    const Regions regions = split_into_regions(body, slots, check);
    regions.has_warp_barriers() ? run_warps(call, regions, slots) : run_regions(call, regions, slots);
  }
  return result;
}

}  // namespace cuttle::codegen
