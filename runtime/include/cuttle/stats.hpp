// What cuttle has done in this process, for people who ask why something was slow.
#pragma once

#include <cstdint>

#include "export.hpp"

namespace cuttle {

/// Milliseconds of the stages between a call and its launch, in their order; 0 for a stage that was not needed.
struct StageTimes {
  double read = 0;      ///< from the cache on disk
  double parse = 0;     ///< Clang
  double optimise = 0;  ///< LLVM: linking the math library, the SIMT lowering for the CPU, optimising
  double lower = 0;     ///< LLVM: to PTX, or to the CPU's code
  double link = 0;      ///< the driver: PTX to a binary
  double write = 0;     ///< into the cache on disk
  double load = 0;      ///< the binary onto a device
};

struct Stats {
  std::uint64_t compilations = 0;  ///< source compiled by Clang, failed attempts included
  std::uint64_t memory_hits = 0;   ///< a new call expression or array type found its code already in this process
  std::uint64_t disk_hits = 0;     ///< found in the cache on disk
  std::uint64_t modules = 0;       ///< binaries loaded, one for each device
  StageTimes milliseconds;         ///< of all threads together
};

/// Counts since the process started. CUTTLE_LOG=info writes each as it happens.
[[nodiscard]] CUTTLE_API Stats stats();

}  // namespace cuttle
