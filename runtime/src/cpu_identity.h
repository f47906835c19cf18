// The CPU of this machine, as far as it decides which code is compiled for it: part of a CPU object's key.
#pragma once

#include <string>

namespace cuttle::detail {

/// Vendor, model and feature words, as hexadecimal text. LLVM derives its CPU name and features from these and nothing else, so that equal
/// texts mean equal code; asking LLVM itself would open the compiler library at every start.
[[nodiscard]] const std::string& cpu_identity();

}  // namespace cuttle::detail
