#include "cuda_memory.h"

#include <algorithm>
#include <string>

#include "cuttle/error.hpp"

namespace cuttle::detail {

using namespace cuda;

CudaMemory::CudaMemory(const Driver& driver, DeviceHandle device, bool has_pools) : driver_(driver) {
  if (!has_pools) return;
  MemoryPoolProperties properties{};
  properties.allocation_type = 1;  // CU_MEM_ALLOCATION_TYPE_PINNED
  properties.location_type = 1;    // CU_MEM_LOCATION_TYPE_DEVICE
  properties.location_id = device;
  check(driver_.cuMemPoolCreate(&pool_, &properties), "making a memory pool");
  // By default a pool returns what is free to the system at every synchronisation, and getting it back costs far more than a kernel.
  std::uint64_t keep_all = ~std::uint64_t{0};
  check(driver_.cuMemPoolSetAttribute(pool_, MemoryPoolAttribute::release_threshold, &keep_all), "setting up a memory pool");
}

Result CudaMemory::try_allocate(DevicePointer& pointer, std::size_t bytes) {
  // Whole words: an atomic operation on 8 or 16 bits exchanges the 32 bits around them, and compute-sanitizer looks at every byte.
  bytes = std::max(bytes, (bytes + 3) / 4 * 4);
  if (!pool_) return driver_.cuMemAlloc(&pointer, bytes);
  if (!has_streams_.load(std::memory_order_acquire)) return driver_.cuMemAllocFromPoolAsync(&pointer, bytes, pool_, nullptr);
  const Result result = driver_.cuMemAllocFromPoolAsync(&pointer, bytes, pool_, taking_);
  // The stream holds no other work: this waits at most for the work that used the memory before.
  return result == success ? driver_.cuStreamSynchronize(taking_) : result;
}

void* CudaMemory::allocate(std::size_t bytes, const std::string& name) {
  DevicePointer pointer = 0;
  Result result = try_allocate(pointer, bytes);
  if (result == error_out_of_memory && pool_) {
    // What other work still holds, and what the pool has in pieces that are too small, may be enough.
    check(driver_.cuCtxSynchronize(), "waiting for memory");
    driver_.cuMemPoolTrimTo(pool_, 0);
    result = try_allocate(pointer, bytes);
  }
  if (result == error_out_of_memory) {
    const MemoryInfo memory = info();
    throw OutOfMemory("an Array of " + std::to_string(bytes) + " bytes was asked for, and " + std::to_string(memory.free) + " of " +
                          std::to_string(memory.total) + " bytes are free on " + name + ".",
                      bytes, memory.free);
  }
  check(result, "allocating device memory");
  return reinterpret_cast<void*>(pointer);
}

// Lets the stream of frees wait for what `stream` has been given so far. A stream in capture has been given nothing yet.
void CudaMemory::free_after(StreamHandle stream) noexcept {
  CaptureStatus status = CaptureStatus::none;
  if (driver_.cuStreamIsCapturing(stream, &status) != success || status != CaptureStatus::none) return;
  if (driver_.cuEventRecord(event_, stream) == success) driver_.cuStreamWaitEvent(freeing_, event_, 0);
}

bool CudaMemory::was_freed(const void* data) const {
  const std::lock_guard lock(freed_mutex_);
  return std::find(freed_.begin(), freed_.end(), data) != freed_.end();
}

void CudaMemory::free(void* data) noexcept {
  {
    const std::lock_guard lock(freed_mutex_);
    freed_[next_freed_++ % freed_.size()] = data;
  }
  const auto pointer = reinterpret_cast<DevicePointer>(data);
  if (!pool_) {
    driver_.cuMemFree(pointer);  // waits for the device by itself
  } else if (!has_streams_.load(std::memory_order_acquire)) {
    driver_.cuMemFreeAsync(pointer, nullptr);
  } else {
    const std::lock_guard lock(mutex_);
    free_after(nullptr);
    for (const StreamHandle stream : streams_) free_after(stream);
    driver_.cuMemFreeAsync(pointer, freeing_);
  }
}

void CudaMemory::add_stream(StreamHandle stream) {
  if (!pool_) return;
  const std::lock_guard lock(mutex_);
  if (!event_) {
    check(driver_.cuStreamCreateWithPriority(&taking_, stream_non_blocking, 0), "making a stream");
    check(driver_.cuStreamCreateWithPriority(&freeing_, stream_non_blocking, 0), "making a stream");
    check(driver_.cuEventCreate(&event_, event_disable_timing), "making an event");
  }
  streams_.push_back(stream);
  if (has_streams_.exchange(true, std::memory_order_acq_rel)) return;
  // Memory that was taken on the default stream is ready for the new one.
  check(driver_.cuStreamSynchronize(nullptr), "waiting for the default stream");
}

void CudaMemory::remove_stream(StreamHandle stream) noexcept {
  if (!pool_) return;
  const std::lock_guard lock(mutex_);
  free_after(stream);
  if (const auto found = std::find(streams_.begin(), streams_.end(), stream); found != streams_.end()) streams_.erase(found);
}

void CudaMemory::trim() noexcept {
  if (pool_) driver_.cuMemPoolTrimTo(pool_, 0);
}

MemoryInfo CudaMemory::info() const {
  MemoryInfo memory;
  check(driver_.cuMemGetInfo(&memory.free, &memory.total), "asking for the free memory");
  if (pool_) {
    std::uint64_t reserved = 0, used = 0;
    check(driver_.cuMemPoolGetAttribute(pool_, MemoryPoolAttribute::reserved_current, &reserved), "asking a memory pool for its size");
    check(driver_.cuMemPoolGetAttribute(pool_, MemoryPoolAttribute::used_current, &used), "asking a memory pool for its use");
    memory.free += static_cast<std::size_t>(reserved - used);
  }
  return memory;
}

}  // namespace cuttle::detail
