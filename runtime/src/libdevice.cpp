#include "libdevice.h"

#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "compiler_library.h"
#include "environment.h"
#include "file.h"
#include "key.h"

namespace cuttle::detail {
namespace {

constexpr std::size_t hash_digits = 32;

std::vector<std::string> candidate_paths() {
  if (std::string path = environment::libdevice(); !path.empty()) return {path};
  std::vector<std::string> paths;
  for (const std::string& root : {environment::cuda_home(), environment::cuda_path()}) {
    if (!root.empty()) paths.push_back(root + "/nvvm/libdevice/libdevice.10.bc");
  }
  paths.emplace_back("/usr/local/cuda/nvvm/libdevice/libdevice.10.bc");
  paths.emplace_back("/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc");
  // libclc has most of it (codegen/libclc.h): a bundle's own, and Debian's.
  paths.push_back(library_folder() + "nvptx64--.bc");
  paths.emplace_back("/usr/lib/clc/nvptx64--.bc");
  return paths;
}

// What differs when the file was replaced, without reading it.
std::string stamp_of(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return "";
  return std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec) + " " + path;
}

}  // namespace

const Libdevice& Libdevice::instance() {
  static const auto* libdevice = new Libdevice;  // read by threads that compile while the process exits
  return *libdevice;
}

Libdevice::Libdevice() {
  for (const std::string& path : candidate_paths()) {
    if (access(path.c_str(), R_OK) == 0) {
      path_ = path;
      return;
    }
    searched_ += (searched_.empty() ? "" : ", ") + path;
  }
}

const std::string& Libdevice::identity() const {
  std::call_once(read_, [this] { identity_ = path_.empty() ? "" : hex_hash(read_file(path_)) + " " + stamp_of(path_); });
  return identity_;
}

bool Libdevice::is(std::string_view identity) const {
  if (path_.empty()) return true;
  const std::string_view hash = identity.substr(0, hash_digits);
  return identity.substr(hash.size()) == " " + stamp_of(path_) || this->identity().starts_with(hash);
}

}  // namespace cuttle::detail
