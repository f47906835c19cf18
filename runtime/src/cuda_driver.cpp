#include "cuda_driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "cuttle/error.hpp"
#include "environment.h"

namespace cuttle::detail::cuda {
namespace {

// The thread that runs the process's exit handlers, once one does.
std::atomic<pthread_t> exiting_thread{};

struct Search {
  Driver driver{};
  bool found = false;
  std::string why_not;
};

// cuGetProcAddress gives the entry whose meaning is that of the version asked for: plain dlsym would give the oldest.
using GetProcAddress = Result (*)(const char* name, void** function, int version, unsigned long long flags, int* status);

Search search() {
  Search result{};
  const std::string given = environment::driver_library();
  void* handle = nullptr;
  if (!given.empty()) {
    handle = dlopen(given.c_str(), RTLD_NOW | RTLD_LOCAL);
  } else {
    // Driver packages ship only the .1 name; libcuda.so is the developer's link.
    handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) handle = dlopen("libcuda.so", RTLD_NOW | RTLD_LOCAL);
  }
  if (!handle) {
    result.why_not = std::string("there is no NVIDIA driver: ") + dlerror();
    return result;
  }
  const auto get = reinterpret_cast<GetProcAddress>(dlsym(handle, "cuGetProcAddress_v2"));
  if (!get) {
    result.why_not = "the NVIDIA driver is older than CUDA 12.0, which cuttle needs";
    return result;
  }
  Driver& driver = result.driver;
#define CUTTLE_LOAD(name, version, parameters)                                                        \
  if (void* address = nullptr; get(#name, &address, version, 0, nullptr) == success && address) {     \
    driver.name = reinterpret_cast<Result(*) parameters>(address);                                    \
  } else {                                                                                            \
    result.why_not = "the NVIDIA driver has no " #name ": it is too old";                             \
    return result;                                                                                    \
  }
  CUTTLE_CUDA_FUNCTIONS(CUTTLE_LOAD)
#undef CUTTLE_LOAD
#define CUTTLE_LOAD(name, version, parameters)                                                    \
  if (void* address = nullptr; get(#name, &address, version, 0, nullptr) == success && address) { \
    driver.name = reinterpret_cast<Result(*) parameters>(address);                                \
  }
  CUTTLE_NEWER_CUDA_FUNCTIONS(CUTTLE_LOAD)
#undef CUTTLE_LOAD
  if (const Result status = driver.cuInit(0); status != success) {
    const char* text = nullptr;
    driver.cuGetErrorString(status, &text);
    result.why_not = std::string("the NVIDIA driver does not start: ") + (text ? text : "unknown error");
    return result;
  }
  driver.cuDriverGetVersion(&driver.version);
  int count = 0;
  driver.cuDeviceGetCount(&count);
  if (count == 0) {
    result.why_not = "the NVIDIA driver shows no GPU";
    return result;
  }
  pthread_atfork(nullptr, nullptr, [] { forked = true; });
  std::atexit([] { exiting_thread = pthread_self(); });  // after the driver's own, and so called before it
  result.found = true;
  return result;
}

const Search& searched() {
  static const Search* result = new Search(search());  // never destroyed: arrays in globals are freed after statics
  return *result;
}

}  // namespace

const Driver* find_driver() { return searched().found ? &searched().driver : nullptr; }

const std::string& why_not() { return searched().why_not; }

std::string error_text(Result result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (const Driver* driver = find_driver()) {
    driver->cuGetErrorName(result, &name);
    driver->cuGetErrorString(result, &text);
  }
  return std::string(text ? text : "unknown error") + " (" + (name ? name : std::to_string(result)) + ")";
}

bool is_fault(Result result) {
  // CUDA_ERROR_ILLEGAL_ADDRESS, LAUNCH_TIMEOUT; CONTEXT_IS_DESTROYED, ASSERT; HARDWARE_STACK_ERROR to LAUNCH_FAILED.
  return result == 700 || result == 702 || result == 709 || result == 710 || (result >= 714 && result <= 719);
}

void wait_if_the_process_exits() {
  const pthread_t exiting = exiting_thread.load();
  if (exiting && !pthread_equal(exiting, pthread_self())) std::this_thread::sleep_for(std::chrono::seconds(2));
}

void fail(Result result, const std::string& what) {
  wait_if_the_process_exits();
  throw DriverError(what + " failed: " + error_text(result), result);
}

void check(Result result, const char* what) {
  if (result != success) [[unlikely]]
    fail(result, what);
}

int newest_ptx(int driver_version) {
  // CUDA 12.0 to 12.4 brought PTX 8.0 to 8.4; then the numbers part (PTX ISA manual, "Release Notes").
  struct Row {
    int cuda, ptx;
  };
  constexpr Row rows[] = {{13030, 93}, {13020, 92}, {13010, 91}, {13000, 90}, {12090, 88}, {12080, 87}, {12070, 86},
                          {12050, 85}, {12040, 84}, {12030, 83}, {12020, 82}, {12010, 81}, {12000, 80}};
  for (const Row& row : rows) {
    if (driver_version >= row.cuda) return row.ptx;
  }
  return 78;
}

}  // namespace cuttle::detail::cuda
