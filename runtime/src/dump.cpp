#include "dump.h"

#include <filesystem>
#include <fstream>

#include "compilation.h"
#include "environment.h"

namespace cuttle::detail {
namespace {

std::filesystem::path write(const std::filesystem::path& folder, const Compilation& compilation, std::string_view suffix, std::string_view bytes) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const std::filesystem::path path = folder / (compilation.entry + "." + std::string(suffix));
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

}  // namespace

void dump_binary(const Compilation& compilation, std::string_view suffix, std::string_view bytes) {
  if (const std::string folder = environment::dump_directory(); !folder.empty()) write(folder, compilation, suffix, bytes);
}

void dump(const Compilation& compilation) {
  if (environment::dump_directory().empty()) return;
  const bool is_cpu = compilation.target.backend == CUTTLE_BACKEND_CPU;
  dump_binary(compilation, "cu", compilation.source);
  dump_binary(compilation, "ll", compilation.llvm_ir);
  dump_binary(compilation, is_cpu ? "s" : "ptx", compilation.code);
  if (is_cpu) dump_binary(compilation, "o", compilation.binary);
}

std::string keep_failed_ptx(const Compilation& compilation) {
  const std::string folder = environment::dump_directory();
  std::error_code ignored;
  return write(folder.empty() ? std::filesystem::temp_directory_path(ignored) : std::filesystem::path(folder), compilation, "ptx", compilation.code)
      .string();
}

}  // namespace cuttle::detail
