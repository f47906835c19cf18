#include "race_detector.h"

#include <algorithm>

namespace cuttle::detail {

void RaceDetector::start_block(std::uint64_t block, std::uint32_t threads) {
  block_ = block;
  next_phase();
  block_phase_ = barrier_phase_ = phase_;
  threads_.assign(threads, Thread{});
  warps_met_ = false;
}

void RaceDetector::meet() {
  next_phase();
  barrier_phase_ = phase_;
  std::uint32_t acquired = 0;
  for (const Thread& thread : threads_) acquired = std::max(acquired, thread.acquired_phase);
  for (Thread& thread : threads_) {
    thread.acquired_phase = acquired;
    if (warps_met_) thread.seen.fill(0);
  }
  warps_met_ = false;
}

void RaceDetector::meet(std::uint32_t warp, std::uint32_t lanes) {
  warps_met_ = true;
  std::array<std::uint32_t, 32> seen{};
  std::uint32_t acquired = 0;
  const auto each = [&](const auto& visit) {
    for (std::uint32_t lane = 0; lane < 32 && 32 * warp + lane < threads_.size(); ++lane) {
      if (lanes >> lane & 1) visit(threads_[32 * warp + lane], lane);
    }
  };
  each([&](const Thread& thread, std::uint32_t lane) {
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = std::max(seen[i], thread.seen[i]);
    seen[lane] = std::max(seen[lane], thread.clock);
    acquired = std::max(acquired, thread.acquired_phase);
  });
  each([&](Thread& thread, std::uint32_t) {
    thread.seen = seen;
    thread.acquired_phase = acquired;
    ++thread.clock;
  });
}

void RaceDetector::fence(std::uint32_t thread) {
  threads_[thread].fence_phase = phase_;
  next_phase();
}

void RaceDetector::synchronise(const void* address, std::uint32_t thread) {
  Thread& self = threads_[thread];
  if (self.fence_phase == 0) {
    if (const auto found = released_.find(address); found != released_.end()) self.acquired_phase = std::max(self.acquired_phase, found->second);
    return;
  }
  std::uint32_t& released = released_[address];
  self.acquired_phase = std::max(self.acquired_phase, released);
  released = std::max({released, self.fence_phase, self.acquired_phase});
}

bool RaceDetector::is_ordered(const RaceRecord& record, std::uint32_t thread) const {
  const Thread& self = threads_[thread];
  if (record.phase <= self.acquired_phase) return true;
  if (record.phase < block_phase_) return false;  // another block's
  return record.phase < barrier_phase_ || record.thread == thread ||
         (record.thread / 32 == thread / 32 && record.clock <= self.seen[record.thread % 32]);
}

// In place of what the same thread did, else of what no access can race with any more, else of any other.
void RaceDetector::remember(RaceCell& cell, const RaceRecord& record) {
  for (RaceRecord& old : cell) {
    const bool is_same = old.phase >= block_phase_ && old.thread == record.thread && old.bytes == record.bytes;
    if (is_same && old.is_write == record.is_write && old.is_atomic == record.is_atomic && old.is_volatile == record.is_volatile &&
        old.writes_back == record.writes_back) {
      old = record;
      return;
    }
  }
  for (RaceRecord& old : cell) {
    if (old.phase == 0) {
      old = record;
      return;
    }
  }
  for (RaceRecord& old : cell) {
    if (old.phase < barrier_phase_ && old.phase >= block_phase_) {
      old = record;
      return;
    }
  }
  // A write tells more than a read: it goes only where there is nothing else.
  std::size_t victim = next_victim_++ % cell.size();
  for (std::size_t i = 1; i < cell.size() && cell[victim].is_write; ++i) victim = next_victim_++ % cell.size();
  cell[victim] = record;
}

std::optional<Race> RaceDetector::access(RaceCells& cells, std::uint64_t offset, std::uint64_t bytes, const RaceAccess& access) {
  const std::uint32_t first_phase = cells.is_shared() ? block_phase_ : 1;
  for (std::uint64_t at = offset; at < offset + bytes;) {
    const std::uint64_t end = std::min(offset + bytes, at / 4 * 4 + 4);
    const auto mask = static_cast<std::uint8_t>(((1u << (end - at)) - 1) << at % 4);
    RaceCell& cell = cells.of(at);
    const bool writes_back = access.changes_nothing && std::any_of(cell.begin(), cell.end(), [&](const RaceRecord& own) {
                               return !own.is_write && own.bytes == mask && own.phase >= block_phase_ && own.thread == access.thread;
                             });
    for (const RaceRecord& other : cell) {
      // A plain read beside atomic writes is CUDA's own idiom: the first guess of a compare-and-swap loop.
      // Between lanes of a warp volatile is no order: code from before sm_70 took it for one.
      const bool in_warp = cells.is_shared() && other.phase >= block_phase_ && other.thread / 32 == access.thread / 32;
      const auto is_plain_write = [in_warp](const auto& one) { return one.is_write && (!one.is_atomic || (in_warp && one.is_volatile)); };
      const bool has_plain_write = is_plain_write(other) || is_plain_write(access);
      if (other.phase < first_phase || !(other.bytes & mask) || !has_plain_write) continue;
      if (other.is_write && access.is_write && access.changes_nothing) continue;
      // In-place algorithms write all elements, those too that others read and that stay as they are (Floyd and Warshall's shortest paths).
      if (other.is_write != access.is_write && (access.is_write ? writes_back : other.writes_back)) continue;
      if (!is_ordered(other, access.thread)) return Race{block_of_phase_[other.phase], other.thread, other.is_write};
    }
    remember(cell, {phase_, threads_[access.thread].clock, static_cast<std::uint16_t>(access.thread), mask, access.is_write, access.is_atomic,
                    access.is_volatile, writes_back});
    at = end;
  }
  return std::nullopt;
}

}  // namespace cuttle::detail
