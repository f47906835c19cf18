// Twins of facts_cases.cpp: the same arguments, of which nothing is known.

TWIN disjoint_mix(const float* in, const float* weights, float* out, int n) {
  const int channels = 16;
  int i = GLOBAL_X;
  if (i >= n) return;
  for (int to = 0; to < channels; ++to) {
    float sum = 0;
    for (int from = 0; from < channels; ++from) sum += weights[to * channels + from] * in[from * n + i];
    out[to * n + i] = sum;
  }
}

TWIN side_by_side_mean(const float* in, long in_pitch, long in_step, float* out, long rows, long columns, long out_pitch, long out_step) {
  const int side = 5;
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x >= columns || y >= rows) return;
  float sum = 0;
  for (int dy = 0; dy < side; ++dy) {
    for (int dx = 0; dx < side; ++dx) sum += in[(y + dy) * in_pitch + (x + dx) * in_step];
  }
  out[y * out_pitch + x * out_step] = sum * (1.0f / (side * side));
}
