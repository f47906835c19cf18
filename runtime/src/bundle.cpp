#include "bundle.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "cuttle/error.hpp"
#include "environment.h"

namespace cuttle::detail {
namespace {

// A header, the index, and the entries as entry_format.h writes them.
constexpr std::string_view magic = "cuttle-b";
constexpr std::uint32_t format = 1;
constexpr std::uint32_t most_entries = 1u << 20;

struct Header {
  char magic[8];
  std::uint32_t format;
  std::uint32_t count;
};

struct IndexEntry {
  char hash[32];
  std::uint64_t offset, size;
};

std::unique_ptr<const Bundle> open_bundle() {
  try {
    auto bundle = std::make_unique<const Bundle>(environment::bundle());
    if (bundle->cut_count() > 0) {
      std::fprintf(stderr, "cuttle: the bundle %s is cut: %zu of its %zu kernels are not whole, and are looked for elsewhere; copy the file again.\n",
                   bundle->path().c_str(), bundle->cut_count(), bundle->count());
    }
    return bundle;
  } catch (const Error& error) {
    std::fprintf(stderr, "cuttle: %s\n", error.what());
    return std::make_unique<const Bundle>("");
  }
}

}  // namespace

const Bundle& Bundle::instance() {
  static const Bundle* bundle = open_bundle().release();  // read by threads while the process exits
  return *bundle;
}

Bundle::Bundle(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  descriptor_ = open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);  // a pipe of that name is not waited for
  if (descriptor_ < 0) throw Error("the bundle " + path_ + " cannot be read: " + std::strerror(errno));
  if (!read_index()) throw Error(path_ + " is cut, or no bundle of this version of cuttle: write it again with `cuttle cache bundle`");
}

Bundle::~Bundle() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool Bundle::read(void* bytes, std::uint64_t size, std::uint64_t offset) const {
  return pread(descriptor_, bytes, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

bool Bundle::read_index() {
  Header header{};
  if (!read(&header, sizeof(header), 0) || std::string_view(header.magic, magic.size()) != magic || header.format != format ||
      header.count > most_entries) {
    return false;
  }
  std::vector<IndexEntry> index(header.count);
  if (!read(index.data(), index.size() * sizeof(IndexEntry), sizeof(header))) return false;
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0) return false;
  const auto file_size = static_cast<std::uint64_t>(status.st_size);
  for (const IndexEntry& entry : index) {
    if (entry.offset > file_size || entry.size > file_size - entry.offset) ++cut_count_;
    places_.emplace(std::string(entry.hash, sizeof(entry.hash)), Place{entry.offset, entry.size});
  }
  return true;
}

std::optional<Entry> Bundle::find(const Key& key) const {
  const auto found = places_.find(key.hash);
  if (found == places_.end() || found->second.size > largest_entry) return std::nullopt;
  std::string bytes(found->second.size, '\0');
  if (!read(bytes.data(), bytes.size(), found->second.offset)) return std::nullopt;
  std::optional<Entry> entry = decode(bytes);
  return entry && entry->key_text == key.text ? std::move(entry) : std::nullopt;
}

std::string encode_bundle(const std::vector<Entry>& entries) {
  Header header{};
  std::memcpy(header.magic, magic.data(), magic.size());
  header.format = format;
  header.count = static_cast<std::uint32_t>(entries.size());
  std::vector<IndexEntry> index(entries.size());
  std::string body;
  const std::uint64_t start = sizeof(header) + index.size() * sizeof(IndexEntry);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string bytes = encode(entries[i]);
    std::memcpy(index[i].hash, Key(entries[i].key_text).hash.data(), sizeof(index[i].hash));
    index[i].offset = start + body.size();
    index[i].size = bytes.size();
    body += bytes;
  }
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes.append(reinterpret_cast<const char*>(index.data()), index.size() * sizeof(IndexEntry));
  return bytes + body;
}

}  // namespace cuttle::detail
