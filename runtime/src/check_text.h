// How a mistake that checks found is told, on either device.
#pragma once

#include <cstdint>
#include <string>

#include "cuttle/error.hpp"

namespace cuttle::detail {

/// "(3, 0, 0)"
inline std::string index_text(const std::uint32_t* index) {
  return "(" + std::to_string(index[0]) + ", " + std::to_string(index[1]) + ", " + std::to_string(index[2]) + ")";
}

/// "kernel sim_12ab (view<f32>) has a division by zero, at sim.cpp:12 in block (3, 0, 0), thread (17, 0, 0)"
inline std::string mistake_text(const CheckError::Finding& finding, const std::string& what) {
  return "kernel " + finding.kernel + " has " + what + ", at " + finding.file + ":" + std::to_string(finding.line) + " in block " +
         index_text(finding.block) + ", thread " + index_text(finding.thread);
}

/// Dimension -1 stands for all elements in their order.
inline std::string outside_text(std::int64_t index, std::int64_t extent, int dimension, const std::string& of) {
  return "index " + std::to_string(index) + (dimension < 0 ? " among all elements of " : " in dimension " + std::to_string(dimension) + " of ") + of +
         ", of which there are " + std::to_string(extent);
}

}  // namespace cuttle::detail
