// The memory of one GPU: stream-ordered allocation from a pool of cuttle's own, so that freed memory is used again without asking the driver.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "cuda_driver.h"
#include "cuttle/memory.hpp"

namespace cuttle::detail {

/// What an allocation may be used for does not depend on a stream. With the default stream alone, memory is taken and freed in its order. Once
/// there are other streams, memory is taken on a stream of its own and ready when allocate() returns, and it is freed on another one that waits
/// for the work of all of them, so that no stream waits for a free. The device's context must be current in every call but free().
class CudaMemory {
 public:
  CudaMemory(const cuda::Driver& driver, cuda::DeviceHandle device, bool has_pools);

  /// Throws OutOfMemory, which calls the device `name`.
  [[nodiscard]] void* allocate(std::size_t bytes, const std::string& name);
  void free(void* data) noexcept;
  /// Whether an allocation that began there is among the last that were freed. Something else may have its memory since.
  [[nodiscard]] bool was_freed(const void* data) const;

  /// A stream that may use memory of this device, from now on and until it is removed, which must be before it is destroyed.
  void add_stream(cuda::StreamHandle stream);
  void remove_stream(cuda::StreamHandle stream) noexcept;

  /// Gives what is kept for reuse back to the system.
  void trim() noexcept;

  /// Bytes free, the pool's own included.
  [[nodiscard]] MemoryInfo info() const;

 private:
  [[nodiscard]] cuda::Result try_allocate(cuda::DevicePointer& pointer, std::size_t bytes);
  void free_after(cuda::StreamHandle stream) noexcept;

  const cuda::Driver& driver_;
  cuda::MemoryPool pool_ = nullptr;  // null where the device has none
  std::atomic<bool> has_streams_{false};
  mutable std::mutex mutex_;  // of what follows
  std::vector<cuda::StreamHandle> streams_;
  cuda::StreamHandle taking_ = nullptr, freeing_ = nullptr;  // made with the first stream
  cuda::EventHandle event_ = nullptr;
  mutable std::mutex freed_mutex_;  // of what follows
  std::array<const void*, 64> freed_{};
  std::size_t next_freed_ = 0;
};

}  // namespace cuttle::detail
