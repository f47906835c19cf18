#include "codegen/rescue.h"

#include <pthread.h>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>

#include "codegen/llvm.h"
#include "codegen/pass_on_signal.h"

namespace cuttle::codegen {
namespace {

// The second where a limit of the process (RLIMIT_AS, a container's) leaves no room for the first: enough for all but the deepest kernels.
constexpr std::size_t stack_bytes[] = {256u << 20, 16u << 20};
constexpr std::size_t signal_stack_bytes = 64u << 10;

struct Job {
  const std::function<void()>* work;
  std::optional<std::string> failure;
  sigjmp_buf escape;
};

// The job that runs on this thread, where LLVM's handlers and the signal handler can find it. By the usual model of a library, the handler's read
// would be a thread's first, for which the C library allocates: not in a signal, which may have come amid an allocation.
[[gnu::tls_model("initial-exec")]] thread_local Job* current_job = nullptr;

[[noreturn]] void give_up(const char* reason) {
  if (Job* job = current_job) {
    job->failure = reason;
    siglongjmp(job->escape, 1);
  }
  // Not ours: some other user of this hidden LLVM cannot exist, so this is a bug of cuttle outside a compilation.
  std::abort();
}

void on_fatal_error(void*, const char* reason, bool) { give_up(reason); }

constexpr int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
struct sigaction previous_actions[std::size(crash_signals)];

// Only a crash on a compiler thread is ours; every other goes to whoever had the signal before.
void on_crash(int signal, siginfo_t* info, void* context) {
  if (Job* job = current_job) {
    // Only what is async-signal-safe: the text is made after the jump, from the signal's number.
    siglongjmp(job->escape, 1000 + signal);
  }
  for (std::size_t i = 0; i < std::size(crash_signals); ++i) {
    if (crash_signals[i] != signal) continue;
    pass_on_signal(previous_actions[i], signal, info, context);
  }
}

void install_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(on_fatal_error);
    llvm::install_bad_alloc_error_handler(on_fatal_error);
    struct sigaction action{};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < std::size(crash_signals); ++i) {
      sigaction(crash_signals[i], &action, &previous_actions[i]);
    }
  });
}

void run_job(Job& job) {
  const auto alternate = std::make_unique<char[]>(signal_stack_bytes);
  stack_t signal_stack{};
  signal_stack.ss_sp = alternate.get();
  signal_stack.ss_size = signal_stack_bytes;
  sigaltstack(&signal_stack, nullptr);

  current_job = &job;
  if (const int jumped = sigsetjmp(job.escape, 1); jumped == 0) {
    try {
      (*job.work)();
    } catch (const std::exception& error) {
      job.failure = error.what();
    }
  } else if (jumped > 1000) {
    job.failure = std::string("the compiler crashed (") + strsignal(jumped - 1000) + ")";
  }
  current_job = nullptr;

  signal_stack.ss_flags = SS_DISABLE;
  sigaltstack(&signal_stack, nullptr);
}

}  // namespace

std::optional<std::string> run_rescued(const std::function<void()>& work) {
  install_handlers();
  Job job{&work, std::nullopt, {}};

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  // The user's signals are for the user's threads.
  sigset_t all, before;
  sigfillset(&all);
  for (const int signal : crash_signals) sigdelset(&all, signal);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = 0;
  for (const std::size_t bytes : stack_bytes) {
    pthread_attr_setstacksize(&attributes, bytes);
    error = pthread_create(&thread, &attributes, [](void* job_pointer) -> void* { return run_job(*static_cast<Job*>(job_pointer)), nullptr; }, &job);
    if (error == 0) break;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (error != 0) {
    return std::string("no thread could be started for the compiler: ") + strerror(error) +
           ". Raise the limits on threads and memory (ulimit -u, ulimit -v, pids.max).";
  }
  pthread_join(thread, nullptr);
  return job.failure;
}

}  // namespace cuttle::codegen
