// Simulation, finance, learning: functions, local arrays, block-wide sums, divergence.

#include <cmath>

#include "race.h"

namespace {

using cuttle::view;
using cuttle::race::arguments;

auto black_scholes =
    CUTTLE_KERNEL([](view<const float> price, view<const float> strike, view<const float> years, view<float> call, view<float> put, int n) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      const float rate = 0.02f, volatility = 0.3f;
      const float root = sqrtf(years[i]);
      const float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
      const float d2 = d1 - volatility * root;
      const float c1 = 0.5f * (1.0f + erff(d1 * 0.70710678f)), c2 = 0.5f * (1.0f + erff(d2 * 0.70710678f));
      const float discounted = strike[i] * expf(-rate * years[i]);
      call[i] = price[i] * c1 - discounted * c2;
      put[i] = discounted * (1.0f - c2) - price[i] * (1.0f - c1);
    });
CUTTLE_RACE(black_scholes) {
  const int n = 1 << 25;
  auto& price = race.uniform<float>(n, 5, 30);
  auto& strike = race.uniform<float>(n, 1, 100);
  auto& years = race.uniform<float>(n, 0.25, 10);
  auto& call = race.output<float>(n);
  auto& put = race.output<float>(n);
  race.run({.launch = {n / 256, 256}, .bytes = 20.0 * n, .flops = 100.0 * n, .tolerance = 1e-5}, black_scholes,
           arguments(price, strike, years, call, put, n));
}

auto black_scholes_f64 = CUTTLE_KERNEL([](view<const double> price, view<const double> strike, view<double> call, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double rate = 0.02, volatility = 0.3, years = 1.5;
  const double root = sqrt(years);
  const double d1 = (log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years) / (volatility * root);
  const double d2 = d1 - volatility * root;
  const double c1 = 0.5 * (1 + erf(d1 * 0.7071067811865476)), c2 = 0.5 * (1 + erf(d2 * 0.7071067811865476));
  call[i] = price[i] * c1 - strike[i] * exp(-rate * years) * c2;
});
CUTTLE_RACE(black_scholes_f64) {
  const int n = 1 << 24;
  auto& price = race.uniform<double>(n, 5, 30);
  auto& strike = race.uniform<double>(n, 1, 100);
  auto& call = race.output<double>(n);
  race.run({.launch = {n / 256, 256}, .bytes = 24.0 * n, .flops = 150.0 * n, .tolerance = 1e-12}, black_scholes_f64,
           arguments(price, strike, call, n));
}

// Arithmetic Asian option: one path a thread, a counter-based generator, Box-Muller.
auto monte_carlo = CUTTLE_KERNEL([](view<float> payoff, int paths, int steps, unsigned seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= paths) return;
  unsigned state = (static_cast<unsigned>(i) + seed) * 2654435761u | 1u;
  auto next = [&] {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return static_cast<float>(state >> 8) * (1.0f / 16777216.0f) + 2.9802322e-8f;
  };
  float price = 100.0f, sum = 0;
  for (int k = 0; k < steps; ++k) {
    const float u = next(), v = next();
    const float normal = sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * v);
    price *= expf(0.0002f + 0.02f * normal);
    sum += price;
  }
  const float average = sum / static_cast<float>(steps);
  payoff[i] = average > 100.0f ? average - 100.0f : 0.0f;
});
CUTTLE_RACE(monte_carlo) {
  const int paths = 1 << 20, steps = 64;
  auto& payoff = race.output<float>(paths);
  race.run({.launch = {paths / 256, 256}, .bytes = 4.0 * paths, .flops = 60.0 * paths * steps, .tolerance = 1e-3}, monte_carlo,
           arguments(payoff, paths, steps, 77u));
}

auto nbody = CUTTLE_KERNEL([](const float* __restrict__ bodies, float* __restrict__ forces, int n) {
  struct alignas(16) Body {
    float x, y, z, mass;
  };
  const Body* all = reinterpret_cast<const Body*>(bodies);
  __shared__ Body tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Body own = all[i];
  float fx = 0, fy = 0, fz = 0;
  for (int t = 0; t < n; t += 256) {
    tile[threadIdx.x] = all[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j) {
      const float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
      const float f = tile[j].mass * inverse * inverse * inverse;
      fx += dx * f;
      fy += dy * f;
      fz += dz * f;
    }
    __syncthreads();
  }
  reinterpret_cast<Body*>(forces)[i] = Body{fx, fy, fz, 0};
});
CUTTLE_RACE(nbody) {
  const int n = 65536;
  auto& bodies = race.uniform<float>(4 * n);
  auto& forces = race.output<float>(4 * n);
  race.run({.launch = {n / 256, 256}, .flops = 20.0 * n * n, .tolerance = 1e-3}, nbody, arguments(bodies, forces, n));
}

auto mandelbrot = CUTTLE_KERNEL([](view<int> out, int width, int height, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float cr = -2.0f + 3.0f * static_cast<float>(x) / static_cast<float>(width);
  const float ci = -1.0f + 2.0f * static_cast<float>(y) / static_cast<float>(height);
  float zr = 0, zi = 0;
  int k = 0;
  while (k < most && zr * zr + zi * zi < 4.0f) {
    const float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++k;
  }
  out[y * width + x] = k;
});
CUTTLE_RACE(mandelbrot) {
  const int width = 4096, height = 4096;
  auto& out = race.output<int>(width * height);
  // Where an orbit is chaotic the last place decides: few pixels, along the border of the set.
  race.run({.launch = {{width / 32, height / 8}, {32, 8}}, .bytes = 4.0 * width * height, .outliers = 0.02}, mandelbrot,
           arguments(out, width, height, 1000));
}

// Sphere tracing of six balls over a plane; normals from differences.
auto ray_march = CUTTLE_KERNEL([](view<float> out, int width, int height) {
  struct Vector {
    float x, y, z;
    Vector operator+(const Vector& o) const { return {x + o.x, y + o.y, z + o.z}; }
    Vector operator-(const Vector& o) const { return {x - o.x, y - o.y, z - o.z}; }
    Vector operator*(float s) const { return {x * s, y * s, z * s}; }
    float length() const { return sqrtf(x * x + y * y + z * z); }
  };
  auto distance = [](const Vector& p) {
    float d = p.y + 1.0f;
    for (int i = 0; i < 6; ++i) {
      const Vector center{static_cast<float>(i) * 0.8f - 2.0f, static_cast<float>(i & 1) * 0.5f, 3.0f + static_cast<float>(i % 3)};
      const float ball = (p - center).length() - 0.45f;
      if (ball < d) d = ball;
    }
    return d;
  };
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  Vector direction{static_cast<float>(x - width / 2) / static_cast<float>(height), static_cast<float>(height / 2 - y) / static_cast<float>(height),
                   1.0f};
  direction = direction * (1.0f / direction.length());
  float t = 0;
  int steps = 0;
  for (; steps < 96; ++steps) {
    const float d = distance(direction * t);
    if (d < 1e-3f || t > 30.0f) break;
    t += d;
  }
  float shade = 0;
  if (t < 30.0f) {
    const Vector hit = direction * t;
    const float e = 1e-2f;
    const Vector normal{distance(hit + Vector{e, 0, 0}) - distance(hit - Vector{e, 0, 0}),
                        distance(hit + Vector{0, e, 0}) - distance(hit - Vector{0, e, 0}),
                        distance(hit + Vector{0, 0, e}) - distance(hit - Vector{0, 0, e})};
    shade = normal.y / normal.length() * 0.5f + 0.5f;
  }
  out[y * width + x] = shade + static_cast<float>(steps) * 0.001f;
});
CUTTLE_RACE(ray_march) {
  const int side = 4096;
  auto& out = race.output<float>(side * side);
  race.run({.launch = {{side / 32, side / 8}, {32, 8}}, .bytes = 4.0 * side * side, .tolerance = 1e-2, .outliers = 0.01}, ray_march,
           arguments(out, side, side));
}

auto lorenz = CUTTLE_KERNEL([](view<const float> x, view<float> y, int steps, float h) {
  struct State {
    float x, y, z;
  };
  auto slope = [](const State& s) { return State{10.0f * (s.y - s.x), s.x * (28.0f - s.z) - s.y, s.x * s.y - 2.6666667f * s.z}; };
  auto ahead = [](const State& s, const State& d, float step) { return State{s.x + step * d.x, s.y + step * d.y, s.z + step * d.z}; };
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < x.size(); i += gridDim.x * blockDim.x) {
    State s{x[i], 1.0f, 20.0f};
    for (int t = 0; t < steps; ++t) {
      const State a = slope(s), b = slope(ahead(s, a, h / 2)), c = slope(ahead(s, b, h / 2)), d = slope(ahead(s, c, h));
      s = ahead(ahead(ahead(ahead(s, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
    }
    y[i] = s.x;
  }
});
CUTTLE_RACE(lorenz) {
  const int n = 1 << 22, steps = 64;
  auto& x = race.uniform<float>(n);
  auto& y = race.output<float>(n);
  race.run({.launch = {132 * 16, 256}, .bytes = 8.0 * n, .flops = 60.0 * steps * n, .tolerance = 1e-3}, lorenz, arguments(x, y, steps, 0.001f),
           arguments(x, y, steps, 0.001f, long{n}));
}

// Leaky integrate-and-fire neurons with an exponential synapse, several steps a launch.
auto neurons = CUTTLE_KERNEL([](view<float> voltage, view<float> synapse, view<int> spikes, view<const float> input, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = voltage[i], g = synapse[i];
  int count = 0;
  for (int t = 0; t < steps; ++t) {
    g = g * 0.95f + input[i];
    v += 0.1f * (-70.0f - v + g * (0.0f - v) * 0.05f + 16.0f);
    if (v > -50.0f) {
      v = -65.0f;
      ++count;
    }
  }
  voltage[i] = v;
  synapse[i] = g;
  spikes[i] = count;
});
CUTTLE_RACE(neurons) {
  const int n = 1 << 23, steps = 20;
  auto& voltage = race.in_out(race.uniform<float>(n, -70, -50));
  auto& synapse = race.in_out(race.uniform<float>(n, 0, 1));
  auto& input = race.uniform<float>(n, 0, 0.5);
  auto& spikes = race.output<int>(n);
  // A spike is a threshold: one fma more or less decides a few of them.
  race.run({.launch = {n / 256, 256}, .bytes = 24.0 * n, .flops = 10.0 * steps * n, .tolerance = 1e-4, .outliers = 1e-3}, neurons,
           arguments(voltage, synapse, spikes, input, n, steps));
}

auto nearest_four = CUTTLE_KERNEL([](const float* coordinates, const float* others, view<float> out, int query_count, int point_count) {
  struct alignas(8) Point {
    float x, y;
  };
  const Point* queries = reinterpret_cast<const Point*>(coordinates);
  const Point* points = reinterpret_cast<const Point*>(others);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= query_count) return;
  const Point q = queries[i];
  float best[4] = {1e9f, 1e9f, 1e9f, 1e9f};
  for (int j = 0; j < point_count; ++j) {
    const float dx = points[j].x - q.x, dy = points[j].y - q.y, d = dx * dx + dy * dy;
    if (d < best[3]) {
      int k = 3;
      while (k > 0 && best[k - 1] > d) {
        best[k] = best[k - 1];
        --k;
      }
      best[k] = d;
    }
  }
  out[i] = best[0] + best[1] + best[2] + best[3];
});
CUTTLE_RACE(nearest_four) {
  const int query_count = 1 << 16, point_count = 4096;
  auto& queries = race.uniform<float>(2 * query_count);
  auto& points = race.uniform<float>(2 * point_count);
  auto& out = race.output<float>(query_count);
  race.run({.launch = {query_count / 256, 256}, .flops = 5.0 * query_count * point_count, .tolerance = 1e-4}, nearest_four,
           arguments(queries, points, out, query_count, point_count));
}

// One query a thread, 16 dimensions, 256 keys, softmax on the fly.
auto attention =
    CUTTLE_KERNEL([](const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v, float* __restrict__ out, int n) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      float query[16], sum[16];
      for (int d = 0; d < 16; ++d) {
        query[d] = q[i * 16 + d];
        sum[d] = 0;
      }
      float most = -1e30f, total = 0;
      for (int j = 0; j < 256; ++j) {
        float score = 0;
        for (int d = 0; d < 16; ++d) score += query[d] * k[j * 16 + d];
        const float now = fmaxf(most, score), fade = expf(most - now), weight = expf(score - now);
        total = total * fade + weight;
        for (int d = 0; d < 16; ++d) sum[d] = sum[d] * fade + weight * v[j * 16 + d];
        most = now;
      }
      for (int d = 0; d < 16; ++d) out[i * 16 + d] = sum[d] / total;
    });
CUTTLE_RACE(attention) {
  const int n = 1 << 20;
  auto& q = race.uniform<float>(16 * n, -1, 1);
  auto& k = race.uniform<float>(16 * 256, -1, 1);
  auto& v = race.uniform<float>(16 * 256, -1, 1);
  auto& out = race.output<float>(16 * n);
  race.run({.launch = {n / 256, 256}, .bytes = 128.0 * n, .flops = 256.0 * 90 * n, .tolerance = 1e-4}, attention, arguments(q, k, v, out, n));
}

// One row a block of 256; sums and maxima over a shared tree.
auto softmax = CUTTLE_KERNEL([](view<const float, 2> in, view<float, 2> out) {
  __shared__ float partial[256];
  const int t = threadIdx.x, columns = static_cast<int>(in.shape(1));
  const auto row = in[blockIdx.x];
  float most = -1e30f;
  for (int i = t; i < columns; i += 256) most = fmaxf(most, row[i]);
  partial[t] = most;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) partial[t] = fmaxf(partial[t], partial[t + half]);
    __syncthreads();
  }
  most = partial[0];
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += 256) sum += expf(row[i] - most);
  partial[t] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  sum = partial[0];
  for (int i = t; i < columns; i += 256) out(blockIdx.x, i) = expf(row[i] - most) / sum;
});
CUTTLE_RACE(softmax) {
  const int rows = 16384, columns = 4096;
  const std::int64_t n = std::int64_t{rows} * columns;
  auto& in = race.uniform<float>(n, -4, 4);
  auto& out = race.output<float>(n);
  race.run({.launch = {rows, 256}, .bytes = 8.0 * n, .flops = 12.0 * n, .tolerance = 1e-5}, softmax,
           arguments(view<const float, 2>(in.data(), rows, columns), view<float, 2>(out.data(), rows, columns)), arguments(in, out, columns));
}

auto layer_norm = CUTTLE_KERNEL(
    [](const float* __restrict__ x, const float* __restrict__ gain, const float* __restrict__ bias, float* __restrict__ y, int columns) {
      __shared__ float partial[256];
      const int t = threadIdx.x;
      const long first = blockIdx.x * static_cast<long>(columns);
      auto block_sum = [&](float value) {
        __syncthreads();
        partial[t] = value;
        __syncthreads();
        for (int half = 128; half > 0; half /= 2) {
          if (t < half) partial[t] += partial[t + half];
          __syncthreads();
        }
        return partial[0];
      };
      float sum = 0;
      for (int i = t; i < columns; i += 256) sum += x[first + i];
      const float mean = block_sum(sum) / static_cast<float>(columns);
      float squares = 0;
      for (int i = t; i < columns; i += 256) {
        const float d = x[first + i] - mean;
        squares += d * d;
      }
      const float scale = rsqrtf(block_sum(squares) / static_cast<float>(columns) + 1e-5f);
      for (int i = t; i < columns; i += 256) y[first + i] = (x[first + i] - mean) * scale * gain[i] + bias[i];
    });
CUTTLE_RACE(layer_norm) {
  const int rows = 16384, columns = 4096;
  const std::int64_t n = std::int64_t{rows} * columns;
  auto& x = race.uniform<float>(n, -2, 3);
  auto& gain = race.uniform<float>(columns);
  auto& bias = race.uniform<float>(columns, -1, 1);
  auto& y = race.output<float>(n);
  race.run({.launch = {rows, 256}, .bytes = 8.0 * n, .flops = 9.0 * n, .tolerance = 1e-4}, layer_norm, arguments(x, gain, bias, y, columns));
}

auto sum_of_squares = CUTTLE_KERNEL([](view<const double> x, view<double> sums, int n) {
  __shared__ double partial[256];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * x[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
});
CUTTLE_RACE(sum_of_squares) {
  const int n = 1 << 25, blocks = 132 * 8;
  auto& x = race.uniform<double>(n);
  auto& sums = race.output<double>(blocks);
  race.run({.launch = {blocks, 256}, .bytes = 8.0 * n, .flops = 2.0 * n, .tolerance = 1e-12}, sum_of_squares, arguments(x, sums, n));
}

// Work-efficient exclusive scan of 1,024 elements a block (Blelloch).
auto scan_tree = CUTTLE_KERNEL([](view<const float> x, view<float> y) {
  __shared__ float s[1024];
  const int t = threadIdx.x;
  const long first = blockIdx.x * 1024l;
  s[2 * t] = x[first + 2 * t];
  s[2 * t + 1] = x[first + 2 * t + 1];
  int offset = 1;
  for (int d = 512; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) s[1023] = 0;
  for (int d = 1; d < 1024; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      const float left = s[a];
      s[a] = s[b];
      s[b] += left;
    }
  }
  __syncthreads();
  y[first + 2 * t] = s[2 * t];
  y[first + 2 * t + 1] = s[2 * t + 1];
});
CUTTLE_RACE(scan_tree) {
  const int n = 1 << 26;
  auto& x = race.uniform<float>(n);
  auto& y = race.output<float>(n);
  race.run({.launch = {n / 1024, 512}, .bytes = 8.0 * n, .flops = 2.0 * n, .tolerance = 1e-6}, scan_tree, arguments(x, y));
}

// 64-point complex transforms, eight threads each, radix 8 twice through shared memory.
auto fft64 = CUTTLE_KERNEL([](const float* __restrict__ input, float* __restrict__ output) {
  struct alignas(8) Complex {
    float re, im;
    Complex operator+(const Complex& o) const { return {re + o.re, im + o.im}; }
    Complex operator-(const Complex& o) const { return {re - o.re, im - o.im}; }
    Complex operator*(const Complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  };
  __shared__ Complex exchange[32][65];
  auto butterfly = [](Complex& a, Complex& b) {
    const Complex t = a;
    a = t + b;
    b = t - b;
  };
  auto transform8 = [&](Complex* a) {
    const float r = 0.70710678f;
    butterfly(a[0], a[4]);
    butterfly(a[1], a[5]);
    butterfly(a[2], a[6]);
    butterfly(a[3], a[7]);
    a[5] = a[5] * Complex{r, -r};
    a[6] = Complex{a[6].im, -a[6].re};
    a[7] = a[7] * Complex{-r, -r};
    for (int h = 0; h < 8; h += 4) {
      butterfly(a[h], a[h + 2]);
      butterfly(a[h + 1], a[h + 3]);
      a[h + 3] = Complex{a[h + 3].im, -a[h + 3].re};
      butterfly(a[h], a[h + 1]);
      butterfly(a[h + 2], a[h + 3]);
    }
  };
  const int t = threadIdx.x, group = threadIdx.y;
  const int reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  const long first = (blockIdx.x * 32l + group) * 64;
  const Complex* in = reinterpret_cast<const Complex*>(input) + first;
  Complex* out = reinterpret_cast<Complex*>(output) + first;
  Complex a[8];
  for (int i = 0; i < 8; ++i) a[i] = in[i * 8 + t];
  transform8(a);
  for (int i = 0; i < 8; ++i) {
    const float angle = -6.2831853f * static_cast<float>(t * reversed[i]) / 64.0f;
    exchange[group][reversed[i] * 8 + t] = a[i] * Complex{cosf(angle), sinf(angle)};
  }
  __syncthreads();
  for (int i = 0; i < 8; ++i) a[i] = exchange[group][t * 8 + i];
  transform8(a);
  for (int i = 0; i < 8; ++i) out[reversed[i] * 8 + t] = a[i];
});
CUTTLE_RACE(fft64) {
  const int transforms = 1 << 20;
  const std::int64_t n = 64 * std::int64_t{transforms};
  auto& in = race.uniform<float>(2 * n, -1, 1);
  auto& out = race.output<float>(2 * n);
  race.run({.launch = {transforms / 32, {8, 32}}, .bytes = 16.0 * n, .flops = 30.0 * n, .tolerance = 1e-5}, fft64, arguments(in, out));
}

}  // namespace
