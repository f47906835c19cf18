// Twins of streaming_cases.cpp.

TWIN copy(const float* __restrict__ x, unsigned n, float* __restrict__ y) {
  unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = x[i];
}

TWIN saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  int stride = gridDim.x * blockDim.x;
  for (int i = GLOBAL_X; i < n; i += stride) y[i] = a * x[i] + y[i];
}

TWIN saxpy_view(const float* __restrict__ x, float* __restrict__ y, float a, long n) {
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}

TWIN triad(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ c, double s, int n) {
  int i = GLOBAL_X;
  if (i < n) c[i] = a[i] + s * b[i];
}

TWIN gelu(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ y, int n, int channels) {
  for (int i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) {
    float v = x[i] + bias[i % channels];
    y[i] = 0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
  }
}

TWIN trigonometry(const float* __restrict__ x, float* __restrict__ y, int n) {
  for (int i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) y[i] = sinf(x[i]) * cosf(x[i]) + tanhf(x[i]);
}

TWIN power_law(const float* __restrict__ x, float* __restrict__ y, float exponent, long n) {
  int i = GLOBAL_X;
  if (i < n) y[i] = powf(x[i], exponent) + logf(x[i]);
}

TWIN gray(const unsigned char* __restrict__ in, unsigned char* __restrict__ out, int pixels) {
  int i = GLOBAL_X;
  if (i >= pixels) return;
  int r = in[i * 3], g = in[i * 3 + 1], b = in[i * 3 + 2];
  out[i] = (unsigned char)((r * 77 + g * 150 + b * 29) >> 8);
}

TWIN weighted_history(const float* __restrict__ x, float* __restrict__ y, int n, long stride) {
  int i = GLOBAL_X;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 24; ++k) sum += x[i + k * stride] * (k + 1);
  y[i] = sum;
}

TWIN fma_chains(const float* __restrict__ x, float* __restrict__ y, int rounds) {
  int i = GLOBAL_X;
  float a = x[i], b = x[i + 1];
  float chain[8];
  for (int k = 0; k < 8; ++k) chain[k] = x[i + k];
  for (int r = 0; r < rounds; ++r) {
    for (int k = 0; k < 8; ++k) chain[k] = chain[k] * a + b;
  }
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += chain[k];
  y[i] = sum;
}
