// Under checks: which values shuffles took from lanes that take no part in them (codegen/check_lanes.h). A doubt is 0 or the number of such a
// shuffle.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "codegen/check_calls.h"

namespace cuttle::detail {

/// A thread's shuffle from lane `source`, of which the lanes of `lanes` take part.
struct LaneRead {
  const CheckSite* site;
  std::uint32_t thread, source, lanes;
};

class LaneValues {
 public:
  void start_block() {
    reads_.clear();
    doubts_.clear();
  }
  /// The doubt about what the read gives, which the source put at `address`.
  [[nodiscard]] std::uint32_t take(const LaneRead& read, const void* address) {
    if (read.lanes >> read.source & 1) {
      const auto found = doubts_.find(address);
      return found == doubts_.end() ? 0 : found->second;
    }
    reads_.push_back(read);
    return static_cast<std::uint32_t>(reads_.size());
  }
  void give(const void* address, std::uint32_t doubt) {
    if (doubt != 0) {
      doubts_[address] = doubt;
    } else if (!doubts_.empty()) {
      doubts_.erase(address);
    }
  }
  [[nodiscard]] const LaneRead& read(std::uint32_t doubt) const { return reads_[doubt - 1]; }

 private:
  std::vector<LaneRead> reads_;
  std::unordered_map<const void*, std::uint32_t> doubts_;
};

}  // namespace cuttle::detail
