// Source to PTX: the compiler library's C boundary next to NVRTC, same device code, same process, in turn. Every text is a new one.

#include <unistd.h>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernels.h"
#include "nvrtc.h"
#include "report.h"
#include "runtime/src/libdevice.h"
#include "sections.h"
#include "support/compiler_functions.h"

namespace cuttle::bench {
namespace {

constexpr int repetitions = 21;

cuttle_text text_of(const std::string& text) { return {text.data(), text.size()}; }

// What stringising leaves of a text: every run of blanks is one space.
std::string stringised(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\n') {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

// The user's file, which the compiler reads to lay the text back on its lines: part of what a compilation costs.
class SourceFile {
 public:
  SourceFile() {
    static std::atomic<int> made = 0;
    path_ = std::filesystem::temp_directory_path() / ("cuttle_bench_" + std::to_string(getpid()) + "_" + std::to_string(made++) + ".cpp");
  }
  ~SourceFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  void write(const std::string& lambda) const {
    std::ofstream(path_) << "#include <cuttle/cuttle.hpp>\n\nauto kernel = CUTTLE_KERNEL(" << lambda << ");\n";
  }
  [[nodiscard]] std::string path() const { return path_.string(); }
  static constexpr unsigned line = 3;

 private:
  std::filesystem::path path_;
};

class OurCompiler {
 public:
  /// Writes what a user would have on disk and remembers what his program would hold. Not timed.
  void prepare(const KernelPair& pair, int salt) {
    const std::string lambda = pair.lambda(salt);
    file_.write(lambda);
    kernel_ = stringised(lambda);
    entry_ = pair.cuda_name(salt);
    names_.clear();
    parameters_.clear();
    for (std::size_t i = 0; i < pair.signature->count; ++i) names_.push_back(pair.signature->parameters[i]->name());
    for (std::size_t i = 0; i < pair.signature->count; ++i) {
      const detail::TypeInfo& type = *pair.signature->parameters[i];
      parameters_.push_back({text_of(names_[i].device), text_of(names_[i].short_form), type.size, type.align, 0, 0, nullptr, 0});
    }
  }

  /// Compiles what was prepared to PTX for sm_90 and returns the time of each stage.
  cuttle_stage_times compile() const {
    cuttle_compile_request request{};
    request.abi = CUTTLE_COMPILER_ABI;
    request.target.backend = CUTTLE_BACKEND_PTX;
    request.target.sm = 90;
    request.target.contract = 1;
    request.kernel = text_of(kernel_);
    const std::string path = file_.path();
    request.file = text_of(path);
    request.line = SourceFile::line;
    request.entry = text_of(entry_);
    request.libdevice = text_of(detail::Libdevice::instance().path());
    request.parameters = parameters_.data();
    request.parameter_count = parameters_.size();
    const test::CompilerFunctions& compiler = test::CompilerFunctions::instance();
    const std::unique_ptr<cuttle_compile_result, decltype(compiler.free)> result(compiler.compile(&request), compiler.free);
    const cuttle_compile_output& output = *compiler.get(result.get());
    if (output.status != CUTTLE_COMPILE_OK) {
      throw std::runtime_error("cuttle does not compile: " + std::string(output.message.data, output.message.size) +
                               (output.diagnostic_count ? std::string(output.diagnostics->message.data, output.diagnostics->message.size) : "") +
                               "\n" + kernel_);
    }
    return output.times;
  }

 private:
  SourceFile file_;
  std::string kernel_, entry_;
  std::vector<detail::TypeName> names_;
  std::vector<cuttle_parameter> parameters_;
};

struct Samples {
  Paired wall, cpu;
  std::vector<double> assemble, parse, link, optimise, lower;

  void add(const cuttle_stage_times& times) {
    assemble.push_back(times.assemble);
    parse.push_back(times.parse);
    link.push_back(times.link);
    optimise.push_back(times.optimise);
    lower.push_back(times.lower);
  }
};

// Milliseconds of `work`, by the wall's clock and by the processor's.
struct Cost {
  double wall, cpu;
};
template <class Work>
Cost cost_of(const Work& work) {
  const double wall = wall_seconds(), cpu = cpu_seconds();
  work();
  return {1e3 * (wall_seconds() - wall), 1e3 * (cpu_seconds() - cpu)};
}

void measure(const KernelPair& pair, const Nvrtc* nvrtc, OurCompiler& compiler, int salt, Samples* samples) {
  compiler.prepare(pair, salt);
  cuttle_stage_times times{};
  Cost ours{}, theirs{};
  const auto run_ours = [&] { ours = cost_of([&] { times = compiler.compile(); }); };
  const auto run_theirs = [&] {
    if (!nvrtc) return;
    const std::string source = pair.cuda(salt);
    theirs = cost_of([&] { static_cast<void>(nvrtc->compile(source, "compute_90")); });
  };
  // Neither always finds the caches that the other left.
  if (salt % 2) {
    run_ours();
    run_theirs();
  } else {
    run_theirs();
    run_ours();
  }
  if (!samples) return;
  samples->wall.add(ours.wall, theirs.wall);
  samples->cpu.add(ours.cpu, theirs.cpu);
  samples->add(times);
}

Median geometric_mean(const std::vector<Median>& ratios) {
  Median sum{};
  for (const Median& ratio : ratios) {
    sum.value += std::log(ratio.value);
    sum.low += std::log(ratio.low);
    sum.high += std::log(ratio.high);
  }
  const auto count = static_cast<double>(ratios.size());
  return {std::exp(sum.value / count), std::exp(sum.low / count), std::exp(sum.high / count)};
}

// Seconds that so many threads take for `count` kernels, each with a text of its own.
double seconds_of(int count, unsigned threads, int first_salt) {
  const double start = wall_seconds();
  std::atomic<int> next = 0;
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < threads; ++i) {
      workers.emplace_back([&] {
        OurCompiler compiler;
        const auto pairs = kernel_pairs();
        for (int kernel; (kernel = next++) < count;) {
          compiler.prepare(pairs[static_cast<std::size_t>(kernel) % pairs.size()], first_salt + kernel);
          compiler.compile();
        }
      });
    }
  }
  return wall_seconds() - start;
}

}  // namespace

int parallel_compilations(const Arguments& arguments) {
  const int count = arguments.empty() ? 100 : std::stoi(arguments[0]);
  const unsigned cores = std::thread::hardware_concurrency();
  print_heading("Source to PTX of " + std::to_string(count) + " kernels on " + std::to_string(cores) + " threads, next to one thread");
  int salt = 1;
  const auto measure_on = [&](unsigned threads) {
    const double seconds = seconds_of(count, threads, salt);
    salt += count;
    return 1e3 * seconds;
  };
  static_cast<void>(measure_on(cores));  // the library open, a target machine for each thread
  Paired times;
  for (int i = 0; i < 5; ++i) {
    const double all = measure_on(cores);
    times.add(all, measure_on(1));
  }
  print({.what = "all threads, one thread",
         .unit = "ms",
         .ours = median_of(times.ours).value,
         .theirs = median_of(times.theirs).value,
         .ratio = times.ratio()});
  return 0;
}

int compile_time(const Arguments& arguments) {
  const int count = arguments.empty() ? repetitions : std::stoi(arguments[0]);
  const Nvrtc* nvrtc = find_nvrtc();
  print_heading("Source to PTX (sm_90), next to NVRTC " + (nvrtc ? nvrtc->version() : "") + "; " + std::to_string(count) + " pairs a kernel");
  if (!nvrtc) print_skipped("source to PTX against NVRTC", "no libnvrtc.so.13 or .12 on this machine");

  OurCompiler compiler;
  const auto pairs = kernel_pairs();
  std::vector<Samples> samples(pairs.size());
  int salt = 0;
  for (const KernelPair& pair : pairs) measure(pair, nvrtc, compiler, ++salt, nullptr);  // both libraries warm
  for (int repetition = 0; repetition < count; ++repetition) {
    for (std::size_t i = 0; i < pairs.size(); ++i) measure(pairs[i], nvrtc, compiler, ++salt, &samples[i]);
  }

  std::vector<Median> wall, cpu;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Line line{.what = pairs[i].name, .unit = "ms", .ours = median_of(samples[i].wall.ours).value};
    if (nvrtc) {
      line.theirs = median_of(samples[i].wall.theirs).value;
      line.ratio = samples[i].wall.ratio();
      line.cpu_ratio = samples[i].cpu.ratio();
      line.budget = pairs[i].name == std::string("copy") ? 0.42 : 1.0;
      wall.push_back(*line.ratio);
      cpu.push_back(*line.cpu_ratio);
    }
    print(line);
  }
  if (nvrtc) print({.what = "geometric mean", .unit = "", .ratio = geometric_mean(wall), .cpu_ratio = geometric_mean(cpu), .budget = 0.5});

  std::printf("\n  %-34s %9s %9s %9s %9s %9s   ms, medians\n", "stages", "assemble", "parse", "link", "optimise", "lower");
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Samples& s = samples[i];
    std::printf("  %-34s %9.2f %9.2f %9.2f %9.2f %9.2f\n", pairs[i].name, median_of(s.assemble).value, median_of(s.parse).value,
                median_of(s.link).value, median_of(s.optimise).value, median_of(s.lower).value);
  }
  return 0;
}

void compile_many(const std::string& name, int count) {
  OurCompiler compiler;
  for (const KernelPair& pair : kernel_pairs()) {
    if (pair.name != name) continue;
    for (int salt = 1; salt <= count; ++salt) {
      compiler.prepare(pair, salt);
      compiler.compile();
    }
    return;
  }
  throw std::runtime_error("there is no kernel '" + name + "' in the suite");
}

}  // namespace cuttle::bench
