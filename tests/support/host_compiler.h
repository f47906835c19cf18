// Runs a compiler of this machine on a source that includes cuttle, for tests of what the host compiler says.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <string>

#include "support/shell.h"

namespace cuttle::test {

class HostCompiler {
 public:
  explicit HostCompiler(std::string name) : name_(std::move(name)) {}

  /// A reason to skip: this compiler, or the sources with cuttle's headers, are not here. Empty where both are.
  [[nodiscard]] std::string why_not() const {
    if (run_shell("command -v " + name_).status != 0) return name_ + " is not here";
    if (!std::filesystem::exists(CUTTLE_TEST_SOURCE_DIR "/runtime/include/cuttle/cuttle.hpp")) return "cuttle's headers are not here";
    return {};
  }

  [[nodiscard]] ShellResult run(const std::string& arguments) const {
    return run_shell(name_ + " -std=c++20 -I" CUTTLE_TEST_SOURCE_DIR "/runtime/include -I" CUTTLE_TEST_SOURCE_DIR "/dsl/include " + arguments);
  }

  /// Parses and checks `file` with the warnings that people have on.
  [[nodiscard]] ShellResult check(const std::string& file) const { return run("-fsyntax-only -Wall -Wextra -Wpedantic -Wshadow " + file); }

 private:
  std::string name_;
};

/// "g++" and "clang++-22" as names of tests.
inline std::string compiler_test_name(const testing::TestParamInfo<const char*>& test) { return test.param == std::string("g++") ? "gcc" : "clang"; }

}  // namespace cuttle::test
