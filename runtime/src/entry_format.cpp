#include "entry_format.h"

#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace cuttle::detail {
namespace {

// Little-endian, as every machine that CUDA runs on. The magic has a line end, so that a transfer in text mode shows.
constexpr std::string_view magic = "cuttle\r\n";
constexpr std::uint32_t format = 3;

struct Header {
  char magic[8];
  std::uint32_t format;
  std::uint16_t kind;
  std::uint16_t cooperative;
  std::uint64_t static_shared_bytes, least_shared_bytes;
  std::uint64_t sizes[6];  // key text, entry, signature, symbols, libdevice, code: they follow in this order
};

struct Checksum {
  std::uint64_t low, high;
  friend bool operator==(const Checksum&, const Checksum&) = default;
};

Checksum checksum_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

}  // namespace

std::string encode(const Entry& entry) {
  Header header{};
  std::memcpy(header.magic, magic.data(), magic.size());
  header.format = format;
  header.kind = static_cast<std::uint16_t>(entry.kind);
  header.cooperative = entry.cooperative;
  header.static_shared_bytes = entry.static_shared_bytes;
  header.least_shared_bytes = entry.least_shared_bytes;
  std::string bytes;
  std::size_t i = 0;
  for (const std::string* part : {&entry.key_text, &entry.entry, &entry.signature, &entry.symbols, &entry.libdevice, &entry.code}) {
    header.sizes[i++] = part->size();
    bytes += *part;
  }
  bytes.insert(0, reinterpret_cast<const char*>(&header), sizeof(header));
  const Checksum checksum = checksum_of(bytes);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
  return bytes;
}

std::optional<Entry> decode(std::string_view bytes) {
  Header header{};
  Checksum checksum{};
  if (bytes.size() < sizeof(header) + sizeof(checksum)) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (std::string_view(header.magic, magic.size()) != magic || header.format != format) return std::nullopt;
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(checksum));
  std::memcpy(&checksum, bytes.data() + body.size(), sizeof(checksum));
  if (checksum != checksum_of(body)) return std::nullopt;

  Entry entry;
  entry.kind = static_cast<CodeKind>(header.kind);
  entry.cooperative = header.cooperative != 0;
  entry.static_shared_bytes = header.static_shared_bytes;
  entry.least_shared_bytes = header.least_shared_bytes;
  std::string_view rest = body.substr(sizeof(header));
  std::size_t i = 0;
  for (std::string* part : {&entry.key_text, &entry.entry, &entry.signature, &entry.symbols, &entry.libdevice, &entry.code}) {
    const std::uint64_t size = header.sizes[i++];
    if (size > rest.size()) return std::nullopt;
    *part = rest.substr(0, size);
    rest.remove_prefix(size);
  }
  if (!rest.empty()) return std::nullopt;
  return entry;
}

}  // namespace cuttle::detail
