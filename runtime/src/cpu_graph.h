// A graph of the CPU device: the calls of one thread, to be made again.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "cuttle/dsl/signature.hpp"

namespace cuttle::detail {

/// The arguments of a launch, copied: a graph is replayed when those of the caller are gone.
class CapturedArguments {
 public:
  CapturedArguments(const Signature& signature, const void* const* arguments) {
    std::vector<std::size_t> offsets;
    std::size_t end = 0, align = 1;
    for (std::size_t i = 0; i < signature.count; ++i) {
      const TypeInfo& type = *signature.parameters[i];
      offsets.push_back((end + type.align - 1) / type.align * type.align);
      end = offsets.back() + type.size;
      align = type.align > align ? type.align : align;
    }
    storage_.resize(end + align);
    void* begin = storage_.data();
    std::size_t space = storage_.size();
    auto* base = static_cast<unsigned char*>(std::align(align, end, begin, space));
    for (std::size_t i = 0; i < signature.count; ++i) {
      std::memcpy(base + offsets[i], arguments[i], signature.parameters[i]->size);
      pointers_.push_back(base + offsets[i]);
    }
  }
  CapturedArguments(const CapturedArguments&) = delete;
  CapturedArguments& operator=(const CapturedArguments&) = delete;

  [[nodiscard]] const void* const* pointers() const { return pointers_.data(); }

 private:
  std::vector<unsigned char> storage_;
  std::vector<const void*> pointers_;
};

/// The steps of a graph, each to be called with the stream of the replay.
struct CpuGraph {
  std::vector<std::function<void(void* stream)>> steps;
};

}  // namespace cuttle::detail
