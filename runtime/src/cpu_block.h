// What a block that runs on the CPU device has from the runtime.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuttle::detail {

/// Memory in which the block keeps its threads' values between barriers (codegen/simt_slots.h), until the next block runs on this thread of the
/// host: a block stays on one from its start to its end.
unsigned char* scratch_memory(std::uint64_t bytes);

/// The block's shared memory, aligned to 128 bytes, until the next block runs on this thread. What follows it is no memory, so that a kernel with too
/// little of it faults rather than writes over what is the process's.
unsigned char* shared_memory(std::size_t bytes);
/// Whether a fault at the address is one of going past the shared memory of the block that runs on this thread.
[[nodiscard]] bool is_behind_shared_memory(const void* address);

/// The clock of globaltimer(), and __nanosleep().
std::uint64_t nanoseconds();
void sleep_nanoseconds(std::uint32_t duration);

}  // namespace cuttle::detail
