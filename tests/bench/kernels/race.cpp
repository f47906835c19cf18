// kernel_race: every kernel of the suite against nvcc's code for its CUDA twin, on one GPU, in one run.
//
//   kernel_race [--only NAME,...] [--specialised] [--rounds N]      the table; also as $OUT/kernel_race.tsv where OUT is set
//   kernel_race --ptx FOLDER [--sm N]                               writes cuttle's PTX of every kernel, without a GPU
//
// Both kernels get the same inputs and poisoned outputs, and the results are compared. Then rounds of batches, ours and nvcc's in turn with
// the order swapped every round, each batch timed by CUDA events; a round gives one ratio, the table their median and half their range.
// A row is written as soon as it is measured, so that a run that is stopped still shows what it has.

#include "race.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

extern "C" const unsigned char cuttle_race_twins[];  // nvcc's cubin; empty where there was no nvcc
extern "C" const unsigned char cuttle_race_twins_end[];

namespace cuttle::race {

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

namespace {

constexpr float batch_milliseconds = 2.0f;
constexpr int max_batch = 200;

struct Row {
  std::string name;
  bool is_specialised = false;
  float ours = 0, nvcc = 0;  // median milliseconds of a launch
  double ratio = 0, half_range = 0;
  double bytes = 0, flops = 0;
  Resources our_resources, nvcc_resources;
  std::string failure;
};

template <class T>
T median(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Geometry geometry_of(const Launch& launch) {
  const auto extents = [](const Dim& d) { return std::array{static_cast<unsigned>(d.x), static_cast<unsigned>(d.y), static_cast<unsigned>(d.z)}; };
  const auto grid = extents(launch.grid), block = extents(launch.block);
  return {{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, static_cast<unsigned>(launch.shared)};
}

class MeasuredRace final : public Race {
 public:
  MeasuredRace(const Gpu& gpu, const char* name, int rounds) : Race(true), gpu_(gpu), name_(name), rounds_(rounds) { row_.name = name; }

  [[nodiscard]] const Row& row() const { return row_; }

 private:
  void measure(const Plan& plan, const Pair& pair) override {
    const Function twin = gpu_.load(cuttle_race_twins, name_);
    const Geometry geometry = geometry_of(plan.launch);
    if (geometry.shared_bytes > 0) gpu_.allow_shared(twin, geometry.shared_bytes);
    auto twin_arguments = pair.twin_arguments;
    const auto theirs = [&] { gpu_.launch(twin, geometry, twin_arguments.data()); };

    const CompiledKernel compiled = pair.inspect(nullptr);
    row_.our_resources = {compiled.registers(), static_cast<int>(compiled.local_bytes())};
    row_.nvcc_resources = gpu_.resources(twin);
    row_.bytes = plan.bytes;
    row_.flops = plan.flops;
    row_.failure = compare(plan, pair.ours, theirs);
    time(pair.ours, theirs);
  }

  std::string compare(const Plan& plan, const std::function<void()>& ours, const std::function<void()>& theirs) {
    for (auto& array : written_) array->reset(gpu_);
    theirs();
    for (auto& array : written_) array->keep_reference();
    for (auto& array : written_) array->reset(gpu_);
    ours();
    std::string failure;
    for (auto& array : written_) failure += array->compare(plan.tolerance, plan.outliers);
    return written_.empty() ? "nothing is compared" : failure;
  }

  void time(const std::function<void()>& ours, const std::function<void()>& theirs) {
    const auto batch_of = [&](const std::function<void()>& launch, int count) {
      return gpu_.time([&] {
        for (int i = 0; i < count; ++i) launch();
      }) / static_cast<float>(count);
    };
    const float once = batch_of(theirs, 3);
    const int count = std::clamp(static_cast<int>(batch_milliseconds / once) + 1, 1, max_batch);
    std::vector<float> our_times, their_times, ratios;
    for (int round = -1; round < rounds_; ++round) {  // round -1 warms up
      float our_time = 0, their_time = 0;
      if (round % 2 == 0) our_time = batch_of(ours, count);
      their_time = batch_of(theirs, count);
      if (round % 2 != 0) our_time = batch_of(ours, count);
      if (round < 0) continue;
      our_times.push_back(our_time);
      their_times.push_back(their_time);
      ratios.push_back(their_time / our_time);
    }
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    row_.half_range = (*most - *least) / 2;
    row_.ours = median(our_times);
    row_.nvcc = median(their_times);
    row_.ratio = median(ratios);
  }

  const Gpu& gpu_;
  const char* name_;
  int rounds_;
  Row row_;
};

class WrittenPtx final : public Race {
 public:
  WrittenPtx(std::filesystem::path path, int version) : Race(false), path_(std::move(path)), version_(version) {}

 private:
  void measure(const Plan&, const Pair& pair) override {
    const Architecture architecture = sm(version_);
    std::ofstream(path_) << pair.inspect(&architecture).ptx();
  }

  std::filesystem::path path_;
  int version_;
};

// ---- the table -----------------------------------------------------------------------------------------------------------------

// The machine's roofs as nvcc's code reaches them: by the races copy and fma_chains, which are run first.
struct Roof {
  double bytes_per_second = std::numeric_limits<double>::quiet_NaN();
  double flops_per_second = std::numeric_limits<double>::quiet_NaN();
};

bool gives_roof(const std::string& name) { return name == "copy" || name == "fma_chains"; }

double per_second(double amount, float milliseconds) { return amount / (milliseconds * 1e-3); }

// The table on standard output and, where OUT is set, in a file, row by row; kernels that are specialised have a part of their own.
class Table {
 public:
  explicit Table(int rounds) : rounds_(rounds) {
    if (const char* folder = std::getenv("OUT"); folder && *folder) file_.open(std::filesystem::path(folder) / "kernel_race.tsv");
    file_ << "kernel\tms\tnvcc_ms\tratio\thalf_range\tbytes\tflops\tregisters\tnvcc_registers\tlocal_bytes\tnvcc_local_bytes\tfailure" << std::endl;
  }

  void add(const Row& row) {
    if (row.is_specialised != is_specialised_) end_part();
    if (rows_ == 0) begin_part(row.is_specialised);
    ++rows_;
    if (row.name == "copy") roof_.bytes_per_second = per_second(row.bytes, row.nvcc);
    if (row.name == "fma_chains") roof_.flops_per_second = per_second(row.flops, row.nvcc);
    all_right_ = all_right_ && row.failure.empty();
    print(row);
    write(row);
  }

  /// True where every result was right.
  bool end() {
    end_part();
    std::printf("ratio: nvcc's time / ours, median of %d rounds; registers and local bytes: ours/nvcc's\n", rounds_);
    return all_right_;
  }

 private:
  void begin_part(bool is_specialised) {
    is_specialised_ = is_specialised;
    std::puts(is_specialised ? "\nkernels that know what nvcc's are told: captured constants, and what is seen of a call's views"
                             : "\nthe same kernel in both");
    std::printf("%-22s %9s %9s %7s %6s %7s %8s %5s %9s %7s\n", "kernel", "ms", "nvcc ms", "ratio", "+-", "GB/s", "GFLOP/s", "roof", "registers",
                "local");
  }

  void end_part() {
    if (measured_ > 0) {
      std::printf("geometric mean %.4f over %d kernels, least %.3f, %d under 0.97\n", std::exp(log_sum_ / measured_), measured_, least_, under_);
    }
    rows_ = measured_ = under_ = 0;
    log_sum_ = 0;
    least_ = std::numeric_limits<double>::infinity();
  }

  void print(const Row& row) {
    if (row.ratio == 0) {
      std::printf("%-22s failed: %s\n", row.name.c_str(), row.failure.c_str());
    } else {
      const double bytes = per_second(row.bytes, row.ours), flops = per_second(row.flops, row.ours);
      const double share = std::fmax(bytes / roof_.bytes_per_second, flops / roof_.flops_per_second);
      std::printf("%-22s %9.4f %9.4f %7.3f %6.3f %7.0f %8.0f %4.0f%% %4d/%-4d %3d/%-3d %s\n", row.name.c_str(), static_cast<double>(row.ours),
                  static_cast<double>(row.nvcc), row.ratio, row.half_range, bytes * 1e-9, flops * 1e-9, share * 100, row.our_resources.registers,
                  row.nvcc_resources.registers, row.our_resources.local_bytes, row.nvcc_resources.local_bytes,
                  row.failure.empty() ? "" : ("WRONG: " + row.failure).c_str());
      log_sum_ += std::log(row.ratio);
      least_ = std::fmin(least_, row.ratio);
      under_ += row.ratio < 0.97;
      ++measured_;
    }
    std::fflush(stdout);
  }

  void write(const Row& row) {
    file_ << row.name << '\t' << row.ours << '\t' << row.nvcc << '\t' << row.ratio << '\t' << row.half_range << '\t' << row.bytes << '\t' << row.flops
          << '\t' << row.our_resources.registers << '\t' << row.nvcc_resources.registers << '\t' << row.our_resources.local_bytes << '\t'
          << row.nvcc_resources.local_bytes << '\t' << row.failure << std::endl;
  }

  int rounds_;
  std::ofstream file_;  // stays closed, and takes nothing, without OUT
  Roof roof_;
  bool all_right_ = true;
  bool is_specialised_ = false;
  int rows_ = 0, measured_ = 0, under_ = 0;  // of the part
  double log_sum_ = 0, least_ = std::numeric_limits<double>::infinity();
};

// ---- the command ---------------------------------------------------------------------------------------------------------------

struct Command {
  std::set<std::string> only;
  bool only_specialised = false;
  int rounds = 5;
  int sm = 90;
  std::string ptx_folder;
};

Command parse(int count, char** words) {
  Command command;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == count) throw std::invalid_argument("usage: kernel_race [--only NAME,...] [--specialised] [--rounds N] | --ptx FOLDER [--sm N]");
      return words[++i];
    };
    if (word == "--only") {
      std::istringstream names(value());
      for (std::string name; std::getline(names, name, ',');) command.only.insert(name);
    } else if (word == "--specialised") {
      command.only_specialised = true;
    } else if (word == "--rounds") {
      command.rounds = std::max(1, std::stoi(value()));
    } else if (word == "--sm") {
      command.sm = std::stoi(value());
    } else if (word == "--ptx") {
      command.ptx_folder = value();
    } else {
      throw std::invalid_argument("kernel_race does not know " + word);
    }
  }
  return command;
}

// In the table's order: what gives the roofs, the other kernels, and those that are specialised.
std::vector<Case> chosen(const Command& command) {
  std::set<std::string> unknown = command.only;
  std::vector<Case> result;
  for (const Case& each : cases()) {
    unknown.erase(each.name);
    if (!command.only.empty() && !command.only.count(each.name)) continue;
    if (each.is_specialised || !command.only_specialised) result.push_back(each);
  }
  if (!unknown.empty()) throw std::invalid_argument("no kernel of the suite is named " + *unknown.begin());
  const auto place = [](const Case& each) { return each.is_specialised ? 2 : gives_roof(each.name) ? 0 : 1; };
  std::stable_sort(result.begin(), result.end(), [&](const Case& a, const Case& b) { return place(a) < place(b); });
  return result;
}

int write_ptx(const Command& command) {
  const Use cpu(Device::cpu());
  std::filesystem::create_directories(command.ptx_folder);
  int failures = 0;
  for (const Case& each : chosen(command)) {
    WrittenPtx race(std::filesystem::path(command.ptx_folder) / (std::string(each.name) + ".ptx"), command.sm);
    try {
      each.run(race);
    } catch (const Error& error) {
      std::printf("%s: %s\n", each.name, error.what());
      ++failures;
    }
  }
  return failures == 0 ? 0 : 1;
}

int run_races(const Command& command) {
  if (&cuttle_race_twins[0] == &cuttle_race_twins_end[0]) {
    std::puts("kernel_race: skipped: nvcc was not there when this program was built, so that it has no twins to race against");
    return 0;
  }
  if (Device::cuda_count() == 0) {
    std::puts("kernel_race: skipped: no GPU in this machine");
    return 0;
  }
  const Use use(Device::cuda());
  if (Device::cuda().sm() / 10 != 9) {
    std::printf("kernel_race: skipped: the twins are compiled for sm_90, and this GPU is of sm_%d\n", Device::cuda().sm());
    return 0;
  }
  const Gpu gpu;
  std::printf("kernel_race on %s, driver of CUDA %d.%d\n", Device::cuda().name().c_str(), gpu.version() / 1000, gpu.version() % 1000 / 10);
  Table table(command.rounds);
  for (const Case& each : chosen(command)) {
    MeasuredRace race(gpu, each.name, command.rounds);
    Row row;
    try {
      each.run(race);
      row = race.row();
    } catch (const std::exception& error) {
      row.name = each.name;
      row.failure = error.what();
    }
    row.is_specialised = each.is_specialised;
    table.add(row);
  }
  return table.end() ? 0 : 1;
}

}  // namespace
}  // namespace cuttle::race

int main(int count, char** words) {
  try {
    const cuttle::race::Command command = cuttle::race::parse(count, words);
    return command.ptx_folder.empty() ? cuttle::race::run_races(command) : cuttle::race::write_ptx(command);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernel_race: %s\n", error.what());
    return 2;
  }
}
