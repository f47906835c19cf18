// What a race needs of the CUDA driver beyond cuttle's own use of it: nvcc's cubin, raw launches, events, attributes.
#pragma once

#include <cstddef>
#include <functional>

namespace cuttle::race {

using DevicePointer = unsigned long long;
using Function = struct FunctionTag*;
using EventHandle = struct EventTag*;

struct Geometry {
  unsigned grid[3], block[3], shared_bytes;
};

struct Resources {
  int registers = 0;
  int local_bytes = 0;  // a thread's stack and spills
};

/// The first GPU through libcuda.so.1, in its primary context, which is cuttle's too. Every function throws std::runtime_error on failure.
class Gpu {
 public:
  Gpu();

  /// The CUDA version that the driver belongs to: 13000 for 13.0.
  [[nodiscard]] int version() const;
  [[nodiscard]] Function load(const void* image, const char* entry) const;
  [[nodiscard]] Resources resources(Function function) const;
  void allow_shared(Function function, unsigned bytes) const;
  void launch(Function function, const Geometry& geometry, void** arguments) const;
  void fill(void* pointer, unsigned char byte, std::size_t bytes) const;
  void copy(void* to, const void* from, std::size_t bytes) const;

  /// Milliseconds between two events around what `work` launches on the default stream.
  [[nodiscard]] float time(const std::function<void()>& work) const;

 private:
  EventHandle start_ = nullptr;
  EventHandle stop_ = nullptr;
};

}  // namespace cuttle::race
