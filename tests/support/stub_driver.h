// What a test asks of the stub driver (stub_driver.cpp), a libcuda.so.1 that runs nothing: what it was called for, and what it shall refuse.
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cuttle::test {

inline constexpr std::size_t stub_most_parameters = 32;
inline constexpr std::size_t stub_most_parameter_bytes = 64;

/// A kernel launch as the driver saw it. Parameters are what lay behind the pointers, with the sizes that the PTX declares.
struct StubLaunch {
  char entry[128];
  unsigned grid[3], block[3], shared_bytes;
  void* stream;
  void* context;  // the current one
  std::size_t parameter_count;
  std::size_t parameter_sizes[stub_most_parameters];
  unsigned char parameters[stub_most_parameters][stub_most_parameter_bytes];

  template <class T>
  [[nodiscard]] T parameter(std::size_t index) const {
    T value;
    std::memcpy(&value, parameters[index], sizeof(T));
    return value;
  }
};

struct StubEntry {
  const char* name;
  std::atomic<unsigned> calls{0};
};

/// Shared with the library. Plain fields, and no allocation in a launch, so that the warm path can be measured through it.
struct StubState {
  std::atomic<bool> recording{false};  // off: a launch costs its call and nothing else
  // What fails: a function's name, and the CUresult that it gives; null for nothing.
  std::atomic<const char*> failing{nullptr};
  std::atomic<int> failure{0};
  const char* link_log = "";  // what the linker writes when it fails
  StubEntry* entries = nullptr;
  std::size_t entry_count = 0;
  StubLaunch last_launch{};
  std::atomic<int> live_allocations{0};
  std::atomic<int> live_streams{0};
};

/// The stub, chosen as this process's driver. Make one before the first use of a device: in a global, or first in main.
class StubDriver {
 public:
  /// `library` is a path, relative ones from the folder of the running program.
  explicit StubDriver(const std::string& library = "../lib/stub/libcuda.so.1") {
    const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe").parent_path() / library;
    setenv("CUTTLE_DRIVER", path.c_str(), 1);
    setenv("CUTTLE_CACHE", "0", 1);  // what the stub calls a binary must never meet a real driver
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw std::runtime_error(dlerror());
    state_ = reinterpret_cast<StubState* (*)()>(dlsym(handle, "cuttle_stub_state"))();
    set_current_ = reinterpret_cast<int (*)(void*)>(dlsym(handle, "cuCtxSetCurrent"));
    get_current_ = reinterpret_cast<int (*)(void**)>(dlsym(handle, "cuCtxGetCurrent"));
  }

  [[nodiscard]] StubState& state() const { return *state_; }

  /// How often a function was called while recording.
  [[nodiscard]] unsigned calls(std::string_view function) const {
    for (std::size_t i = 0; i < state_->entry_count; ++i) {
      if (function == state_->entries[i].name) return state_->entries[i].calls.load();
    }
    throw std::invalid_argument("cuttle does not call " + std::string(function));
  }

  /// Forgets the calls so far and counts from here on.
  void record() const {
    for (std::size_t i = 0; i < state_->entry_count; ++i) state_->entries[i].calls = 0;
    state_->recording = true;
  }

  /// As another library that uses the driver would.
  void set_current_context(void* context) const { set_current_(context); }
  [[nodiscard]] void* current_context() const {
    void* context = nullptr;
    get_current_(&context);
    return context;
  }

  /// Makes one function fail until the end of the scope.
  class Failure {
   public:
    Failure(const StubDriver& stub, const char* function, int result) : state_(stub.state()) {
      state_.failure = result;
      state_.failing = function;
    }
    ~Failure() { state_.failing = nullptr; }
    Failure(const Failure&) = delete;
    Failure& operator=(const Failure&) = delete;

   private:
    StubState& state_;
  };

 private:
  StubState* state_ = nullptr;
  int (*set_current_)(void*) = nullptr;
  int (*get_current_)(void**) = nullptr;
};

}  // namespace cuttle::test
