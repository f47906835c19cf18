// Twins of stencil_cases.cpp.

TWIN blur9(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x < 1 || y < 1 || x + 1 >= w || y + 1 >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) sum += in[(y + dy) * w + x + dx] * (dx == 0 && dy == 0 ? 0.5f : 0.0625f);
  }
  out[y * w + x] = sum;
}

TWIN sobel(const unsigned char* __restrict__ in, unsigned char* __restrict__ out, int w, int h) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int i = y * w + x;
  int gx = in[i - w + 1] + 2 * in[i + 1] + in[i + w + 1] - in[i - w - 1] - 2 * in[i - 1] - in[i + w - 1];
  int gy = in[i + w - 1] + 2 * in[i + w] + in[i + w + 1] - in[i - w - 1] - 2 * in[i - w] - in[i - w + 1];
  float g = sqrtf(gx * gx + gy * gy);
  out[i] = (unsigned char)(g > 255.0f ? 255.0f : g);
}

TWIN bilateral(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x >= w || y >= h) return;
  float center = in[y * w + x], sum = 0, weights = 0;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      int xx = x + dx, yy = y + dy;
      if (xx < 0 || yy < 0 || xx >= w || yy >= h) continue;
      float value = in[yy * w + xx];
      float weight = expf(-(value - center) * (value - center) * 8.0f - 0.1f * (dx * dx + dy * dy));
      sum += weight * value;
      weights += weight;
    }
  }
  out[y * w + x] = sum / weights;
}

TWIN convolve_columns(const float* __restrict__ in, const float* __restrict__ taps, float* __restrict__ out, int w, int h) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int k = -8; k <= 8; ++k) {
    int yy = y + k < 0 ? 0 : y + k >= h ? h - 1 : y + k;
    sum += taps[k + 8] * in[yy * w + x];
  }
  out[y * w + x] = sum;
}

TWIN convolve_rows(const float* __restrict__ in, const float* __restrict__ taps, float* __restrict__ out, int w) {
  __shared__ float tile[8][256 + 16];
  int first = blockIdx.x * 256, y = blockIdx.y * 8 + threadIdx.y;
  for (int i = threadIdx.x; i < 256 + 16; i += 32) {
    int x = first + i - 8;
    tile[threadIdx.y][i] = x >= 0 && x < w ? in[y * w + x] : 0.0f;
  }
  __syncthreads();
  for (int j = 0; j < 8; ++j) {
    int x = threadIdx.x + j * 32;
    float sum = 0;
    for (int k = 0; k < 17; ++k) sum += taps[k] * tile[threadIdx.y][x + k];
    out[y * w + first + x] = sum;
  }
}

TWIN convolve_channels(const float* __restrict__ in, const float* __restrict__ weights, float* __restrict__ out, int w, int h, int channels) {
  int x = GLOBAL_X, y = GLOBAL_Y, o = blockIdx.z;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float sum = 0;
  for (int c = 0; c < channels; ++c) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) sum += in[(c * h + y + dy) * w + x + dx] * weights[((o * channels + c) * 3 + dy + 1) * 3 + dx + 1];
    }
  }
  out[(o * h + y) * w + x] = sum;
}

TWIN max_pool(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x >= w / 2 || y >= h / 2) return;
  float most = -1e30f;
  for (int dy = 0; dy < 2; ++dy) {
    for (int dx = 0; dx < 2; ++dx) {
      float value = in[(y * 2 + dy) * w + x * 2 + dx];
      if (value > most) most = value;
    }
  }
  out[y * (w / 2) + x] = most;
}

TWIN life(const unsigned char* __restrict__ now, unsigned char* __restrict__ next, int w, int h) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x >= w || y >= h) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx != 0 || dy != 0) alive += now[(y + dy + h) % h * w + (x + dx + w) % w];
    }
  }
  next[y * w + x] = alive == 3 || (alive == 2 && now[y * w + x]);
}

TWIN jacobi(const double* __restrict__ in, double* __restrict__ out, long nx, long ny) {
  long x = GLOBAL_X, y = GLOBAL_Y;
  if (x >= 1 && x < nx - 1 && y >= 1 && y < ny - 1)
    out[y * nx + x] = 0.25 * (in[y * nx + x - 1] + in[y * nx + x + 1] + in[(y - 1) * nx + x] + in[(y + 1) * nx + x]);
}

TWIN heat3d(const double* __restrict__ a, double* __restrict__ b, int nx, int ny, int nz) {
  int x = GLOBAL_X, y = GLOBAL_Y, z = blockIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  int i = (z * ny + y) * nx + x;
  b[i] = 0.4 * a[i] + 0.1 * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - nx * ny] + a[i + nx * ny]);
}

TWIN stencil_march(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  int layer = nx * ny;
  for (int z = 1; z < nz - 1; ++z) {
    int i = z * layer + y * nx + x;
    out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - layer] + in[i + layer]);
  }
}

TWIN stencil_shared(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  __shared__ float tile[10][34];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = GLOBAL_X, y = GLOBAL_Y;
  bool inside = x >= 1 && y >= 1 && x < nx - 1 && y < ny - 1;
  int cx = min(max(x, 1), nx - 2), cy = min(max(y, 1), ny - 2), layer = nx * ny, i = cy * nx + cx;
  float below = in[i], center = in[i + layer];
  for (int z = 1; z < nz - 1; ++z) {
    i += layer;
    float above = in[i + layer];
    __syncthreads();
    tile[ty][tx] = center;
    if (threadIdx.x == 0) tile[ty][0] = in[i - 1];
    if (threadIdx.x == 31) tile[ty][33] = in[i + 1];
    if (threadIdx.y == 0) tile[0][tx] = in[i - nx];
    if (threadIdx.y == 7) tile[9][tx] = in[i + nx];
    __syncthreads();
    if (inside) out[i] = 0.4f * center + 0.1f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + below + above);
    below = center;
    center = above;
  }
}

TWIN fdtd(const float* __restrict__ ez, float* __restrict__ hx, float* __restrict__ hy, int w, int h) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x >= w - 1 || y >= h - 1) return;
  int i = y * w + x;
  hx[i] = 0.99f * hx[i] - 0.5f * (ez[i + w] - ez[i]);
  hy[i] = 0.99f * hy[i] + 0.5f * (ez[i + 1] - ez[i]);
}

TWIN lattice_boltzmann(const float* __restrict__ f, float* __restrict__ out, int nx, int ny) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x >= nx || y >= ny) return;
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const float weight[9] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
  int cells = nx * ny;
  float g[9], density = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; ++k) {
    int from_x = (x - cx[k] + nx) % nx, from_y = (y - cy[k] + ny) % ny;
    g[k] = f[k * cells + from_y * nx + from_x];
    density += g[k];
    ux += cx[k] * g[k];
    uy += cy[k] * g[k];
  }
  ux /= density;
  uy /= density;
  float square = ux * ux + uy * uy;
  for (int k = 0; k < 9; ++k) {
    float along = cx[k] * ux + cy[k] * uy;
    float equilibrium = weight[k] * density * (1 + 3 * along + 4.5f * along * along - 1.5f * square);
    out[k * cells + y * nx + x] = g[k] + (equilibrium - g[k]) * 0.6f;
  }
}
