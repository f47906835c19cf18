// Bundles: many cache entries in one file, to give to machines that have no compiler library. Written by `cuttle cache bundle`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "entry_format.h"
#include "key.h"

namespace cuttle::detail {

class Bundle {
 public:
  /// The bundle of this process, CUTTLE_BUNDLE. One that cannot be read is empty, of one that was cut the whole entries are there, and a line on
  /// stderr says so.
  [[nodiscard]] static const Bundle& instance();

  /// A bundle that holds nothing, where `path` is empty. Throws Error where the file is none.
  explicit Bundle(std::string path);
  ~Bundle();
  Bundle(const Bundle&) = delete;
  Bundle& operator=(const Bundle&) = delete;

  [[nodiscard]] std::optional<Entry> find(const Key& key) const;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t count() const { return places_.size(); }
  /// Entries that reach past the file's end.
  [[nodiscard]] std::size_t cut_count() const { return cut_count_; }

 private:
  struct Place {
    std::uint64_t offset, size;
  };
  [[nodiscard]] bool read(void* bytes, std::uint64_t size, std::uint64_t offset) const;
  [[nodiscard]] bool read_index();

  std::string path_;
  int descriptor_ = -1;
  std::size_t cut_count_ = 0;
  std::unordered_map<std::string, Place> places_;  // by the key's hash
};

/// The bytes of a bundle.
[[nodiscard]] std::string encode_bundle(const std::vector<Entry>& entries);

}  // namespace cuttle::detail
