#include "codegen/versions.h"

#include <algorithm>

namespace cuttle::codegen {
namespace {

struct Architecture {
  uint32_t sm;
  uint32_t ptx;           // oldest PTX that knows it
  uint32_t ptx_a, ptx_f;  // with suffix a or f; 0 where there is none
};

constexpr Architecture architectures[] = {
    {75, 63, 0, 0},    {80, 70, 0, 0},    {86, 71, 0, 0},    {87, 74, 0, 0},    {88, 90, 0, 0},    {89, 78, 0, 0},    {90, 78, 80, 0},
    {100, 86, 86, 88}, {101, 86, 86, 88}, {103, 88, 88, 88}, {110, 90, 90, 90}, {120, 87, 87, 88}, {121, 88, 88, 88},
};

// What is asked for when nobody says: old enough for drivers of CUDA 12.3, new enough for large parameters (8.1).
constexpr uint32_t default_ptx = 83;

std::string version_text(uint32_t ptx) { return std::to_string(ptx / 10) + "." + std::to_string(ptx % 10); }

}  // namespace

std::string sm_name(const cuttle_target& target) {
  std::string name = "sm_" + std::to_string(target.sm);
  if (target.sm_suffix) name += static_cast<char>(target.sm_suffix);
  return name;
}

std::string ptx_feature(const cuttle_target& target) { return "+ptx" + std::to_string(target.ptx); }

std::optional<std::string> complete_target(cuttle_target& target) {
  if (target.backend != CUTTLE_BACKEND_PTX) return std::nullopt;
  const auto* found = std::find_if(std::begin(architectures), std::end(architectures), [&](const Architecture& a) { return a.sm == target.sm; });
  if (found == std::end(architectures)) {
    std::string known;
    for (const Architecture& a : architectures) known += (known.empty() ? "" : ", ") + std::to_string(a.sm);
    return "sm_" + std::to_string(target.sm) + " is not a target of this compiler; it knows " + known + ".";
  }
  const uint32_t floor = target.sm_suffix == 0 ? found->ptx : target.sm_suffix == 'a' ? found->ptx_a : found->ptx_f;
  if (floor == 0) return sm_name(target) + " does not exist; use sm_" + std::to_string(target.sm) + ".";
  if (target.ptx == 0) target.ptx = std::max(default_ptx, floor);
  if (target.ptx < floor) {
    return sm_name(target) + " needs PTX " + version_text(floor) + ", and the driver reads PTX " + version_text(target.ptx) +
           " at most: update the NVIDIA driver.";
  }
  target.ptx = std::min(target.ptx, max_ptx);
  return std::nullopt;
}

}  // namespace cuttle::codegen
