// Files as the system gives them: without the streams of the C++ library, whose first use in a process costs more than the reading.
#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>

namespace cuttle::detail {

/// A file's descriptor.
class File {
 public:
  File(const std::string& path, int flags) : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] int get() const { return descriptor_; }

  [[nodiscard]] bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ::ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

  /// Exactly `size` bytes, or false.
  [[nodiscard]] bool read(std::string& bytes, std::size_t size) const {
    bytes.resize(size);
    for (std::size_t done = 0; done < size;) {
      const ::ssize_t got = ::read(descriptor_, bytes.data() + done, size - done);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      done += static_cast<std::size_t>(got);
    }
    return true;
  }

  /// Network file systems report a full disk here.
  [[nodiscard]] bool close() {
    const int result = ::close(descriptor_);
    descriptor_ = -1;
    return result == 0;
  }

 private:
  int descriptor_;
};

/// A regular file's content; empty where there is none that can be read.
[[nodiscard]] std::string read_file(const std::string& path);

}  // namespace cuttle::detail
