#include "environment.h"

#include <cstdlib>

namespace cuttle::environment {
namespace {

std::string read(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

std::string default_device() { return read("CUTTLE_DEFAULT_DEVICE"); }
std::string dump_directory() { return read("CUTTLE_DUMP"); }
std::string compiler_library() { return read("CUTTLE_COMPILER"); }
std::string driver_library() { return read("CUTTLE_DRIVER"); }

}  // namespace cuttle::environment
