// The set of devices, and which one is current.

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>
#include <mutex>
#include <vector>

#include "cuda_device.h"
#include "cuda_driver.h"
#include "cuttle/device.hpp"
#include "cuttle/error.hpp"
#include "cuttle/stream.hpp"
#include "device_state.h"
#include "environment.h"
#include "fork_gate.h"

namespace cuttle {
namespace detail {
namespace {

// What Use chose; the stream belongs to the device. Read by every launch: with the initial-exec model that is one load each, where a shared
// library's usual model calls __tls_get_addr. It takes sixteen bytes of what the C library keeps ready for libraries that are opened late.
[[gnu::tls_model("initial-exec")]] thread_local DeviceState* chosen = nullptr;
[[gnu::tls_model("initial-exec")]] thread_local void* chosen_stream = nullptr;

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

// What choose_default() chose, once it has.
std::atomic<DeviceState*> standard_device{nullptr};

// Looking for a GPU takes a while, and other threads wait for it at the variable's guard: a child forked meanwhile would do so for ever.
[[gnu::noinline]] DeviceState& find_standard_device() {
  const ForkGate gate;
  static DeviceState& found = choose_default();
  standard_device.store(&found, std::memory_order_release);
  return found;
}

}  // namespace

DeviceState& current_device() {
  if (chosen) [[likely]]
    return *chosen;
  if (DeviceState* device = standard_device.load(std::memory_order_acquire)) [[likely]]
    return *device;
  return find_standard_device();
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

void* current_stream(const DeviceState& device) { return chosen == &device ? chosen_stream : nullptr; }

Place place_of(const StreamRef& stream) {
  if (stream.device) return {*stream.device, stream.handle};
  return {current_device(), chosen_stream};
}

}  // namespace detail

Device Device::cuda(int index) { return Device(detail::cuda_device(index)); }
Device Device::cpu() { return Device(detail::cpu_device()); }
Device Device::current() { return Device(detail::current_device()); }

std::vector<Device> Device::all() {
  std::vector<Device> devices;
  for (int i = 0; i < cuda_count(); ++i) devices.push_back(cuda(i));
  devices.push_back(cpu());
  return devices;
}

int Device::cuda_count() {
  int count = 0;
  if (const auto* driver = detail::cuda::find_driver()) driver->cuDeviceGetCount(&count);
  return count;
}

bool Device::is_cuda() const { return state_->is_cuda(); }
int Device::index() const { return state_->index(); }
std::string Device::name() const { return state_->name(); }
int Device::sm() const { return static_cast<int>(state_->target().sm); }

DeviceProperties Device::properties() const {
  DeviceProperties properties = state_->properties();
  const detail::Limits& limits = state_->limits();
  std::copy_n(limits.grid, 3, properties.max_grid);
  std::copy_n(limits.block, 3, properties.max_block);
  properties.max_threads_per_block = limits.threads;
  properties.max_shared_bytes_per_block = limits.shared_bytes;
  return properties;
}

void Device::synchronize() const { state_->synchronize(); }

Use::Use(Device device) : previous_(detail::chosen), previous_stream_(detail::chosen_stream) {
  if (detail::chosen == &device.state()) return;  // with the stream that it has
  detail::chosen = &device.state();
  detail::chosen_stream = nullptr;
}
Use::Use(const StreamRef& stream) : previous_(detail::chosen), previous_stream_(detail::chosen_stream) {
  if (!stream.device) return;
  detail::chosen = stream.device;
  detail::chosen_stream = stream.handle;
}
Use::~Use() {
  detail::chosen = previous_;
  detail::chosen_stream = previous_stream_;
}

void synchronize() { detail::current_device().synchronize(); }

}  // namespace cuttle
