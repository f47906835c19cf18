#include "environment.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string_view>

namespace cuttle::environment {
namespace {

std::string read(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Once for each variable, however often it is read.
void warn(const char* name, const std::string& value, const std::string& possible) {
  static std::mutex mutex;
  static auto* told = new std::set<std::string>;
  const std::lock_guard lock(mutex);
  if (told->insert(name).second) std::fprintf(stderr, "cuttle: %s=%s is ignored: %s.\n", name, value.c_str(), possible.c_str());
}

// What people write for yes and no.
bool read_switch(const char* name, bool standard) {
  constexpr std::array<std::string_view, 4> yes = {"1", "true", "yes", "on"}, no = {"0", "false", "no", "off"};
  const std::string value = read(name);
  if (value.empty()) return standard;
  if (std::find(yes.begin(), yes.end(), value) != yes.end()) return true;
  if (std::find(no.begin(), no.end(), value) != no.end()) return false;
  warn(name, value, std::string("it is 1 or 0, and ") + (standard ? "1" : "0") + " where it is not set");
  return standard;
}

// "512M" as bytes.
std::optional<std::uint64_t> read_size(const char* name) {
  const std::string value = read(name);
  if (value.empty()) return std::nullopt;
  char* end = nullptr;
  const std::uint64_t number = std::strtoull(value.c_str(), &end, 10);
  const std::string_view unit(end);
  const unsigned shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
  const bool is_size = value[0] >= '0' && value[0] <= '9' && (unit.empty() || shift != 0) && number <= UINT64_MAX >> shift;
  if (is_size) return number << shift;
  warn(name, value, "it is a number of bytes, as 500M or 2G");
  return std::nullopt;
}

}  // namespace

std::string default_device() { return read("CUTTLE_DEFAULT_DEVICE"); }
std::string dump_directory() { return read("CUTTLE_DUMP"); }
bool check_is_on() { return read_switch("CUTTLE_CHECK", false); }
std::string compiler_library() { return read("CUTTLE_COMPILER"); }
std::string driver_library() { return read("CUTTLE_DRIVER"); }
bool cache_is_off() { return !read_switch("CUTTLE_CACHE", true); }
std::string cache_directory() { return read("CUTTLE_CACHE_DIR"); }
std::optional<std::uint64_t> cache_size() { return read_size("CUTTLE_CACHE_SIZE"); }
std::string user_cache_directory() { return read("XDG_CACHE_HOME"); }
std::string home_directory() { return read("HOME"); }
bool log_is_on() {
  const std::string value = read("CUTTLE_LOG");
  if (value == "info") return true;
  if (!value.empty() && value != "0") warn("CUTTLE_LOG", value, "info is what it can be");
  return false;
}
bool progress_is_off() { return !read_switch("CUTTLE_PROGRESS", true); }
std::string bundle() { return read("CUTTLE_BUNDLE"); }
std::string include_path() { return read("CUTTLE_INCLUDE_PATH"); }
std::string libdevice() { return read("CUTTLE_LIBDEVICE"); }
std::string cuda_home() { return read("CUDA_HOME"); }
std::string cuda_path() { return read("CUDA_PATH"); }

}  // namespace cuttle::environment
