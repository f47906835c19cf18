// The set of devices, and which one is current.

#include <charconv>
#include <cstring>
#include <mutex>
#include <vector>

#include "cuda_device.h"
#include "cuda_driver.h"
#include "cuttle/device.hpp"
#include "cuttle/error.hpp"
#include "device_state.h"
#include "environment.h"

namespace cuttle {
namespace detail {
namespace {

// Read by every launch: with the initial-exec model that is one load, where a shared library's usual model calls __tls_get_addr. It takes eight
// bytes of what the C library keeps ready for libraries that are opened late.
[[gnu::tls_model("initial-exec")]] thread_local DeviceState* chosen = nullptr;

int parse_cuda_index(const std::string& text) {
  if (text == "cuda") return 0;
  int index = -1;
  const char* digits = text.c_str() + std::strlen("cuda:");
  const auto [end, error] = std::from_chars(digits, text.c_str() + text.size(), index);
  return error == std::errc() && *end == '\0' && index >= 0 ? index : -1;
}

DeviceState& choose_default() {
  const std::string wish = environment::default_device();
  if (wish == "cpu") return cpu_device();
  if (wish.starts_with("cuda:") || wish == "cuda") {
    if (const int index = parse_cuda_index(wish); index >= 0) return cuda_device(index);
  }
  if (!wish.empty()) throw Error("CUTTLE_DEFAULT_DEVICE is '" + wish + "'; it can be cpu, cuda, or cuda:1 and the like.");
  return cuda::find_driver() && !cuda::is_forked_child() ? cuda_device(0) : cpu_device();
}

}  // namespace

DeviceState& current_device() {
  if (chosen) [[likely]]
    return *chosen;
  static DeviceState& standard = choose_default();
  return standard;
}

DeviceState& cuda_device(int index) {
  const cuda::Driver* driver = cuda::find_driver();
  if (!driver) throw Error("a GPU was asked for, and " + cuda::why_not() + ". The CPU device runs every kernel: Device::cpu().");
  static std::mutex mutex;
  static auto* devices = new std::vector<std::unique_ptr<DeviceState>>(static_cast<std::size_t>(Device::cuda_count()));
  if (index < 0 || static_cast<std::size_t>(index) >= devices->size()) {
    throw Error("GPU " + std::to_string(index) + " was asked for, and there are " + std::to_string(devices->size()) + ", counted from 0.");
  }
  const std::lock_guard lock(mutex);
  auto& device = (*devices)[static_cast<std::size_t>(index)];
  if (!device) device = make_cuda_device(*driver, index);
  return *device;
}

void* allocate(DeviceState& device, std::size_t bytes) { return bytes == 0 ? nullptr : device.allocate(bytes); }
void deallocate(DeviceState& device, void* data) noexcept { device.deallocate(data); }
void copy_to_device(DeviceState& device, void* to, const void* from, std::size_t bytes) { device.copy_to_device(to, from, bytes); }
void copy_to_host(DeviceState& device, void* to, const void* from, std::size_t bytes) { device.copy_to_host(to, from, bytes); }
void copy_on_device(DeviceState& device, void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) device.copy_on_device(to, from, bytes);
}

}  // namespace detail

Device Device::cuda(int index) { return Device(detail::cuda_device(index)); }
Device Device::cpu() { return Device(detail::cpu_device()); }
Device Device::current() { return Device(detail::current_device()); }

int Device::cuda_count() {
  int count = 0;
  if (const auto* driver = detail::cuda::find_driver()) driver->cuDeviceGetCount(&count);
  return count;
}

bool Device::is_cuda() const { return state_->is_cuda(); }
std::string Device::name() const { return state_->name(); }
int Device::sm() const { return static_cast<int>(state_->target().sm); }

Use::Use(Device device) : previous_(detail::chosen) { detail::chosen = &device.state(); }
Use::~Use() { detail::chosen = previous_; }

void synchronize() { detail::current_device().synchronize(); }

}  // namespace cuttle
