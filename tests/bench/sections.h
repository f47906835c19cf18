// What the bench program measures: one function a section, each run in a process of its own.
#pragma once

#include <string>
#include <vector>

namespace cuttle::bench {

using Arguments = std::vector<std::string>;

/// Source to PTX next to NVRTC's, kernel by kernel, in one process.
int compile_time(const Arguments&);
int parallel_compilations(const Arguments& count);
/// The whole first call of a kernel in fresh processes; `first-call-once` is one of them.
int first_call(const Arguments&);
/// The same where an earlier process left the kernel in the cache.
int warm_start(const Arguments&);
/// Megabytes in memory after a launch: a process of warm_start.
int resident_once(const Arguments& by);
int first_call_once(const Arguments& what);
/// A warm launch next to the driver's own: host code alone on the stub driver, and on a GPU.
int launch_on_stub(const Arguments&);
int launch_on_gpu(const Arguments&);
/// From eight threads at once, and as a graph of a hundred kernels.
int many_launches(const Arguments&);
/// Kernels on the CPU device next to C++ loops and to PoCL.
int cpu_kernels(const Arguments&);
/// Compiles a kernel of the suite `count` times, each time from a new text; launches it `count` times, by us or by the driver's own call.
void compile_many(const std::string& kernel, int count);
void launch_many(int count);
void launch_raw_many(int count);
/// Does one thing many times and nothing else, for an instruction counter: `repeat launch|raw-launch|compile-KERNEL N`.
int repeat(const Arguments& what_and_count);

/// Runs this program again with `arguments` and the environment's additions ("NAME=value"), and returns what it wrote.
struct Finished {
  int status;
  std::string output;
};
[[nodiscard]] Finished run_again(const std::string& arguments, const std::string& environment = "");

/// The folder of this program.
[[nodiscard]] std::string program_folder();

}  // namespace cuttle::bench
