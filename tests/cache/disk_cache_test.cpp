// The files of the cache, without kernels: what is found, what is not, what is kept, and what happens when processes are killed.

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "runtime/src/disk_cache.h"
#include "support/process.h"

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using cuttle::detail::DiskCache;
using cuttle::detail::Entry;
using cuttle::detail::Key;
using cuttle::test::TemporaryFolder;

constexpr std::uint64_t gibibyte = 1ull << 30;

Key key_of(int number) { return Key("key " + std::to_string(number)); }

Entry entry_of(const Key& key, const std::string& code) {
  return {.key_text = key.text,
          .entry = "k",
          .signature = "(i32)",
          .libdevice = {},
          .kind = cuttle::detail::CodeKind::ptx,
          .static_shared_bytes = 12,
          .code = code};
}

fs::path file_of(const fs::path& folder, const Key& key) { return folder / key.hash.substr(0, 2) / (key.hash + ".cuttle"); }

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& file : fs::recursive_directory_iterator(folder)) {
    if (file.is_regular_file()) files.push_back(file.path());
  }
  return files;
}

std::uint64_t bytes_below(const fs::path& folder) {
  std::uint64_t total = 0;
  for (const fs::path& file : files_below(folder)) total += fs::file_size(file);
  return total;
}

class Disk : public testing::Test {
 protected:
  TemporaryFolder folder_;
  DiskCache cache_{folder_.path() / "made" / "when needed", gibibyte};
};

TEST_F(Disk, FindsWhatWasPublishedAndNothingElse) {
  const Key key = key_of(1);
  EXPECT_FALSE(cache_.find(key));
  cache_.publish(key, entry_of(key, std::string("\0binary\0", 8)));
  const auto found = cache_.find(key);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->code, std::string("\0binary\0", 8));
  EXPECT_EQ(found->entry, "k");
  EXPECT_EQ(found->signature, "(i32)");
  EXPECT_EQ(found->static_shared_bytes, 12u);
  EXPECT_FALSE(cache_.find(key_of(2)));
}

TEST_F(Disk, AnEntryOfAnotherKeyUnderTheSameHashIsNotUsed) {
  Key key = key_of(1);
  cache_.publish(key, entry_of(key, "code"));
  key.text = "another text of the same hash";
  EXPECT_FALSE(cache_.find(key));
}

TEST_F(Disk, EveryKindOfDamageIsAMissAndIsRepaired) {
  const Key key = key_of(7);
  const fs::path path = file_of(cache_.folder(), key);
  cache_.publish(key, entry_of(key, std::string(5000, 'x')));
  const std::string whole = read(path);
  ASSERT_GT(whole.size(), 5000u);

  std::vector<std::string> damaged{"", "x", whole.substr(0, whole.size() - 1), whole.substr(0, 40), whole + "x", std::string(whole.size(), '\0')};
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    std::string bytes = whole;
    bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
    damaged.push_back(bytes);
  }
  for (const std::string& bytes : damaged) {
    write(path, bytes);
    ASSERT_FALSE(cache_.find(key));
    cache_.publish(key, entry_of(key, "new"));
    ASSERT_EQ(cache_.find(key)->code, "new");
  }
}

TEST_F(Disk, AFolderOrAFifoInPlaceOfAnEntryIsAMissAndIsRepaired) {
  const Key key = key_of(7);
  const fs::path path = file_of(cache_.folder(), key);
  fs::create_directories(path / "with" / "content");
  EXPECT_FALSE(cache_.find(key));
  cache_.publish(key, entry_of(key, "new"));
  EXPECT_TRUE(cache_.find(key));

  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(cache_.find(key));  // and does not wait for a writer
  cache_.publish(key, entry_of(key, "new"));
  EXPECT_TRUE(cache_.find(key));
}

TEST_F(Disk, EntriesOfOtherFormatsAreIgnored) {
  const Key key = key_of(7);
  const fs::path path = file_of(cache_.folder(), key);
  cache_.publish(key, entry_of(key, "code"));
  constexpr std::size_t format_offset = 8;
  for (const char other : {0, 99}) {
    std::string bytes = read(path);
    bytes[format_offset] = other;
    write(path, bytes);
    EXPECT_FALSE(cache_.find(key));
  }
}

TEST_F(Disk, TenThousandEntriesStayBelowTheBound) {
  constexpr std::uint64_t bound = 64 << 20;
  const DiskCache cache(folder_.path(), bound);
  const std::string code(20000, 'x');
  int found_at_once = 0;
  for (int i = 0; i < 10000; ++i) {
    const Key key = key_of(i);
    cache.publish(key, entry_of(key, code));
    found_at_once += cache.find(key).has_value();
  }
  EXPECT_EQ(found_at_once, 10000);
  const std::uint64_t total = bytes_below(folder_.path());
  EXPECT_LE(total, bound);
  EXPECT_GT(total, bound * 3 / 4);  // and the bound is used
}

TEST_F(Disk, TheLeastRecentlyUsedGoFirst) {
  constexpr std::uint64_t bound = 1 << 20;
  const DiskCache cache(folder_.path(), bound);
  const std::string code(100000, 'x');
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 9; ++i) {
    const Key key = key_of(i);
    cache.publish(key, entry_of(key, code));
    fs::last_write_time(file_of(folder_.path(), key), now - (20h - i * 1h));
  }
  EXPECT_TRUE(cache.find(key_of(0)));  // the oldest is now the last used
  for (int i = 9; i < 12; ++i) cache.publish(key_of(i), entry_of(key_of(i), code));
  for (const int i : {0, 4, 5, 6, 7, 8, 9, 10, 11}) EXPECT_TRUE(cache.find(key_of(i))) << i;
  for (const int i : {1, 2, 3}) EXPECT_FALSE(cache.find(key_of(i))) << i;
}

TEST_F(Disk, ATimeOfUseThatIsToComeIsNotBelieved) {
  constexpr std::uint64_t bound = 1 << 20;
  const DiskCache cache(folder_.path(), bound);
  const std::string code(100000, 'x');
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 9; ++i) cache.publish(key_of(i), entry_of(key_of(i), code));
  for (const int i : {3, 5}) fs::last_write_time(file_of(folder_.path(), key_of(i)), now + 100h);
  EXPECT_TRUE(cache.find(key_of(5)));
  EXPECT_LT(fs::last_write_time(file_of(folder_.path(), key_of(5))), now + 1h) << "a use is noted";
  cache.publish(key_of(9), entry_of(key_of(9), code));
  EXPECT_FALSE(cache.find(key_of(3)));
  for (const int i : {0, 1, 2, 4, 5, 6, 7, 8, 9}) EXPECT_TRUE(cache.find(key_of(i))) << i;
}

TEST_F(Disk, AnEntryThatWasUsedAMomentAgoIsNotWrittenToAgain) {
  const Key key = key_of(1);
  cache_.publish(key, entry_of(key, "code"));
  const auto before = fs::last_write_time(file_of(cache_.folder(), key));
  std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(cache_.find(key));
  EXPECT_EQ(fs::last_write_time(file_of(cache_.folder(), key)), before);
}

// Publishes the same few entries again and again.
[[noreturn]] void publish_without_end(const fs::path& folder) {
  const DiskCache cache(folder, gibibyte);
  for (int i = 0;; i = (i + 1) % 8) cache.publish(key_of(i), entry_of(key_of(i), std::string(200000, static_cast<char>('a' + i))));
}

TEST_F(Disk, ReadersOfPublishingProcessesThatAreKilledSeeWholeEntriesOnly) {
  std::mt19937 random(3);
  for (int round = 0; round < 40; ++round) {
    std::vector<pid_t> children;
    for (int i = 0; i < 3; ++i) {
      children.push_back(fork());
      ASSERT_GE(children.back(), 0);
      if (children.back() == 0) publish_without_end(folder_.path());
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(5 + random() % 20);
    while (std::chrono::steady_clock::now() < end) {
      for (int i = 0; i < 8; ++i) {
        // A published entry is never missing, and never torn.
        const bool published = fs::exists(file_of(folder_.path(), key_of(i)));
        const auto found = DiskCache(folder_.path(), gibibyte).find(key_of(i));
        ASSERT_TRUE(found || !published);
        ASSERT_TRUE(!found || found->code == std::string(200000, static_cast<char>('a' + i)));
      }
    }
    for (const pid_t child : children) kill(child, SIGKILL);
    for (const pid_t child : children) waitpid(child, nullptr, 0);
  }

  // What the killed left behind goes once it is old.
  for (const fs::path& file : files_below(folder_.path())) {
    if (file.extension() == ".tmp") fs::last_write_time(file, fs::file_time_type::clock::now() - 2h);
  }
  const DiskCache cache(folder_.path(), gibibyte);
  for (int i = 0; i < 8; ++i) cache.publish(key_of(i), entry_of(key_of(i), std::string(1000000, 'x')));  // large, so that it looks around
  for (const fs::path& file : files_below(folder_.path())) EXPECT_EQ(file.extension(), ".cuttle") << file;
}

TEST_F(Disk, FilesAreReadableForWhomTheUmaskAllows) {
  const mode_t before = umask(002);
  const Key key = key_of(1);
  cache_.publish(key, entry_of(key, "code"));
  umask(before);
  struct stat status{};
  ASSERT_EQ(stat(file_of(cache_.folder(), key).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0664u);
}

}  // namespace
