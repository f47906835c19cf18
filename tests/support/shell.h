// Commands of the shell, for tests that use the tools of the machine.
#pragma once

#include <string>

#include "support/process.h"

namespace cuttle::test {

struct ShellResult {
  int status;          // the exit code, or -signal
  std::string output;  // standard output and standard error
};

inline ShellResult run_shell(const std::string& command) {
  Process shell("/bin/sh", {"-c", "exec 2>&1; " + command}, {});
  const int status = shell.wait();
  return {status, shell.output()};
}

}  // namespace cuttle::test
