// Exceptions that a device's work left behind, until the host waits: a kernel's failure on the CPU device, and what a call on the host threw.
#pragma once

#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <utility>

namespace cuttle::detail {

class PendingFailures {
 public:
  /// A stream's first failure is the one that is told.
  void keep(void* stream, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    failures_.try_emplace(stream, std::move(failure));
    are_there_.store(true, std::memory_order_relaxed);
  }

  /// Throws what the stream's work left behind, once.
  void raise(void* stream) { raise_if(stream, /*of_any_stream=*/false); }
  void raise_any() { raise_if(nullptr, /*of_any_stream=*/true); }

  void forget(void* stream) noexcept {
    if (!are_there_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(mutex_);
    failures_.erase(stream);
  }
  void forget_all() {
    const std::lock_guard lock(mutex_);
    failures_.clear();
    are_there_.store(false, std::memory_order_relaxed);
  }

 private:
  void raise_if(void* stream, bool of_any_stream) {
    if (!are_there_.load(std::memory_order_relaxed)) [[likely]]
      return;
    std::unique_lock lock(mutex_);
    const auto found = of_any_stream ? failures_.begin() : failures_.find(stream);
    if (found == failures_.end()) return;
    const std::exception_ptr failure = std::move(found->second);
    failures_.erase(found);
    are_there_.store(!failures_.empty(), std::memory_order_relaxed);
    lock.unlock();
    std::rethrow_exception(failure);
  }

  std::mutex mutex_;
  std::map<void*, std::exception_ptr> failures_;  // by stream
  std::atomic<bool> are_there_{false};
};

}  // namespace cuttle::detail
