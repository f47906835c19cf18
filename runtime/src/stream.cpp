#include "cuttle/stream.hpp"

#include <exception>
#include <memory>

#include "cuttle/error.hpp"
#include "device_state.h"

namespace cuttle {
namespace {

void require_same_device(const detail::DeviceState& a, const detail::DeviceState& b) {
  if (&a != &b) throw LaunchError("a stream and an event of different devices were used together: " + a.name() + ", " + b.name() + ".");
}

struct HostCall {
  detail::DeviceState& device;
  void* stream;
  void (*function)(void*);
  void* closure;
};

// On a thread of the driver, which knows no exceptions.
void run(void* data) noexcept {
  const std::unique_ptr<HostCall> call(static_cast<HostCall*>(data));
  try {
    call->function(call->closure);
  } catch (...) {
    call->device.keep_failure(call->stream, std::current_exception());
  }
}

}  // namespace

Event::Event() : device_(&detail::current_device()), handle_(device_->make_event()) {}
Event::~Event() {
  if (device_) device_->destroy_event(handle_);
}
void Event::synchronize() const { device_->synchronize_event(handle_); }
bool Event::done() const { return device_->is_event_done(handle_); }
double Event::milliseconds_since(const Event& earlier) const {
  require_same_device(*device_, *earlier.device_);
  return device_->milliseconds_between(earlier.handle_, handle_);
}

Stream::Stream(const StreamOptions& options)
    : device_(&detail::current_device()), handle_(device_->make_stream(options.priority, options.non_blocking)), is_owner_(true) {
  device_->add_stream(handle_);
}
Stream Stream::legacy(Device device) { return {device.state(), nullptr, false}; }
Stream Stream::borrow(void* handle, Device device) {
  if (handle) device.state().add_stream(handle);
  return {device.state(), handle, false};
}
Stream::~Stream() {
  if (!handle_) return;
  device_->remove_stream(handle_);
  if (is_owner_) device_->destroy_stream(handle_);
}

void Stream::synchronize() const { device_->synchronize_stream(handle_); }
bool Stream::done() const { return device_->is_stream_done(handle_); }
void Stream::record(Event& event) const {
  require_same_device(*device_, *event.device_);
  device_->record(event.handle_, handle_);
}
Event Stream::record() const {
  const Use use(device());
  Event event;
  record(event);
  return event;
}
void Stream::wait(const Event& event) const { device_->wait(handle_, event.handle_); }
void Stream::wait(const Stream& other) const { wait(other.record()); }
void Stream::call_on_host(void (*function)(void*), void (*discard)(void*) noexcept, void* closure) const {
  auto call = std::make_unique<HostCall>(HostCall{*device_, handle_, function, closure});
  try {
    device_->call_on_host(handle_, run, call.get());
  } catch (...) {
    discard(closure);
    throw;
  }
  static_cast<void>(call.release());  // run() has it, or will
}

}  // namespace cuttle
