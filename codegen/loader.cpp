// Loads CPU objects into the process through ORC and JITLink, with a curated list of the functions that they may call.

#include <cmath>
#include <cstring>
#include <mutex>

#include <llvm/ExecutionEngine/Orc/LLJIT.h>

#include "codegen/compiler.h"
#include "codegen/cpu.h"
#include "codegen/llvm.h"
#include "codegen/targets.h"
#include "codegen/text_view.h"

namespace cuttle::codegen {
namespace {

namespace orc = llvm::orc;

// What the optimiser may call besides what the kernel does: pow becomes exp2, exp2 becomes ldexp, loops become memset.
#define CUTTLE_LIBM_UNARY(X)                                                                                                   \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp2) X(expm1)      \
      X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(nearbyint) X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) \
          X(tanh) X(tgamma) X(trunc)
#define CUTTLE_LIBM_BINARY(X) X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)

orc::SymbolMap curated_symbols(orc::LLJIT& jit) {
  orc::SymbolMap symbols;
  const auto add = [&](const char* name, auto* function) {
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(function), llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
#define CUTTLE_ADD(name) add(#name, static_cast<double (*)(double)>(::name)), add(#name "f", static_cast<float (*)(float)>(::name##f));
  CUTTLE_LIBM_UNARY(CUTTLE_ADD)
#undef CUTTLE_ADD
#define CUTTLE_ADD(name) \
  add(#name, static_cast<double (*)(double, double)>(::name)), add(#name "f", static_cast<float (*)(float, float)>(::name##f));
  CUTTLE_LIBM_BINARY(CUTTLE_ADD)
#undef CUTTLE_ADD
  add("fma", static_cast<double (*)(double, double, double)>(::fma));
  add("fmaf", static_cast<float (*)(float, float, float)>(::fmaf));
  add("ldexp", static_cast<double (*)(double, int)>(::ldexp));
  add("ldexpf", static_cast<float (*)(float, int)>(::ldexpf));
  add("sincos", static_cast<void (*)(double, double*, double*)>(::sincos));
  add("sincosf", static_cast<void (*)(float, float*, float*)>(::sincosf));
  add("memcpy", ::memcpy);
  add("memmove", ::memmove);
  add("memset", ::memset);
  add("memcmp", static_cast<int (*)(const void*, const void*, std::size_t)>(::memcmp));
  return symbols;
}

class Loader {
 public:
  static Loader& instance() {
    static Loader* loader = new Loader;  // its code is called until the process ends
    return *loader;
  }

  llvm::Expected<cuttle_block_function> load(llvm::StringRef object, llvm::StringRef entry) {
    if (!jit_) return llvm::createStringError(setup_error_.c_str());
    // A library of its own for each object: entries of different kernels may have one name.
    auto library = jit_->createJITDylib("kernel" + std::to_string(next_.fetch_add(1)));
    if (!library) return library.takeError();
    library->addToLinkOrder(*symbols_);
    if (auto error = jit_->addObjectFile(*library, llvm::MemoryBuffer::getMemBufferCopy(object, entry))) return error;
    auto address = jit_->lookup(*library, entry);
    if (!address) return address.takeError();
    return address->toPtr<cuttle_block_function>();
  }

 private:
  Loader() {
    initialise_targets();
    auto jit = orc::LLJITBuilder().create();
    if (!jit) {
      setup_error_ = llvm::toString(jit.takeError());
      return;
    }
    jit_ = std::move(*jit);
    symbols_ = &llvm::cantFail(jit_->createJITDylib("cuttle"));
    llvm::cantFail(symbols_->define(orc::absoluteSymbols(curated_symbols(*jit_))));
  }

  std::unique_ptr<orc::LLJIT> jit_;
  orc::JITDylib* symbols_ = nullptr;
  std::atomic<std::uint64_t> next_{0};
  std::string setup_error_;
};

}  // namespace
}  // namespace cuttle::codegen

cuttle_block_function cuttle_load_object(cuttle_text object, cuttle_text entry, char* error, size_t error_size) {
  using namespace cuttle::codegen;
  auto function = Loader::instance().load(llvm::StringRef(object.data, object.size), llvm::StringRef(entry.data, entry.size));
  if (function) return *function;
  const std::string text = llvm::toString(function.takeError());
  const std::size_t kept = std::min(text.size(), error_size - 1);
  std::memcpy(error, text.data(), kept);
  error[kept] = '\0';
  return nullptr;
}
