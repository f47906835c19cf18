// cuttle's own row in the comparison with its peers: what peer.py measures, with the same kernels, launches, inputs' ranges and output.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <cuttle/cuttle.hpp>

namespace {

using Clock = std::chrono::steady_clock;
using cuttle::Array;
using cuttle::view;
using Floats = std::vector<float>;

constexpr unsigned saxpy_size = 1u << 25, options = 1u << 24, sum_size = 1u << 25, sum_blocks = 1024;
constexpr int image = 2048, iterations = 256, bodies = 1 << 14, matrix = 8192;

auto copy = CUTTLE_KERNEL([](auto x, auto size, auto y) {
  for (auto i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) y[i] = x[i];
});

auto saxpy = CUTTLE_KERNEL([](float a, const float* x, const float* y, float* out, unsigned size) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a * x[i] + y[i];
});

auto black_scholes = CUTTLE_KERNEL([](const float* spot, const float* strike, const float* years, float* call) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float spread = 0.3f * sqrtf(years[i]);
  float d1 = (logf(spot[i] / strike[i]) + (0.02f + 0.5f * 0.3f * 0.3f) * years[i]) / spread;
  float n1 = 0.5f * (1 + erff(d1 * 0.70710678f)), n2 = 0.5f * (1 + erff((d1 - spread) * 0.70710678f));
  call[i] = spot[i] * n1 - strike[i] * expf(-0.02f * years[i]) * n2;
});

auto mandelbrot = CUTTLE_KERNEL([](int* count, int size, int most) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float cx = -2.2f + 3.0f * column / size, cy = -1.5f + 3.0f * row / size, x = 0, y = 0;
  int n = 0;
  while (n < most && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    ++n;
  }
  count[row * size + column] = n;
});

auto nbody = CUTTLE_KERNEL([](const float* x, const float* y, const float* z, const float* mass, float* force, int size) {
  __shared__ float sx[256], sy[256], sz[256], sm[256];
  int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;
  float px = x[i], py = y[i], pz = z[i], sum = 0;
  for (int tile = 0; tile < size; tile += 256) {
    sx[t] = x[tile + t];
    sy[t] = y[tile + t];
    sz[t] = z[tile + t];
    sm[t] = mass[tile + t];
    __syncthreads();
    for (int j = 0; j < 256; ++j) {
      float dx = sx[j] - px, dy = sy[j] - py, dz = sz[j] - pz;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      sum += dx * sm[j] * inverse * inverse * inverse;
    }
    __syncthreads();
  }
  force[i] = sum;
});

auto transpose = CUTTLE_KERNEL([](const float* in, float* out, int size) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * size + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * size + x] = tile[threadIdx.x][threadIdx.y + j];
});

auto sum = CUTTLE_KERNEL([](const float* x, float* partial, unsigned size) {
  __shared__ float shared[256];
  float mine = 0;
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < size; i += gridDim.x * 256) mine += x[i];
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = shared[0];
});

std::mt19937 generator(7);

Floats draw(float low, float high, std::size_t count) {
  std::uniform_real_distribution<float> range(low, high);
  Floats values(count);
  for (float& value : values) value = range(generator);
  return values;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

struct Times {
  double issued, finished;  // seconds a call
};

Times in_batches(const std::function<void()>& call, int count, int calls) {
  std::vector<double> issued, finished;
  for (int batch = 0; batch < count; ++batch) {
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    issued.push_back(seconds_since(start) / calls);
    cuttle::synchronize();
    finished.push_back(seconds_since(start) / calls);
  }
  return {median(issued), median(finished)};
}

void expect(const char* kernel, bool good) {
  if (!good) throw std::runtime_error(std::string(kernel) + ": the result is wrong");
}

bool near(double value, double expected, double relative, double absolute) {
  return std::abs(value - expected) <= absolute + relative * std::abs(expected);
}

void report(const char* name, const std::function<void()>& call) { std::printf("%s %.6g\n", name, 1e3 * in_batches(call, 20, 10).finished); }

void measure_first() {
  Array<float> x(Floats(1000, 1.0f)), y(Floats(1000, 0.0f));
  cuttle::synchronize();
  const auto start = Clock::now();
  copy[{.grid = 10, .block = 100}](x, 1000u, y);
  cuttle::synchronize();
  std::printf("first %.6g\n", 1e3 * seconds_since(start));
  expect("copy", y.to_vector() == x.to_vector());
}

void measure_launch() {
  Array<float> x(Floats(1000, 1.0f)), y(Floats(1000, 1.0f)), out(1000);
  const auto call = [&] { saxpy[{.grid = 4, .block = 256}](2.0f, x, y, out, 1000u); };
  call();
  cuttle::synchronize();
  std::printf("launch %.6g\n", 1e6 * in_batches(call, 30, 300).issued);
}

void measure_saxpy() {
  const Floats x = draw(-1, 1, saxpy_size), y = draw(-1, 1, saxpy_size);
  Array<float> dx(x), dy(y), out(saxpy_size);
  const auto call = [&] { saxpy[{.grid = (saxpy_size + 255) / 256, .block = 256}](2.5f, dx, dy, out, saxpy_size); };
  call();
  const Floats result = out.to_vector();
  bool good = true;
  for (std::size_t i = 0; i < saxpy_size; ++i) good = good && near(result[i], 2.5 * x[i] + y[i], 1e-5, 1e-6);
  expect("saxpy", good);
  report("saxpy", call);
}

void measure_black_scholes() {
  const Floats spot = draw(10, 100, options), strike = draw(10, 100, options), years = draw(0.2f, 2, options);
  Array<float> s(spot), k(strike), t(years), out(options);
  const auto call = [&] { black_scholes[{.grid = options / 256, .block = 256}](s, k, t, out); };
  call();
  const Floats result = out.to_vector();
  bool good = true;
  for (std::size_t i = 0; i < options; i += 30'011) {
    const double spread = 0.3 * std::sqrt(years[i]), d1 = (std::log(double{spot[i]} / strike[i]) + (0.02 + 0.5 * 0.09) * years[i]) / spread;
    const auto cdf = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
    good = good && near(result[i], spot[i] * cdf(d1) - strike[i] * std::exp(-0.02 * years[i]) * cdf(d1 - spread), 1e-3, 1e-3);
  }
  expect("black_scholes", good);
  report("black_scholes", call);
}

void measure_mandelbrot() {
  Array<int> count(image * image);
  const auto call = [&] { mandelbrot[{.grid = {image / 32, image / 8}, .block = {32, 8}}](count, image, iterations); };
  call();
  const std::vector<int> result = count.to_vector();
  int same = 0, all = 0;
  for (int i = 0; i < image * image; i += 101, ++all) {
    const double cx = -2.2 + 3.0 * (i % image) / image, cy = -1.5 + 3.0 * (i / image) / image;
    double x = 0, y = 0;
    int n = 0;
    for (; n < iterations && x * x + y * y <= 4; ++n) {
      const double next = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = next;
    }
    same += result[static_cast<std::size_t>(i)] == n;
  }
  expect("mandelbrot", same > 0.99 * all);  // rounding moves single points of the border
  report("mandelbrot", call);
}

void measure_nbody() {
  const Floats x = draw(-1, 1, bodies), y = draw(-1, 1, bodies), z = draw(-1, 1, bodies), mass = draw(0.1f, 1, bodies);
  Array<float> dx(x), dy(y), dz(z), dm(mass), force(bodies);
  const auto call = [&] { nbody[{.grid = bodies / 256, .block = 256}](dx, dy, dz, dm, force, bodies); };
  call();
  const Floats result = force.to_vector();
  bool good = true;
  for (std::size_t i = 0; i < bodies; i += 331) {
    double expected = 0;
    for (std::size_t j = 0; j < bodies; ++j) {
      const double a = double{x[j]} - x[i], b = double{y[j]} - y[i], c = double{z[j]} - z[i];
      expected += a * mass[j] / std::pow(a * a + b * b + c * c + 1e-3, 1.5);
    }
    good = good && near(result[i], expected, 1e-2, 1);
  }
  expect("nbody", good);
  report("nbody", call);
}

void measure_transpose() {
  const Floats a = draw(-1, 1, std::size_t{matrix} * matrix);
  Array<float> in(a), out(a.size());
  const auto call = [&] { transpose[{.grid = {matrix / 32, matrix / 32}, .block = {32, 8}}](in, out, matrix); };
  call();
  const Floats result = out.to_vector();
  bool good = true;
  for (std::size_t row = 0; row < matrix; row += 7) {
    for (std::size_t column = 0; column < matrix; ++column) good = good && result[column * matrix + row] == a[row * matrix + column];
  }
  expect("transpose", good);
  report("transpose", call);
}

void measure_sum() {
  const Floats x = draw(0, 1, sum_size);
  Array<float> dx(x), partial(sum_blocks);
  const auto call = [&] { sum[{.grid = sum_blocks, .block = 256}](dx, partial, sum_size); };
  call();
  double result = 0, expected = 0;
  for (const float value : partial.to_vector()) result += value;
  for (const float value : x) expected += value;
  expect("sum", near(result, expected, 1e-4, 0));
  report("sum", call);
}

}  // namespace

int main(int, char** argv) {
  try {
    const cuttle::Use use(cuttle::Device::cuda());
    measure_first();
    if (std::string_view(argv[1] ? argv[1] : "") == "first") return 0;
    for (const auto measure :
         {measure_launch, measure_saxpy, measure_black_scholes, measure_mandelbrot, measure_nbody, measure_transpose, measure_sum}) {
      measure();
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
