// What a block that runs on the CPU device asks of the runtime while it runs.
#pragma once

#include <cstdint>

namespace cuttle::detail {

/// Memory in which the block keeps its threads' values between barriers (codegen/simt_slots.h), until the next block runs on this thread of the
/// host: a block stays on one from its start to its end.
unsigned char* scratch_memory(std::uint64_t bytes);

/// The clock of globaltimer(), and __nanosleep().
std::uint64_t nanoseconds();
void sleep_nanoseconds(std::uint32_t duration);

}  // namespace cuttle::detail
