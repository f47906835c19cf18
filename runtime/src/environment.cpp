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
bool check_is_on() { return read("CUTTLE_CHECK") == "1"; }
std::string compiler_library() { return read("CUTTLE_COMPILER"); }
std::string driver_library() { return read("CUTTLE_DRIVER"); }
bool cache_is_off() { return read("CUTTLE_CACHE") == "0"; }
std::string cache_directory() { return read("CUTTLE_CACHE_DIR"); }
std::string cache_size() { return read("CUTTLE_CACHE_SIZE"); }
std::string user_cache_directory() { return read("XDG_CACHE_HOME"); }
std::string home_directory() { return read("HOME"); }
std::string log() { return read("CUTTLE_LOG"); }
bool progress_is_off() { return read("CUTTLE_PROGRESS") == "0"; }
std::string bundle() { return read("CUTTLE_BUNDLE"); }
std::string include_path() { return read("CUTTLE_INCLUDE_PATH"); }
std::string libdevice() { return read("CUTTLE_LIBDEVICE"); }
std::string cuda_home() { return read("CUDA_HOME"); }
std::string cuda_path() { return read("CUDA_PATH"); }

}  // namespace cuttle::environment
