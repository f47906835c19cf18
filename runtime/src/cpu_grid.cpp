#include "cpu_grid.h"

namespace cuttle::detail {
namespace {

thread_local GridBarrier* grid_of_this_thread = nullptr;

}  // namespace

GridMember::GridMember(GridBarrier& barrier) : barrier_(barrier) { grid_of_this_thread = &barrier; }

GridMember::~GridMember() {
  grid_of_this_thread = nullptr;
  barrier_.arrive_and_drop();
}

void wait_for_grid() {
  if (grid_of_this_thread) grid_of_this_thread->arrive_and_wait();
}

std::uint32_t is_in_grid() { return grid_of_this_thread ? 1 : 0; }

}  // namespace cuttle::detail
