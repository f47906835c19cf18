// The library of device math functions on this machine, NVIDIA's or else libclc: where it is, and whether a cached kernel was made with it.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace cuttle::detail {

class Libdevice {
 public:
  /// Looked for at the first need.
  [[nodiscard]] static const Libdevice& instance();

  Libdevice(const Libdevice&) = delete;
  Libdevice& operator=(const Libdevice&) = delete;

  /// Of libdevice.10.bc or libclc's bitcode; empty where there is neither, and searched() says where they were looked for.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& searched() const { return searched_; }

  /// For an entry: the hash of the file's content, then its size, time and path. The file is read once a process.
  [[nodiscard]] const std::string& identity() const;

  /// Whether a kernel that was made with the library of that identity is what would be made now. Its content is read only where size, time or
  /// path differ. A machine without the library takes what others made.
  [[nodiscard]] bool is(std::string_view identity) const;

 private:
  Libdevice();

  std::string path_;
  std::string searched_;
  mutable std::once_flag read_;
  mutable std::string identity_;
};

}  // namespace cuttle::detail
