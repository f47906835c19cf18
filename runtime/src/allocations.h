// Where the arrays of the CPU device lie, for checks: what a pointer points into, and whether that was freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

namespace cuttle::detail {

struct Allocation {
  const unsigned char* begin;
  std::size_t bytes;
  bool is_freed;

  /// Whether an access of `count` bytes lies inside; and whether a pointer points into it, or just behind its end.
  [[nodiscard]] bool holds(const unsigned char* address, std::uint64_t count) const {
    return address >= begin && count <= bytes && static_cast<std::size_t>(address - begin) <= bytes - count;
  }
};

class Allocations {
 public:
  static Allocations& instance();

  void add(void* data, std::size_t bytes);
  /// Forgets an array whose memory its owner then frees. Null asks for nothing. Where freed arrays are kept, the result is what to free instead of
  /// `data`: the oldest ones, once they are many.
  [[nodiscard]] std::vector<void*> remove(void* data);
  /// From now on memory that is freed is kept for a while, so that nothing else gets it and its use is seen.
  void keep_freed();
  /// All there are, ordered by address.
  [[nodiscard]] std::vector<Allocation> all();
  /// Holds all other calls up: for fork(), which must find no other thread in one.
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  static constexpr std::size_t most_freed_bytes = 256u << 20;

  std::mutex mutex_;
  std::map<const unsigned char*, Allocation> allocations_;
  std::deque<const unsigned char*> freed_;  // the oldest first
  std::size_t freed_bytes_ = 0;
  bool keeps_freed_ = false;
};

}  // namespace cuttle::detail
