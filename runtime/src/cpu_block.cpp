#include "cpu_block.h"

#include <chrono>
#include <memory>
#include <new>
#include <thread>

namespace cuttle::detail {

unsigned char* scratch_memory(std::uint64_t bytes) {
  constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(unsigned char* data) const { ::operator delete(data, alignment); }
  };
  thread_local std::unique_ptr<unsigned char, Free> memory;  // grown, never shrunk
  thread_local std::uint64_t size = 0;
  if (size < bytes) {
    memory.reset();
    size = 0;
    memory.reset(static_cast<unsigned char*>(::operator new(bytes, alignment)));
    size = bytes;
  }
  return memory.get();
}

std::uint64_t nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

void sleep_nanoseconds(std::uint32_t duration) { std::this_thread::sleep_for(std::chrono::nanoseconds(duration)); }

}  // namespace cuttle::detail
