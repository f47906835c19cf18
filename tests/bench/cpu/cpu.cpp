// Kernels on the CPU device: without barriers next to the same loops in C++, with barriers next to the same kernels on PoCL, each pair in turn and
// with its results compared. Then what a launch of one small block costs.

#include <dlfcn.h>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <tuple>

#include <cuttle/cuttle.hpp>

#include "loops.h"
#include "opencl.h"
#include "report.h"
#include "sections.h"

namespace cuttle::bench {
namespace {

constexpr int default_rounds = 15;
constexpr double seconds_of_a_sample = 0.02;

// Speed as a ratio of times: at least 0.9 of the loop's, at least PoCL's.
constexpr double loop_budget = 1 / 0.9, pocl_budget = 1.0, launch_budget = 2.0;

auto saxpy = CUTTLE_KERNEL([](int n, float a, view<const float> x, view<float> y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
});

auto black_scholes =
    CUTTLE_KERNEL([](int n, view<const float> stock, view<const float> strike, view<const float> years, view<float> call, view<float> put) {
      const float riskfree = 0.02f, volatility = 0.30f;
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      float s = stock[i], x = strike[i], t = years[i];
      float root_t = sqrtf(t);
      float d1 = (logf(s / x) + (riskfree + 0.5f * volatility * volatility) * t) / (volatility * root_t);
      float d2 = d1 - volatility * root_t;
      auto normal = [](float d) {
        float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
        float tail = 0.39894228040143267794f * expf(-0.5f * d * d) *
                     (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
        return d > 0 ? 1.0f - tail : tail;
      };
      float n1 = normal(d1), n2 = normal(d2);
      float discount = expf(-riskfree * t);
      call[i] = s * n1 - x * discount * n2;
      put[i] = x * discount * (1.0f - n2) - s * (1.0f - n1);
    });

auto stencil = CUTTLE_KERNEL([](int width, int height, view<const float> x, view<float> y) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < 1 || row < 1 || column >= width - 1 || row >= height - 1) return;
  int at = row * width + column;
  y[at] = 0.5f * x[at] + 0.125f * (x[at - 1] + x[at + 1] + x[at - width] + x[at + width]);
});

auto mandelbrot = CUTTLE_KERNEL([](int width, int height, view<int> iterations) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  float cx = -2.0f + 3.0f * column / width, cy = -1.5f + 3.0f * row / height;
  float zx = 0, zy = 0;
  int count = 0;
  while (zx * zx + zy * zy < 4.0f && count < 1000) {
    float next = zx * zx - zy * zy + cx;
    zy = 2.0f * zx * zy + cy;
    zx = next;
    ++count;
  }
  iterations[row * width + column] = count;
});

auto block_sum = CUTTLE_KERNEL([](view<const float> x, view<float> sums) {
  __shared__ float partial[256];
  int t = threadIdx.x;
  partial[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = partial[0];
});
constexpr const char* opencl_block_sum = R"(
kernel void block_sum(global const float* x, global float* sums) {
  local float partial[256];
  int t = get_local_id(0);
  partial[t] = x[get_group_id(0) * 256 + t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_ = 128; half_ > 0; half_ /= 2) {
    if (t < half_) partial[t] += partial[t + half_];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) sums[get_group_id(0)] = partial[0];
})";

auto sgemm = CUTTLE_KERNEL([](int n, view<const float> a, view<const float> b, view<float> c) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int start = 0; start < n; start += 16) {
    tile_a[ty][tx] = a[row * n + start + tx];
    tile_b[ty][tx] = b[(start + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
});
constexpr const char* opencl_sgemm = R"(
kernel void sgemm(int n, global const float* a, global const float* b, global float* c) {
  local float tile_a[16][16], tile_b[16][16];
  int tx = get_local_id(0), ty = get_local_id(1), column = get_group_id(0) * 16 + tx, row = get_group_id(1) * 16 + ty;
  float sum = 0;
  for (int start = 0; start < n; start += 16) {
    tile_a[ty][tx] = a[row * n + start + tx];
    tile_b[ty][tx] = b[(start + ty) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
})";

auto n_body = CUTTLE_KERNEL([](int n, view<const float> position, view<const float> mass, view<float> acceleration) {
  __shared__ float tile[4][256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  float px = position[3 * i], py = position[3 * i + 1], pz = position[3 * i + 2];
  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += 256) {
    int j = start + t;
    tile[0][t] = position[3 * j];
    tile[1][t] = position[3 * j + 1];
    tile[2][t] = position[3 * j + 2];
    tile[3][t] = mass[j];
    __syncthreads();
    for (int k = 0; k < 256; ++k) {
      float dx = tile[0][k] - px, dy = tile[1][k] - py, dz = tile[2][k] - pz;
      float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
      float scale = tile[3][k] * inverse * inverse * inverse;
      ax += dx * scale;
      ay += dy * scale;
      az += dz * scale;
    }
    __syncthreads();
  }
  acceleration[3 * i] = ax;
  acceleration[3 * i + 1] = ay;
  acceleration[3 * i + 2] = az;
});
constexpr const char* opencl_n_body = R"(
kernel void n_body(int n, global const float* position, global const float* mass, global float* acceleration) {
  local float tile[4][256];
  int t = get_local_id(0), i = get_group_id(0) * 256 + t;
  float px = position[3 * i], py = position[3 * i + 1], pz = position[3 * i + 2];
  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += 256) {
    int j = start + t;
    tile[0][t] = position[3 * j];
    tile[1][t] = position[3 * j + 1];
    tile[2][t] = position[3 * j + 2];
    tile[3][t] = mass[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 256; ++k) {
      float dx = tile[0][k] - px, dy = tile[1][k] - py, dz = tile[2][k] - pz;
      float inverse = 1.0f / sqrt(dx * dx + dy * dy + dz * dz + 1e-6f);
      float scale = tile[3][k] * inverse * inverse * inverse;
      ax += dx * scale;
      ay += dy * scale;
      az += dz * scale;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  acceleration[3 * i] = ax;
  acceleration[3 * i + 1] = ay;
  acceleration[3 * i + 2] = az;
})";

auto one_block = CUTTLE_KERNEL([](view<float> y) { y[threadIdx.x] = threadIdx.x; });

using Work = std::function<void()>;

struct Times {
  double wall, cpu;  // milliseconds of one run
};

Times times_of(const Work& work, int count) {
  const double wall = wall_seconds(), cpu = cpu_seconds();
  for (int i = 0; i < count; ++i) work();
  return {1e3 * (wall_seconds() - wall) / count, 1e3 * (cpu_seconds() - cpu) / count};
}

void race(const std::string& what, std::optional<double> budget, int rounds, const Work& ours, const Work& theirs) {
  ours();
  theirs();
  const int count = static_cast<int>(1e3 * seconds_of_a_sample / times_of(theirs, 1).wall) + 1;
  Paired wall, cpu;
  for (int round = 0; round < rounds; ++round) {
    Times our_times{}, their_times{};
    if (round % 2 == 0) our_times = times_of(ours, count);
    their_times = times_of(theirs, count);
    if (round % 2 != 0) our_times = times_of(ours, count);
    wall.add(our_times.wall, their_times.wall);
    cpu.add(our_times.cpu, their_times.cpu);
  }
  print({.what = what,
         .unit = "ms",
         .ours = median_of(wall.ours).value,
         .theirs = median_of(wall.theirs).value,
         .ratio = wall.ratio(),
         .cpu_ratio = cpu.ratio(),
         .budget = budget});
}

template <class T>
Array<T> filled(int n, double scale, double offset) {
  std::vector<T> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = static_cast<T>(offset + scale * ((i * 7919LL) % 1009) / 1009.0);
  return Array<T>(values);
}

// At most one element in a hundred may be further off: rounding decides at Mandelbrot's borders.
template <class T>
void require_equal(const std::string& what, const Array<T>& ours, const Array<T>& theirs, double tolerance) {
  const auto a = ours.to_vector(), b = theirs.to_vector();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    wrong += !(std::fabs(x - y) <= tolerance * (1 + std::fabs(y)));
  }
  if (wrong > a.size() / 100) throw std::runtime_error(what + ": " + std::to_string(wrong) + " results differ");
}

const CpuLoops* load_loops(const char* library) {
  void* opened = dlopen((program_folder() + "/" + library).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened) return nullptr;
  return reinterpret_cast<const CpuLoops* (*)()>(dlsym(opened, "cpu_loops"))();
}

void race_loops(int rounds) {
  const CpuLoops* loops = load_loops("libcpu_loops.so");
  const CpuLoops* libmvec_loops = load_loops("libcpu_loops_libmvec.so");
  if (!loops || !libmvec_loops) {
    print_skipped("kernels against C++ loops", "built without clang++-22");
    return;
  }
  for (const int n : {1 << 24, 1 << 14}) {
    const auto x = filled<float>(n, 1, 0);
    Array<float> ours(n), theirs(n);
    const std::string what = "saxpy, " + std::to_string(n >> 10) + " Ki elements";
    race(
        what, loop_budget, rounds, [&] { saxpy[{.grid = n / 256, .block = 256}](n, 0.5f, x, ours); },
        [&] { loops->saxpy(n, 0.5f, x.data(), theirs.data()); });
    ours.fill(1), theirs.fill(1);
    saxpy[{.grid = n / 256, .block = 256}](n, 0.5f, x, ours);
    loops->saxpy(n, 0.5f, x.data(), theirs.data());
    require_equal(what, ours, theirs, 1e-6);
  }
  {
    const int n = 1 << 20;
    const auto stock = filled<float>(n, 25, 5), strike = filled<float>(n, 99, 1), years = filled<float>(n, 9, 0.25);
    Array<float> call(n), put(n), their_call(n), their_put(n);
    for (const auto& [what, reference, budget] : {std::tuple("Black-Scholes", loops, std::optional(loop_budget)),
                                                  std::tuple("the same, -fveclib=libmvec", libmvec_loops, std::optional<double>())}) {
      race(
          what, budget, rounds, [&] { black_scholes[{.grid = n / 256, .block = 256}](n, stock, strike, years, call, put); },
          [&, loop = reference] { loop->black_scholes(n, stock.data(), strike.data(), years.data(), their_call.data(), their_put.data()); });
      require_equal(what, call, their_call, 1e-4);
      require_equal(what, put, their_put, 1e-4);
    }
  }
  {
    const int width = 4096, height = 2048;
    const auto x = filled<float>(width * height, 1, 0);
    Array<float> ours = zeros<float>(width * height), theirs = zeros<float>(width * height);
    race(
        "stencil", loop_budget, rounds, [&] { stencil[{.grid = {width / 64, height / 4}, .block = {64, 4}}](width, height, x, ours); },
        [&] { loops->stencil(width, height, x.data(), theirs.data()); });
    require_equal("stencil", ours, theirs, 1e-6);
  }
  {
    const int width = 512, height = 512;
    Array<int> ours(width * height), theirs(width * height);
    race(
        "Mandelbrot", loop_budget, rounds, [&] { mandelbrot[{.grid = {width / 64, height / 4}, .block = {64, 4}}](width, height, ours); },
        [&] { loops->mandelbrot(width, height, theirs.data()); });
    require_equal("Mandelbrot", ours, theirs, 0);
  }
}

void race_pocl(int rounds) {
  if (opencl_name().empty()) {
    print_skipped("kernels against PoCL", "PoCL is not installed");
    return;
  }
  const auto bytes = [](const auto& array) { return static_cast<std::size_t>(array.size()) * sizeof(float); };
  {
    const int n = 1 << 22, blocks = n / 256;
    auto x = filled<float>(n, 1, 0);
    Array<float> ours(blocks), theirs(blocks);
    const auto kernel = opencl_kernel(opencl_block_sum, "block_sum");
    kernel->add(x.data(), bytes(x));
    kernel->add(theirs.data(), bytes(theirs));
    race("shared-memory sum", pocl_budget, rounds, [&] { block_sum[{.grid = blocks, .block = 256}](x, ours); }, [&] { kernel->run({n}, {256}); });
    require_equal("shared-memory sum", ours, theirs, 1e-6);
  }
  {
    const int n = 512;
    auto a = filled<float>(n * n, 1, 0), b = filled<float>(n * n, 1, -0.5);
    Array<float> ours(n * n), theirs(n * n);
    const auto kernel = opencl_kernel(opencl_sgemm, "sgemm");
    kernel->add(n);
    kernel->add(a.data(), bytes(a));
    kernel->add(b.data(), bytes(b));
    kernel->add(theirs.data(), bytes(theirs));
    race(
        "tiled SGEMM", pocl_budget, rounds, [&] { sgemm[{.grid = {n / 16, n / 16}, .block = {16, 16}}](n, a, b, ours); },
        [&] { kernel->run({n, n}, {16, 16}); });
    require_equal("tiled SGEMM", ours, theirs, 1e-4);
  }
  {
    const int n = 4096;
    auto position = filled<float>(3 * n, 1, 0), mass = filled<float>(n, 1, 0.1);
    Array<float> ours(3 * n), theirs(3 * n);
    const auto kernel = opencl_kernel(opencl_n_body, "n_body");
    kernel->add(n);
    kernel->add(position.data(), bytes(position));
    kernel->add(mass.data(), bytes(mass));
    kernel->add(theirs.data(), bytes(theirs));
    race("n-body", pocl_budget, rounds, [&] { n_body[{.grid = n / 256, .block = 256}](n, position, mass, ours); }, [&] { kernel->run({n}, {256}); });
    require_equal("n-body", ours, theirs, 1e-3);
  }
}

void time_small_launch(int rounds) {
  Array<float> y(32);
  const Work launch = [&] { one_block[{.grid = 1, .block = 32}](y); };
  launch();
  std::vector<double> microseconds;
  for (int round = 0; round < rounds; ++round) microseconds.push_back(1e3 * times_of(launch, 10000).wall);
  print({.what = "launch of one block of 32", .unit = "us", .ours = median_of(microseconds).value, .budget = launch_budget});
}

}  // namespace

int cpu_kernels(const Arguments& arguments) {
  const int rounds = arguments.empty() ? default_rounds : std::stoi(arguments[0]);
  const Use use(Device::cpu());
  print_heading("Kernels on the CPU device next to C++ loops (clang++ -O3 -march=native, oneTBB), " + std::to_string(rounds) + " rounds");
  race_loops(rounds);
  print_heading("Kernels with barriers next to " + (opencl_name().empty() ? "PoCL" : opencl_name()));
  race_pocl(rounds);
  time_small_launch(rounds);
  return 0;
}

}  // namespace cuttle::bench
