// The `cuttle` command: looks after the cache of compiled kernels.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "runtime/src/bundle.h"
#include "runtime/src/disk_cache.h"

namespace {

namespace fs = std::filesystem;
using cuttle::detail::CodeKind;
using cuttle::detail::DiskCache;
using cuttle::detail::Entry;

struct File {
  fs::path path;
  std::time_t used;
  std::uintmax_t size;
  std::optional<Entry> entry;  // nothing where the file is damaged or of another version
};

// Most recently used first.
std::vector<File> read_all(const DiskCache& cache) {
  std::vector<File> files;
  for (const std::string& path : cache.files()) {
    std::error_code gone;
    const auto used = std::chrono::file_clock::to_sys(fs::last_write_time(path, gone));
    const std::uintmax_t size = fs::file_size(path, gone);
    if (!gone)
      files.push_back({path, std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::system_clock::duration>(used)), size,
                       DiskCache::read(path)});
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used > b.used; });
  return files;
}

const char* name_of(CodeKind kind) {
  switch (kind) {
    case CodeKind::ptx:
      return "ptx";
    case CodeKind::cubin:
      return "cubin";
    case CodeKind::object:
      return "object";
  }
  return "unknown";
}

std::string date_of(std::time_t time) {
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M", std::localtime(&time));
  return text;
}

std::string short_hash(const File& file) { return file.path.stem().string().substr(0, 12); }

int list(const DiskCache& cache) {
  std::uintmax_t total = 0;
  const std::vector<File> files = read_all(cache);
  for (const File& file : files) {
    total += file.size;
    std::printf("%s  %-6s %9ju  %s  %s\n", short_hash(file).c_str(), file.entry ? name_of(file.entry->kind) : "-", file.size,
                date_of(file.used).c_str(),
                file.entry ? (file.entry->entry + " " + file.entry->signature).c_str() : "damaged, or of another version of cuttle");
  }
  std::printf("%zu entries, %ju bytes in %s\n", files.size(), total, cache.folder().c_str());
  return 0;
}

int show(const DiskCache& cache, const std::string& hash, const std::string& code_file) {
  for (const File& file : read_all(cache)) {
    if (!file.path.stem().string().starts_with(hash) || !file.entry) continue;
    const Entry& entry = *file.entry;
    std::printf("file       %s\nkernel     %s\nsignature  %s\ncode       %s, %zu bytes\nshared     %ju bytes\nkey\n", file.path.c_str(),
                entry.entry.c_str(), entry.signature.c_str(), name_of(entry.kind), entry.code.size(),
                static_cast<std::uintmax_t>(entry.static_shared_bytes));
    std::string_view rest = entry.key_text;
    for (std::size_t end; (end = rest.find('\0')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
      std::printf("  %s\n", std::string(rest.substr(0, end)).c_str());
    }
    if (code_file.empty()) return 0;
    std::ofstream out(code_file, std::ios::binary);
    out.write(entry.code.data(), static_cast<std::streamsize>(entry.code.size()));
    if (!out.flush()) {
      std::fprintf(stderr, "cuttle: %s cannot be written\n", code_file.c_str());
      return 1;
    }
    return 0;
  }
  std::fprintf(stderr, "cuttle: no entry of %s starts with %s\n", cache.folder().c_str(), hash.c_str());
  return 1;
}

int verify(const DiskCache& cache, bool remove) {
  int damaged = 0;
  for (const File& file : read_all(cache)) {
    const bool whole = file.entry && cuttle::detail::Key(file.entry->key_text).hash == file.path.stem().string();
    if (whole) continue;
    ++damaged;
    std::error_code failed;
    if (remove) fs::remove_all(file.path, failed);
    std::printf("%s: damaged, or of another version of cuttle%s\n", file.path.c_str(), remove && !failed ? "; removed" : "");
  }
  std::printf("%d damaged\n", damaged);
  return damaged > 0 && !remove ? 1 : 0;
}

int clear(const DiskCache& cache) {
  std::size_t removed = 0;
  for (const std::string& path : cache.files()) {
    std::error_code failed;
    fs::remove_all(path, failed);
    removed += !failed;
  }
  std::printf("removed %zu entries of %s\n", removed, cache.folder().c_str());
  return 0;
}

int bundle(const DiskCache& cache, const std::string& path, const std::vector<std::string>& kernels) {
  std::vector<Entry> entries;
  for (File& file : read_all(cache)) {
    if (!file.entry) continue;
    const bool wanted = kernels.empty() ||
                        std::any_of(kernels.begin(), kernels.end(), [&](const std::string& kernel) { return file.entry->entry.starts_with(kernel); });
    if (wanted) entries.push_back(std::move(*file.entry));
  }
  // The same entries give the same file.
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.key_text < b.key_text; });
  const std::string bytes = cuttle::detail::encode_bundle(entries);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) {
    std::fprintf(stderr, "cuttle: %s cannot be written\n", path.c_str());
    return 1;
  }
  std::printf("%zu entries, %zu bytes in %s\n", entries.size(), bytes.size(), path.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("cuttle: GPU kernels as inline C++ lambdas");
  app.require_subcommand(1);
  CLI::App* commands = app.add_subcommand("cache", "the cache of compiled kernels");
  commands->require_subcommand(1);
  std::string folder, hash, code_file, bundle_file;
  std::vector<std::string> kernels;
  bool remove = false;
  commands->add_option("--folder", folder, "the cache's folder; without it, what the environment says (CUTTLE_CACHE_DIR, ...)");

  CLI::App* list_command = commands->add_subcommand("list", "all entries, the most recently used first");
  CLI::App* show_command = commands->add_subcommand("show", "an entry with all that its key is made of");
  show_command->add_option("hash", hash, "the first digits of its hash, as list shows them")->required();
  show_command->add_option("--code", code_file, "write its PTX, cubin or object to this file");
  CLI::App* verify_command = commands->add_subcommand("verify", "read every entry and compare its checksum; fails where one is damaged");
  verify_command->add_flag("--remove", remove, "remove those");
  CLI::App* clear_command = commands->add_subcommand("clear", "remove all entries");
  CLI::App* bundle_command =
      commands->add_subcommand("bundle", "write entries to one file, for CUTTLE_BUNDLE on machines without the compiler library");
  bundle_command->add_option("file", bundle_file)->required();
  bundle_command->add_option("--kernel", kernels, "only kernels whose name starts so, as list shows it: the stem of the source file's name");
  CLI11_PARSE(app, argc, argv);

  const DiskCache chosen(folder, 0);
  const DiskCache& cache = folder.empty() ? DiskCache::instance() : chosen;
  if (cache.folder().empty()) {
    std::fprintf(stderr, "cuttle: there is no cache: CUTTLE_CACHE is 0, or no folder for it is known\n");
    return 1;
  }
  if (*list_command) return list(cache);
  if (*show_command) return show(cache, hash, code_file);
  if (*verify_command) return verify(cache, remove);
  if (*clear_command) return clear(cache);
  if (*bundle_command) return bundle(cache, bundle_file, kernels);
  return 1;
}
