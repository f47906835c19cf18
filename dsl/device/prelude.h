// What a kernel finds when the embedded Clang compiles it: made into a precompiled header for each back end when cuttle is built.
// No macro of the target (sm, options) may be tested here: the header is the same for all of them.
#pragma once

#define CUTTLE_DEVICE_PRELUDE 1

#pragma clang force_cuda_host_device begin
extern "C" __attribute__((device)) void cuttle_unroll(unsigned count);  // a mark, gone before any pass (codegen/loop_hints.h)
// clang-format off: in the order of what each uses.
#include "std.h"
#include "std_limits.h"
#include "std_iterator.h"
#ifdef CUTTLE_BACKEND_PTX
#include "ptx.h"
#else
#include "cpu.h"
#endif
#include "../include/cuttle/dsl/half.hpp"
#include "../include/cuttle/dsl/half_names.hpp"
#include "../include/cuttle/dsl/vector_types.hpp"
#include "../include/cuttle/dsl/constant.hpp"
#include "../include/cuttle/dsl/loops.hpp"
#include "../include/cuttle/dsl/random.hpp"
#include "../include/cuttle/dsl/view.hpp"
#include "atomic.h"
#include "cache_hints.h"
#include "integer.h"
#include "math.h"
#include "printf.h"
#include "shared.h"
#include "std_atomic.h"
#include "std_bit.h"
#include "std_complex.h"
#include "std_containers.h"
#include "std_algorithm.h"
#include "../include/cuttle/dsl/by_key.hpp"
#include "sync.h"
#include "warp.h"
#include "grid.h"
#include "../include/cuttle/dsl/collectives.hpp"
// After what they use.
#include "assert.h"
#include "half_functions.h"
#include "wmma.h"
#include "barrier.h"
#include "../include/cuttle/dsl/pipeline.hpp"
#include "../include/cuttle/dsl/dpx.hpp"
// clang-format on
#pragma clang force_cuda_host_device end

#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __device__ __attribute__((device))
#ifdef CUTTLE_BACKEND_PTX
#define __global__ __attribute__((global))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#else
// The block function is device code, and calls the kernel.
#define __global__ __attribute__((device)) __attribute__((annotate("cuttle_kernel")))
#define __launch_bounds__(...)
#define __grid_constant__
#endif
#define __host__ __attribute__((host))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __restrict __restrict__

// A kernel's text holds what the host's <cassert> makes of assert(condition). The line is this compiler's: the host may give the macro's last one.
#define __assert_fail(condition, file, line, function) cuttle::device::assert_failed(condition, __FILE__, __LINE__)
#define assert(...) ((__VA_ARGS__) ? static_cast<void>(0) : cuttle::device::assert_failed(#__VA_ARGS__, __FILE__, __LINE__))
