#include "cuttle/graph.hpp"

#include "cuttle/error.hpp"
#include "device_state.h"

namespace cuttle {

Graph::Graph() : device_(&detail::current_device()) {}
Graph::~Graph() {
  if (handle_) device_->destroy_graph(handle_);
}

void Graph::record(void (*work)(void*), void* function) {
  // On a stream of its own, so that nothing else on the device becomes part of it or is held up.
  const Stream stream({.non_blocking = true});
  const Use use(stream);
  device_->begin_capture(stream.handle());
  try {
    work(function);
  } catch (...) {
    device_->abandon_capture(stream.handle());
    throw;
  }
  handle_ = device_->end_capture(stream.handle(), handle_);
}

void Graph::replay(const StreamRef& stream) const {
  if (!handle_) throw LaunchError("a Graph that was moved from was replayed.");
  if (stream.device && stream.device != device_) {
    throw LaunchError("a Graph of " + device_->name() + " was replayed on a stream of " + stream.device->name() + ".");
  }
  device_->replay(handle_, stream.device ? stream.handle : detail::current_stream(*device_));
}

}  // namespace cuttle
