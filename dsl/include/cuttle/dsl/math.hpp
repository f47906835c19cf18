// The math names that a kernel may use without a prefix, on the host: the C library's own, never declared again.
#pragma once

#include <cmath>
#include <cstdlib>

namespace cuttle::dsl {

/// 1 / sqrt(x), one instruction on a GPU.
float rsqrtf(float x);
double rsqrt(double x);
float rsqrt(float x);

}  // namespace cuttle::dsl
