// Forks again and again while other threads compile kernels and modules, load them and allocate. Exits with 0 where every child can do all of that.

#include <sys/wait.h>
#include <unistd.h>
#include <cuttle/cuttle.hpp>

#include <atomic>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

namespace {

using cuttle::Array;

constexpr int fork_count = 40;
constexpr unsigned longest_child = 60;  // seconds

auto add = CUTTLE_KERNEL([](auto x, auto a) { x[threadIdx.x] += a; });

// A text that no other call has.
bool compiles(const std::string& name) {
  const auto module = cuttle::Module::from_source("__global__ void " + name + "(int* x) { x[threadIdx.x] += 1; }");
  Array<int> x = cuttle::zeros<int>(4);
  module.function(name)[{.block = 4}](x);
  return x.to_vector() == std::vector<int>(4, 1);
}

// A capture that no other call has.
bool specializes(int value) {
  const auto set = CUTTLE_KERNEL_WITH((value), [](auto x) { x[threadIdx.x] = value; });
  Array<int> x(4);
  set[{.block = 4}](x);
  return x.to_vector() == std::vector<int>(4, value);
}

int child(int number) {
  alarm(longest_child);
  try {
    Array<float> x({1, 2, 3});
    add[{.block = 3}](x, 1.0f);
    add[{.block = 3}](x, 1);
    const bool right = x.to_vector()[2] == 5 && compiles("in_child_" + std::to_string(number)) && specializes(-number);
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}

}  // namespace

int main() {
  setenv("CUTTLE_DEFAULT_DEVICE", "cpu", 1);
  setenv("CUTTLE_CACHE", "0", 1);
  std::atomic<bool> goes_on{true};
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    for (int i = 0; goes_on; ++i) compiles("in_parent_" + std::to_string(i));
  });
  threads.emplace_back([&] {
    for (int i = 1; goes_on; ++i) specializes(i);
  });
  threads.emplace_back([&] {
    while (goes_on) static_cast<void>(Array<int>(64).size());
  });
  int failed = 0;
  for (int i = 1; i <= fork_count && failed == 0; ++i) {
    const pid_t pid = fork();
    if (pid == 0) _exit(child(i));
    int status = 0;
    waitpid(pid, &status, 0);
    if (status == 0) continue;
    failed = 1;
    std::fprintf(stderr, "child %d: %s %d\n", i, WIFEXITED(status) ? "exit code" : "signal",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  }
  goes_on = false;
  for (std::thread& thread : threads) thread.join();
  return failed;
}
