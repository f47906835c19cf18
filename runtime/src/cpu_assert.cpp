#include "cpu_assert.h"

#include <csetjmp>

namespace cuttle::detail {
namespace {

// Nothing unwinds through a kernel's code, which has no unwind tables and nothing to destroy: it is left by a jump.
struct WayOut {
  std::jmp_buf place;
  std::optional<AssertFailure> failure;
};

thread_local WayOut* way_out = nullptr;

}  // namespace

std::optional<AssertFailure> until_assert(void (*run)(void* data), void* data) {
  WayOut here;
  way_out = &here;
  if (setjmp(here.place) == 0) run(data);
  return std::move(here.failure);
}

void assert_failed(const char* condition, const char* file, std::uint32_t line, std::uint32_t block_x, std::uint32_t block_y, std::uint32_t block_z,
                   std::uint32_t thread_x, std::uint32_t thread_y, std::uint32_t thread_z) {
  way_out->failure = {condition, file, line, {block_x, block_y, block_z}, {thread_x, thread_y, thread_z}};
  std::longjmp(way_out->place, 1);
}

}  // namespace cuttle::detail
