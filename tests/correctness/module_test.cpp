// Modules: kernels and variables of a whole CUDA source, on every device.

#include <gtest/gtest.h>

#include <cmath>
#include <cuttle/cuttle.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/device_test.h"
#include "support/process.h"

namespace {

using cuttle::Array;
using cuttle::Module;
using cuttle::test::OnEveryDevice;

class Modules : public OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Modules);

/// What an exception of type E says.
template <class E, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST_P(Modules, AddVectors) {
  const Module module = Module::from_source(R"(
    extern "C" __global__ void add(const float* x, const float* y, float* z, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) z[i] = x[i] + y[i];
    })");
  const Array<float> x{1, 2, 3, 4, 5}, y{10, 20, 30, 40, 50};
  auto z = cuttle::zeros<float>(5);
  module.function("add")[{.grid = 2, .block = 4}](x, y, z, 5);
  EXPECT_EQ(z.to_vector(), (std::vector<float>{11, 22, 33, 44, 55}));
  z.fill(0);
  module.function("add").over(5)(x, y, z, 5);
  EXPECT_EQ(z.to_vector(), (std::vector<float>{11, 22, 33, 44, 55}));
}

// As sources written for nvcc are: headers, macros, shared memory, templates, atomics, math, pragmas, attributes.
TEST_P(Modules, TakeASourceThatWasWrittenForNvcc) {
  cuttle::SourceOptions options;
  options.kernels = {"reduce<float, 128>", "reduce<double, 128>"};
  const Module module = Module::from_source(R"(
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <math_constants.h>
#include <cfloat>
#include <math.h>
#include <stdint.h>

#define BLOCK 128
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
#error "no atomics on double"
#endif

struct __align__(8) Pair { float value; int index; };

__constant__ float weights[3];
__device__ int launches = 0;

__device__ __forceinline__ float square(float x) { return x * x; }

template <typename T> __device__ T clamp_to(T x, T low, T high) { return min(max(x, low), high); }

// A name that cuttle's vocabulary may have as well.
template <typename T, int N>
__global__ void __launch_bounds__(N) reduce(const T* __restrict__ in, T* out, size_t n) {
  __shared__ T partial[N];
  T sum = 0;
  for (size_t i = blockIdx.x * N + threadIdx.x; i < n; i += gridDim.x * N) sum += in[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
#pragma unroll
  for (int half = N / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, partial[0]);
}

namespace sim {
__global__ void stencil(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x + 1] = i < n ? in[i] : 0.0f;
  if (threadIdx.x == 0) tile[0] = i > 0 ? in[i - 1] : 0.0f;
  if (threadIdx.x == blockDim.x - 1) tile[blockDim.x + 1] = i + 1 < n ? in[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) {
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 3; ++k) sum = fmaf(weights[k], tile[threadIdx.x + k], sum);
    out[i] = clamp_to(sum, -FLT_MAX, CUDART_INF_F) + 0.0f * sinf(square(sum));
  }
  if (i == 0) atomicAdd(&launches, 1);
}
}

static __global__ void largest(const float* in, Pair* out, int n) {
  Pair best = {-INFINITY, -1};
  for (int i = 0; i < n; ++i)
    if (in[i] > best.value) best = {in[i], i};
  *out = best;
}
)",
                                            options);
  std::vector<float> host(1000);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i % 17);
  const Array x(host);

  double expected = 0;
  for (const float value : host) expected += static_cast<double>(value);
  auto sum = cuttle::zeros<float>(1);
  module.function("reduce<float, 128>")[{.grid = 4, .block = 128}](x, sum, x.size());
  EXPECT_EQ(sum.item(), static_cast<float>(expected));
  auto wide = cuttle::zeros<double>(1);
  module.function("reduce<double,128>")[{.grid = 2, .block = 128}](Array(std::vector<double>(host.begin(), host.end())), wide, 1000);
  EXPECT_EQ(wide.item(), expected);

  module.global<float>("weights").copy_from(std::vector<float>{1, 2, 4});
  Array<float> out(1000);
  module.function("sim::stencil")[{.grid = 8, .block = 128, .shared = 130 * sizeof(float)}](x, out, 1000);
  const std::vector<float> result = out.to_vector();
  for (std::size_t i = 0; i < result.size(); ++i) {
    const float before = i > 0 ? host[i - 1] : 0, after = i + 1 < host.size() ? host[i + 1] : 0;
    ASSERT_EQ(result[i], before + 2 * host[i] + 4 * after) << i;
  }
  EXPECT_EQ(module.global<int>("launches").item(), 1);

  struct Pair {
    float value;
    int index;
  };
  Array<Pair> best(1);
  module.function("largest")[{.block = 1}](x, best, 1000);
  EXPECT_EQ(best.item().value, 16);
  EXPECT_EQ(best.item().index, 16);
}

// The headers of CUDA's libraries for device code are there without a toolkit.
TEST_P(Modules, TakeCudasHeadersOfHalvesGroupsAndMatrices) {
  const Module module = Module::from_source(R"(
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <mma.h>

namespace cg = cooperative_groups;
using namespace nvcuda;

__global__ void axpy(__half a, const __half* __restrict__ x, half* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(a, __ldg(x + i), y[i]);
}

__global__ void sum_tiles(const int* __restrict__ x, int* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  const int4 four = __ldg(reinterpret_cast<const int4*>(x) + block.thread_rank());
  const int sum = cg::reduce(tile, four.x + four.y + four.z + four.w, cg::plus<int>());
  block.sync();
  if (tile.thread_rank() == 0) atomicAdd(out, sum);
}

__global__ void multiply(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> product;
  wmma::fill_fragment(product, 0.0f);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(product, left, right, product);
  for (int i = 0; i < product.num_elements; ++i) product.x[i] *= 2.0f;
  wmma::store_matrix_sync(c, product, 16, wmma::mem_row_major);
}
)");
  using cuttle::half;
  const Array<half> x(std::vector<half>(100, half(2.0f)));
  Array<half> y(std::vector<half>(100, half(1.0f)));
  module.function("axpy").over(100)(half(3.0f), x, y, 100);
  EXPECT_EQ(static_cast<float>(y.to_vector()[99]), 7.0f);

  std::vector<int> numbers(4 * 64);
  int expected = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) expected += numbers[i] = static_cast<int>(i);
  const Array<int> in(numbers);
  auto sum = cuttle::zeros<int>(1);
  module.function("sum_tiles")[{.block = 64}](in, sum);
  EXPECT_EQ(sum.item(), expected);

  std::vector<half> identity(256, half(0.0f)), matrix(256);
  for (std::size_t i = 0; i < 16; ++i) identity[17 * i] = half(1.0f);
  for (std::size_t i = 0; i < 256; ++i) matrix[i] = half(static_cast<float>(i));
  auto product = cuttle::zeros<float>(256);
  module.function("multiply")[{.block = 32}](Array(matrix), Array(identity), product);
  const std::vector<float> result = product.to_vector();
  for (std::size_t i = 0; i < 256; ++i) ASSERT_EQ(result[i], 2.0f * static_cast<float>(i)) << i;
}

TEST_P(Modules, VariablesAreReadAndWritten) {
  const char* source = R"(
    __device__ float scale = 1.5f;
    static __constant__ int table[4] = {1, 2, 3, 4};
    namespace { __device__ unsigned long long total; }
    __global__ void use(float* out) {
      out[threadIdx.x] = scale * table[threadIdx.x];
      atomicAdd(&total, 1ull);
    })";
  const Module module = Module::from_source(source), other = Module::from_source(source);
  Array<float> out(4);
  module.function("use")[{.block = 4}](out);
  EXPECT_EQ(out.to_vector(), (std::vector<float>{1.5f, 3, 4.5f, 6}));
  EXPECT_EQ(module.global<int>("table").to_vector(), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(module.global<unsigned long>("total").item(), 4u);

  module.global<float>("scale").fill(2);
  module.global<int>("table").copy_from(std::vector<int>{4, 3, 2, 1});
  module.function("use")[{.block = 4}](out);
  EXPECT_EQ(out.to_vector(), (std::vector<float>{8, 6, 4, 2}));

  other.function("use")[{.block = 4}](out);  // each module has variables of its own
  EXPECT_EQ(out.to_vector(), (std::vector<float>{1.5f, 3, 4.5f, 6}));

  EXPECT_NE(message_of<cuttle::Error>([&] { (void)module.global<float>("scales"); }).find("has no variable scales. It has"), std::string::npos);
  EXPECT_NE(message_of<cuttle::Error>([&] { (void)module.global<double>("scale"); }).find("is float and was asked for as f64"), std::string::npos);
}

TEST_P(Modules, ArgumentsAreCheckedAgainstTheParameters) {
  const Module module = Module::from_source(R"(
    struct Point { float x, y; };
    __global__ void set(float* out, unsigned char level, float factor, bool on, long long offset, Point p) {
      *out = on ? level * factor + offset + p.x * p.y : 0.0f;
    })");
  const auto set = module.function("set")[{.block = 1}];
  struct Point {
    float x, y;
  };
  Array<float> out(1);
  set(out, 200, 0.5, 1, 3u, Point{2, 3});  // int, double, int and unsigned convert as in a call
  EXPECT_EQ(out.item(), 109);
  set(out.data(), 255L, 1, true, -5, Point{0, 0});
  EXPECT_EQ(out.item(), 250);

  const auto refusal = [&](const auto&... arguments) { return message_of<cuttle::LaunchError>([&] { set(arguments...); }); };
  EXPECT_NE(refusal(out.view(), 256, 1, true, 0, Point{}).find("parameter 'level' of kernel set, unsigned char, cannot hold 256"), std::string::npos);
  EXPECT_NE(refusal(out.view(), -1, 1, true, 0, Point{}).find("'level'"), std::string::npos);
  EXPECT_NE(refusal(out.view(), 1.5, 1, true, 0, Point{}).find("cannot hold 1.5"), std::string::npos);
  EXPECT_NE(refusal(out.view(), 1, 16777217, true, 0, Point{}).find("'factor'"), std::string::npos);
  EXPECT_NE(refusal(out.view(), 1, 1e300, true, 0, Point{}).find("'factor'"), std::string::npos);
  EXPECT_NE(refusal(out.view(), 1, 1, 2, 0, Point{}).find("'on'"), std::string::npos);
  EXPECT_NE(refusal(out.view(), 1, 1, true, 1ull << 63, Point{}).find("'offset'"), std::string::npos);
  EXPECT_NE(refusal(out.view(), 1, 1, true, 0, 1.0f).find("parameter 'p' of kernel set, Point, is of 8 bytes"), std::string::npos);
  EXPECT_NE(refusal(1, 1, 1, true, 0, Point{}).find("it takes an Array"), std::string::npos);
  EXPECT_NE(refusal(out.view(), 1).find("takes 6 arguments (float * out, unsigned char level"), std::string::npos);
  Array<double> doubles(1);
  EXPECT_NE(refusal(doubles.view(), 1, 1, true, 0, Point{}).find("parameter 'out' of kernel set, float *, was given elements of type f64"),
            std::string::npos);
  const Array<float>& fixed = out;
  EXPECT_NE(refusal(fixed.view(), 1, 1, true, 0, Point{}).find("elements that are const"), std::string::npos);
  Array<float> wide(4);
  EXPECT_NE(refusal(wide.slice(0, {.step = 2}), 1, 1, true, 0, Point{}).find("strided"), std::string::npos);
  EXPECT_EQ(out.item(), 250) << "a refused launch ran";
}

TEST_P(Modules, HostVectorsAreArgumentsToo) {
  const Module module = Module::from_source("__global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }");
  const std::vector<int> in{1, 2, 3};
  std::vector<int> out(3);
  module.function("twice")[{.block = 3}](cuttle::in(in), cuttle::out(out));
  EXPECT_EQ(out, (std::vector<int>{2, 4, 6}));
}

TEST_P(Modules, KernelsAreFoundByTheirNames) {
  cuttle::SourceOptions options;
  options.kernels = {"fill<int, 7>", "deep::fill<float, 2>"};
  const Module module = Module::from_source(R"(
    template <class T, int value> __global__ void fill(T* out) { *out = value; }
    namespace deep { template <class T, int value> __global__ void fill(T* out) { *out = value / 4.0f; } }
    namespace { __global__ void hidden(int* out) { *out = 5; } }
    extern "C" { __global__ void plain(int* out) { *out = 6; } }
    __device__ void helper(int* out) { *out = 1; })",
                                            options);
  EXPECT_EQ(module.kernels(), (std::vector<std::string>{"hidden", "plain", "fill<int, 7>", "deep::fill<float, 2>"}));
  Array<int> out(1);
  module.function("hidden")[{.block = 1}](out);
  EXPECT_EQ(out.item(), 5);
  module.function("plain")[{.block = 1}](out);
  EXPECT_EQ(out.item(), 6);
  module.function(" fill<int,7>")[{.block = 1}](out);
  EXPECT_EQ(out.item(), 7);
  Array<float> half(1);
  module.function("deep::fill<float, 2>")[{.block = 1}](half);
  EXPECT_EQ(half.item(), 0.5f);
  EXPECT_NE(message_of<cuttle::Error>([&] { (void)module.function("helper"); }).find("has no kernel helper. It has hidden, plain"),
            std::string::npos);
  EXPECT_NE(message_of<cuttle::Error>([&] { (void)module.function("fill<int, 8>"); }).find(".kernels = {\"fill<int, 8>\"}"), std::string::npos);
}

TEST_P(Modules, HeadersComeFromTheFoldersThatAreNamed) {
  const cuttle::test::TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder.path() / name).parent_path());
    std::ofstream(folder.path() / name) << text;
  };
  write("physics/constants.h", "#pragma once\n#include \"deeper/more.h\"\n#define FACTOR (2 * MORE)\n");
  write("physics/deeper/more.h", "#ifndef MORE\n#define MORE 5\n#endif\n");
  write("kernels/step.cu", "#include <physics/constants.h>\n#include \"own.h\"\n__global__ void step(int* out) { *out = FACTOR + OWN; }\n");
  write("kernels/own.h", "#define OWN 1\n");
  cuttle::SourceOptions options;
  options.include = {folder.path().string()};
  const auto run = [&] {
    Array<int> out(1);
    Module::from_file((folder.path() / "kernels/step.cu").string(), options).function("step")[{.block = 1}](out);
    return out.item();
  };
  EXPECT_EQ(run(), 11);
  const auto compilations = cuttle::stats().compilations;
  EXPECT_EQ(run(), 11);
  EXPECT_EQ(cuttle::stats().compilations, compilations) << "kept on disk";
  write("physics/deeper/more.h", "#define MORE 7\n");
  EXPECT_EQ(run(), 15) << "a header is part of the key";
  options.define = {"MORE=8"};
  write("physics/deeper/more.h", "#ifndef MORE\n#define MORE 5\n#endif\n");
  EXPECT_EQ(run(), 17);
  EXPECT_NE(message_of<cuttle::Error>([&] { (void)Module::from_file("no/such/file.cu"); }).find("no/such/file.cu"), std::string::npos);
}

TEST_P(Modules, ErrorsCarryTheTextsOwnLines) {
  const auto fail = [](const std::string& text, const cuttle::SourceOptions& options = {}) {
    try {
      (void)Module::from_source(text, options);
    } catch (const cuttle::CompileError& error) {
      return error.diagnostics().empty() ? cuttle::Diagnostic{} : error.diagnostics()[0];
    }
    ADD_FAILURE() << "it compiled";
    return cuttle::Diagnostic{};
  };
  cuttle::SourceOptions options;
  options.name = "solver.cu";
  const auto undeclared = fail("// a comment\n__global__ void f(float* x) {\n  x[0] = missing;\n}\n", options);
  EXPECT_EQ(undeclared.file, "solver.cu");
  EXPECT_EQ(undeclared.line, 3u);
  EXPECT_EQ(undeclared.column, 10u);
  EXPECT_EQ(undeclared.source_line, "  x[0] = missing;");
  EXPECT_NE(fail("#include \"nowhere.h\"\n").message.find("'nowhere.h' file not found"), std::string::npos);
  EXPECT_EQ(fail("#error stop\n").message, "stop");
  options.kernels = {"f<int>"};
  EXPECT_EQ(fail("__global__ void g() {}\n", options).file, "f<int>") << "a name expression that means nothing";
  options.kernels = {"g"};
  EXPECT_NE(fail("__device__ void g() {}\n", options).message.find("'g' is no __global__ function"), std::string::npos);
  EXPECT_NE(fail("__global__ void f(int* x) {\n *x = " + std::string(300, '(') + "1" + std::string(300, ')') + "; }").message.find("nested"),
            std::string::npos);
  std::string bomb = "#define A0 +1\n";
  for (int i = 1; i <= 9; ++i) {
    const std::string inner = " A" + std::to_string(i - 1);
    bomb += "#define A" + std::to_string(i) + inner + inner + inner + inner + inner + inner + inner + inner + inner + inner + "\n";
  }
  EXPECT_NE(fail(bomb + "__global__ void f(int* x) { *x = 0 A9; }").message.find("once its macros are expanded"), std::string::npos);
}

TEST_P(Modules, MayHaveNoKernel) { EXPECT_TRUE(Module::from_source("// for later\n").kernels().empty()); }

TEST_P(Modules, ErrorsShowLinesWithBytesThatAreNoText) {
  const std::string text("__global__ void f(int* x) { *x = \0 missing; }", 45);
  EXPECT_NE(message_of<cuttle::CompileError>([&] { static_cast<void>(Module::from_source(text)); }).find("*x = ? missing;"), std::string::npos);
}

TEST_P(Modules, WarningsAreTheCompileLog) {
  const Module quiet = Module::from_source("__global__ void f(int* x) { *x = 1; }");
  EXPECT_EQ(quiet.compile_log(), "");
  const std::string text = "#warning \"look here\"\n__global__ void f(int* x) { *x = 1; }";
  for (int i = 0; i < 2; ++i) {  // the second comes from the cache
    EXPECT_NE(Module::from_source(text).compile_log().find("module.cu:1:2: warning: \"look here\""), std::string::npos);
  }
}

TEST_P(Modules, AttributesSayWhatAKernelTakes) {
  const Module module = Module::from_source(R"(
    __global__ void f(int* x) { __shared__ int a[100]; a[threadIdx.x] = *x; __syncthreads(); *x = a[99 - threadIdx.x]; }
    __global__ void g(int* x) { *x = 1; })");
  const auto f = module.function("f").attributes(), g = module.function("g").attributes();
  EXPECT_GE(f.static_shared_bytes, 400u);
  EXPECT_LE(f.static_shared_bytes, 512u) << "as much as aligns what follows";
  EXPECT_EQ(g.static_shared_bytes, 0u);
  EXPECT_EQ(f.max_threads_per_block, 1024);
  EXPECT_EQ(f.registers > 0, on_gpu());
  EXPECT_EQ(f.binary_version > 0, on_gpu());
}

TEST_P(Modules, OptionsChangeTheCode) {
  const char* text = "__global__ void f(float* x) { x[0] = x[0] * x[1] + x[2]; }";
  const float a = 1 + 0x1p-12f, c = -(1 + 0x1p-11f);
  cuttle::SourceOptions options;
  const auto run = [&] {
    Array<float> x{a, a, c};
    Module::from_source(text, options).function("f")[{.block = 1}](x);
    return x.to_vector()[0];
  };
  EXPECT_EQ(run(), 0x1p-24f);  // one rounding
  options.contract = false;
  EXPECT_EQ(run(), 0.0f);
}

TEST_P(Modules, AGraphReplaysTheirKernels) {
  const Module module = Module::from_source("__global__ void add(int* x, int step) { *x += step; }");
  auto x = cuttle::zeros<int>(1);
  const auto graph = cuttle::Graph::capture([&] { module.function("add")[{.block = 1}](x, 3); });
  graph.replay();
  graph.replay();
  EXPECT_EQ(x.item(), 6);
}

TEST_P(Modules, BelongToADevice) {
  if (!on_gpu()) {
    EXPECT_NE(message_of<cuttle::Error>([] { (void)Module::from_ptx(".version 8.0"); }).find("which only a GPU runs"), std::string::npos);
    return;
  }
  const Module module = Module::from_source("__global__ void f(int* x) { *x = 1; }");
  const cuttle::Use use(cuttle::Device::cpu());
  Array<int> x(1);
  EXPECT_NE(message_of<cuttle::LaunchError>([&] { module.function("f")[{.block = 1}](x); }).find("was launched on"), std::string::npos);
}

constexpr const char* halve_ptx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .f32 factor = 0f3F000000;
.visible .entry halve(.param .u64 data, .param .u32 count) {
  .reg .pred %p; .reg .b32 %r<4>; .reg .f32 %f<3>; .reg .b64 %rd<4>;
  mov.u32 %r1, %tid.x;
  ld.param.u32 %r2, [count];
  setp.ge.u32 %p, %r1, %r2;
  @%p ret;
  ld.param.u64 %rd1, [data];
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  ld.global.f32 %f2, [factor];
  mul.f32 %f1, %f1, %f2;
  st.global.f32 [%rd3], %f1;
  ret;
}
)";

TEST_P(Modules, PtxRunsOnAGpu) {
  if (!on_gpu()) GTEST_SKIP() << "PTX is a GPU's";
  const Module module = Module::from_ptx(halve_ptx);
  Array<float> x{2, 4, 6};
  module.function("halve")[{.block = 32}](x, 3u);
  EXPECT_EQ(x.to_vector(), (std::vector<float>{1, 2, 3}));
  module.global<float>("factor").fill(10);
  module.function("halve")[{.block = 32}](x, 3u);
  EXPECT_EQ(x.to_vector(), (std::vector<float>{10, 20, 30}));
  EXPECT_THROW((void)module.function("other"), cuttle::Error);
  EXPECT_THROW((void)Module::from_ptx(".version 7.0\n.target sm_70\nnonsense"), cuttle::DriverError);
}

}  // namespace
