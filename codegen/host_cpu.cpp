#include "codegen/host_cpu.h"

#include <algorithm>

#include "codegen/llvm.h"

namespace cuttle::codegen {

const HostCpu& host_cpu() {
  // Never destroyed: a thread may still compile while the process exits.
  static const HostCpu* cpu = [] {
    auto* host = new HostCpu;
    host->name = llvm::sys::getHostCPUName().str();
    for (const auto& [feature, present] : llvm::sys::getHostCPUFeatures()) {
      // LLVM names avx10 before its code generator treats it as the plain AVX-512 that it replaces. The conversions to bfloat16 of the other two
      // make 0 of denormal numbers, whatever the processor is told; a GPU's do not. The processor's name brings them, so it takes a minus.
      const bool loses_denormals = feature == "avx512bf16" || feature == "avxneconvert";
      if (present && !feature.starts_with("avx10")) host->features.push_back((loses_denormals ? "-" : "+") + feature.str());
    }
    std::sort(host->features.begin(), host->features.end());  // StringMap's order is not the same in every process
    for (const std::string& feature : host->features) host->feature_string += (host->feature_string.empty() ? "" : ",") + feature;
    return host;
  }();
  return *cpu;
}

const char* host_triple() { return "x86_64-pc-linux-gnu"; }

}  // namespace cuttle::codegen
