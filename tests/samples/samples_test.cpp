// Every numbered lesson runs to its end, on every device; the pictures they make are right.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuttle/cuttle.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/process.h"

namespace {

namespace fs = std::filesystem;
using cuttle::test::program_folder;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Samples : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string(GetParam()) == "cuda" && cuttle::Device::cuda_count() == 0) GTEST_SKIP() << "no GPU in this machine";
  }

  /// The exit code of a program on the test's device; on stdout what it wrote to stderr, for whoever reads the failure.
  [[nodiscard]] static int run(const fs::path& program, const fs::path& picture, const fs::path& made) {
    cuttle::test::Process process(program, {picture, made}, {.set = {{"CUTTLE_DEFAULT_DEVICE", GetParam()}}, .unset = {}});
    const int code = process.wait();
    std::fputs(process.error().c_str(), stdout);
    return code;
  }
  [[nodiscard]] fs::path file(const std::string& name) const { return folder_.path() / name; }

  const fs::path picture_ = program_folder() / "picture.ppm";
  const fs::path edges_ = program_folder() / "sample_02_edges";

 private:
  cuttle::test::TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(, Samples, testing::Values("cpu", "cuda"), [](const auto& test) { return std::string(test.param); });

// Each lesson is offered a picture and a place for another; most take no notice.
TEST_P(Samples, EachRunsToItsEnd) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(program_folder())) {
    if (!entry.path().filename().string().starts_with("sample_")) continue;
    ++count;
    EXPECT_EQ(run(entry.path(), picture_, file("made.pgm")), 0) << entry.path();
  }
  EXPECT_GE(count, 2) << "beside " << program_folder();
}

// ---- 02_edges ----

struct Grey {
  int rows, columns;
  std::vector<int> values;

  [[nodiscard]] int at(int row, int column) const {
    return values[static_cast<std::size_t>(std::clamp(row, 0, rows - 1) * columns + std::clamp(column, 0, columns - 1))];
  }
};

/// Sobel's operator as a pair of 3 x 3 matrices.
std::string edges_of(const Grey& picture) {
  constexpr int weights[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  std::string result = "P5\n" + std::to_string(picture.columns) + " " + std::to_string(picture.rows) + "\n255\n";
  for (int row = 0; row < picture.rows; ++row) {
    for (int column = 0; column < picture.columns; ++column) {
      int across = 0, down = 0;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          across += weights[r][c] * picture.at(row + r - 1, column + c - 1);
          down += weights[c][r] * picture.at(row + r - 1, column + c - 1);
        }
      }
      result += static_cast<char>(std::min(std::abs(across) + std::abs(down), 255));
    }
  }
  return result;
}

TEST_P(Samples, EdgesOfThePictureAreSobels) {
  const std::string ppm = read(picture_);
  constexpr int rows = 240, columns = 321;
  const std::size_t header = ppm.size() - 3 * rows * columns;
  Grey grey{rows, columns, {}};
  for (std::size_t i = header; i < ppm.size(); i += 3) {
    const auto sample = [&](std::size_t channel) { return static_cast<int>(static_cast<unsigned char>(ppm[i + channel])); };
    grey.values.push_back((299 * sample(0) + 587 * sample(1) + 114 * sample(2)) / 1000);
  }
  ASSERT_EQ(run(edges_, picture_, file("edges.pgm")), 0);
  EXPECT_TRUE(read(file("edges.pgm")) == edges_of(grey));
}

TEST_P(Samples, EdgesOfAGreyPictureSmallerThanABlock) {
  std::ofstream(file("grey.pgm"), std::ios::binary) << "P5 5 3 255\n" << "abcdeFGHIJ\x01\xff\x7f\x10\x80";
  const Grey grey{3, 5, {'a', 'b', 'c', 'd', 'e', 'F', 'G', 'H', 'I', 'J', 0x01, 0xff, 0x7f, 0x10, 0x80}};
  ASSERT_EQ(run(edges_, file("grey.pgm"), file("edges.pgm")), 0);
  EXPECT_TRUE(read(file("edges.pgm")) == edges_of(grey));
}

TEST_P(Samples, EdgesRefusesWhatIsNoPicture) {
  std::ofstream(file("short.pgm"), std::ios::binary) << "P5 5 3 255\n" << "abc";
  std::ofstream(file("text.pgm")) << "no picture\n";
  EXPECT_EQ(run(edges_, file("short.pgm"), file("edges.pgm")), 1);
  EXPECT_EQ(run(edges_, file("text.pgm"), file("edges.pgm")), 1);
  EXPECT_EQ(run(edges_, file("absent.pgm"), file("edges.pgm")), 1);
  EXPECT_FALSE(fs::exists(file("edges.pgm")));
}

}  // namespace
