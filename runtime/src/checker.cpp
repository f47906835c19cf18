#include "checker.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "allocations.h"
#include "check_text.h"
#include "codegen/check_calls.h"
#include "cuttle/error.hpp"
#include "lane_values.h"
#include "race_detector.h"

namespace cuttle::detail {
namespace {

constexpr const char* endless_wait_text =
    "a loop that waits for a value which no thread writes before the wait has ended: the thread that could is one of the same block behind the loop, "
    "or "
    "of a block that has not started";

// A read of shared memory that nothing has been written to yet.
struct EarlyRead {
  const CheckSite* site;
  std::uint32_t thread;
  std::uint64_t offset, bytes;
};

// One launch. A function that the kernel's code calls notes a mistake and returns; answer() then leaves the kernel.
class Checker {
 public:
  Checker(const CheckedKernel& kernel, const Geometry& geometry, const Signature& signature, const void* const* arguments, unsigned char* shared)
      : kernel_(kernel),
        geometry_(geometry),
        signature_(signature),
        arguments_(arguments),
        shared_(shared),
        shared_bytes_(kernel.static_shared_bytes + geometry.shared_bytes),
        shared_cells_(shared_bytes_, /*is_shared=*/true),
        is_written_(shared_bytes_) {
    Allocations::instance().keep_freed();
    allocations_ = Allocations::instance().all();
    std::copy_n(geometry.block, 3, context_.block_dim);
    std::copy_n(geometry.grid, 3, context_.grid_dim);
    context_.arguments = arguments;
    context_.dynamic_shared_bytes = geometry.shared_bytes;
    context_.shared = shared;
  }

  [[nodiscard]] std::optional<KernelFailure> run();
  [[nodiscard]] bool has_failed() const { return error_ != nullptr; }
  [[nodiscard]] LaneValues& lane_values() { return lane_values_; }

  void access(const CheckSite& site, std::uint32_t thread, const unsigned char* address, std::uint64_t bytes, const unsigned char* base,
              std::uint64_t value);
  void fence(std::uint32_t thread) { races_.fence(thread); }
  void warp_barrier(std::uint32_t warp, std::uint32_t lanes) { races_.meet(warp, lanes); }
  void barrier(const std::uint16_t* at, std::uint64_t threads, const CheckSite* const* sites, std::uint32_t exit);
  void failed_index(const CheckSite& site, std::uint32_t thread, const unsigned char* data, std::int64_t index, std::int64_t extent, int dimension);
  void failed_division(const CheckSite& site, std::uint32_t thread);
  void outside_variable(const CheckSite& site, std::uint32_t thread, std::int64_t offset, std::uint64_t bytes);
  void dynamic_shared(const CheckSite& site, std::uint32_t thread, std::uint64_t bytes);
  void lane_value(std::uint32_t doubt);
  void trap(const CheckSite& site, std::uint32_t thread) { fail({.check = Check::trap}, site, thread, "come to a trap"); }

 private:
  // A shared variable's access, or one of an array.
  void access_shared(const CheckSite& site, std::uint32_t thread, std::uint64_t offset, std::uint64_t bytes, bool changes_nothing);
  void access_array(const CheckSite& site, std::uint32_t thread, const Allocation& array, std::uint64_t offset, std::uint64_t bytes,
                    bool changes_nothing);
  struct Place {
    std::string text;
    int argument;
    std::int64_t index;
  };
  void report_race(const CheckSite& site, std::uint32_t thread, const Place& at, const Race& race);
  // Shared memory that was read before another thread wrote it races with the write, unless a barrier was between them.
  void report_early_read();

  // Whether the block's threads do nothing but look at values that do not change.
  bool waits_endlessly(const CheckSite& site, const unsigned char* address, std::uint64_t bytes);

  // The array that a pointer points into or just behind, or null.
  const Allocation* array_of(const unsigned char* pointer);
  // The first argument that holds a pointer into the array, counted from 1; 0 for none.
  int argument_of(const Allocation& array, const unsigned char* exactly = nullptr) const;
  std::string argument_text(int argument) const;

  void fail(CheckError::Finding finding, const CheckSite& site, std::uint32_t thread, const std::string& what);
  void place(std::uint32_t thread, std::uint32_t* index) const {
    index[0] = thread % context_.block_dim[0];
    index[1] = thread / context_.block_dim[0] % context_.block_dim[1];
    index[2] = thread / context_.block_dim[0] / context_.block_dim[1];
  }
  std::string thread_text(std::uint32_t thread) const {
    std::uint32_t index[3];
    place(thread, index);
    return index_text(index);
  }

  const CheckedKernel& kernel_;
  const Geometry& geometry_;
  const Signature& signature_;
  const void* const* arguments_;
  unsigned char* shared_;
  std::uint64_t shared_bytes_;
  cuttle_block_context context_{};
  std::vector<Allocation> allocations_;  // by address
  const Allocation* last_array_ = nullptr;
  RaceDetector races_;
  RaceCells shared_cells_;
  std::vector<char> is_written_;  // the bytes of shared memory
  std::map<const unsigned char*, RaceCells> array_cells_;
  std::unordered_map<const unsigned char*, std::uint64_t> seen_values_;  // by atomic accesses
  std::uint64_t looks_in_vain_ = 0;                                      // since something else happened
  std::vector<EarlyRead> early_reads_;                                   // since the block's last barrier
  LaneValues lane_values_;
  std::unique_ptr<CheckError> error_;
};

RaceAccess race_access(const CheckSite& site, std::uint32_t thread, bool changes_nothing) {
  const auto is = [&site](std::uint32_t kind) { return (site.kind & kind) != 0; };
  return {thread, is(CheckSite::writes), is(CheckSite::atomic), is(CheckSite::is_volatile), changes_nothing};
}

thread_local Checker* checker = nullptr;

std::optional<KernelFailure> Checker::run() {
  const std::uint64_t blocks = std::uint64_t{geometry_.grid[0]} * geometry_.grid[1] * geometry_.grid[2];
  const std::uint32_t threads = geometry_.block[0] * geometry_.block[1] * geometry_.block[2];
  for (std::uint64_t block = 0; block < blocks; ++block) {
    context_.block_index[0] = static_cast<std::uint32_t>(block % geometry_.grid[0]);
    context_.block_index[1] = static_cast<std::uint32_t>(block / geometry_.grid[0] % geometry_.grid[1]);
    context_.block_index[2] = static_cast<std::uint32_t>(block / geometry_.grid[0] / geometry_.grid[1]);
    std::fill(is_written_.begin(), is_written_.end(), 0);
    seen_values_.clear();
    looks_in_vain_ = 0;
    lane_values_.start_block();
    races_.start_block(block, threads);
    checker = this;
    auto run_block = [this] { kernel_.function(&context_); };
    const Ending ending = run_kernel_code(run_block);
    checker = nullptr;
    report_early_read();
    if (error_) throw CheckError(*error_);
    if (auto failure = failure_of(ending, kernel_.title)) return failure;
  }
  return std::nullopt;
}

void Checker::access(const CheckSite& site, std::uint32_t thread, const unsigned char* address, std::uint64_t bytes, const unsigned char* base,
                     std::uint64_t value) {
  if (bytes == 0) return;
  const bool is_write = (site.kind & CheckSite::writes) != 0;
  const char* what = is_write ? "a write" : "a read";
  if (site.variable_bytes > 0) {
    const Allocation variable{base, site.variable_bytes, false};
    if (!variable.holds(address, bytes)) {
      return fail({.check = Check::out_of_bounds, .index = address - base}, site, thread,
                  std::string(what) + " of " + std::to_string(bytes) + " bytes at byte " + std::to_string(address - base) +
                      " of a shared variable of " + std::to_string(site.variable_bytes) + " bytes");
    }
  }
  const Allocation shared{shared_, shared_bytes_, false};
  if (shared.holds(address, bytes)) {
    const bool same = (site.kind & CheckSite::has_value) && std::memcmp(address, &value, bytes) == 0;
    return access_shared(site, thread, static_cast<std::uint64_t>(address - shared_), bytes, same);
  }
  if (site.kind & CheckSite::dynamic_shared) {
    const auto index = address - shared_ - static_cast<std::int64_t>(kernel_.static_shared_bytes);
    return fail({.check = Check::out_of_bounds, .index = index}, site, thread,
                std::string(what) + " of " + std::to_string(bytes) + " bytes at byte " + std::to_string(index) +
                    " of the dynamic shared memory, of which the launch gives " + std::to_string(geometry_.shared_bytes) + " bytes (.shared)");
  }
  const Allocation* array = array_of(base ? base : address);
  if (!array) return;  // memory that cuttle did not make
  const auto index = (address - array->begin) / static_cast<std::int64_t>(bytes);
  if (array->is_freed) {
    const int argument = argument_of(*array, base);
    return fail({.check = Check::freed_array, .argument = argument, .index = index}, site, thread,
                std::string(what) + " of " + argument_text(argument) + ", whose array was freed");
  }
  if (!array->holds(address, bytes)) {
    if (!base) return;  // a pointer behind the array's end that may be to something else
    const int argument = argument_of(*array, base);
    return fail({.check = Check::out_of_bounds, .argument = argument, .index = (address - base) / static_cast<std::int64_t>(bytes)}, site, thread,
                std::string(what) + " of " + std::to_string(bytes) + " bytes at index " +
                    std::to_string((address - base) / static_cast<std::int64_t>(bytes)) + " of " + argument_text(argument) +
                    ", outside of its array of " + std::to_string(array->bytes) + " bytes");
  }
  const bool same = (site.kind & CheckSite::has_value) && std::memcmp(address, &value, bytes) == 0;
  access_array(site, thread, *array, static_cast<std::uint64_t>(address - array->begin), bytes, same);
}

bool Checker::waits_endlessly(const CheckSite& site, const unsigned char* address, std::uint64_t bytes) {
  constexpr std::uint64_t most_looks = 1 << 22;
  std::uint64_t value = 0;
  if (!(site.kind & CheckSite::atomic) || bytes > sizeof(value)) {
    looks_in_vain_ = 0;
    return false;
  }
  std::memcpy(&value, address, bytes);
  const auto [seen, is_new] = seen_values_.try_emplace(address, value);
  looks_in_vain_ = is_new || seen->second != value ? 0 : looks_in_vain_ + 1;
  seen->second = value;
  return looks_in_vain_ > most_looks;
}

void Checker::access_shared(const CheckSite& site, std::uint32_t thread, std::uint64_t offset, std::uint64_t bytes, bool changes_nothing) {
  const auto begin = is_written_.begin() + static_cast<std::ptrdiff_t>(offset), end = begin + static_cast<std::ptrdiff_t>(bytes);
  constexpr std::size_t most_early_reads = 4096;  // one is enough to fail
  if ((site.kind & CheckSite::reads) && std::find(begin, end, 0) != end && early_reads_.size() < most_early_reads)
    early_reads_.push_back({&site, thread, offset, bytes});
  if (waits_endlessly(site, shared_ + offset, bytes))
    return fail({.check = Check::endless_wait, .index = static_cast<std::int64_t>(offset)}, site, thread, endless_wait_text);
  const bool is_write = (site.kind & CheckSite::writes) != 0;
  if (site.kind & CheckSite::atomic) races_.synchronise(shared_ + offset, thread);
  if (const auto race = races_.access(shared_cells_, offset, bytes, race_access(site, thread, changes_nothing))) {
    const Place at{" byte " + std::to_string(offset) + " of the block's shared memory", 0, static_cast<std::int64_t>(offset)};
    const auto early = std::find_if(early_reads_.begin(), early_reads_.end(), [&](const EarlyRead& read) {
      return is_write && read.thread == race->thread && read.offset < offset + bytes && offset < read.offset + read.bytes;
    });
    if (early == early_reads_.end()) return report_race(site, thread, at, *race);
    const EarlyRead read = *early;
    early_reads_.clear();
    return report_race(*read.site, read.thread, at, {race->block, thread, true});
  }
  if (is_write) std::fill(begin, end, 1);
}

void Checker::access_array(const CheckSite& site, std::uint32_t thread, const Allocation& array, std::uint64_t offset, std::uint64_t bytes,
                           bool changes_nothing) {
  auto cells = array_cells_.find(array.begin);
  if (cells == array_cells_.end()) cells = array_cells_.emplace(array.begin, RaceCells(array.bytes)).first;
  if (!cells->second) return;  // no memory to watch it with
  if (waits_endlessly(site, array.begin + offset, bytes)) {
    return fail({.check = Check::endless_wait, .argument = argument_of(array), .index = static_cast<std::int64_t>(offset / bytes)}, site, thread,
                endless_wait_text);
  }
  if (site.kind & CheckSite::atomic) races_.synchronise(array.begin + offset, thread);
  if (const auto race = races_.access(cells->second, offset, bytes, race_access(site, thread, changes_nothing))) {
    const int argument = argument_of(array);
    const auto index = static_cast<std::int64_t>(offset / bytes);
    return report_race(site, thread, {" element " + std::to_string(index) + " of the array of " + argument_text(argument), argument, index}, *race);
  }
}

void Checker::report_race(const CheckSite& site, std::uint32_t thread, const Place& at, const Race& race) {
  const std::uint32_t block[] = {static_cast<std::uint32_t>(race.block % geometry_.grid[0]),
                                 static_cast<std::uint32_t>(race.block / geometry_.grid[0] % geometry_.grid[1]),
                                 static_cast<std::uint32_t>(race.block / geometry_.grid[0] / geometry_.grid[1])};
  const bool is_write = (site.kind & CheckSite::writes) != 0;
  early_reads_.clear();
  return fail({.check = Check::race, .argument = at.argument, .index = at.index}, site, thread,
              std::string(is_write ? "a write to" : "a read of") + at.text + " races with a " + (race.is_write ? "write" : "read") + " by thread " +
                  thread_text(race.thread) + " of block " + index_text(block) + ": no barrier is between them, and " +
                  (site.kind & CheckSite::is_volatile ? "volatile orders no lanes of a warp, as __syncwarp() does" : "not both are atomic"));
}

void Checker::report_early_read() {
  if (early_reads_.empty()) return;
  const EarlyRead read = early_reads_.front();
  early_reads_.clear();
  fail({.check = Check::uninitialised, .index = static_cast<std::int64_t>(read.offset)}, *read.site, read.thread,
       "a read of " + std::to_string(read.bytes) + " bytes at byte " + std::to_string(read.offset) +
           " of the block's shared memory, which nothing has been written to");
}

// `at` has for each thread the region that it waits in front of (codegen/simt_regions.h), or `exit`.
void Checker::barrier(const std::uint16_t* at, std::uint64_t threads, const CheckSite* const* sites, std::uint32_t exit) {
  const std::uint16_t* end = at + threads;
  const std::uint16_t* first = std::find_if(at, end, [=](std::uint16_t region) { return region != exit; });
  if (first == end) return;
  if (!early_reads_.empty()) return report_early_read();
  const std::uint16_t* other = std::find_if(first, end, [=](std::uint16_t region) { return region != exit && region != *first; });
  if (other != end) {
    const CheckSite& elsewhere = *sites[*other - 1];
    return fail({.check = Check::divergent_barrier}, *sites[*first - 1], static_cast<std::uint32_t>(first - at),
                "a barrier that not all threads of the block reach: thread " + thread_text(static_cast<std::uint32_t>(other - at)) + " waits at " +
                    elsewhere.file + ":" + std::to_string(elsewhere.line));
  }
  races_.meet();
}

void Checker::failed_index(const CheckSite& site, std::uint32_t thread, const unsigned char* data, std::int64_t index, std::int64_t extent,
                           int dimension) {
  const Allocation* array = array_of(data);
  const int argument = array ? argument_of(*array, data) : 0;
  return fail({.check = Check::out_of_bounds, .argument = argument, .index = index}, site, thread,
              outside_text(index, extent, dimension, argument_text(argument)));
}

void Checker::failed_division(const CheckSite& site, std::uint32_t thread) {
  const bool by_zero = (site.kind & CheckSite::zero_divisor) != 0;
  return fail({.check = Check::division}, site, thread,
              by_zero ? "a division of an integer by zero" : "a division of the smallest integer by -1, whose result its type does not have");
}

void Checker::outside_variable(const CheckSite& site, std::uint32_t thread, std::int64_t offset, std::uint64_t bytes) {
  return fail({.check = Check::out_of_bounds, .index = offset}, site, thread,
              std::string(site.kind & CheckSite::writes ? "a write" : "a read") + " of " + std::to_string(bytes) + " bytes at byte " +
                  std::to_string(offset) + " of a local variable of " + std::to_string(site.variable_bytes) + " bytes");
}

void Checker::dynamic_shared(const CheckSite& site, std::uint32_t thread, std::uint64_t bytes) {
  if (bytes <= geometry_.shared_bytes) return;
  return fail({.check = Check::out_of_bounds, .index = static_cast<std::int64_t>(bytes)}, site, thread,
              "calls of dynamic_shared that ask for " + std::to_string(bytes) + " bytes in all, and the launch gives " +
                  std::to_string(geometry_.shared_bytes) + " (.shared)");
}

void Checker::lane_value(std::uint32_t doubt) {
  if (doubt == 0) return;
  const LaneRead& read = lane_values_.read(doubt);
  char lanes[16];
  std::snprintf(lanes, sizeof(lanes), "0x%08x", read.lanes);
  return fail({.check = Check::inactive_lane, .index = read.source}, *read.site, read.thread,
              "a shuffle from lane " + std::to_string(read.source) + ", which takes no part in it (lanes " + lanes + " do), and uses what it gives");
}

const Allocation* Checker::array_of(const unsigned char* pointer) {
  const auto points_into = [pointer](const Allocation& array) { return array.holds(pointer, 0); };
  if (last_array_ && points_into(*last_array_)) return last_array_;
  auto next = std::upper_bound(allocations_.begin(), allocations_.end(), pointer,
                               [](const unsigned char* value, const Allocation& array) { return value < array.begin; });
  if (next == allocations_.begin() || !points_into(*--next)) return nullptr;
  return last_array_ = &*next;
}

int Checker::argument_of(const Allocation& array, const unsigned char* exactly) const {
  int found = 0;
  for (std::size_t i = 0; i < signature_.count; ++i) {
    for (std::size_t offset = 0; offset + sizeof(void*) <= signature_.parameters[i]->size; offset += sizeof(void*)) {
      const unsigned char* pointer = nullptr;
      std::memcpy(&pointer, static_cast<const unsigned char*>(arguments_[i]) + offset, sizeof(pointer));
      if (exactly && pointer == exactly) return static_cast<int>(i) + 1;
      if (found == 0 && array.holds(pointer, 0)) found = static_cast<int>(i) + 1;
    }
  }
  return found;
}

std::string Checker::argument_text(int argument) const {
  if (argument == 0) return "memory that no argument points into";
  return "argument " + std::to_string(argument) + ", a " + signature_.parameters[argument - 1]->name().short_form;
}

void Checker::fail(CheckError::Finding finding, const CheckSite& site, std::uint32_t thread, const std::string& what) {
  if (!early_reads_.empty()) return report_early_read();  // what else goes wrong may come of it
  finding.kernel = kernel_.title;
  finding.file = site.file;
  finding.line = site.line;
  std::copy_n(context_.block_index, 3, finding.block);
  place(thread, finding.thread);
  const std::string text = mistake_text(finding, what) + ".";
  error_ = std::make_unique<CheckError>(text, std::move(finding));
}

// Nothing is left to destroy here. Blocks of a cooperative launch, which run at once, have no checker.
template <class... Parameter, class... Argument>
void answer(void (Checker::*question)(Parameter...), Argument&&... arguments) {
  if (!checker) return;
  (checker->*question)(std::forward<Argument>(arguments)...);
  if (checker->has_failed()) [[unlikely]]
    leave_kernel();
}

void check_access(const CheckSite* site, std::uint32_t thread, const unsigned char* address, std::uint64_t bytes, const unsigned char* base,
                  std::uint64_t value) {
  answer(&Checker::access, *site, thread, address, bytes, base, value);
}
void check_fence(std::uint32_t thread) { answer(&Checker::fence, thread); }
void check_warp_barrier(std::uint32_t warp, std::uint32_t lanes) { answer(&Checker::warp_barrier, warp, lanes); }
void check_barrier(const std::uint16_t* at, std::uint64_t threads, const CheckSite* const* sites, std::uint32_t exit) {
  answer(&Checker::barrier, at, threads, sites, exit);
}
void check_failed_index(const CheckSite* site, std::uint32_t thread, const unsigned char* data, std::int64_t index, std::int64_t extent,
                        std::int32_t dimension) {
  answer(&Checker::failed_index, *site, thread, data, index, extent, dimension);
}
void check_failed_division(const CheckSite* site, std::uint32_t thread) { answer(&Checker::failed_division, *site, thread); }
void check_outside_variable(const CheckSite* site, std::uint32_t thread, std::int64_t offset, std::uint64_t bytes) {
  answer(&Checker::outside_variable, *site, thread, offset, bytes);
}
void check_dynamic_shared(const CheckSite* site, std::uint32_t thread, std::uint64_t bytes) {
  answer(&Checker::dynamic_shared, *site, thread, bytes);
}
std::uint32_t check_take_lane(const CheckSite* site, std::uint32_t thread, std::uint32_t source, std::uint32_t lanes, const void* address) {
  return checker ? checker->lane_values().take({site, thread, source, lanes}, address) : 0;
}
void check_give_lane(const void* address, std::uint32_t doubt) {
  if (checker) checker->lane_values().give(address, doubt);
}
void check_lane_value(std::uint32_t doubt) { answer(&Checker::lane_value, doubt); }
void check_trap(const CheckSite* site, std::uint32_t thread) { answer(&Checker::trap, *site, thread); }

}  // namespace

std::optional<KernelFailure> run_checked(const CheckedKernel& kernel, const Geometry& geometry, const Signature& signature,
                                         const void* const* arguments, unsigned char* shared) {
  return Checker(kernel, geometry, signature, arguments, shared).run();
}

const void* checker_symbol(std::string_view name) {
  const std::pair<std::string_view, const void*> symbols[] = {
      {"cuttle_check_access", reinterpret_cast<const void*>(check_access)},
      {"cuttle_check_fence", reinterpret_cast<const void*>(check_fence)},
      {"cuttle_check_warp_barrier", reinterpret_cast<const void*>(check_warp_barrier)},
      {"cuttle_check_barrier", reinterpret_cast<const void*>(check_barrier)},
      {"cuttle_check_failed_index", reinterpret_cast<const void*>(check_failed_index)},
      {"cuttle_check_failed_division", reinterpret_cast<const void*>(check_failed_division)},
      {"cuttle_check_outside_variable", reinterpret_cast<const void*>(check_outside_variable)},
      {"cuttle_check_dynamic_shared", reinterpret_cast<const void*>(check_dynamic_shared)},
      {"cuttle_check_take_lane", reinterpret_cast<const void*>(check_take_lane)},
      {"cuttle_check_give_lane", reinterpret_cast<const void*>(check_give_lane)},
      {"cuttle_check_lane_value", reinterpret_cast<const void*>(check_lane_value)},
      {"cuttle_check_trap", reinterpret_cast<const void*>(check_trap)},
  };
  for (const auto& [symbol, function] : symbols) {
    if (symbol == name) return function;
  }
  return nullptr;
}

}  // namespace cuttle::detail
