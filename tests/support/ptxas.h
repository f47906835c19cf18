// Whether NVIDIA's assembler takes a kernel's PTX, where the CUDA toolkit is installed.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace cuttle::test {

/// The path of ptxas, or nothing where there is none.
inline std::string find_ptxas() {
  for (const char* path : {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas"}) {
    if (access(path, X_OK) == 0) return path;
  }
  return {};
}

/// Success, or what ptxas says of `ptx` for sm_`sm`.
inline testing::AssertionResult assembles(const std::string& ptx, int sm) {
  char file[] = "/tmp/cuttle_ptx_XXXXXX";
  const int descriptor = mkstemp(file);
  if (descriptor < 0) return testing::AssertionFailure() << "no temporary file";
  close(descriptor);
  std::ofstream(file) << ptx;
  const std::string command = find_ptxas() + " -arch=sm_" + std::to_string(sm) + " -o /dev/null " + file + " 2>&1";
  std::string said;
  std::FILE* pipe = popen(command.c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  const int status = pclose(pipe);
  unlink(file);
  if (status == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << said << "\n" << ptx;
}

}  // namespace cuttle::test
