// A program that opens another LLVM for all to see, then compiles and runs a kernel, one that works and one that does not compile.

#include <dlfcn.h>
#include <cuttle/cuttle.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (!dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL)) return std::fprintf(stderr, "%s\n", dlerror()), 2;
  }
  const cuttle::Use use(cuttle::Device::cpu());
  auto kernel = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] = 3 * threadIdx.x; });
  auto wrong = CUTTLE_KERNEL([](auto x) { x.nothing(); });
  cuttle::Array<int> x(4);
  kernel[{1, 4}](x);
  try {
    wrong[{1, 1}](x);
    return 3;
  } catch (const cuttle::CompileError&) {
  }
  (void)kernel.inspect<cuttle::view<float>>(cuttle::sm(90));
  return x.to_vector()[3] == 9 ? 0 : 1;
}
