// What keeps the PTX as fast as nvcc's (docs/pipeline.md): each measure of codegen/tune*.cpp by the code that it is for.

#include <gtest/gtest.h>
#include <cuttle/cuttle.hpp>

#include <regex>
#include <set>
#include <string>

namespace {

using cuttle::sm;
using cuttle::view;

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

std::ptrdiff_t count(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator());
}

// Whether a jump goes back.
bool has_loop(const std::string& ptx) {
  const std::regex place(R"((\$L__BB\w+):|bra\S*\s+(\$L__BB\w+);)");
  std::set<std::string> seen;
  for (std::sregex_iterator i(ptx.begin(), ptx.end(), place), end; i != end; ++i) {
    if ((*i)[1].matched) seen.insert((*i)[1]);
    if ((*i)[2].matched && seen.count((*i)[2])) return true;
  }
  return false;
}

auto interpreter = CUTTLE_KERNEL([](const int* program, float* x, int length) {
  float a = x[threadIdx.x], b = 1.0f;
  for (int k = 0; k < length; ++k) {
    switch (program[k]) {
      case 0:
        a = a + b;
        break;
      case 1:
        a = a * b;
        break;
      case 2:
        b = a - 0.5f;
        break;
      case 3:
        b = b * 0.25f;
        break;
      case 4:
        a = a - b;
        break;
      case 5:
        a = 1.0f - a;
        break;
      case 6:
        b = b + 2.0f;
        break;
      case 7:
        a = a * a;
        break;
      default:
        a = b;
        break;
    }
  }
  x[threadIdx.x] = a + b;
});

TEST(Tuning, ASwitchIsComparesAndNoJumpTable) { EXPECT_FALSE(contains(interpreter.inspect(sm(90), nullptr, nullptr, 0).ptx(), "brx.idx")); }

auto copy_quads = CUTTLE_KERNEL([](view<const float> x, view<float> y) {
  struct alignas(16) Quad {
    float x, y, z, w;
  };
  reinterpret_cast<Quad*>(y.data())[threadIdx.x] = reinterpret_cast<const Quad*>(x.data())[threadIdx.x];
});

TEST(Tuning, ACopyOfSixteenAlignedBytesIsOneLoadAndOneStore) {
  const std::string ptx = copy_quads.inspect<view<const float>, view<float>>(sm(90)).ptx();
  EXPECT_EQ(count(ptx, R"(ld\.global\.v4\.)"), 1) << ptx;
  EXPECT_EQ(count(ptx, R"(st\.global\.v4\.)"), 1) << ptx;
}

auto solve_six = CUTTLE_KERNEL([](view<const float> in, view<float> out) {
  float a[6][7];
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 7; ++c) a[r][c] = in[r * 7 + c];
  }
  for (int p = 0; p < 6; ++p) {
    const float inverse = 1.0f / a[p][p];
    for (int r = 0; r < 6; ++r) {
      if (r == p) continue;
      const float factor = a[r][p] * inverse;
      for (int c = p; c < 7; ++c) a[r][c] -= factor * a[p][c];
    }
  }
  for (int r = 0; r < 6; ++r) out[r] = a[r][6] / a[r][r];
});

TEST(Tuning, ALocalArrayOfConstantLoopsLivesInRegisters) {
  EXPECT_FALSE(contains((solve_six.inspect<view<const float>, view<float>>(sm(90)).ptx()), "__local_depot"));
}

auto modular_power = CUTTLE_KERNEL([](view<const unsigned> x, view<unsigned> out, unsigned modulus) {
  unsigned v = x[threadIdx.x], result = 1;
  for (int k = 0; k < 16; ++k) {
    if (v & (1u << k)) result = static_cast<unsigned>(static_cast<unsigned long>(result) * v % modulus);
    v = v / 7 + v % 10;
  }
  out[threadIdx.x] = result;
});

TEST(Tuning, AShortConstantLoopIsUnrolledInFull) {
  const std::string ptx = modular_power.inspect<view<const unsigned>, view<unsigned>, unsigned>(sm(90)).ptx();
  EXPECT_FALSE(has_loop(ptx)) << ptx;
}

auto dot = CUTTLE_KERNEL([](view<const float> x, view<const float> y, view<float> out, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 32) sum += x[i] * y[i];
  out[threadIdx.x] = sum;
});

TEST(Tuning, ALoopOfUnknownLengthHasFourLoadsInFlight) {
  const std::string ptx = dot.inspect<view<const float>, view<const float>, view<float>, int>(sm(90)).ptx();
  EXPECT_EQ(count(ptx, R"(fma\.rn\.f32)"), 5) << "four in the loop, one in the remainder:\n" << ptx;
  EXPECT_LE(count(ptx, R"(\.pragma "nounroll")"), 1) << "the remainder's only: ptxas may unroll the main loop further";
}

auto quotients = CUTTLE_KERNEL([](view<const float> x, view<const float> y, view<const float> z, view<float> out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float ratio = x[i] / y[i];
  const float root = sqrtf(ratio);
  out[i] = root + z[i];
});

TEST(Tuning, DivisionAndSquareRootArePrecise) {
  const std::string ptx = quotients.inspect<view<const float>, view<const float>, view<const float>, view<float>>(sm(90)).ptx();
  EXPECT_TRUE(contains(ptx, "div.rn.f32"));
  EXPECT_TRUE(contains(ptx, "sqrt.rn.f32"));
  EXPECT_FALSE(contains(ptx, "approx"));
}

TEST(Tuning, LoadsAreIssuedBeforeADivision) {
  const std::string ptx = quotients.inspect<view<const float>, view<const float>, view<const float>, view<float>>(sm(90)).ptx();
  EXPECT_LT(ptx.rfind("ld.global"), ptx.find("div.rn")) << ptx;
}

auto with_bias = CUTTLE_KERNEL([](view<const float> x, view<const float> bias, view<float> y, int channels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] + bias[i % channels];
});

// x[i] is ready before bias[i % channels]; written behind it, ptxas issues it ahead of the remainder.
TEST(Tuning, ALoadThatIsReadyStandsBehindOneThatWaitsForARemainder) {
  const std::string ptx = with_bias.inspect<view<const float>, view<const float>, view<float>, int>(sm(90)).ptx();
  EXPECT_EQ(count(ptx, R"(ld\.global)"), 2) << ptx;
  EXPECT_LT(ptx.find("rem.s32"), ptx.find("ld.global")) << ptx;
}

auto written_between = CUTTLE_KERNEL([](float* x, const int* bias, float* y, int channels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float before = x[i];
  y[i] = 1.0f;
  y[i + 1] = before + bias[i % channels];
});

TEST(Tuning, ALoadThatIsReadyStaysBeforeAStore) {
  const std::string ptx = written_between.inspect<float*, const int*, float*, int>(sm(90)).ptx();
  EXPECT_LT(ptx.find("ld.global"), ptx.find("st.global")) << ptx;
}

auto add_one = CUTTLE_KERNEL([](float* x, const int* index, float* out) {
  x[0] = 1.0f / x[1];
  out[0] = x[index[0]];
});

TEST(Tuning, NoLoadIsMovedAcrossAStore) {
  const std::string ptx = add_one.inspect<float*, const int*, float*>(sm(90)).ptx();
  EXPECT_GT(ptx.rfind("ld.global"), ptx.find("st.global")) << ptx;
}

auto guarded = CUTTLE_KERNEL([](view<const float> in, view<const float> more, view<float> out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = in[i];
  if (i >= 1) sum += more[i - 1];
  if (i < n - 1) sum += more[i + 1];
  out[i] = sum;
});

TEST(Tuning, GuardedNeighboursShareOneScaledIndex) {
  const std::string ptx = guarded.inspect<view<const float>, view<const float>, view<float>, int>(sm(90)).ptx();
  EXPECT_TRUE(std::regex_search(ptx, std::regex(R"(\[(%rd\d+)\+-4\][^]*\[\1\+4\])"))) << ptx;
  EXPECT_EQ(count(ptx, R"(mul\.wide\.u32)"), 0) << "an index is extended by its sign everywhere:\n" << ptx;
}

auto escape = CUTTLE_KERNEL([](view<int> out, float cr, float ci, int most) {
  float zr = 0, zi = 0;
  int k = 0;
  while (k < most && zr * zr + zi * zi < 4.0f) {
    const float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++k;
  }
  out[threadIdx.x] = k;
});

// One loop: its body, one conditional jump, which goes back.
TEST(Tuning, ACheapSecondConditionIsNoSecondJump) {
  const std::string ptx = escape.inspect<view<int>, float, float, int>(sm(90)).ptx();
  const std::size_t loop = ptx.find("fma.rn.f32");
  const std::size_t end = ptx.find("st.global");
  const std::string body = ptx.substr(loop, end - loop);
  EXPECT_EQ(count(body, R"(@!?%p\d+ bra)"), 1) << ptx;
}

auto newton = CUTTLE_KERNEL([](view<float> x, float limit) {
  float value = x[threadIdx.x];
  for (;;) {
    value = value * (1.5f - 0.5f * value * value);
    if (value > limit) break;
  }
  x[threadIdx.x] = value;
});

TEST(Tuning, TheBackEdgeOfALoopIsTheTakenSide) {
  const std::string ir = newton.inspect<view<float>, float>(sm(90)).llvm_ir();
  std::smatch branch;
  ASSERT_TRUE(std::regex_search(ir, branch, std::regex(R"(br i1 %\w+, label %(\w+), label %(\w+))"))) << ir;
  EXPECT_LT(std::stoi(branch[1]), std::stoi(branch[2])) << "blocks are numbered in order; the loop comes first:\n" << ir;
}

auto gray = CUTTLE_KERNEL([](view<const unsigned char> in, view<unsigned char> out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = in[i * 3], g = in[i * 3 + 1], b = in[i * 3 + 2];
  out[i] = static_cast<unsigned char>((r * 77 + g * 150 + b * 29) >> 8);
});

TEST(Tuning, PixelArithmeticIsDoneIn32Bits) {
  const std::string ptx = gray.inspect<view<const unsigned char>, view<unsigned char>>(sm(90)).ptx();
  EXPECT_EQ(count(ptx, R"((mul\.lo|mad\.lo|add)\.[su]16)"), 0) << ptx;
}

auto scale = CUTTLE_KERNEL([](const float* __restrict__ x, float* __restrict__ y) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; });

TEST(Tuning, RestrictOnAParameterMakesLoadsReadOnly) { EXPECT_TRUE(contains((scale.inspect<const float*, float*>(sm(90)).ptx()), "ld.global.nc.")); }

TEST(Tuning, TheBlockSizeIsReadBeforeTheBlockIndex) {
  const std::string ptx = gray.inspect<view<const unsigned char>, view<unsigned char>>(sm(90)).ptx();
  ASSERT_TRUE(contains(ptx, "%ctaid.x"));
  EXPECT_LT(ptx.find("%ntid.x"), ptx.find("%ctaid.x")) << ptx;
}

}  // namespace
