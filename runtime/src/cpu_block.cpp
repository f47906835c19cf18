#include "cpu_block.h"

#include <sys/mman.h>
#include <unistd.h>
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

namespace {

// Memory that ends where memory that nobody may access begins; grown, never shrunk.
class GuardedMemory {
 public:
  GuardedMemory() = default;
  ~GuardedMemory() { release(); }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  unsigned char* last(std::size_t bytes) {
    if (!mapping_ || bytes > size_) grow(bytes);
    return mapping_ + size_ - bytes;
  }
  [[nodiscard]] bool is_behind(const unsigned char* address) const {
    return mapping_ && address >= mapping_ + size_ && address < mapping_ + size_ + guard_bytes;
  }

 private:
  static constexpr std::size_t guard_bytes = 16 << 20;  // addresses alone

  void grow(std::size_t bytes) {
    release();
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t size = (bytes + page - 1) / page * page;
    void* mapping = mmap(nullptr, size + guard_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    mapping_ = static_cast<unsigned char*>(mapping);
    size_ = size;
    if (size > 0 && mprotect(mapping_, size, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  void release() {
    if (mapping_) munmap(mapping_, size_ + guard_bytes);
    mapping_ = nullptr;
  }

  unsigned char* mapping_ = nullptr;
  std::size_t size_ = 0;
};

thread_local GuardedMemory memory_of_block;

}  // namespace

unsigned char* shared_memory(std::size_t bytes) {
  constexpr std::size_t alignment = 128;
  return memory_of_block.last((bytes + alignment - 1) / alignment * alignment);
}

bool is_behind_shared_memory(const void* address) { return memory_of_block.is_behind(static_cast<const unsigned char*>(address)); }

std::uint64_t nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

void sleep_nanoseconds(std::uint32_t duration) { std::this_thread::sleep_for(std::chrono::nanoseconds(duration)); }

}  // namespace cuttle::detail
