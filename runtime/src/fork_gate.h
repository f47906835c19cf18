// fork() while other threads compile: it waits until they are done, so that no lock of theirs stays taken in the child.
#pragma once

namespace cuttle::detail {

/// While an object lives, fork() on another thread waits. For what takes locks, or waits for a thread that does: compiling and loading. A thread
/// may have several; the code between must not fork.
class ForkGate {
 public:
  ForkGate();
  ~ForkGate();
  ForkGate(const ForkGate&) = delete;
  ForkGate& operator=(const ForkGate&) = delete;
};

}  // namespace cuttle::detail
