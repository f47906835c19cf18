// CUTTLE_DEVICE_HEADER: whole headers as device code, embedded in the program or read when a kernel is compiled, and never an old version of them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/process.h"

namespace {

using cuttle::test::Environment;
using cuttle::test::Process;
using cuttle::test::program_folder;
using cuttle::test::TemporaryFolder;

class DeviceHeader : public testing::Test {
 protected:
  // What the program prints; it must end well.
  std::string run(const std::string& program) {
    Process process(program_folder() / program, {}, environment_);
    EXPECT_EQ(process.wait(), 0) << process.output() << process.error();
    return process.output();
  }

  // A folder of headers of the edit's time, as a file of it says what factor is.
  void write_headers(const std::string& factor) {
    std::ofstream(folder_.path() / "factor.h") << "#pragma once\nconstexpr int factor = " << factor << ";\n";
    std::ofstream(folder_.path() / "stencil.h") << stencil_;
    environment_.set["CUTTLE_INCLUDE_PATH"] = "/nonexistent:" + folder_.path().string();
  }

  std::string stencil_ = R"(#pragma once
#include <vector>
#include "factor.h"
#define SUM(a, b) ((a) + \
                   (b))
namespace stencil {
struct Offset { int x, y; };
inline int weight(Offset offset) { return SUM(offset.x * 10, offset.y) * factor; }
namespace nested { constexpr int bias = 1000; }
}
)";
  TemporaryFolder folder_;
  TemporaryFolder cache_;
  Environment environment_{.set = {{"CUTTLE_CACHE_DIR", cache_.path()}, {"CUTTLE_DEFAULT_DEVICE", "cpu"}}, .unset = {"CUTTLE_INCLUDE_PATH"}};
};

// The program's own headers say that factor is 2: the host's result.
TEST_F(DeviceHeader, IsReadFromTheIncludePathAndAnEditedOneGivesTheNewResult) {
  environment_.unset.clear();
  write_headers("2");
  EXPECT_EQ(run("device_header_program"), "1024 1024 1\n");
  EXPECT_EQ(run("device_header_program"), "1024 1024 0\n");  // found on disk
  write_headers("5");
  EXPECT_EQ(run("device_header_program"), "1060 1024 1\n");
  stencil_.replace(stencil_.find("* 10"), 4, "* 20");
  write_headers("5");
  EXPECT_EQ(run("device_header_program"), "1110 1024 1\n");
  write_headers("5");
  EXPECT_EQ(run("device_header_program"), "1110 1024 0\n");
}

TEST_F(DeviceHeader, EmbeddedNeedsNoFile) {
  EXPECT_EQ(run("embedded_2/device_header_program"), "1024 1024 1\n");
  EXPECT_EQ(run("embedded_3/device_header_program"), "1036 1036 1\n");
  EXPECT_EQ(run("embedded_2/device_header_program"), "1024 1024 0\n");
  // What is in the program comes before what lies around.
  environment_.unset.clear();
  write_headers("7");
  EXPECT_EQ(run("embedded_3/device_header_program"), "1036 1036 0\n");
}

TEST_F(DeviceHeader, EmbeddedInAStaticLibraryNeedsNoFile) { EXPECT_EQ(run("embedded_static/device_header_program"), "1036 1036 1\n"); }

// The host's Offset has two ints.
TEST_F(DeviceHeader, WithAnotherLayoutThanTheHostsIsRefusedByTheMember) {
  environment_.unset.clear();
  stencil_.replace(stencil_.find("int x, y;"), 9, "short x; int y;");
  write_headers("2");
  Process process(program_folder() / "device_header_program", {}, environment_);
  EXPECT_EQ(process.wait(), 1);
  EXPECT_NE(process.output().find("the host compiler lays out stencil::Offset otherwise: its member x has 32 bits there, and 16 in the kernel"),
            std::string::npos)
      << process.output();
}

TEST_F(DeviceHeader, ThatIsNowhereIsSaidWithTheWayOut) {
  Process process(program_folder() / "device_header_program", {}, environment_);
  EXPECT_EQ(process.wait(), 1);
  const std::string said = process.output();
  EXPECT_NE(said.find("device_header_program.cpp:10: error: the header stencil.h of CUTTLE_DEVICE_HEADER is neither embedded"), std::string::npos)
      << said;
  EXPECT_NE(said.find("hint: embed it: cuttle_embed_headers(target stencil.h) in CMake; or name its folder in CUTTLE_INCLUDE_PATH"),
            std::string::npos)
      << said;
}

TEST_F(DeviceHeader, MistakesPointIntoTheHeader) {
  environment_.unset.clear();
  stencil_.replace(stencil_.find("SUM(offset"), 10, "SUN(offset");
  write_headers("2");
  Process process(program_folder() / "device_header_program", {}, environment_);
  EXPECT_EQ(process.wait(), 1);
  EXPECT_NE(process.output().find((folder_.path() / "stencil.h").string() + ":8:43: error: use of undeclared identifier 'SUN'"), std::string::npos)
      << process.output();
}

}  // namespace
