// Where a block's threads keep what outlives a region: a slot is one element a thread, structure-of-arrays, in the block's scratch memory.
#pragma once

#include <cstdint>

#include "codegen/simt_thread.h"
#include "codegen/warp_state.h"

namespace cuttle::codegen {

/// The scratch memory begins with the counter of __syncthreads_count and its kin, the states of the block's 32 warps, and the memory through
/// which the lanes of each exchange values; the slots follow.
inline constexpr std::uint64_t block_counter_offset = 0;
inline constexpr std::uint64_t warp_states_offset = 64;
inline constexpr std::uint64_t warp_memory_offset = warp_states_offset + 32 * sizeof(WarpState);
inline constexpr std::uint64_t warp_memory_bytes = 512;  // of one warp: 32 elements each of 1, 2, 4 and 8 bytes
inline constexpr std::uint64_t scratch_header_bytes = warp_memory_offset + 32 * warp_memory_bytes;
static_assert(scratch_header_bytes % 64 == 0);

/// The most that a uniform value takes.
inline constexpr std::uint64_t max_uniform_bytes = 16;

struct Slot {
  std::uint64_t bytes;         // of one thread's element
  std::uint64_t bytes_before;  // of all slots before it, one thread's
  std::uint64_t number;
};

/// Hands out slots. A slot begins at scratch_header_bytes + 64 * number + threads * bytes_before: threads is a multiple of 64, which aligns
/// every slot to a cache line, and the 64 * number keeps equal elements of different slots from falling onto one set of the cache.
class SlotLayout {
 public:
  [[nodiscard]] Slot add(std::uint64_t bytes) {
    const Slot slot{bytes, bytes_, count_++};
    bytes_ += bytes;
    return slot;
  }

  /// Bytes of scratch memory for a block of `threads`.
  [[nodiscard]] llvm::Value* total_bytes(llvm::IRBuilder<>& builder, llvm::Value* threads) const {
    return builder.CreateAdd(builder.CreateMul(threads, builder.getInt64(bytes_)), builder.getInt64(scratch_header_bytes + 64 * count_));
  }

 private:
  std::uint64_t bytes_ = 0;
  std::uint64_t count_ = 0;
};

/// The address of thread 0's element of the slot.
[[nodiscard]] inline llvm::Value* slot_begin(llvm::IRBuilder<>& builder, const ThreadPlace& place, const Slot& slot) {
  llvm::Value* before = builder.CreateMul(place.threads, builder.getInt64(slot.bytes_before), "", true, true);
  llvm::Value* offset = builder.CreateAdd(before, builder.getInt64(scratch_header_bytes + 64 * slot.number), "", true, true);
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), place.scratch, offset);
}

/// The address of the thread's element of the slot.
[[nodiscard]] inline llvm::Value* slot_address(llvm::IRBuilder<>& builder, const ThreadPlace& place, const Slot& slot) {
  llvm::Value* offset = builder.CreateMul(place.linear, builder.getInt64(slot.bytes), "", true, true);
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), slot_begin(builder, place, slot), offset);
}

/// The address of the element for the thread's warp, of `bytes` each, in the header's array at `begin`.
[[nodiscard]] inline llvm::Value* warp_address(llvm::IRBuilder<>& builder, const ThreadPlace& place, std::uint64_t begin, std::uint64_t bytes) {
  llvm::Value* offset = builder.CreateMul(builder.CreateLShr(place.linear, 5), builder.getInt64(bytes), "", true, true);
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), place.scratch, builder.CreateAdd(offset, builder.getInt64(begin), "", true, true));
}

}  // namespace cuttle::codegen
