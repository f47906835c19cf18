#include "cpu_symbols.h"

#include <dlfcn.h>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_map>

#include "checker.h"
#include "cpu_block.h"
#include "cpu_cluster.h"
#include "cpu_grid.h"
#include "cuttle/dsl/half.hpp"
#include "cuttle/dsl/math_names.hpp"
#include "kernel_failure.h"
#include "warp_scheduler.h"

// What the compiler calls where the processor has no instruction, of libgcc.
extern "C" {
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UnsignedInt128;
Int128 __divti3(Int128, Int128);
Int128 __modti3(Int128, Int128);
UnsignedInt128 __udivti3(UnsignedInt128, UnsignedInt128);
UnsignedInt128 __umodti3(UnsignedInt128, UnsignedInt128);
float __floattisf(Int128);
double __floattidf(Int128);
float __floatuntisf(UnsignedInt128);
double __floatuntidf(UnsignedInt128);
Int128 __fixsfti(float);
Int128 __fixdfti(double);
UnsignedInt128 __fixunssfti(float);
UnsignedInt128 __fixunsdfti(double);
}

namespace cuttle::detail {
namespace {

// The same for 16-bit floating point, which libgcc has from version 13 on. Such values are passed in the low bits of a vector register, as a
// float of these bits is.
template <class H, class T>
float narrow_to_16_bits(T x) {
  return std::bit_cast<float>(std::uint32_t{H(x).bits()});
}
float widen_half(float x) { return half::from_bits(static_cast<unsigned short>(std::bit_cast<std::uint32_t>(x))); }

using Symbols = std::unordered_map<std::string_view, const void*>;

Symbols make_symbols() {
  Symbols symbols;
  const auto add = [&symbols](std::string_view name, auto* function) { symbols.emplace(name, reinterpret_cast<const void*>(function)); };
  // Besides what kernels name, what the optimiser calls by itself: pow becomes exp2, exp2 becomes ldexp, loops become memset.
#define CUTTLE_ADD(name) add(#name, static_cast<double (*)(double)>(::name)), add(#name "f", static_cast<float (*)(float)>(::name##f));
  CUTTLE_CMATH_UNARY(CUTTLE_ADD)
  CUTTLE_CMATH_UNARY_BUILTIN(CUTTLE_ADD)
  CUTTLE_CUDA_UNARY_LIBM(CUTTLE_ADD)
#undef CUTTLE_ADD
#define CUTTLE_ADD(name) \
  add(#name, static_cast<double (*)(double, double)>(::name)), add(#name "f", static_cast<float (*)(float, float)>(::name##f));
  CUTTLE_CMATH_BINARY(CUTTLE_ADD)
  CUTTLE_CMATH_BINARY_BUILTIN(CUTTLE_ADD)
#undef CUTTLE_ADD
  add("fma", static_cast<double (*)(double, double, double)>(::fma));
  add("fmaf", static_cast<float (*)(float, float, float)>(::fmaf));
  add("ldexp", static_cast<double (*)(double, int)>(::ldexp));
  add("ldexpf", static_cast<float (*)(float, int)>(::ldexpf));
  add("frexp", static_cast<double (*)(double, int*)>(::frexp));
  add("frexpf", static_cast<float (*)(float, int*)>(::frexpf));
  add("modf", static_cast<double (*)(double, double*)>(::modf));
  add("modff", static_cast<float (*)(float, float*)>(::modff));
  add("remquo", static_cast<double (*)(double, double, int*)>(::remquo));
  add("remquof", static_cast<float (*)(float, float, int*)>(::remquof));
  add("ilogb", static_cast<int (*)(double)>(::ilogb));
  add("ilogbf", static_cast<int (*)(float)>(::ilogbf));
  add("jn", static_cast<double (*)(int, double)>(::jn));
  add("jnf", static_cast<float (*)(int, float)>(::jnf));
  add("yn", static_cast<double (*)(int, double)>(::yn));
  add("ynf", static_cast<float (*)(int, float)>(::ynf));
  add("sincos", static_cast<void (*)(double, double*, double*)>(::sincos));
  add("sincosf", static_cast<void (*)(float, float*, float*)>(::sincosf));
  add("cuttle_cpu_scratch", scratch_memory);
  add("cuttle_cpu_schedule_warp", schedule_warp);
  add("cuttle_cpu_nanoseconds", nanoseconds);
  add("cuttle_cpu_sleep", sleep_nanoseconds);
  add("cuttle_cpu_wait_for_grid", wait_for_grid);
  add("cuttle_cpu_grid_can_wait", is_in_grid);
  add("cuttle_cpu_wait_for_cluster", wait_for_cluster);
  add("cuttle_cpu_cluster_fact", cluster_fact);
  add("cuttle_cpu_cluster_shared", cluster_shared_address);
  add("cuttle_cpu_assert_failed", assert_failed);
  add("printf", ::printf);
  add("puts", ::puts);  // what the optimiser makes of printf calls without a conversion
  add("putchar", ::putchar);
  add("__truncsfhf2", narrow_to_16_bits<half, float>);
  add("__truncdfhf2", narrow_to_16_bits<half, double>);
  add("__truncsfbf2", narrow_to_16_bits<bfloat16, float>);
  add("__truncdfbf2", narrow_to_16_bits<bfloat16, double>);
  add("__extendhfsf2", widen_half);
#define CUTTLE_ADD(name) add(#name, ::name);
  CUTTLE_ADD(__divti3)
  CUTTLE_ADD(__modti3)
  CUTTLE_ADD(__udivti3)
  CUTTLE_ADD(__umodti3)
  CUTTLE_ADD(__floattisf)
  CUTTLE_ADD(__floattidf)
  CUTTLE_ADD(__floatuntisf)
  CUTTLE_ADD(__floatuntidf)
  CUTTLE_ADD(__fixsfti)
  CUTTLE_ADD(__fixdfti)
  CUTTLE_ADD(__fixunssfti)
  CUTTLE_ADD(__fixunsdfti)
#undef CUTTLE_ADD
  add("memcpy", ::memcpy);
  add("memmove", ::memmove);
  add("memset", ::memset);
  add("memcmp", static_cast<int (*)(const void*, const void*, std::size_t)>(::memcmp));
  return symbols;
}

// glibc's vector functions, which codegen/vector_math.cpp chooses from.
const void* vector_math_symbol(std::string_view name) {
  static void* library = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL);
  return library ? dlsym(library, std::string(name).c_str()) : nullptr;
}

}  // namespace

const void* cpu_symbol(std::string_view name) {
  if (name.starts_with("_ZGV")) return vector_math_symbol(name);
  if (const void* answer = checker_symbol(name)) return answer;
  static const auto* symbols = new Symbols(make_symbols());  // read by threads that load while the process exits
  const auto found = symbols->find(name);
  return found == symbols->end() ? nullptr : found->second;
}

}  // namespace cuttle::detail
