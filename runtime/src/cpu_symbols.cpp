#include "cpu_symbols.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <unordered_map>

#include "cpu_assert.h"
#include "cpu_block.h"
#include "warp_scheduler.h"

namespace cuttle::detail {
namespace {

// The optimiser calls some of these by itself: pow becomes exp2, exp2 becomes ldexp, loops become memset.
#define CUTTLE_LIBM_UNARY(X)                                                                                              \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp2) X(expm1) \
      X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(nearbyint) X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) \
          X(tanh) X(tgamma) X(trunc)
#define CUTTLE_LIBM_BINARY(X) X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)

using Symbols = std::unordered_map<std::string_view, const void*>;

Symbols make_symbols() {
  Symbols symbols;
  const auto add = [&symbols](std::string_view name, auto* function) { symbols.emplace(name, reinterpret_cast<const void*>(function)); };
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
  add("cuttle_cpu_scratch", scratch_memory);
  add("cuttle_cpu_schedule_warp", schedule_warp);
  add("cuttle_cpu_nanoseconds", nanoseconds);
  add("cuttle_cpu_sleep", sleep_nanoseconds);
  add("cuttle_cpu_assert_failed", assert_failed);
  add("printf", ::printf);
  add("puts", ::puts);  // what the optimiser makes of printf calls without a conversion
  add("putchar", ::putchar);
  add("memcpy", ::memcpy);
  add("memmove", ::memmove);
  add("memset", ::memset);
  add("memcmp", static_cast<int (*)(const void*, const void*, std::size_t)>(::memcmp));
  return symbols;
}

}  // namespace

const void* cpu_symbol(std::string_view name) {
  static const auto* symbols = new Symbols(make_symbols());  // read by threads that load while the process exits
  const auto found = symbols->find(name);
  return found == symbols->end() ? nullptr : found->second;
}

}  // namespace cuttle::detail
