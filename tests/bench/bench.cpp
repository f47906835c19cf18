// bench: cuttle's speed next to its references. Without arguments every section is measured and a summary of all budgets printed last;
// with a section's name that one alone. Needs no file but the libraries, so that it runs in the bundle too.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <sstream>

#include "report.h"
#include "sections.h"

namespace cuttle::bench {
namespace {

struct Section {
  const char* name;
  int (*run)(const Arguments&);
  bool in_all;
};

constexpr Section sections[] = {
    {"compile", compile_time, true},
    {"parallel", parallel_compilations, true},
    {"first-call", first_call, true},
    {"warm-start", warm_start, true},
    {"launch-on-stub", launch_on_stub, true},
    {"launch-on-gpu", launch_on_gpu, true},
    {"many-launches", many_launches, true},
    {"cpu", cpu_kernels, true},
    {"first-call-once", first_call_once, false},
    {"resident-once", resident_once, false},
    {"repeat", repeat, false},  // not in all
};

int run_all() {
  std::string summary;
  bool failed = false;
  for (const Section& section : sections) {
    if (!section.in_all) continue;
    const Finished finished = run_again(section.name);
    std::fputs(finished.output.c_str(), stdout);
    std::fflush(stdout);
    if (finished.status != 0) {
      summary += std::string("* section ") + section.name + " FAILED\n";
      failed = true;
    }
    std::istringstream lines(finished.output);
    for (std::string line; std::getline(lines, line);) {
      if (is_for_summary(line)) summary += line + "\n";
    }
  }
  print_heading("Summary: what has a budget");
  std::fputs(summary.c_str(), stdout);
  return failed ? 1 : 0;
}

int run(const Arguments& arguments) {
  if (arguments.empty()) return run_all();
  for (const Section& section : sections) {
    if (arguments[0] == section.name) return section.run({arguments.begin() + 1, arguments.end()});
  }
  std::fprintf(stderr, "bench has no section '%s'; it has", arguments[0].c_str());
  for (const Section& section : sections) std::fprintf(stderr, " %s", section.name);
  std::fprintf(stderr, "\n");
  return 2;
}

}  // namespace

std::string program_folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path().string(); }

Finished run_again(const std::string& arguments, const std::string& environment) {
  const std::string command = environment + " '" + std::filesystem::read_symlink("/proc/self/exe").string() + "' " + arguments;
  Finished finished{};
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return {1, ""};
  char buffer[4096];
  while (const std::size_t size = std::fread(buffer, 1, sizeof(buffer), pipe)) finished.output.append(buffer, size);
  finished.status = pclose(pipe);
  return finished;
}

}  // namespace cuttle::bench

int main(int argc, char** argv) {
  try {
    return cuttle::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 1;
  }
}
