// Every numbered lesson runs to its end, on every device; the pictures they make are right.

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cuttle/cuttle.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

extern char** environ;

namespace {

namespace fs = std::filesystem;

const fs::path& programs() {
  static const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  return folder;
}

/// The status that a program ends with, on a device; -1 where it did not end by itself.
int run(std::vector<std::string> words, const std::string& device) {
  setenv("CUTTLE_DEFAULT_DEVICE", device.c_str(), 1);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  int status = 0;
  if (posix_spawn(&process, words.front().c_str(), nullptr, nullptr, arguments.data(), environ) != 0) return -1;
  if (waitpid(process, &status, 0) != process) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Samples : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (device() == "cuda" && cuttle::Device::cuda_count() == 0) GTEST_SKIP() << "no GPU in this machine";
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string device() const { return GetParam(); }
  [[nodiscard]] fs::path file(const std::string& name) const { return folder_ / name; }

 private:
  fs::path folder_ = fs::path(testing::TempDir()) / ("cuttle_samples_" + std::to_string(getpid()));
};

INSTANTIATE_TEST_SUITE_P(, Samples, testing::Values("cpu", "cuda"), [](const auto& test) { return std::string(test.param); });

// Each lesson is offered a picture and a place for another; most take no notice.
TEST_P(Samples, EachRunsToItsEnd) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(programs())) {
    if (!entry.path().filename().string().starts_with("sample_")) continue;
    ++count;
    EXPECT_EQ(run({entry.path(), programs() / "picture.ppm", file("made.pgm")}, device()), 0) << entry.path();
  }
  EXPECT_GE(count, 2) << "beside " << programs();
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
  const std::string ppm = read(programs() / "picture.ppm");
  constexpr int rows = 240, columns = 321;
  const std::size_t header = ppm.size() - 3 * rows * columns;
  Grey grey{rows, columns, {}};
  for (std::size_t i = header; i < ppm.size(); i += 3) {
    const auto sample = [&](std::size_t channel) { return static_cast<int>(static_cast<unsigned char>(ppm[i + channel])); };
    grey.values.push_back((299 * sample(0) + 587 * sample(1) + 114 * sample(2)) / 1000);
  }
  ASSERT_EQ(run({programs() / "sample_02_edges", programs() / "picture.ppm", file("edges.pgm")}, device()), 0);
  EXPECT_TRUE(read(file("edges.pgm")) == edges_of(grey));
}

TEST_P(Samples, EdgesOfAGreyPictureSmallerThanABlock) {
  std::ofstream(file("grey.pgm"), std::ios::binary) << "P5 5 3 255\n" << "abcdeFGHIJ\x01\xff\x7f\x10\x80";
  const Grey grey{3, 5, {'a', 'b', 'c', 'd', 'e', 'F', 'G', 'H', 'I', 'J', 0x01, 0xff, 0x7f, 0x10, 0x80}};
  ASSERT_EQ(run({programs() / "sample_02_edges", file("grey.pgm"), file("edges.pgm")}, device()), 0);
  EXPECT_TRUE(read(file("edges.pgm")) == edges_of(grey));
}

TEST_P(Samples, EdgesRefusesWhatIsNoPicture) {
  std::ofstream(file("short.pgm"), std::ios::binary) << "P5 5 3 255\n" << "abc";
  std::ofstream(file("text.pgm")) << "no picture\n";
  EXPECT_EQ(run({programs() / "sample_02_edges", file("short.pgm"), file("edges.pgm")}, device()), 1);
  EXPECT_EQ(run({programs() / "sample_02_edges", file("text.pgm"), file("edges.pgm")}, device()), 1);
  EXPECT_EQ(run({programs() / "sample_02_edges", file("absent.pgm"), file("edges.pgm")}, device()), 1);
  EXPECT_FALSE(fs::exists(file("edges.pgm")));
}

}  // namespace
