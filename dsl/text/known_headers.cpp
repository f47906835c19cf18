#include "dsl/text/known_headers.h"

#include <algorithm>

namespace cuttle::text {
namespace {

constexpr std::string_view math_constants = R"(#pragma once
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_MIN_DENORM_F 1.401298464e-45F
#define CUDART_MAX_NORMAL_F 3.402823466e38F
#define CUDART_NEG_ZERO_F (-0.0F)
#define CUDART_ZERO_F 0.0F
#define CUDART_ONE_F 1.0F
#define CUDART_SQRT_TWO_F 1.414213562F
#define CUDART_SQRT_HALF_F 0.707106781F
#define CUDART_LN2_F 0.693147181F
#define CUDART_L2E_F 1.442695041F
#define CUDART_LOG2E_F 1.442695041F
#define CUDART_LOG10E_F 0.434294482F
#define CUDART_LN10_F 2.302585093F
#define CUDART_PI_F 3.141592654F
#define CUDART_PIO2_F 1.570796327F
#define CUDART_PIO4_F 0.785398163F
#define CUDART_2_OVER_PI_F 0.636619772F
#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")
#define CUDART_MAX_NORMAL 1.7976931348623157e308
#define CUDART_NEG_ZERO (-0.0)
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_SQRT_TWO 1.4142135623730951e+0
#define CUDART_SQRT_HALF 7.0710678118654757e-1
#define CUDART_LN2 6.9314718055994529e-1
#define CUDART_L2E 1.4426950408889634e+0
#define CUDART_LOG10E 4.3429448190325182e-1
#define CUDART_LN10 2.3025850929940459e+0
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_PIO2 1.5707963267948966e+0
#define CUDART_PIO4 7.8539816339744828e-1
#define CUDART_2_OVER_PI 6.3661977236758138e-1
)";

constexpr std::string_view implicit = R"(
#define FLT_RADIX __FLT_RADIX__
#define FLT_MIN_EXP __FLT_MIN_EXP__
#define FLT_MAX_EXP __FLT_MAX_EXP__
#define DBL_MIN_EXP __DBL_MIN_EXP__
#define DBL_MAX_EXP __DBL_MAX_EXP__
using uint = unsigned int;
using ushort = unsigned short;
using ulong = unsigned long;
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  __host__ __device__ constexpr dim3(cuttle::dsl::uint3 v) : x(v.x), y(v.y), z(v.z) {}
};
)";

constexpr KnownHeader headers[] = {
    // CUDA
    {"cuda.h", ""},
    {"cuda_runtime.h", ""},
    {"cuda_runtime_api.h", ""},
    {"cuda_device_runtime_api.h", ""},
    {"device_launch_parameters.h", ""},
    {"cooperative_groups.h", ""},
    {"cooperative_groups/memcpy_async.h", ""},
    {"cooperative_groups/reduce.h", ""},
    {"cooperative_groups/scan.h", ""},
    {"cuda/barrier", ""},
    {"cuda/pipeline", ""},
    {"crt/mma.h", ""},
    {"device_functions.h", ""},
    {"device_atomic_functions.h", ""},
    {"sm_20_atomic_functions.h", ""},
    {"sm_60_atomic_functions.h", ""},
    {"math_functions.h", ""},
    {"mma.h", ""},
    {"sm_30_intrinsics.h", ""},
    {"sm_32_intrinsics.h", ""},
    {"builtin_types.h", ""},
    {"vector_types.h", ""},
    {"vector_functions.h", ""},
    {"crt/host_defines.h", ""},
    {"host_defines.h", ""},
    {"cuda_fp16.h", ""},
    {"cuda_bf16.h", ""},
    {"math_constants.h", math_constants},
    // C
    {"assert.h", ""},
    {"float.h", ""},
    {"limits.h", ""},
    {"math.h", ""},
    {"stddef.h", ""},
    {"stdint.h", ""},
    {"stdio.h", ""},
    {"stdlib.h", ""},
    {"string.h", ""},
    // C++: what the prelude has of them
    {"algorithm", ""},
    {"array", ""},
    {"atomic", ""},
    {"bit", ""},
    {"cassert", ""},
    {"cfloat", ""},
    {"climits", ""},
    {"cmath", ""},
    {"complex", ""},
    {"cstddef", ""},
    {"cstdint", ""},
    {"cstdio", ""},
    {"cstdlib", ""},
    {"cstring", ""},
    {"limits", ""},
    {"numeric", ""},
    {"optional", ""},
    {"tuple", ""},
    {"type_traits", ""},
    {"utility", ""},
};

}  // namespace

std::span<const KnownHeader> known_headers() { return headers; }

bool is_known_header(std::string_view name) {
  return std::any_of(std::begin(headers), std::end(headers), [name](const KnownHeader& header) { return header.name == name; });
}

std::string_view implicit_header() { return implicit; }

}  // namespace cuttle::text
