// Barriers of a block and memory fences, as the host compiler sees them: declared and never defined.
#pragma once

namespace cuttle::dsl {

/// Waits for every thread of the block that has not returned; what they wrote to shared and global memory before is visible afterwards.
/// Every thread that is still running must reach it.
void __syncthreads();
/// The same, and how many of the threads passed a predicate that is not 0.
int __syncthreads_count(int predicate);
/// The same, and whether all (any) of them did.
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);

/// Orders this thread's memory accesses before and after, as the block, the device, or the device and the host see them.
void __threadfence_block();
void __threadfence();
void __threadfence_system();

}  // namespace cuttle::dsl
