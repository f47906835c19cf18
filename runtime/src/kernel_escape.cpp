#include "kernel_escape.h"

#include <csetjmp>
#include <csignal>
#include <iterator>
#include <memory>
#include <mutex>

#include "codegen/pass_on_signal.h"

namespace cuttle::detail {
namespace {

struct WayOut {
  sigjmp_buf place;
  Fault fault;
  WayOut* outer;
};

// Read by the signal handler, for which only this model of thread-local variables is safe.
[[gnu::tls_model("initial-exec")]] thread_local WayOut* way_out = nullptr;

constexpr int by_call = 1, by_fault = 2;

constexpr int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
struct sigaction previous_actions[std::size(fault_signals)];

void on_fault(int signal, siginfo_t* info, void* context) {
  if (WayOut* out = way_out) {
    out->fault = {signal, info->si_addr};
    siglongjmp(out->place, by_fault);
  }
  for (std::size_t i = 0; i < std::size(fault_signals); ++i) {
    if (fault_signals[i] == signal) pass_on_signal(previous_actions[i], signal, info, context);
  }
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < std::size(fault_signals); ++i) sigaction(fault_signals[i], &action, &previous_actions[i]);
  });
}

// A stack for the handler, since a stack overflow leaves none; not where the thread has one already.
class SignalStack {
 public:
  SignalStack() {
    stack_t present{};
    if (sigaltstack(nullptr, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
    memory_ = std::make_unique<char[]>(bytes);
    stack_t stack{};
    stack.ss_sp = memory_.get();
    stack.ss_size = bytes;
    sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    if (!memory_) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  static constexpr std::size_t bytes = 64 << 10;
  std::unique_ptr<char[]> memory_;
};

}  // namespace

Ending run_kernel_code(void (*run)(void* data), void* data) {
  install_handler();
  thread_local const SignalStack stack;
  WayOut here;
  here.outer = way_out;
  way_out = &here;
  const int jumped = sigsetjmp(here.place, /*savemask=*/0);
  if (jumped == 0) run(data);
  way_out = here.outer;
  return {jumped == 0, jumped == by_fault ? std::optional(here.fault) : std::nullopt};
}

void leave_kernel() { siglongjmp(way_out->place, by_call); }

}  // namespace cuttle::detail
