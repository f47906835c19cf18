// Random numbers for kernels and host code alike: the same bits from the same seed everywhere. Read by both compilers.
#pragma once

#include "vector_types.hpp"

#include "hide_macros.hpp"

namespace cuttle::dsl {

/// Philox4x32-10 of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC11): the n-th number is a function of seed, sequence and n, so
/// that a thread needs no state in memory. Sequences of a seed do not overlap; each has 2^66 numbers.
class Philox4x32 {
 public:
  using result_type = unsigned;

  explicit constexpr Philox4x32(unsigned long long seed, unsigned long long sequence = 0, unsigned long long offset = 0)
      : key_{static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)},
        counter_{0, 0, static_cast<unsigned>(sequence), static_cast<unsigned>(sequence >> 32)} {
    discard(offset);
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xffffffffu; }

  /// The generator's function: four numbers of 32 bits from a counter and a key.
  static constexpr uint4 block(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
      const unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
      counter = {static_cast<unsigned>(b >> 32) ^ counter.y ^ key.x, static_cast<unsigned>(b), static_cast<unsigned>(a >> 32) ^ counter.w ^ key.y,
                 static_cast<unsigned>(a)};
      key.x += 0x9e3779b9u;
      key.y += 0xbb67ae85u;
    }
    return counter;
  }

  constexpr result_type operator()() {
    if (used_ == 0) numbers_ = block(counter_, key_);
    const result_type number = used_ == 0 ? numbers_.x : used_ == 1 ? numbers_.y : used_ == 2 ? numbers_.z : numbers_.w;
    used_ = (used_ + 1) % 4;
    if (used_ == 0) advance(1);
    return number;
  }

  /// Leaves out `count` numbers.
  constexpr void discard(unsigned long long count) {
    const unsigned long long numbers = used_ + count % 4;
    advance(count / 4 + numbers / 4);
    used_ = static_cast<unsigned>(numbers % 4);
    if (used_ != 0) numbers_ = block(counter_, key_);
  }

 private:
  constexpr void advance(unsigned long long blocks) {
    const unsigned long long low = (static_cast<unsigned long long>(counter_.y) << 32 | counter_.x) + blocks;
    counter_.x = static_cast<unsigned>(low);
    counter_.y = static_cast<unsigned>(low >> 32);
  }

  uint2 key_;
  uint4 counter_;
  uint4 numbers_{};    // of the counter, where some of them are used
  unsigned used_ = 0;  // of the four
};

/// SplitMix64 of Steele et al., which fills the states of the generators below from one seed, as their authors advise.
class SplitMix64 {
 public:
  using result_type = unsigned long long;

  explicit constexpr SplitMix64(unsigned long long seed) : state_(seed) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~0ull; }

  constexpr result_type operator()() {
    unsigned long long z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

 private:
  unsigned long long state_;
};

/// xoroshiro128++ 1.0 of Blackman and Vigna (prng.di.unimi.it): 16 bytes of state, period 2^128 - 1.
class Xoroshiro128pp {
 public:
  using result_type = unsigned long long;

  explicit constexpr Xoroshiro128pp(unsigned long long seed) {
    SplitMix64 mix(seed);
    for (unsigned long long& word : state_) word = mix();
  }
  /// From a state, which must not be zero.
  constexpr Xoroshiro128pp(unsigned long long s0, unsigned long long s1) : state_{s0, s1} {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~0ull; }

  constexpr result_type operator()() {
    const unsigned long long s0 = state_[0];
    unsigned long long s1 = state_[1];
    const result_type number = rotate(s0 + s1, 17) + s0;
    s1 ^= s0;
    state_[0] = rotate(s0, 49) ^ s1 ^ (s1 << 21);
    state_[1] = rotate(s1, 28);
    return number;
  }

  /// Leaves out 2^64 numbers: a jump a thread gives sequences that do not overlap.
  constexpr void jump() {
    unsigned long long s0 = 0, s1 = 0;
    const unsigned long long polynomial[] = {0x2bd7a6a6e99c2ddcull, 0x0992ccaf6a6fca05ull};
    for (const unsigned long long word : polynomial) {
      for (int bit = 0; bit < 64; ++bit) {
        if (word >> bit & 1) s0 ^= state_[0], s1 ^= state_[1];
        (*this)();
      }
    }
    state_[0] = s0;
    state_[1] = s1;
  }

 private:
  static constexpr unsigned long long rotate(unsigned long long x, int by) { return x << by | x >> (64 - by); }

  unsigned long long state_[2]{};
};

/// xoshiro256++ 1.0 of the same authors: 32 bytes of state, period 2^256 - 1.
class Xoshiro256pp {
 public:
  using result_type = unsigned long long;

  explicit constexpr Xoshiro256pp(unsigned long long seed) {
    SplitMix64 mix(seed);
    for (unsigned long long& word : state_) word = mix();
  }
  /// From a state, which must not be zero.
  constexpr Xoshiro256pp(unsigned long long s0, unsigned long long s1, unsigned long long s2, unsigned long long s3) : state_{s0, s1, s2, s3} {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~0ull; }

  constexpr result_type operator()() {
    const result_type number = rotate(state_[0] + state_[3], 23) + state_[0];
    const unsigned long long t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return number;
  }

  /// Leaves out 2^128 numbers.
  constexpr void jump() {
    unsigned long long to[4]{};
    const unsigned long long polynomial[] = {0x180ec6d33cfd0abaull, 0xd5a61266f0c9392cull, 0xa9582618e03fc9aaull, 0x39abdc4529b1661cull};
    for (const unsigned long long word : polynomial) {
      for (int bit = 0; bit < 64; ++bit) {
        for (int i = 0; i < 4; ++i) to[i] ^= word >> bit & 1 ? state_[i] : 0;
        (*this)();
      }
    }
    for (int i = 0; i < 4; ++i) state_[i] = to[i];
  }

 private:
  static constexpr unsigned long long rotate(unsigned long long x, int by) { return x << by | x >> (64 - by); }

  unsigned long long state_[4]{};
};

}  // namespace cuttle::dsl

namespace cuttle::detail {

/// The next 32 or 64 bits of a generator of either.
template <class Generator>
constexpr unsigned next32(Generator& generator) {
  return sizeof(typename Generator::result_type) == 8 ? static_cast<unsigned>(static_cast<unsigned long long>(generator()) >> 32)
                                                      : static_cast<unsigned>(generator());
}
template <class Generator>
constexpr unsigned long long next64(Generator& generator) {
  const unsigned long long first = generator();
  return sizeof(typename Generator::result_type) == 8 ? first : first << 32 | generator();
}

inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float root(float x) { return __builtin_sqrtf(x); }
inline double root(double x) { return __builtin_sqrt(x); }

/// Coefficients from the highest power down. Every product that is added to something is an explicit fma here and below: no compiler and no device
/// can then round differently.
template <class T, unsigned n>
T polynomial(const T (&coefficients)[n], T x) {
  T sum = coefficients[0];
  for (unsigned i = 1; i < n; ++i) sum = fused(sum, x, coefficients[i]);
  return sum;
}

/// log(x) for normal x > 0: x = 2^k (1 + f), s = f / (2 + f), as in FreeBSD's e_log.c and e_logf.c.
inline float logarithm(float x) {
  const unsigned bits = __builtin_bit_cast(unsigned, x) + (0x3f800000u - 0x3f3504f3u);
  const int k = static_cast<int>(bits >> 23) - 127;
  const float f = __builtin_bit_cast(float, (bits & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
  const float s = f / (2.0f + f), z = s * s;
  const float l[] = {0.24279078841f, 0.28498786688f, 0.40000972152f, 0.66666662693f, 2.0f};
  return fused(static_cast<float>(k), 0.693147180559945f, s * polynomial(l, z));
}
inline double logarithm(double x) {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x) + (0x3ff0000000000000ull - 0x3fe6a09e667f3bcdull);
  const int k = static_cast<int>(bits >> 52) - 1023;
  const double f = __builtin_bit_cast(double, (bits & 0x000fffffffffffffull) + 0x3fe6a09e667f3bcdull) - 1.0;
  const double s = f / (2.0 + f), z = s * s;
  const double l[] = {1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01, 2.222219843214978396e-01,
                      2.857142874366239149e-01, 3.999999999940941908e-01, 6.666666666666735130e-01, 2.0};
  return fused(static_cast<double>(k), 0.693147180559945309417232121458, s * polynomial(l, z));
}

// The inverse of the normal distribution, of probability 0.5 + q where |q| <= 0.425, and of a tail's probability: Wichura's AS 241 (Applied
// Statistics 37, 1988), PPND7 for float and PPND16 for double.
inline float central_quantile(float q) {
  const float r = fused(-q, q, 0.180625f);
  const float a[] = {5.9109374720e+01f, 1.5929113202e+02f, 5.0434271938e+01f, 3.3871327179e+00f};
  const float b[] = {6.7187563600e+01f, 7.8757757664e+01f, 1.7895169469e+01f, 1.0f};
  return q * polynomial(a, r) / polynomial(b, r);
}
inline float tail_quantile(float probability) {
  const float r = root(-logarithm(probability));
  const float c[] = {1.7023821103e-01f, 1.3067284816e+00f, 2.7568153900e+00f, 1.4234372777e+00f};
  const float d[] = {1.2021132975e-01f, 7.3700164250e-01f, 1.0f};
  const float e[] = {1.7337203997e-02f, 4.2868294337e-01f, 3.0812263860e+00f, 6.6579051150e+00f};
  const float f[] = {1.2258202635e-02f, 2.4197894225e-01f, 1.0f};
  return r <= 5.0f ? polynomial(c, r - 1.6f) / polynomial(d, r - 1.6f) : polynomial(e, r - 5.0f) / polynomial(f, r - 5.0f);
}
inline double central_quantile(double q) {
  const double r = fused(-q, q, 0.180625);
  const double a[] = {2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4, 4.5921953931549871457e+4,
                      1.3731693765509461125e+4, 1.9715909503065514427e+3, 1.3314166789178437745e+2, 3.3871328727963666080e0};
  const double b[] = {5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4, 2.1213794301586595867e+4,
                      5.3941960214247511077e+3, 6.8718700749205790830e+2, 4.2313330701600911252e+1, 1.0};
  return q * polynomial(a, r) / polynomial(b, r);
}
inline double tail_quantile(double probability) {
  const double r = root(-logarithm(probability));
  const double c[] = {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e0,
                      3.64784832476320460504e0,  5.76949722146069140550e0,  4.63033784615654529590e0,  1.42343711074968357734e0};
  const double d[] = {1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
                      6.89767334985100004550e-1, 1.67638483018380384940e0,  2.05319162663775882187e0,  1.0};
  const double e[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
                      2.96560571828504891230e-1, 1.78482653991729133580e0,  5.46378491116411436990e0,  6.65790464350110377720e0};
  const double f[] = {2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
                      1.48753612908506148525e-2,  1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0};
  return r <= 5.0 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6) : polynomial(e, r - 5.0) / polynomial(f, r - 5.0);
}

/// The quantile of (draw + 0.5) / 2^bits, draw taken as a signed number around one half: both tails come out as finely as the draw is.
template <class T, class Draw, class Signed, int bits>
T normal_from(Draw draw) {
  constexpr T unit = T(1) / (T(1) * (Draw{1} << (bits - 1))) / T(2);
  const Signed around = static_cast<Signed>(draw);
  const Draw distance = around < 0 ? static_cast<Draw>(~around) : static_cast<Draw>(around);  // from one half, less half a unit
  const T q = (static_cast<T>(distance) + T(0.5)) * unit;
  const Draw left = (Draw{1} << (bits - 1)) - 1 - distance;  // to the end of the tail, less half a unit
  const T value = q <= T(0.425) ? central_quantile(q) : tail_quantile((static_cast<T>(left) + T(0.5)) * unit);
  return around < 0 ? -value : value;
}

}  // namespace cuttle::detail

namespace cuttle::dsl {

/// A number of [0, 1), T float or double, of 24 or 53 random bits. The generator is one of the above, or any of <random>'s concept whose range is all
/// of its 32 or 64 bits.
template <class T, class Generator>
T uniform(Generator& generator) {
  static_assert(__is_same(T, float) || __is_same(T, double), "uniform<T>(generator) gives float or double");
  if constexpr (sizeof(T) == 4) {
    return static_cast<T>(detail::next32(generator) >> 8) * 0x1p-24f;
  } else {
    return static_cast<T>(detail::next64(generator) >> 11) * 0x1p-53;
  }
}

/// A number of the normal distribution with mean 0 and deviation 1, T float or double: one draw of 32 or 64 bits through the inverse of the
/// distribution, whose tails end at 6.3 and 9.2. The same bits on every device and host, unless fast_math is asked for.
template <class T, class Generator>
T normal(Generator& generator) {
  static_assert(__is_same(T, float) || __is_same(T, double), "normal<T>(generator) gives float or double");
  if constexpr (sizeof(T) == 4) {
    return detail::normal_from<float, unsigned, int, 32>(detail::next32(generator));
  } else {
    return detail::normal_from<double, unsigned long long, long long, 64>(detail::next64(generator));
  }
}

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
