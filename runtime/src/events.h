// What happens to a kernel between its call and its launch: counted for cuttle::stats(), and written to stderr where CUTTLE_LOG asks for it.
#pragma once

#include <cstdint>
#include <string>

#include "cuttle/stats.hpp"

namespace cuttle::detail {

enum class Event : std::uint8_t { found_in_memory, found_on_disk, compiled, failed_to_compile, linked, kept_on_disk, loaded };

/// Counts the event, adds the times, and logs "cuttle: copy_1a2b3c (view<f32>, u32) compiled in 14.20 ms (read 0.02, parse 5.01, ...)".
void record(Event event, const std::string& entry, const std::string& signature, const StageTimes& times);

}  // namespace cuttle::detail
