#include "disk_cache.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "environment.h"
#include "file.h"

namespace cuttle::detail {
namespace {

namespace fs = std::filesystem;

// An entry's time of last use is its file's mtime, set anew when it is this many seconds old: most hits then write nothing.
constexpr std::time_t use_granularity = 3600;
// Temporary files older than this many seconds were left by a process that was killed.
constexpr std::time_t temporary_lifetime = 3600;

constexpr const char* entry_suffix = ".cuttle";
constexpr const char* temporary_suffix = ".tmp";

// A clock that is set back leaves times of use that are still to come.
bool is_to_come(std::time_t used, std::time_t now) { return used - now > use_granularity; }

void mark_used(const File& file, const struct stat& status) {
  const std::time_t now = std::time(nullptr);
  if (now - status.st_mtime > use_granularity || is_to_come(status.st_mtime, now)) ::futimens(file.get(), nullptr);
}

// Only the first: a program that cannot keep its kernels works, and has been told.
void warn(const std::string& folder, const std::string& reason) {
  static std::atomic_flag warned;
  if (warned.test_and_set()) return;
  std::fprintf(stderr,
               "cuttle: compiled kernels cannot be kept%s%s (%s): the next process will compile them again. CUTTLE_CACHE_DIR names a folder to keep "
               "them in, CUTTLE_CACHE=0 turns the cache off.\n",
               folder.empty() ? "" : " in ", folder.c_str(), reason.c_str());
}

std::string cache_folder() {
  std::string folder = environment::cache_directory();
  if (folder.empty()) {
    if (const std::string base = environment::user_cache_directory(); base.starts_with('/')) folder = base + "/cuttle";
  }
  if (folder.empty()) {
    if (const std::string home = environment::home_directory(); home.starts_with('/')) folder = home + "/.cache/cuttle";
  }
  std::error_code failed;  // the program may change its directory: relative names are of the one at the first use
  return folder.empty() || folder.starts_with('/') ? folder : (fs::current_path(failed) / folder).string();
}

constexpr std::uint64_t standard_bound = 1ull << 30;

std::optional<Entry> read_entry(const File& file, struct stat& status) {
  if (!file.is_open() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  std::string bytes;
  if (size > largest_entry || !file.read(bytes, size)) return std::nullopt;
  return decode(bytes);
}

std::error_code last_error() { return {errno, std::generic_category()}; }

// A write past the limit on a file's size (ulimit -f) sends this thread a signal that ends the process, unless it is held back and taken.
class HeldBackSizeSignal {
 public:
  HeldBackSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~HeldBackSizeSignal() {
    if (sigismember(&before_, SIGXFSZ)) return;
    const timespec at_once{};
    sigtimedwait(&signal_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  HeldBackSizeSignal(const HeldBackSizeSignal&) = delete;
  HeldBackSizeSignal& operator=(const HeldBackSizeSignal&) = delete;

 private:
  sigset_t signal_, before_;
};

std::error_code write_whole(const std::string& path, std::string_view bytes) {
  const HeldBackSizeSignal held_back;
  File file(path, O_WRONLY | O_CREAT | O_EXCL);
  return file.is_open() && file.write(bytes) && file.close() ? std::error_code() : last_error();
}

}  // namespace

const DiskCache& DiskCache::instance() {
  static const auto* cache = new DiskCache(environment::cache_is_off() ? "" : cache_folder(), environment::cache_size().value_or(standard_bound));
  return *cache;
}

std::string DiskCache::shard_of(const Key& key) const { return folder_ + "/" + key.hash.substr(0, 2); }

std::optional<Entry> DiskCache::find(const Key& key) const {
  if (folder_.empty()) return std::nullopt;
  const File file(shard_of(key) + "/" + key.hash + entry_suffix, O_RDONLY | O_NONBLOCK);
  struct stat status{};
  std::optional<Entry> entry = read_entry(file, status);
  if (!entry || entry->key_text != key.text) return std::nullopt;
  mark_used(file, status);
  return entry;
}

std::optional<Entry> DiskCache::read(const std::string& path) {
  struct stat status{};
  return read_entry(File(path, O_RDONLY | O_NONBLOCK), status);
}

std::vector<std::string> DiskCache::files() const {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder_, fs::directory_options::skip_permission_denied, ignored)) {
    if (file.path().extension() == entry_suffix) files.push_back(file.path().string());
  }
  return files;
}

bool DiskCache::publish(const Key& key, const Entry& entry) const {
  if (folder_.empty()) {
    if (!environment::cache_is_off()) warn("", "neither HOME nor XDG_CACHE_HOME is set");
    return false;
  }
  const std::string shard = shard_of(key);
  const std::string path = shard + "/" + key.hash + entry_suffix;
  // Unlike any other process's and any other thread's; in the same folder, since a rename is atomic only there.
  static std::atomic<unsigned> counter{0};
  const std::string temporary =
      shard + "/" + key.hash.substr(0, 8) + "-" + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1)) + temporary_suffix;
  const std::string bytes = encode(entry);
  std::error_code error = write_whole(temporary, bytes);
  if (error == std::errc::no_such_file_or_directory) {
    fs::create_directories(shard, error);
    if (!error) error = write_whole(temporary, bytes);
  }
  if (!error && ::rename(temporary.c_str(), path.c_str()) != 0) {
    fs::remove_all(path, error);  // a folder of the entry's name
    error = ::rename(temporary.c_str(), path.c_str()) == 0 ? std::error_code() : last_error();
  }
  if (error) {
    ::unlink(temporary.c_str());
    warn(folder_, error.message());
    return false;
  }
  sweep(key, bytes.size());
  return true;
}

// Hashes are even, so a share of the shards holds that share of the bytes: a publication looks only at the share that it wrote to, and only now
// and then, by its hash: on average once for each 1/64 of the share's bytes that are written. The whole stays below the bound without a count
// that processes would have to share, and a publication costs some 64 looks at a file however large the cache is.
void DiskCache::sweep(const Key& published, std::uint64_t published_bytes) const {
  constexpr std::uint64_t least_share = 16ull << 20;
  constexpr unsigned shard_count = 256;
  unsigned shares = 1;
  while (shares < shard_count && bound_ / (2 * shares) >= least_share) shares *= 2;
  const std::uint64_t share = bound_ / shares;
  const std::uint64_t coin = std::stoull(published.hash.substr(2, 4), nullptr, 16);
  if (coin * share >= (published_bytes * 64) << 16) return;

  struct Candidate {
    std::string path;
    std::int64_t used;  // nanoseconds: thousands of entries can be of one second
    std::uint64_t size;
  };
  std::vector<Candidate> candidates;
  std::uint64_t total = 0;
  const std::time_t now = std::time(nullptr);
  for (auto shard = static_cast<unsigned>(std::stoul(published.hash.substr(0, 2), nullptr, 16)) % shares; shard < shard_count; shard += shares) {
    char name[4];
    std::snprintf(name, sizeof(name), "%02x", shard);
    std::error_code ignored;
    for (const fs::directory_entry& file : fs::directory_iterator(folder_ + "/" + name, ignored)) {
      struct stat status{};
      if (::stat(file.path().c_str(), &status) != 0) continue;  // another process may sweep at the same time
      const fs::path suffix = file.path().extension();
      if (suffix == temporary_suffix && now - status.st_mtime > temporary_lifetime) ::unlink(file.path().c_str());
      if (suffix != entry_suffix) continue;
      total += static_cast<std::uint64_t>(status.st_size);
      // The entry that was just written stays: the file system's clock ticks too slowly to tell it from its neighbours.
      if (file.path().stem() == published.hash) continue;
      // A time to come says nothing of the last use, and would keep the entry for ever: it goes first.
      const std::int64_t used = is_to_come(status.st_mtime, now) ? 0 : status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
      candidates.push_back({file.path().string(), used, static_cast<std::uint64_t>(status.st_size)});
    }
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return a.used < b.used; });
  const std::uint64_t most = share - share / 8;  // room for what is written until the next look
  for (const Candidate& candidate : candidates) {
    if (total <= most) break;
    ::unlink(candidate.path.c_str());
    total -= candidate.size;
  }
}

}  // namespace cuttle::detail
