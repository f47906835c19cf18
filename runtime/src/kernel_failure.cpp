#include "kernel_failure.h"

#include <csignal>
#include <cstdio>

#include "assert_failure.h"
#include "cpu_block.h"
#include "cuttle/error.hpp"

namespace cuttle::detail {
namespace {

constexpr int error_illegal_address = 700, error_launch_failed = 719;

thread_local std::optional<AssertFailure> failed_assert;

KernelFailure failure_of(const Fault& fault, const std::string& kernel) {
  constexpr const char* advice = "; CUTTLE_CHECK=1 may say where.";
  if (fault.signal == SIGFPE) return {"kernel " + kernel + " divided an integer by zero" + advice, error_launch_failed};
  if (fault.signal == SIGILL) return {"kernel " + kernel + " came to a trap" + advice, error_launch_failed};
  if (fault.signal == SIGTRAP) return {"kernel " + kernel + " came to a breakpoint, and no debugger was there.", error_launch_failed};
  if (is_behind_shared_memory(fault.address)) {
    return {"kernel " + kernel +
                " went past the end of the block's shared memory: the launch gives too little of it (.shared), or an index is too large" + advice,
            error_illegal_address};
  }
  char address[32];
  std::snprintf(address, sizeof(address), "%p", fault.address);
  return {"kernel " + kernel + " accessed address " + address + ", which is no memory of its own, or ran out of stack" + advice,
          error_illegal_address};
}

}  // namespace

std::exception_ptr KernelFailure::exception() const {
  return code == error_assert ? std::make_exception_ptr(AssertionError(text, code)) : std::make_exception_ptr(DriverError(text, code));
}

std::optional<KernelFailure> failure_of(const Ending& ending, const std::string& kernel) {
  if (ending.at_end) return std::nullopt;
  if (ending.fault) return failure_of(*ending.fault, kernel);
  KernelFailure failure{failed_assert.value().text(kernel) + ".", error_assert};
  failed_assert.reset();
  return failure;
}

void assert_failed(const char* condition, const char* file, std::uint32_t line, std::uint32_t block_x, std::uint32_t block_y, std::uint32_t block_z,
                   std::uint32_t thread_x, std::uint32_t thread_y, std::uint32_t thread_z) {
  failed_assert = {condition, file, line, {block_x, block_y, block_z}, {thread_x, thread_y, thread_z}};
  leave_kernel();
}

}  // namespace cuttle::detail
