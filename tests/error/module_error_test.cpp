// What a CUDA source has that a module cannot be, each with a hint that says what to write; and names that a module does not have.

#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Module;

class ModuleErrors : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(ModuleErrors);

std::string hint_of(const std::string& text) {
  try {
    static_cast<void>(Module::from_source(text));
  } catch (const cuttle::CompileError& error) {
    for (const cuttle::Diagnostic& d : error.diagnostics()) {
      if (!d.hint.empty()) return d.hint;
    }
    return std::string("no hint: ") + error.what();
  }
  return "it compiled";
}

TEST_P(ModuleErrors, HaveAHint) {
  struct Case {
    std::string text, hint;
  };
  const std::string kernel = "__global__ void k(float* o) { o[0] = 1; }\n";
  const std::vector<Case> cases = {
      {"__global__ void k(cudaTextureObject_t t, float* o) { o[0] = tex2D<float>(t, 0.5f, 0.5f); }", "there are no textures"},
      {"__global__ void k(float* o) { curandState s; o[0] = 1; }", "Philox4x32"},
      {"#include <curand_kernel.h>\n" + kernel, "Philox4x32"},
      {"#include <vector>\n" + kernel, "a kernel has no heap"},
      {"#include <iostream>\n" + kernel, "leave host code out"},
      {"#include <cub/cub.cuh>\n" + kernel, "<cub/cub.cuh> is not compiled here"},
      {"#include <thrust/sort.h>\n" + kernel, "<thrust/sort.h> is not compiled here"},
      {"#include \"mine.h\"\n" + kernel, ".include = "},
      {"__global__ void k(float* o) { cub::WarpReduce<float> r; o[0] = 1; }", "cub is not compiled here"},
      {"__managed__ int x; __global__ void k(float* o) { o[0] = x; }", "cuttle::Managed<T>"},
      {kernel + "int main() { float* d; cudaMalloc(&d, 4); }", "leave host code out"},
      {kernel + "void run(float* d) { k<<<1, 1>>>(d); }", "module.function("},
      {"__global__ void k(float* o) { o[0] = __shfl_down(o[0], 1); }", "__shfl_down_sync"},
      {"__global__ void k(float* o) { cout << o[0]; }", "a kernel has no streams"},
  };
  for (const Case& c : cases) EXPECT_NE(hint_of(c.text).find(c.hint), std::string::npos) << c.text << "\n" << hint_of(c.text);
}

std::string refusal(const Module& module, const std::string& name) {
  try {
    static_cast<void>(module.function(name));
  } catch (const cuttle::Error& error) {
    return error.what();
  }
  return "it is there";
}

TEST_P(ModuleErrors, SayThatAFunctionIsNoKernel) {
  const Module module = Module::from_source("void scale(int* x) { *x *= 2; }\n__global__ void add(int* x) { *x += 1; }");
  EXPECT_EQ(refusal(module, "scale"), "module.cu has no kernel scale. It has add. Its function scale is not declared __global__, as a kernel is.");
  EXPECT_EQ(refusal(module, "step"), "module.cu has no kernel step. It has add.");
}

TEST_P(ModuleErrors, SayThatThereAreNoKernels) {
  for (const char* text : {"", "// nothing\n", "__device__ int table[4] = {1, 2, 3, 4};"}) {
    const Module module = Module::from_source(text);
    EXPECT_TRUE(module.kernels().empty());
    EXPECT_EQ(refusal(module, "k"), "module.cu has no kernel k. It has none: a kernel is a function that is declared __global__.");
  }
}

}  // namespace
