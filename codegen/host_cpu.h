// The CPU that this process runs on, as LLVM knows it.
#pragma once

#include <string>
#include <vector>

namespace cuttle::codegen {

struct HostCpu {
  std::string name;
  std::vector<std::string> features;  // "+avx2", only those present
  std::string feature_string;         // the same, joined by commas
};

[[nodiscard]] const HostCpu& host_cpu();
[[nodiscard]] const char* host_triple();

}  // namespace cuttle::codegen
