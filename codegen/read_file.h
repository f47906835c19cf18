// The bytes of a user's source file, where it is at hand.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace cuttle::codegen {

/// None where the file cannot be read.
[[nodiscard]] inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace cuttle::codegen
