// Twins of science_cases.cpp.

TWIN black_scholes(const float* __restrict__ price, const float* __restrict__ strike, const float* __restrict__ years, float* __restrict__ call,
                   float* __restrict__ put, int n) {
  int i = GLOBAL_X;
  if (i >= n) return;
  const float rate = 0.02f, volatility = 0.3f;
  float root = sqrtf(years[i]);
  float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
  float d2 = d1 - volatility * root;
  float c1 = 0.5f * (1.0f + erff(d1 * 0.70710678f)), c2 = 0.5f * (1.0f + erff(d2 * 0.70710678f));
  float discounted = strike[i] * expf(-rate * years[i]);
  call[i] = price[i] * c1 - discounted * c2;
  put[i] = discounted * (1.0f - c2) - price[i] * (1.0f - c1);
}

TWIN black_scholes_f64(const double* __restrict__ price, const double* __restrict__ strike, double* __restrict__ call, int n) {
  int i = GLOBAL_X;
  if (i >= n) return;
  const double rate = 0.02, volatility = 0.3, years = 1.5;
  double root = sqrt(years);
  double d1 = (log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years) / (volatility * root);
  double d2 = d1 - volatility * root;
  double c1 = 0.5 * (1 + erf(d1 * 0.7071067811865476)), c2 = 0.5 * (1 + erf(d2 * 0.7071067811865476));
  call[i] = price[i] * c1 - strike[i] * exp(-rate * years) * c2;
}

TWIN monte_carlo(float* __restrict__ payoff, int paths, int steps, unsigned seed) {
  int i = GLOBAL_X;
  if (i >= paths) return;
  unsigned state = (i + seed) * 2654435761u | 1u;
  auto next = [&] {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (state >> 8) * (1.0f / 16777216.0f) + 2.9802322e-8f;
  };
  float price = 100.0f, sum = 0;
  for (int k = 0; k < steps; ++k) {
    float u = next(), v = next();
    float normal = sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * v);
    price *= expf(0.0002f + 0.02f * normal);
    sum += price;
  }
  float average = sum / steps;
  payoff[i] = average > 100.0f ? average - 100.0f : 0.0f;
}

TWIN nbody(const float4* __restrict__ all, float4* __restrict__ forces, int n) {
  __shared__ float4 tile[256];
  int i = GLOBAL_X;
  float4 own = all[i];
  float fx = 0, fy = 0, fz = 0;
  for (int t = 0; t < n; t += 256) {
    tile[threadIdx.x] = all[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j) {
      float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
      float f = tile[j].w * inverse * inverse * inverse;
      fx += dx * f;
      fy += dy * f;
      fz += dz * f;
    }
    __syncthreads();
  }
  forces[i] = make_float4(fx, fy, fz, 0);
}

TWIN mandelbrot(int* __restrict__ out, int width, int height, int most) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x >= width || y >= height) return;
  float cr = -2.0f + 3.0f * x / width, ci = -1.0f + 2.0f * y / height, zr = 0, zi = 0;
  int k = 0;
  while (k < most && zr * zr + zi * zi < 4.0f) {
    float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++k;
  }
  out[y * width + x] = k;
}

struct Vector {
  float x, y, z;
  __device__ Vector operator+(const Vector& o) const { return {x + o.x, y + o.y, z + o.z}; }
  __device__ Vector operator-(const Vector& o) const { return {x - o.x, y - o.y, z - o.z}; }
  __device__ Vector operator*(float s) const { return {x * s, y * s, z * s}; }
  __device__ float length() const { return sqrtf(x * x + y * y + z * z); }
};
__device__ float scene_distance(const Vector& p) {
  float d = p.y + 1.0f;
  for (int i = 0; i < 6; ++i) {
    Vector center{i * 0.8f - 2.0f, (i & 1) * 0.5f, 3.0f + i % 3};
    float ball = (p - center).length() - 0.45f;
    if (ball < d) d = ball;
  }
  return d;
}
TWIN ray_march(float* __restrict__ out, int width, int height) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x >= width || y >= height) return;
  Vector direction{(x - width / 2) / (float)height, (height / 2 - y) / (float)height, 1.0f};
  direction = direction * (1.0f / direction.length());
  float t = 0;
  int steps = 0;
  for (; steps < 96; ++steps) {
    float d = scene_distance(direction * t);
    if (d < 1e-3f || t > 30.0f) break;
    t += d;
  }
  float shade = 0;
  if (t < 30.0f) {
    Vector hit = direction * t;
    float e = 1e-2f;
    Vector normal{scene_distance(hit + Vector{e, 0, 0}) - scene_distance(hit - Vector{e, 0, 0}),
                  scene_distance(hit + Vector{0, e, 0}) - scene_distance(hit - Vector{0, e, 0}),
                  scene_distance(hit + Vector{0, 0, e}) - scene_distance(hit - Vector{0, 0, e})};
    shade = normal.y / normal.length() * 0.5f + 0.5f;
  }
  out[y * width + x] = shade + steps * 0.001f;
}

struct State {
  float x, y, z;
};
__device__ State slope(const State& s) { return {10.0f * (s.y - s.x), s.x * (28.0f - s.z) - s.y, s.x * s.y - 2.6666667f * s.z}; }
__device__ State ahead(const State& s, const State& d, float step) { return {s.x + step * d.x, s.y + step * d.y, s.z + step * d.z}; }
TWIN lorenz(const float* __restrict__ x, float* __restrict__ y, int steps, float h, long n) {
  for (unsigned i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) {
    State s{x[i], 1.0f, 20.0f};
    for (int t = 0; t < steps; ++t) {
      State a = slope(s), b = slope(ahead(s, a, h / 2)), c = slope(ahead(s, b, h / 2)), d = slope(ahead(s, c, h));
      s = ahead(ahead(ahead(ahead(s, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
    }
    y[i] = s.x;
  }
}

TWIN neurons(float* __restrict__ voltage, float* __restrict__ synapse, int* __restrict__ spikes, const float* __restrict__ input, int n, int steps) {
  int i = GLOBAL_X;
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
}

TWIN nearest_four(const float2* __restrict__ queries, const float2* __restrict__ points, float* __restrict__ out, int query_count, int point_count) {
  int i = GLOBAL_X;
  if (i >= query_count) return;
  float2 q = queries[i];
  float best[4] = {1e9f, 1e9f, 1e9f, 1e9f};
  for (int j = 0; j < point_count; ++j) {
    float dx = points[j].x - q.x, dy = points[j].y - q.y, d = dx * dx + dy * dy;
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
}

TWIN attention(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v, float* __restrict__ out, int n) {
  int i = GLOBAL_X;
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
    float now = fmaxf(most, score), fade = expf(most - now), weight = expf(score - now);
    total = total * fade + weight;
    for (int d = 0; d < 16; ++d) sum[d] = sum[d] * fade + weight * v[j * 16 + d];
    most = now;
  }
  for (int d = 0; d < 16; ++d) out[i * 16 + d] = sum[d] / total;
}

TWIN softmax(const float* __restrict__ in, float* __restrict__ out, int columns) {
  __shared__ float partial[256];
  int t = threadIdx.x;
  const float* row = in + (size_t)blockIdx.x * columns;
  float* to = out + (size_t)blockIdx.x * columns;
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
  for (int i = t; i < columns; i += 256) to[i] = expf(row[i] - most) / sum;
}

__device__ float block_sum(float* partial, float value) {
  int t = threadIdx.x;
  __syncthreads();
  partial[t] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  return partial[0];
}
TWIN layer_norm(const float* __restrict__ x, const float* __restrict__ gain, const float* __restrict__ bias, float* __restrict__ y, int columns) {
  __shared__ float partial[256];
  int t = threadIdx.x;
  x += (size_t)blockIdx.x * columns;
  y += (size_t)blockIdx.x * columns;
  float sum = 0;
  for (int i = t; i < columns; i += 256) sum += x[i];
  float mean = block_sum(partial, sum) / columns;
  float squares = 0;
  for (int i = t; i < columns; i += 256) {
    float d = x[i] - mean;
    squares += d * d;
  }
  float scale = rsqrtf(block_sum(partial, squares) / columns + 1e-5f);
  for (int i = t; i < columns; i += 256) y[i] = (x[i] - mean) * scale * gain[i] + bias[i];
}

TWIN sum_of_squares(const double* __restrict__ x, double* __restrict__ sums, int n) {
  __shared__ double partial[256];
  double sum = 0;
  for (int i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) sum += x[i] * x[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

TWIN scan_tree(const float* __restrict__ x, float* __restrict__ y) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  size_t first = (size_t)blockIdx.x * 1024;
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
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      float left = s[a];
      s[a] = s[b];
      s[b] += left;
    }
  }
  __syncthreads();
  y[first + 2 * t] = s[2 * t];
  y[first + 2 * t + 1] = s[2 * t + 1];
}

__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ void butterfly(float2& a, float2& b) {
  float2 t = a;
  a = t + b;
  b = t - b;
}
__device__ void transform8(float2* a) {
  const float r = 0.70710678f;
  butterfly(a[0], a[4]);
  butterfly(a[1], a[5]);
  butterfly(a[2], a[6]);
  butterfly(a[3], a[7]);
  a[5] = a[5] * make_float2(r, -r);
  a[6] = make_float2(a[6].y, -a[6].x);
  a[7] = a[7] * make_float2(-r, -r);
  for (int h = 0; h < 8; h += 4) {
    butterfly(a[h], a[h + 2]);
    butterfly(a[h + 1], a[h + 3]);
    a[h + 3] = make_float2(a[h + 3].y, -a[h + 3].x);
    butterfly(a[h], a[h + 1]);
    butterfly(a[h + 2], a[h + 3]);
  }
}
TWIN fft64(const float2* __restrict__ in, float2* __restrict__ out) {
  __shared__ float2 exchange[32][65];
  int t = threadIdx.x, group = threadIdx.y;
  const int reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  in += ((size_t)blockIdx.x * 32 + group) * 64;
  out += ((size_t)blockIdx.x * 32 + group) * 64;
  float2 a[8];
  for (int i = 0; i < 8; ++i) a[i] = in[i * 8 + t];
  transform8(a);
  for (int i = 0; i < 8; ++i) {
    float angle = -6.2831853f * (t * reversed[i]) / 64.0f;
    exchange[group][reversed[i] * 8 + t] = a[i] * make_float2(cosf(angle), sinf(angle));
  }
  __syncthreads();
  for (int i = 0; i < 8; ++i) a[i] = exchange[group][t * 8 + i];
  transform8(a);
  for (int i = 0; i < 8; ++i) out[reversed[i] * 8 + t] = a[i];
}
