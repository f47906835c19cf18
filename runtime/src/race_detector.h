// Which accesses of a launch race: two threads access the same bytes, one of them writes, not both are atomic, and nothing orders the two. Orders
// are barriers of the block and of warps, and fences with atomic operations (or volatile accesses) behind them. Blocks run one after the other, so
// that time is one counter.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace cuttle::detail {

/// The accesses to four bytes that are remembered.
struct RaceRecord {
  std::uint32_t phase = 0;  // 0 for none
  std::uint32_t clock = 0;  // of the thread in its warp
  std::uint16_t thread = 0;
  std::uint8_t bytes = 0;  // a bit each
  bool is_write = false;
  bool is_atomic = false;
  bool is_volatile = false;
  bool writes_back = false;  // what its thread has just read there
};
using RaceCell = std::array<RaceRecord, 4>;

/// The cells of a piece of memory; they cost memory once they are used. Shared memory is another one in each block.
class RaceCells {
 public:
  explicit RaceCells(std::size_t bytes, bool is_shared = false)
      : cells_(static_cast<RaceCell*>(std::calloc(bytes / 4 + 2, sizeof(RaceCell)))), is_shared_(is_shared) {}
  [[nodiscard]] bool is_shared() const { return is_shared_; }
  [[nodiscard]] RaceCell& of(std::uint64_t offset) { return cells_.get()[offset / 4]; }
  explicit operator bool() const { return cells_ != nullptr; }

 private:
  struct Free {
    void operator()(RaceCell* cells) const { std::free(cells); }
  };
  std::unique_ptr<RaceCell, Free> cells_;
  bool is_shared_;
};

struct RaceAccess {
  std::uint32_t thread;
  bool is_write;
  bool is_atomic;        // or volatile
  bool is_volatile;      // and not atomic
  bool changes_nothing;  // a write of what is there: no conflict with another write
};

/// The earlier access that races with one.
struct Race {
  std::uint64_t block;
  std::uint32_t thread;
  bool is_write;
};

class RaceDetector {
 public:
  void start_block(std::uint64_t block, std::uint32_t threads);
  /// All threads of the block have met.
  void meet();
  /// These lanes of a warp have met.
  void meet(std::uint32_t warp, std::uint32_t lanes);
  void fence(std::uint32_t thread);
  /// An atomic access: it sees what others did before a fence and an access to the same place, and shows what this thread did before its fence.
  void synchronise(const void* address, std::uint32_t thread);
  [[nodiscard]] std::optional<Race> access(RaceCells& cells, std::uint64_t offset, std::uint64_t bytes, const RaceAccess& access);

 private:
  struct Thread {
    std::uint32_t clock = 1;
    std::array<std::uint32_t, 32> seen{};  // the clocks of its warp's lanes, as far as it has met them
    std::uint32_t fence_phase = 0;
    std::uint32_t acquired_phase = 0;  // what happened up to here anywhere is visible to it
  };

  void next_phase() {
    ++phase_;
    block_of_phase_.push_back(block_);
  }
  [[nodiscard]] bool is_ordered(const RaceRecord& record, std::uint32_t thread) const;
  void remember(RaceCell& cell, const RaceRecord& record);

  std::uint64_t block_ = 0;
  std::uint32_t phase_ = 0, block_phase_ = 0, barrier_phase_ = 0;
  std::vector<std::uint64_t> block_of_phase_{0};
  std::vector<Thread> threads_;
  bool warps_met_ = false;
  std::unordered_map<const void*, std::uint32_t> released_;  // by the place of atomic accesses
  unsigned next_victim_ = 0;
};

}  // namespace cuttle::detail
