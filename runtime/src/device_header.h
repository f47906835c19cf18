// The headers of CUTTLE_DEVICE_HEADER: found, read, and made fit to stand in a kernel's source.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cuttle/dsl/device_code.hpp"

namespace cuttle::detail {

struct DeviceHeader {
  std::string path;
  std::string text;  // without its #include lines and #pragma once; lines and columns are those of the file
};

/// The header that `block` names, after those that it includes in quotes and that are there, each once: `seen` has the paths of those before. What is
/// embedded in the program comes first, then what lies beside the including file, then in the folders of CUTTLE_INCLUDE_PATH. Headers in angle
/// brackets are the host's: a kernel has the prelude. Throws CompileError where the header is nowhere.
[[nodiscard]] std::vector<DeviceHeader> device_headers(const DeviceBlock& block, const DeviceBlocks& blocks, std::set<std::string>& seen);

}  // namespace cuttle::detail
