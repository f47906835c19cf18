// Graphs: launches and copies, recorded once and replayed with one call.
#pragma once

#include <utility>

#include "device.hpp"
#include "export.hpp"
#include "stream.hpp"

namespace cuttle {

/// What a function launched, copied and filled on the current stream, and on streams that wait for it. Arrays and host memory that were used must
/// outlive the graph. Kernels that have not been compiled before are compiled while they are recorded.
class CUTTLE_API Graph {
 public:
  /// Records `work()` on the current device, without running it. Inside, a wait on the host and a call of Stream::on_host throw.
  template <class Work>
  [[nodiscard]] static Graph capture(Work&& work) {
    Graph graph;
    graph.update(std::forward<Work>(work));
    return graph;
  }

  Graph(Graph&& other) noexcept : device_(other.device_), handle_(std::exchange(other.handle_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Graph();

  /// Runs all of it, in the order of a stream, the current one unless given. Does not wait.
  void replay(const StreamRef& stream = {}) const;

  /// Records again, in place of what was recorded: with other arguments and shapes for the same work, it costs little.
  template <class Work>
  void update(Work&& work) {
    const Use use{Device(*device_)};
    record([](void* function) { (*static_cast<std::remove_reference_t<Work>*>(function))(); }, &work);
  }

 private:
  Graph();
  void record(void (*work)(void*), void* function);

  detail::DeviceState* device_;
  void* handle_ = nullptr;
};

}  // namespace cuttle
