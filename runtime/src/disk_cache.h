// The cache on disk: compiled kernels as files, shared by all processes of all users who may read the folder. No operation throws or blocks:
// whatever is wrong with a file or the folder, the kernel is compiled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "entry_format.h"
#include "key.h"

namespace cuttle::detail {

class DiskCache {
 public:
  /// The cache of this process, as the environment says: CUTTLE_CACHE, CUTTLE_CACHE_DIR, CUTTLE_CACHE_SIZE.
  [[nodiscard]] static const DiskCache& instance();

  /// `folder` is made when the first entry is written; empty for no cache. The files of all entries together stay below `bound` bytes.
  DiskCache(std::string folder, std::uint64_t bound) : folder_(std::move(folder)), bound_(bound) {}

  /// The entry of the key, if it is there and whole and of the very key text.
  [[nodiscard]] std::optional<Entry> find(const Key& key) const;

  /// Writes the entry, in place of what may be there, and removes the least recently used ones where the bound is passed. A reader sees the
  /// whole new file or none of it. Warns on stderr, once a process, where nothing can be kept.
  /// Whether it was kept.
  bool publish(const Key& key, const Entry& entry) const;

  /// The files of all entries, damaged ones included.
  [[nodiscard]] std::vector<std::string> files() const;

  /// The entry in a file, if it is whole.
  [[nodiscard]] static std::optional<Entry> read(const std::string& path);

  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  [[nodiscard]] std::string shard_of(const Key& key) const;
  void sweep(const Key& published, std::uint64_t published_bytes) const;

  std::string folder_;
  std::uint64_t bound_;
};

}  // namespace cuttle::detail
