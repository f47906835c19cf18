// Twins of integer_cases.cpp.

TWIN xorshift_hash(unsigned* __restrict__ out, int rounds) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long h = i * 0x9E3779B97F4A7C15ul + 1;
  unsigned a = i;
  for (int k = 0; k < rounds; ++k) {
    h ^= h << 13;
    h ^= h >> 7;
    h ^= h << 17;
    a = (a ^ (unsigned)(h)) * 0x85ebca6bu;
    a ^= a >> 13;
    a *= 0xc2b2ae35u;
    a ^= a >> 16;
    a = (a << 5) | (a >> 27);
  }
  out[i] = a + (unsigned)(h >> 32);
}

TWIN sha256(const unsigned* __restrict__ in, unsigned* __restrict__ out, int n) {
  int i = GLOBAL_X;
  if (i >= n) return;
  auto rotated = [](unsigned x, int by) { return (x >> by) | (x << (32 - by)); };
  unsigned w[16];
  for (int j = 0; j < 16; ++j) w[j] = in[j * (long)(n) + i];
  unsigned a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a, e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
  for (int t = 0; t < 64; ++t) {
    unsigned x = 0;
    if (t < 16) {
      x = w[t];
    } else {
      unsigned s0 = w[(t + 1) & 15], s1 = w[(t + 14) & 15];
      s0 = rotated(s0, 7) ^ rotated(s0, 18) ^ (s0 >> 3);
      s1 = rotated(s1, 17) ^ rotated(s1, 19) ^ (s1 >> 10);
      x = w[t & 15] += s0 + s1 + w[(t + 9) & 15];
    }
    unsigned t1 = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + x + 0x428a2f98u * (unsigned)(t + 1);
    unsigned t2 = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  out[i] = a + b + c + d + e + f + g + h;
}

TWIN md5_chain(const unsigned* __restrict__ in, unsigned* __restrict__ out, int n, int rounds) {
  int i = GLOBAL_X;
  if (i >= n) return;
  unsigned m[16];
  for (int j = 0; j < 16; ++j) m[j] = in[i] * (unsigned)(2 * j + 1);
  unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int k = 0; k < 64; ++k) {
      unsigned f = 0;
      int word = 0, by = 0;
      if (k < 16) {
        f = (b & c) | (~b & d);
        word = k;
        by = 7 + 5 * (k & 3);
      } else if (k < 32) {
        f = (d & b) | (~d & c);
        word = (5 * k + 1) & 15;
        by = 5 + 4 * (k & 3);
      } else if (k < 48) {
        f = b ^ c ^ d;
        word = (3 * k + 5) & 15;
        by = 4 + 6 * (k & 3);
      } else {
        f = c ^ (b | ~d);
        word = (7 * k) & 15;
        by = 6 + 5 * (k & 3);
      }
      unsigned sum = a + f + m[word] + 0x5bd1e995u * (unsigned)(k + 1);
      a = d;
      d = c;
      c = b;
      b += (sum << by) | (sum >> (32 - by));
    }
    m[0] = a;
    m[1] = b;
    m[2] = c;
    m[3] = d;
  }
  out[i] = a ^ b ^ c ^ d;
}

TWIN keccak(const unsigned long* __restrict__ in, unsigned long* __restrict__ out, int n) {
  int i = GLOBAL_X;
  if (i >= n) return;
  unsigned long s[25];
  for (int j = 0; j < 25; ++j) s[j] = in[i] * (unsigned long)(2 * j + 1);
  unsigned long constant = 1;
  for (int round = 0; round < 24; ++round) {
    unsigned long c[5], b[25];
    for (int x = 0; x < 5; ++x) c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
    for (int x = 0; x < 5; ++x) {
      unsigned long d = c[(x + 4) % 5] ^ (c[(x + 1) % 5] << 1 | c[(x + 1) % 5] >> 63);
      for (int y = 0; y < 5; ++y) s[x + 5 * y] ^= d;
    }
    for (int x = 0; x < 5; ++x) {
      for (int y = 0; y < 5; ++y) {
        int by = (x * 7 + y * 11) % 63 + 1;
        b[y + 5 * ((2 * x + 3 * y) % 5)] = s[x + 5 * y] << by | s[x + 5 * y] >> (64 - by);
      }
    }
    for (int y = 0; y < 5; ++y) {
      for (int x = 0; x < 5; ++x) s[x + 5 * y] = b[x + 5 * y] ^ (~b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y]);
    }
    s[0] ^= constant;
    constant = constant * 0x5851F42D4C957F2Dul + 1;
  }
  out[i] = s[0] ^ s[7] ^ s[24];
}

TWIN crc32(const unsigned* __restrict__ table, const unsigned* __restrict__ words, unsigned* __restrict__ out, int n, int length) {
  int i = GLOBAL_X;
  if (i >= n) return;
  unsigned crc = 0xffffffffu;
  for (int k = 0; k < length; ++k) {
    unsigned word = words[k * n + i];
    for (int byte = 0; byte < 4; ++byte) crc = table[(crc ^ (word >> (8 * byte))) & 255] ^ (crc >> 8);
  }
  out[i] = ~crc;
}

TWIN modular_power(const unsigned* __restrict__ x, unsigned* __restrict__ out, int n, unsigned modulus) {
  for (int i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) {
    unsigned v = x[i], result = 1;
    for (int k = 0; k < 16; ++k) {
      if (v & (1u << k)) result = (unsigned)((unsigned long)(result)*v % modulus);
      v = v / 7 + v % 10;
    }
    out[i] = result;
  }
}

TWIN ntt_pass(unsigned* __restrict__ data, const unsigned* __restrict__ roots, int half) {
  constexpr unsigned prime = 2013265921u, inverse = 2013265919u;  // inverse = -1 / prime modulo 2^32
  auto product = [=](unsigned a, unsigned b) {
    unsigned long wide = (unsigned long)(a)*b;
    unsigned factor = (unsigned)(wide)*inverse;
    unsigned reduced = (unsigned)((wide + (unsigned long)(factor)*prime) >> 32);
    return reduced >= prime ? reduced - prime : reduced;
  };
  int i = GLOBAL_X;
  int offset = i & (half - 1), at = 2 * (i - offset) + offset;
  unsigned a = data[at], b = product(data[at + half], roots[offset]);
  unsigned sum = a + b;
  data[at] = sum >= prime ? sum - prime : sum;
  data[at + half] = a >= b ? a - b : a + prime - b;
}

TWIN big_product(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ c, int n) {
  int i = GLOBAL_X;
  if (i >= n) return;
  unsigned x[8], y[8], z[8];
  for (int k = 0; k < 8; ++k) {
    x[k] = a[k * n + i];
    y[k] = b[k * n + i];
    z[k] = 0;
  }
  for (int j = 0; j < 8; ++j) {
    unsigned long carry = 0;
    for (int k = 0; k + j < 8; ++k) {
      carry += (unsigned long)(x[k]) * y[j] + z[k + j];
      z[k + j] = (unsigned)(carry);
      carry >>= 32;
    }
  }
  for (int k = 0; k < 8; ++k) c[k * n + i] = z[k];
}

TWIN philox_normal(float* __restrict__ out, int n, unsigned key) {
  for (int i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) {
    unsigned c0 = i, c1 = 0, c2 = 0, c3 = 0, k0 = key, k1 = key ^ 0x5555;
    for (int r = 0; r < 10; ++r) {
      unsigned long p0 = 0xD2511F53ul * c0, p1 = 0xCD9E8D57ul * c2;
      c0 = (unsigned)(p1 >> 32) ^ c1 ^ k0;
      c2 = (unsigned)(p0 >> 32) ^ c3 ^ k1;
      c1 = (unsigned)(p1);
      c3 = (unsigned)(p0);
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    float u = ((float)(c0) + 1.0f) * 2.3283064e-10f, v = (float)(c1) * 1.4629181e-9f;
    out[i] = sqrtf(-2.0f * logf(u)) * cosf(v);
  }
}

TWIN collatz(int* __restrict__ out, int n) {
  for (int i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) {
    unsigned long v = i + 1;
    int steps = 0;
    while (v != 1 && steps < 500) {
      v = v & 1 ? 3 * v + 1 : v >> 1;
      ++steps;
    }
    out[i] = steps;
  }
}

TWIN bitonic_sort(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
  __shared__ unsigned s[1024];
  int t = threadIdx.x;
  const long first = blockIdx.x * 1024l;
  s[t] = in[first + t];
  s[t + 512] = in[first + t + 512];
  for (int k = 2; k <= 1024; k <<= 1) {
    for (int j = k >> 1; j > 0; j >>= 1) {
      __syncthreads();
      int i = 2 * t - (t & (j - 1)), partner = i + j;
      bool up = (i & k) == 0;
      unsigned a = s[i], b = s[partner];
      if ((a > b) == up) {
        s[i] = b;
        s[partner] = a;
      }
    }
  }
  __syncthreads();
  out[first + t] = s[t];
  out[first + t + 512] = s[t + 512];
}

TWIN sort_twelve(const float* __restrict__ in, float* __restrict__ out, int n) {
  int i = GLOBAL_X;
  if (i >= n) return;
  float a[12];
  for (int k = 0; k < 12; ++k) a[k] = in[k * (long)(n) + i];
  for (int last = 11; last > 0; --last) {
    for (int k = 0; k < last; ++k) {
      float low = fminf(a[k], a[k + 1]), high = fmaxf(a[k], a[k + 1]);
      a[k] = low;
      a[k + 1] = high;
    }
  }
  for (int k = 0; k < 12; ++k) out[k * (long)(n) + i] = a[k];
}

TWIN local_histogram(const unsigned* __restrict__ x, unsigned* __restrict__ out, int n) {
  int i = GLOBAL_X;
  if (i >= n) return;
  unsigned bins[16];
  for (int k = 0; k < 16; ++k) bins[k] = 0;
  for (int k = 0; k < 32; ++k) {
    unsigned v = x[k * (long)(n) + i];
    bins[v & 15] += v >> 28;
    bins[(v >> 8) & 15] ^= v;
  }
  unsigned sum = 0;
  for (int k = 0; k < 16; ++k) sum = sum * 31 + bins[k];
  out[i] = sum;
}

TWIN binary_search(const float* __restrict__ sorted, const float* __restrict__ x, int* __restrict__ out, int n, int length) {
  for (int i = GLOBAL_X; i < n; i += gridDim.x * blockDim.x) {
    float v = x[i];
    int low = 0, high = length;
    while (low < high) {
      int middle = (low + high) / 2;
      if (sorted[middle] < v) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    out[i] = low;
  }
}

TWIN cross_sections(const float* __restrict__ grid, const float* __restrict__ table, const float* __restrict__ energies, float* __restrict__ out,
                    int n, int points, int nuclides) {
  struct Section {
    float energy, total, elastic, absorption, fission, spare;
  };
  const Section* sections = (const Section*)(table);
  int i = GLOBAL_X;
  if (i >= n) return;
  float energy = energies[i];
  int low = 0, high = points - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (grid[middle] <= energy) {
      low = middle;
    } else {
      high = middle;
    }
  }
  Section sum{};
  for (int k = 0; k < nuclides; ++k) {
    const Section& below = sections[k * points + low];
    const Section& above = sections[k * points + low + 1];
    float f = (above.energy - energy) / (above.energy + below.energy);
    sum.total += above.total - f * (above.total - below.total);
    sum.elastic += above.elastic - f * (above.elastic - below.elastic);
    sum.absorption += above.absorption - f * (above.absorption - below.absorption);
    sum.fission += above.fission - f * (above.fission - below.fission);
  }
  out[i] = sum.total + 0.5f * sum.elastic + 0.25f * sum.absorption + 0.125f * sum.fission;
}

TWIN interpreter(const unsigned* __restrict__ program, const float* __restrict__ x, float* __restrict__ out, int n, int length) {
  int i = GLOBAL_X;
  if (i >= n) return;
  float a = x[i], b = 1.0f, c = 0.0f;
  unsigned state = i;
  for (int k = 0; k < length; ++k) {
    switch ((program[k] + (state >> 9)) & 7) {
      case 0:
        a = a + b;
        break;
      case 1:
        a = a * 0.5f - c;
        break;
      case 2:
        c = a - b * 0.5f;
        break;
      case 3:
        if (fabsf(a) > 1e3f) {
          a *= 1e-3f;
        } else {
          a += 1.0f;
        }
        break;
      case 4:
        b = fabsf(c) + 0.5f;
        break;
      case 5:
        a = sqrtf(fabsf(a));
        break;
      case 6: {
        float t = a;
        a = b;
        b = t;
        break;
      }
      default:
        c = c * 0.25f + a;
        break;
    }
    state = state * 1664525u + 1013904223u;
  }
  out[i] = a + b + c;
}

TWIN edit_distance(const unsigned char* __restrict__ left, const unsigned char* __restrict__ right, int* __restrict__ out, int n) {
  int i = GLOBAL_X;
  if (i >= n) return;
  int row[17];
  for (int k = 0; k <= 16; ++k) row[k] = k;
  for (int j = 0; j < 16; ++j) {
    int diagonal = row[0];
    row[0] = j + 1;
    int letter = left[j * n + i];
    for (int k = 0; k < 16; ++k) {
      int substitute = diagonal + (letter != right[k * n + i]);
      int shorter = (row[k] < row[k + 1] ? row[k] : row[k + 1]) + 1;
      diagonal = row[k + 1];
      row[k + 1] = substitute < shorter ? substitute : shorter;
    }
  }
  out[i] = row[16];
}
