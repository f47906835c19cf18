// Crashes of the user's own, after cuttle has compiled: `crash segv|abort|raise|thread|...`, see main.

#include <cuttle/cuttle.hpp>

#include <unistd.h>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

void compile_something() {
  const cuttle::Use use(cuttle::Device::cpu());
  auto kernel = CUTTLE_KERNEL([](auto x) { x[0] = 1; });
  cuttle::Array<int> x(1);
  kernel[{1, 1}](x);
}

void own_handler(int) { _exit(43); }
void own_handler_with_information(int, siginfo_t*, void*) { _exit(44); }

// Not by null, which UBSan would find before the processor does.
void write_nowhere() {
  volatile std::uintptr_t nowhere = 64;
  *reinterpret_cast<volatile int*>(nowhere) = 1;
}

}  // namespace

int main(int, char** argv) {
  const std::string how = argv[1];
  if (how == "handler_before") std::signal(SIGSEGV, own_handler);
  if (how == "information_handler_before") {
    struct sigaction action{};
    action.sa_sigaction = own_handler_with_information;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
  }
  if (how == "ignored_before") std::signal(SIGFPE, SIG_IGN);
  compile_something();
  if (how == "handler_after") std::signal(SIGSEGV, own_handler);
  if (how == "abort") std::abort();
  if (how == "raise") raise(SIGFPE);
  if (how == "ignored_before") {
    raise(SIGFPE);
    return 45;
  }
  if (how == "thread") std::thread(write_nowhere).join();
  write_nowhere();
  return 0;
}
