// A program that uses an LLVM 14 of its own, then compiles and runs a kernel, then uses its LLVM again.

#include <llvm-c/Core.h>
#include <cuttle/cuttle.hpp>

#include <cstring>

namespace {

bool llvm_works() {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("own", context);
  LLVMAddFunction(module, "f", LLVMFunctionType(LLVMVoidTypeInContext(context), nullptr, 0, 0));
  char* text = LLVMPrintModuleToString(module);
  const bool right = std::strstr(text, "declare void @f()") != nullptr;
  LLVMDisposeMessage(text);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return right;
}

}  // namespace

int main() {
  if (!llvm_works()) return 2;
  const cuttle::Use use(cuttle::Device::cpu());
  auto kernel = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] = 3 * threadIdx.x; });
  cuttle::Array<int> x(4);
  kernel[{1, 4}](x);
  (void)kernel.inspect<cuttle::view<float>>(cuttle::sm(90));
  if (!llvm_works()) return 3;
  return x.to_vector()[3] == 9 ? 0 : 1;
}
