#include "file.h"

#include <sys/stat.h>

namespace cuttle::detail {

std::string read_file(const std::string& path) {
  const File file(path, O_RDONLY | O_NONBLOCK);  // a pipe of that name is not waited for
  struct stat status{};
  std::string bytes;
  if (!file.is_open() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return bytes;
  return file.read(bytes, static_cast<std::size_t>(status.st_size)) ? bytes : std::string();
}

}  // namespace cuttle::detail
