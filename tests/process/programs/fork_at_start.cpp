// Forks at every moment of another thread's first use of the CPU device, each time in a new process. Exits with 0 where every child can use it.

#include <sys/wait.h>
#include <unistd.h>
#include <cuttle/cuttle.hpp>

#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr int attempt_count = 400;
constexpr unsigned longest_child = 20;  // seconds

int use_device() {
  const cuttle::Use use(cuttle::Device::cpu());
  return cuttle::Array<int>({1, 2, 3}).to_vector() == std::vector{1, 2, 3} ? 0 : 1;
}

int wait_for(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

// In a process that has used no device.
int fork_after(std::chrono::nanoseconds delay) {
  std::thread user(use_device);
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < delay) {
  }
  const pid_t child = fork();
  if (child == 0) {
    alarm(longest_child);
    _exit(use_device());
  }
  const int status = wait_for(child);
  user.join();
  return status == 0 ? 0 : 1;
}

}  // namespace

int main() {
  for (int i = 0; i < attempt_count; ++i) {
    const pid_t pid = fork();
    if (pid == 0) _exit(fork_after(std::chrono::microseconds(i)));
    if (wait_for(pid) == 0) continue;
    std::fprintf(stderr, "the child of a fork %d us after the first use began has failed\n", i);
    return 1;
  }
  return 0;
}
