#include "fork_gate.h"

#include <pthread.h>

#include "allocations.h"

namespace cuttle::detail {
namespace {

// A fork that waits comes before readers that are not in yet: else threads that compile one kernel after the other would hold it up for ever.
constexpr pthread_rwlock_t open_gate = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
pthread_rwlock_t gate = open_gate;
thread_local int depth = 0;  // this thread is a reader once, however many objects it has

void before_fork() {
  pthread_rwlock_wrlock(&gate);
  Allocations::instance().lock();
}

void after_fork_in_parent() {
  Allocations::instance().unlock();
  pthread_rwlock_unlock(&gate);
}

void after_fork_in_child() {
  Allocations::instance().unlock();
  pthread_rwlock_unlock(&gate);
  gate = open_gate;  // it counts threads that wait, and they are not here
}

[[maybe_unused]] const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);

}  // namespace

ForkGate::ForkGate() {
  if (depth++ == 0) pthread_rwlock_rdlock(&gate);
}

ForkGate::~ForkGate() {
  if (--depth == 0) pthread_rwlock_unlock(&gate);
}

}  // namespace cuttle::detail
