// Names of functions on half and bfloat16 that the host's declarations and the device's definitions share.
#pragma once

#include "hide_macros.hpp"

#define CUTTLE_HALF_COMPARISONS(X) X(eq) X(ne) X(lt) X(le) X(gt) X(ge) X(equ) X(neu) X(ltu) X(leu) X(gtu) X(geu)

// X(name, the float's function): hname(half), h2name(half2).
#define CUTTLE_HALF_FUNCTIONS(X)                                                                                                                \
  X(ceil, ::ceil) X(floor, ::floor) X(trunc, ::trunc) X(rint, ::rint) X(sqrt, ::sqrt) X(rcp, 1.0f /) X(rsqrt, 1.0f / ::sqrt) X(exp, ::exp)     \
      X(exp2, ::exp2) X(exp10, exp10) X(log, ::log) X(log2, ::log2) X(log10, ::log10) X(sin, ::sin) X(cos, ::cos) X(tanh, ::tanh)

#include "restore_macros.hpp"
