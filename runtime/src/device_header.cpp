#include "device_header.h"

#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>

#include "cuttle/error.hpp"
#include "dsl/text/tokens.h"
#include "environment.h"
#include "file.h"

namespace cuttle::detail {
namespace {

namespace fs = std::filesystem;

class HeaderReader {
 public:
  HeaderReader(const DeviceBlocks& blocks, std::set<std::string>& seen) : blocks_(blocks), seen_(seen) {}

  /// False where `name`, included by the file `from`, is nowhere.
  bool read(const std::string& name, const fs::path& from) {
    std::optional<DeviceHeader> header = find(name, from);
    if (!header) return false;
    if (!seen_.insert(header->path).second) return true;
    for (const std::string& included : take_includes(header->text)) read(included, header->path);
    headers.push_back(std::move(*header));
    return true;
  }

  std::vector<DeviceHeader> headers;

 private:
  [[nodiscard]] std::optional<DeviceHeader> find(const std::string& name, const fs::path& from) const {
    const fs::path beside = (from.parent_path() / name).lexically_normal();
    if (const DeviceBlock* block = embedded(name, beside)) return DeviceHeader{block->file, block->text};
    if (is_file(beside)) return DeviceHeader{beside, read_file(beside)};
    std::istringstream folders(environment::include_path());
    for (std::string folder; std::getline(folders, folder, ':');) {
      const fs::path place = (fs::path(folder) / name).lexically_normal();
      if (is_file(place)) return DeviceHeader{place, read_file(place)};
    }
    return std::nullopt;
  }

  static bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
  }

  // The very file where it is embedded, else one whose path ends in `name`.
  [[nodiscard]] const DeviceBlock* embedded(const std::string& name, const fs::path& beside) const {
    const DeviceBlock* found = nullptr;
    const std::string ending = "/" + fs::path(name).lexically_normal().string();
    for (const DeviceBlock* const* entry = blocks_.begin; entry != blocks_.end; ++entry) {
      if ((*entry)->kind != DeviceBlockKind::embedded_header) continue;
      const std::string_view path = (*entry)->file;
      if (path == beside) return *entry;
      if (path.ends_with(ending)) found = *entry;
    }
    return found;
  }

  // Names in quotes of the #include lines of `text`, which become blank.
  static std::vector<std::string> take_includes(std::string& text) {
    std::vector<std::string> names;
    const std::string source = text;
    const std::vector<text::Token> tokens = text::tokenize(source);
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
      if (!text::starts_directive(tokens, i)) continue;
      const bool is_include = tokens[i + 1].text == "include";
      if (!is_include && !(tokens[i + 1].text == "pragma" && tokens[i + 2].text == "once")) continue;
      if (is_include && tokens[i + 2].kind == text::TokenKind::string)
        names.emplace_back(tokens[i + 2].text.substr(1, tokens[i + 2].text.size() - 2));
      const std::size_t last = text::directive_end(source, tokens, i) - 1;
      for (std::size_t at = tokens[i].offset; at < tokens[last].offset + tokens[last].text.size(); ++at) {
        if (text[at] != '\n') text[at] = ' ';
      }
    }
    return names;
  }

  const DeviceBlocks& blocks_;
  std::set<std::string>& seen_;
};

}  // namespace

std::vector<DeviceHeader> device_headers(const DeviceBlock& block, const DeviceBlocks& blocks, std::set<std::string>& seen) {
  HeaderReader reader(blocks, seen);
  if (!reader.read(block.text, block.file)) {
    const std::string name = block.text;
    const Diagnostic missing{Severity::error,
                             block.file,
                             block.line,
                             0,
                             "the header " + name + " of CUTTLE_DEVICE_HEADER is neither embedded in the program nor at hand",
                             {},
                             "embed it: cuttle_embed_headers(target " + name + ") in CMake; or name its folder in CUTTLE_INCLUDE_PATH"};
    throw CompileError(missing.file + ":" + std::to_string(missing.line) + ": error: " + missing.message + "\n  hint: " + missing.hint, "",
                       {missing});
  }
  return std::move(reader.headers);
}

}  // namespace cuttle::detail
