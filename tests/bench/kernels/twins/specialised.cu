// Twins of specialised_cases.cpp: what the kernels capture are parameters here.

TWIN captured_filter(const float* __restrict__ in, float* __restrict__ out, int w, int h, const float* __restrict__ weights, int radius) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x < radius || y < radius || x >= w - radius || y >= h - radius) return;
  float sum = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) sum += in[(y + dy) * w + x + dx] * weights[(dy + radius) * (2 * radius + 1) + dx + radius];
  }
  out[y * w + x] = sum;
}

TWIN captured_degree(const float* __restrict__ coefficients, const float* __restrict__ x, float* __restrict__ y, int n, int degree, int points) {
  int first = blockIdx.x * blockDim.x * points + threadIdx.x;
  for (int p = 0; p < points; ++p) {
    int i = first + p * blockDim.x;
    if (i >= n) return;
    float at = x[i], value = coefficients[degree];
    for (int k = degree - 1; k >= 0; --k) value = value * at + coefficients[k];
    y[i] = value;
  }
}

TWIN captured_order(const float* __restrict__ in, float* __restrict__ out, int n, int order) {
  int i = GLOBAL_X;
  if (i >= n) return;
  float a[8 * 8];
  for (int e = 0; e < order * order; ++e) a[e] = in[e * n + i];
  for (int j = 0; j < order; ++j) {
    for (int k = 0; k < j; ++k) {
      for (int r = j; r < order; ++r) a[r * order + j] -= a[r * order + k] * a[j * order + k];
    }
    float diagonal = sqrtf(a[j * order + j]);
    a[j * order + j] = diagonal;
    for (int r = j + 1; r < order; ++r) a[r * order + j] /= diagonal;
  }
  for (int r = 0; r < order; ++r) {
    for (int j = 0; j < order; ++j) out[(r * order + j) * n + i] = j <= r ? a[r * order + j] : 0.0f;
  }
}

TWIN captured_shape(const float* __restrict__ in, float* __restrict__ out, int n, int b_extent, int c_extent, int d_extent, int a_extent) {
  int i = GLOBAL_X;
  if (i >= n) return;
  int b = i % b_extent, d = i / b_extent % d_extent, a = i / b_extent / d_extent % a_extent, c = i / b_extent / d_extent / a_extent;
  out[i] = in[((a * b_extent + b) * c_extent + c) * d_extent + d];
}

TWIN captured_formula(const float* __restrict__ xs, const float* __restrict__ ys, float* __restrict__ out, int n, const char* __restrict__ formula,
                      int length) {
  int i = GLOBAL_X;
  if (i >= n) return;
  float x = xs[i], y = ys[i];
  float stack[4] = {};
  int top = -1;
  for (int at = 0; at < length; ++at) {
    switch (formula[at]) {
      case 'x':
        stack[++top] = x;
        break;
      case 'y':
        stack[++top] = y;
        break;
      case '+':
        stack[top - 1] += stack[top];
        --top;
        break;
      case '*':
        stack[top - 1] *= stack[top];
        --top;
        break;
      case 'n':
        stack[top] = -stack[top];
        break;
      default:
        stack[top] = fabsf(stack[top]);
    }
  }
  out[i] = stack[0];
}
