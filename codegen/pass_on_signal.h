// For a signal handler: what to do with a signal that it is not for.
#pragma once

#include <csignal>

namespace cuttle {

/// Does what the process would have done before our handler was installed over `previous`.
inline void pass_on_signal(const struct sigaction& previous, int signal, siginfo_t* info, void* context) {
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler == SIG_DFL) {
    sigaction(signal, &previous, nullptr);                                            // returning repeats the fault, with the default action
    if (signal == SIGABRT || signal == SIGTRAP || info->si_code <= 0) raise(signal);  // but not these
  } else if (previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  }
}

}  // namespace cuttle
