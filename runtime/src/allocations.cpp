#include "allocations.h"

namespace cuttle::detail {

Allocations& Allocations::instance() {
  static auto* allocations = new Allocations;  // arrays of the program's globals are freed at its end
  return *allocations;
}

void Allocations::add(void* data, std::size_t bytes) {
  const auto* begin = static_cast<const unsigned char*>(data);
  const std::lock_guard lock(mutex_);
  allocations_[begin] = {begin, bytes, false};
}

std::vector<void*> Allocations::remove(void* data) {
  const std::lock_guard lock(mutex_);
  const auto found = allocations_.find(static_cast<const unsigned char*>(data));
  if (found == allocations_.end()) return {data};
  if (!keeps_freed_) {
    allocations_.erase(found);
    return {data};
  }
  found->second.is_freed = true;
  freed_.push_back(found->first);
  freed_bytes_ += found->second.bytes;
  std::vector<void*> oldest;
  while (freed_bytes_ > most_freed_bytes) {
    const auto first = allocations_.find(freed_.front());
    freed_.pop_front();
    freed_bytes_ -= first->second.bytes;
    oldest.push_back(const_cast<unsigned char*>(first->first));
    allocations_.erase(first);
  }
  return oldest;
}

void Allocations::keep_freed() {
  const std::lock_guard lock(mutex_);
  keeps_freed_ = true;
}

std::vector<Allocation> Allocations::all() {
  const std::lock_guard lock(mutex_);
  std::vector<Allocation> all;
  all.reserve(allocations_.size());
  for (const auto& [begin, allocation] : allocations_) all.push_back(allocation);
  return all;
}

}  // namespace cuttle::detail
