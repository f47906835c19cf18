#include "events.h"

#include <atomic>
#include <cstdio>
#include <iterator>

#include "environment.h"

namespace cuttle {
namespace detail {
namespace {

struct Stage {
  const char* name;
  double StageTimes::* time;
};
constexpr Stage stages[] = {{"read", &StageTimes::read},   {"parse", &StageTimes::parse}, {"optimise", &StageTimes::optimise},
                            {"lower", &StageTimes::lower}, {"link", &StageTimes::link},   {"write", &StageTimes::write},
                            {"load", &StageTimes::load}};

// By Event.
constexpr const char* event_texts[] = {"found in memory", "found on disk", "compiled", "failed to compile", "linked", "kept on disk", "loaded"};

constinit std::atomic<std::uint64_t> counts[std::size(event_texts)];
constinit std::atomic<double> sums[std::size(stages)];

std::uint64_t count_of(Event event) { return counts[static_cast<std::size_t>(event)].load(std::memory_order_relaxed); }

// One write a line, so that lines of several threads stay whole.
void log(const std::string& what, const StageTimes& times) {
  std::string details;
  double total = 0;
  char number[64];
  for (const Stage& stage : stages) {
    const double time = times.*stage.time;
    if (time == 0) continue;
    total += time;
    std::snprintf(number, sizeof(number), "%s%s %.2f", details.empty() ? "" : ", ", stage.name, time);
    details += number;
  }
  std::snprintf(number, sizeof(number), " in %.2f ms", total);
  const std::string line = "cuttle: " + what + (details.empty() ? "" : number + (" (" + details + ")")) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void record(Event event, const std::string& entry, const std::string& signature, const StageTimes& times) {
  const auto index = static_cast<std::size_t>(event);
  counts[index].fetch_add(1, std::memory_order_relaxed);
  for (std::size_t i = 0; i < std::size(stages); ++i) sums[i].fetch_add(times.*stages[i].time, std::memory_order_relaxed);
  static const bool is_logged = environment::log_is_on();
  if (is_logged) log(entry + " " + signature + " " + event_texts[index], times);
}

}  // namespace detail

Stats stats() {
  using detail::count_of;
  using detail::Event;
  Stats result{.compilations = count_of(Event::compiled) + count_of(Event::failed_to_compile),
               .memory_hits = count_of(Event::found_in_memory),
               .disk_hits = count_of(Event::found_on_disk),
               .modules = count_of(Event::loaded),
               .milliseconds = {}};
  for (std::size_t i = 0; i < std::size(detail::stages); ++i) {
    result.milliseconds.*detail::stages[i].time = detail::sums[i].load(std::memory_order_relaxed);
  }
  return result;
}

}  // namespace cuttle
