// The counters behind cuttle::stats().
#pragma once

#include <atomic>
#include <cstdint>

namespace cuttle::detail {

struct Counters {
  std::atomic<std::uint64_t> compilations{0};
  std::atomic<std::uint64_t> memory_hits{0};
  std::atomic<std::uint64_t> disk_hits{0};
  std::atomic<std::uint64_t> modules{0};
};

inline constinit Counters counters;

}  // namespace cuttle::detail
