// A header for the host and for kernels, with directives of every kind that headers have.
#pragma once

#include <cmath>
#include <cstddef>

#include "factor.h"

#ifndef STENCIL_OFFSET_DIGITS
#define STENCIL_OFFSET_DIGITS 10
#endif

#define STENCIL_SUM(a, b) \
  ((a) +                  \
   (b))

namespace stencil {

struct Offset {
  int x, y;
};

inline int operator*(Offset a, Offset b) { return STENCIL_SUM(a.x * b.x, a.y * b.y); }

#if STENCIL_OFFSET_DIGITS > 5
inline int weight(Offset offset) { return offset * Offset{STENCIL_OFFSET_DIGITS, 1} * factor; }
#else
#error this branch is not taken
#endif

namespace nested {
constexpr int bias = 1000;
}

}  // namespace stencil
