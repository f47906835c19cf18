// What cuttle has done in this process, for people who ask why something was slow.
#pragma once

#include <cstdint>

#include "export.hpp"

namespace cuttle {

struct Stats {
  std::uint64_t compilations = 0;  ///< source compiled by Clang, failed attempts included
  std::uint64_t memory_hits = 0;   ///< a new call expression or array type found its code already in this process
  std::uint64_t disk_hits = 0;     ///< found in the cache on disk
  std::uint64_t modules = 0;       ///< binaries loaded, one for each device
};

/// Counts since the process started.
[[nodiscard]] CUTTLE_API Stats stats();

}  // namespace cuttle
